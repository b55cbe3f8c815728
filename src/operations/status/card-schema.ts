/** Schema of the card of a run: its outcome, or its current state. */
import * as z from "zod";
import { list, text, texts } from "../schema-fields.ts";
import { RUN_STATES } from "./run-state.ts";

export const nextCommand = z.strictObject({
  /** One word, for a list. */
  what: text,
  command: text,
  /** What it does. */
  about: text,
});

const timed = z.strictObject({ words: text, times: z.number() });

export const card = z.strictObject({
  run: text,
  goal: text,
  state: z.enum(RUN_STATES),
  /** The state in one sentence. */
  sentence: text,
  waitsUntil: text.exactOptional(),
  /** The branch with the result; missing if agents work in the user's own checkout. */
  branch: text.exactOptional(),
  applied: z.boolean(),
  /** The state of each check over all subtasks that have it. */
  checks: list(
    z.strictObject({
      check: text,
      verdict: z.enum(["passed", "no worse", "doubtful", "left out", "not run", "failed"]),
      words: text,
      /** The subtasks this verdict applies to. */
      subtasks: texts,
    }),
  ),
  subtasks: list(
    z.strictObject({
      id: text,
      phase: text,
      attempts: z.number(),
      tookMs: z.number().exactOptional(),
      /** When the next attempt starts, and what it waits for. */
      wakesAt: text.exactOptional(),
      waitsFor: text.exactOptional(),
      /** Why it is not done, or what a person should know about it. */
      words: texts,
      /** The recoveries from its failures. */
      recoveries: list(timed),
    }),
  ),
  /** What was not verified, and why. */
  unverified: list(z.strictObject({ subtask: text, why: text })),
  /** The result compared with the base; missing if it cannot be read. */
  changes: z
    .strictObject({
      files: z.number(),
      added: z.number(),
      removed: z.number(),
      /** The files with the most changed lines. */
      largest: list(z.strictObject({ path: text, added: z.number(), removed: z.number() })),
    })
    .exactOptional(),
  /** Tests and other judging files that the result edits or deletes; new ones do not count. */
  editedTests: texts,
  /** Money, tokens, agent time and attempts, each with its limit. */
  spent: texts,
  tookMs: z.number(),
  agentsMs: z.number(),
  /** For services and limits, in the subtask that waited longest. */
  waitedMs: z.number(),
  /** Failed attempts of subtasks that succeeded in the end, and the recoveries. */
  recovered: z.strictObject({
    attempts: z.number(),
    by: list(timed),
  }),
  /** What waits for a person. */
  questions: list(z.strictObject({ id: text, question: text })),
  /** Alerts, and budgets that cannot limit an agent. */
  warnings: texts,
  /** Commands that make sense now, the best first. */
  next: list(nextCommand),
});

export type Card = z.infer<typeof card>;
