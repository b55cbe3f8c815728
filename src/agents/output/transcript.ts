/** A transcript of a named format, read to steps with their places; what cannot be read is named and passed over. */
import { assert } from "../../core/assert.ts";
import { REGISTRY } from "../registry.ts";
import { createLines, type ReadLine } from "./lines.ts";

export function createStepReader(format: string) {
  const source = REGISTRY.outputNamed(format);
  assert(source !== undefined, `there is an output format ${format}`);
  const lines = createLines(source.output);
  return {
    push: (chunk: string | Uint8Array) => pieceOf(lines.push(chunk)),
    end: () => pieceOf(lines.end()),
  };
}

const pieceOf = (lines: readonly ReadLine[]) => ({
  steps: lines.flatMap(({ number: line, steps = [] }) => steps.map((step) => ({ line, step }))),
  problems: lines.flatMap(({ number: line, problem }) =>
    problem === undefined ? [] : [{ line, problem }],
  ),
});
