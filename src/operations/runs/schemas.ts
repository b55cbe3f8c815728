/**
 * Input and output schemas of the operations that act on runs. One style: camelCase, times in epoch milliseconds or ISO
 * 8601, `outcome` always `{ kind, reason? }`.
 */
import * as z from "zod";
import type { Budget } from "../../core/budget.ts";
import { RETRY_METHODS } from "../../core/run/retry-method.ts";
import type { Note } from "../../core/run/note.ts";
import type { LineStat } from "../../workspace/git/read-objects.ts";
import { data, flag, list, text, texts } from "../schema-fields.ts";
import { card } from "../status/card-schema.ts";

export const asked = z
  .string()
  .optional()
  .describe("A run's id or a part of it; default: the latest of this repository");
export const ofRun = z.strictObject({ run: asked });
export const outcome = z.strictObject({ kind: text, reason: text.exactOptional() });
const answer = z.union([
  z.strictObject({
    kind: z.enum([
      ...["skip", "without", "other-agent"],
      ...["allow-once", "allow-run", "allow-always"],
    ] as const),
  }),
  z.strictObject({
    kind: z.literal("retry"),
    words: text,
    how: z.enum(RETRY_METHODS).exactOptional().describe("The recovery, as the question offers it"),
  }),
  z.strictObject({ kind: z.literal("manual"), done: z.boolean() }),
  z.strictObject({ kind: z.literal("top-up"), by: data<Budget>() }),
]);

const left = {
  run: text,
  end: z.enum(["verified", "unverified", "failed", "budget", "needs-person", "paused"]),
  outcome: outcome.exactOptional(),
  card: card.exactOptional(),
};
export const watched = z
  .enum(["end", "live"])
  .optional()
  .describe("Whether the run is to be told as a view: at the end, or whenever it changes");

export const startedInBackground = z.strictObject({ run: text, log: text });

export const startRun = {
  input: z.strictObject({
    plan: text.optional().describe("Plan file; default: the nearest up to the root"),
    planText: text.optional().describe("A plan in words of our own, instead of a file"),
    goal: text.optional(),
    agent: text.optional(),
    checks: texts.optional(),
    setup: texts.optional(),
    carry: texts.optional(),
    policy: text.optional(),
    concurrency: z.int().min(1).max(64).optional(),
    grounding: flag,
    stuckAfter: z.int().min(1).max(1000).optional(),
    recoveryBudget: z.int().min(0).max(1000).optional(),
    progressThreshold: z.number().min(0).max(1).optional(),
    withChanges: flag,
    inPlace: flag,
    trust: flag,
    fullPermissions: flag,
    history: text.optional().describe("A run that agents are told the failures of"),
    measured: z
      .string()
      .regex(/^try-[0-9a-f]{12}$/)
      .optional()
      .describe("What the checks said of the base a moment ago, as prepare-goal names it"),
    view: watched,
    detach: texts
      .optional()
      .describe(
        "The command line that works on it, in a process of its own: nothing is waited for",
      ),
  }),
  output: z.union([z.strictObject(left), startedInBackground]),
};

export const resumeRun = {
  input: ofRun.extend({
    retry: text.optional().describe("A subtask that ended unverified and is to try on"),
    words: text.optional().describe("What to tell the agent then"),
    view: watched,
  }),
  output: z.strictObject(left),
};

export const resumeAll = {
  input: z.strictObject({ onlyCutOff: flag.describe("Not what a person stopped") }),
  output: z.strictObject({ resumed: texts }),
};

export const stopRun = {
  input: ofRun,
  output: z.strictObject({
    run: text,
    /** The phase before it was told to pause. */
    phase: text,
    begun: z.boolean(),
    ownerAlive: z.boolean(),
    paused: z.boolean(),
    outcome: outcome.exactOptional(),
  }),
};

export const cancelRun = {
  input: z.strictObject({ run: text }),
  output: z.strictObject({
    run: text,
    ended: z.boolean(),
    /** The phase before. */
    before: text,
    outcome: outcome.exactOptional(),
  }),
};

export const answerQuestion = {
  input: z.strictObject({
    run: text.optional(),
    question: text.describe("Its id, such as login/c1"),
    answer,
    seen: z.number().optional().describe("The run's last event when the question was read"),
  }),
  output: z.strictObject({
    run: text,
    checkpoint: text,
    answer,
    /** A process works on the run and takes the answer at once; otherwise it has to be resumed. */
    ownerAlive: z.boolean(),
    /** The files, for a person who takes over. */
    folder: text.exactOptional(),
    /** Questions of other runs about the same incident that took the answer too. */
    alike: list(z.strictObject({ run: text, question: text })).exactOptional(),
  }),
};

const changed = {
  run: text,
  repository: text,
  /** Null when HEAD is detached. */
  branch: text.nullable(),
  head: text.nullable(),
  files: texts,
  stat: data<LineStat>(),
};

export const applyRun = {
  input: ofRun.extend({
    attempt: text.optional(),
    squash: flag,
    again: flag.describe("Also what later commits took back"),
    dryRun: flag,
    acceptTests: flag.describe("Also a result that passes with its own tests only"),
  }),
  output: z.strictObject({
    ...changed,
    /** `there`: nothing was missing; `nothing`: the run has no changes. */
    result: z.enum(["applied", "there", "nothing"]),
    committed: z.boolean(),
    /** The snapshot of the checkout from before. */
    rescue: text.nullable(),
    takenBack: texts,
    dryRun: z.boolean(),
    sign: text.exactOptional().describe("Signs the new commits, where yours are signed"),
    notes: list(data<Note & { readonly subtask: string; readonly words: string }>()),
  }),
};

export const undoRun = {
  input: ofRun.extend({ to: text.optional(), attempt: text.optional() }),
  output: z.union([
    z.strictObject({ ...changed, rescue: text }),
    z.strictObject({
      ...{ run: text, repository: text, rescue: text },
      /** The snapshot the checkout was set to, if no apply was undone. */
      snapshot: text,
    }),
  ]),
};

export const cleanRuns = {
  input: z.strictObject({
    runs: texts.describe("Ids or parts of them, whatever their age; none: all that ended"),
    olderThanDays: z.number().min(0),
    all: flag,
    force: flag.describe("Also what is not applied"),
  }),
  output: z.strictObject({
    runs: list(
      z.strictObject({
        run: text,
        repository: text,
        removed: z.boolean(),
        why: text.exactOptional(),
        /** What would be lost, if a person's consent is enough to remove it anyway. */
        wouldLose: text.exactOptional(),
        elsewhere: z.boolean(),
      }),
    ),
    /** Leftovers that the journal does not know. */
    left: z
      .strictObject({
        folders: z.number(),
        pins: z.number(),
        /** Pins that are the only reference to their commits. */
        pinsKept: z.number(),
        /** Ids of folders that were kept, with what they contain. */
        kept: list(z.strictObject({ id: text, why: text })),
      })
      .exactOptional(),
  }),
};

export const importRun = {
  input: z.strictObject({ text: text, name: text.describe("Where it is from") }),
  output: z.strictObject({
    run: text,
    subtasks: z.number(),
    attempts: z.number(),
    episodes: z.number(),
    skipped: z.number(),
  }),
};
