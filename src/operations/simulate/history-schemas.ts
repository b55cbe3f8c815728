/** Input and output schemas of replaying recorded runs under another policy. */
import * as z from "zod";
import { list, text } from "../schema-fields.ts";

const count = z.number();
const came = z
  .enum(["worked", "failed", "unknown"])
  .describe("unknown: it was cut off, it is not over, or a person was asked");

const otherwise = z.strictObject({
  run: text,
  seq: count.describe("Of the decision in the run's journal: unstuck explain RUN --event SEQ"),
  subtask: text,
  failure: text,
  did: text.describe("The recovery that was chosen"),
  didWords: text,
  came: came.describe("What came of it"),
  would: text.exactOptional().describe("The recovery it would have chosen; none: not yet"),
  wouldWords: text.exactOptional(),
  because: text,
  tried: came
    .exactOptional()
    .describe("What came of that one when the subtask tried it later, on another tree"),
});

export const replayHistory = {
  input: z.strictObject({
    policy: text.optional().describe("A policy's name or file; default adaptive"),
    run: text.optional().describe("Only this run; default: every run of this home"),
    stuckAfter: z.int().min(1).max(1000).optional(),
    recoveryBudget: z.int().min(0).max(1000).optional(),
    progressThreshold: z.number().min(0).max(1).optional(),
  }),
  output: z.strictObject({
    policy: text,
    runs: count,
    decisions: count.describe("Recoveries that were chosen in those runs"),
    unclear: count.describe("Decisions of another version that cannot be made anew"),
    otherwise: list(otherwise).describe("Where it would have chosen otherwise, newest run first"),
    left: count.describe("How many more there are"),
  }),
};

export type ReplayedHistory = z.infer<(typeof replayHistory)["output"]>;
