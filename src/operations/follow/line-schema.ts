/**
 * Schema of the lines that `run`, `resume` and `attach` print with `--json`: events as they happen, and the result at
 * the end.
 */
import * as z from "zod";
import { text } from "../schema-fields.ts";
import { followRun } from "../runs/reading-schemas.ts";
import { resumeRun, startedInBackground } from "../runs/schemas.ts";

const event = z.strictObject({
  seq: z.int().describe("Counts up from 1 within the run"),
  event: z.looseObject({ kind: text }).describe("As unstuck events tells it"),
});

const result = { kind: z.literal("result") };

const line = z.union([
  event,
  resumeRun.output.extend(result).describe("The last line of run and resume"),
  startedInBackground.extend(result).describe("The last line of run --detach"),
  followRun.output.extend(result).describe("The last line of attach"),
]);

export const runLineJsonSchema = (): object => ({
  ...z.toJSONSchema(line, { unrepresentable: "any" }),
  title: "A line of unstuck run, resume or attach with --json",
});
