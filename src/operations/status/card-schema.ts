/** The card of a run: what came of it, or what is so far, for faces that check or describe it. */
import * as z from "zod";
import { list, text, texts } from "../schema-fields.ts";
import { RUN_STATES } from "./run-state.ts";

export const nextCommand = z.strictObject({
  /** A word for a list. */
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
  /** The branch that holds the result; missing where agents work in the user's own checkout. */
  branch: text.exactOptional(),
  applied: z.boolean(),
  /** How each check stands, over all subtasks that have it. */
  checks: list(
    z.strictObject({
      check: text,
      verdict: z.enum(["passed", "no worse", "doubtful", "left out", "not run", "failed"]),
      words: text,
      /** Those it stands so for. */
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
      /** Why it is not done, or what has to be known beside that. */
      words: texts,
      /** What was done about its failures. */
      recoveries: list(timed),
    }),
  ),
  /** What was not verified, and why. */
  unverified: list(z.strictObject({ subtask: text, why: text })),
  /** Of the result against the base; missing where it cannot be read. */
  changes: z
    .strictObject({
      files: z.number(),
      added: z.number(),
      removed: z.number(),
      /** The files with most changed lines. */
      largest: list(z.strictObject({ path: text, added: z.number(), removed: z.number() })),
    })
    .exactOptional(),
  /** Tests, and other files that judge the work, that the result edits or deletes; new ones are not meant. */
  editedTests: texts,
  /** Money, tokens, agent time and attempts, each with its limit. */
  spent: texts,
  tookMs: z.number(),
  agentsMs: z.number(),
  /** For services and limits, of the subtask that waited longest. */
  waitedMs: z.number(),
  /** Failed attempts of subtasks that came through all the same, and what was done about them. */
  recovered: z.strictObject({
    attempts: z.number(),
    by: list(timed),
  }),
  /** What waits for a person. */
  questions: list(z.strictObject({ id: text, question: text })),
  /** Alerts, and budgets that cannot hold an agent. */
  warnings: texts,
  /** Commands that make sense now, the best first. */
  next: list(nextCommand),
});

export type Card = z.infer<typeof card>;
