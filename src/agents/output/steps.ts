/** Steps of our own, one JSON object a line: for commands that tell what they do, and for recorded transcripts. */
import { readStep } from "../../core/stuck/step.ts";
import type { OutputFormat } from "./format.ts";

export const stepsOutput: OutputFormat = {
  begins: (line) => typeof line["kind"] === "string",
  createReader: () => (line) => {
    const reading = readStep(line);
    return reading.ok
      ? { steps: [reading.step] }
      : { problem: `${reading.field}: ${reading.problem}` };
  },
  finals: [],
  sessionGone: [],
};
