/**
 * Input and output of the operations that act on runs, for faces that check or describe them. One style: camelCase,
 * times in epoch milliseconds or ISO 8601, `outcome` always `{ kind, reason? }`.
 */
import * as z from "zod";
import type { Budget } from "../../core/budget.ts";
import type { Note } from "../../core/run/note.ts";
import type { LineStat } from "../../workspace/git/read-objects.ts";
import type { RunView } from "./run-view.ts";

export const data = <T extends object>() =>
  z.custom<T>((value) => typeof value === "object" && value !== null);
export const list = <T extends z.ZodType>(item: T) => z.array(item).readonly();
export const texts = list(z.string());
export const flag = z.boolean().optional();

export const asked = z
  .string()
  .optional()
  .describe("A run's id or a part of it; default: the latest of this repository");
export const ofRun = z.strictObject({ run: asked });
export const outcome = z.strictObject({ kind: z.string(), reason: z.string().exactOptional() });
const answer = z.union([
  z.strictObject({ kind: z.enum(["skip", "without"]) }),
  z.strictObject({ kind: z.literal("retry"), words: z.string() }),
  z.strictObject({ kind: z.literal("manual"), done: z.boolean() }),
  z.strictObject({ kind: z.literal("top-up"), by: data<Budget>() }),
]);

const left = {
  run: z.string(),
  end: z.enum(["verified", "unverified", "failed", "budget", "needs-person", "paused"]),
  outcome: outcome.exactOptional(),
  view: data<RunView>().exactOptional(),
};
export const watched = z
  .enum(["end", "live"])
  .optional()
  .describe("Whether the run is to be told as a view: at the end, or whenever it changes");

export const startRun = {
  input: z.strictObject({
    plan: z.string().optional().describe("Plan file; default: the nearest up to the root"),
    goal: z.string().optional(),
    agent: z.string().optional(),
    checks: texts.optional(),
    setup: texts.optional(),
    carry: texts.optional(),
    policy: z.string().optional(),
    concurrency: z.int().min(1).max(64).optional(),
    grounding: flag,
    stuckAfter: z.int().min(1).max(1000).optional(),
    recoveryBudget: z.int().min(0).max(1000).optional(),
    progressThreshold: z.number().min(0).max(1).optional(),
    withChanges: flag,
    inPlace: flag,
    trust: flag,
    fullPermissions: flag,
    history: z.string().optional().describe("A run that agents are told the failures of"),
    view: watched,
    detach: texts
      .optional()
      .describe(
        "The command line that works on it, in a process of its own: nothing is waited for",
      ),
  }),
  output: z.union([z.strictObject(left), z.strictObject({ run: z.string(), log: z.string() })]),
};

export const resumeRun = {
  input: ofRun.extend({
    retry: z.string().optional().describe("A subtask that ended unverified and is to try on"),
    words: z.string().optional().describe("What to tell the agent then"),
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
    run: z.string(),
    /** Before it was told to pause. */
    phase: z.string(),
    begun: z.boolean(),
    ownerAlive: z.boolean(),
    paused: z.boolean(),
    outcome: outcome.exactOptional(),
  }),
};

export const cancelRun = {
  input: z.strictObject({ run: z.string() }),
  output: z.strictObject({
    run: z.string(),
    ended: z.boolean(),
    /** The phase before. */
    before: z.string(),
    outcome: outcome.exactOptional(),
  }),
};

export const answerQuestion = {
  input: z.strictObject({
    run: z.string().optional(),
    question: z.string().describe("Its id, such as login/c1"),
    answer,
    seen: z.number().optional().describe("The run's last event when the question was read"),
  }),
  output: z.strictObject({
    run: z.string(),
    checkpoint: z.string(),
    answer,
    /** Somebody works on the run and takes the answer at once; else it has to be resumed. */
    ownerAlive: z.boolean(),
    /** The files of who takes it over. */
    folder: z.string().exactOptional(),
  }),
};

const changed = {
  run: z.string(),
  repository: z.string(),
  /** Null when HEAD is detached. */
  branch: z.string().nullable(),
  head: z.string().nullable(),
  files: texts,
  stat: data<LineStat>(),
};

export const applyRun = {
  input: ofRun.extend({
    attempt: z.string().optional(),
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
    rescue: z.string().nullable(),
    takenBack: texts,
    dryRun: z.boolean(),
    notes: list(data<Note & { readonly subtask: string; readonly words: string }>()),
  }),
};

export const undoRun = {
  input: ofRun.extend({ to: z.string().optional(), attempt: z.string().optional() }),
  output: z.union([
    z.strictObject({ ...changed, rescue: z.string() }),
    z.strictObject({
      ...{ run: z.string(), repository: z.string(), rescue: z.string() },
      /** What the checkout was brought to, instead of an apply taken back. */
      snapshot: z.string(),
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
        run: z.string(),
        repository: z.string(),
        removed: z.boolean(),
        why: z.string().exactOptional(),
        /** What would be lost, where a person's word is enough to remove it all the same. */
        wouldLose: z.string().exactOptional(),
        elsewhere: z.boolean(),
      }),
    ),
    /** What the journal knows nothing of. */
    left: z
      .strictObject({
        folders: z.number(),
        pins: z.number(),
        pinsKept: z.number(),
        kept: list(z.strictObject({ id: z.string(), why: z.string() })),
      })
      .exactOptional(),
  }),
};

export const importRun = {
  input: z.strictObject({ text: z.string(), name: z.string().describe("Where it is from") }),
  output: z.strictObject({
    run: z.string(),
    subtasks: z.number(),
    attempts: z.number(),
    episodes: z.number(),
    skipped: z.number(),
  }),
};
