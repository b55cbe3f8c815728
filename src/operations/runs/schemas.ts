/**
 * Input and output of the operations on runs, for faces that check or describe them. One style: camelCase, times in
 * epoch milliseconds or ISO 8601, `outcome` always `{ kind, reason? }`. The exceptions are shapes that were fixed
 * elsewhere: the attempt history (B8), episodes (D6) and the names of the recovery metrics (A10).
 */
import { z } from "zod";
import type { Budget, Measure, Unheld } from "../../core/budget.ts";
import type { KnownAmount } from "../../core/amounts.ts";
import type { AttemptHistoryJson } from "../../core/history/attempt-history.ts";
import type { Episode } from "../../core/history/episode.ts";
import type { PastAttempt } from "../../core/history/run-history.ts";
import type { Considered } from "../../core/policy/policy.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import type { Answer } from "../../core/run/input.ts";
import type { Note } from "../../core/run/note.ts";
import type { Phase } from "../../core/run/view.ts";
import type { LineStat } from "../../workspace/types.ts";
import type { RunView } from "./run-view.ts";

/** Data that the core defines and checks; here only that it is there. */
const data = <T extends object>() =>
  z.custom<T>((value) => typeof value === "object" && value !== null);
const list = <T extends z.ZodType>(item: T) => z.array(item).readonly();
const texts = list(z.string());
const flag = z.boolean().optional();

const asked = z
  .string()
  .optional()
  .describe("A run's id or a part of it; default: the latest of this repository");
const ofRun = z.strictObject({ run: asked });
const outcome = z.strictObject({ kind: z.string(), reason: z.string().exactOptional() });
const answer = z.union([
  z.strictObject({ kind: z.enum(["skip", "without"]) }),
  z.strictObject({ kind: z.literal("retry"), words: z.string() }),
  z.strictObject({ kind: z.literal("manual"), done: z.boolean() }),
  z.strictObject({ kind: z.literal("top-up"), by: data<Budget>() }),
]);

const runs = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** As people know it: running, needs you, paused by you, verified ... */
  state: z.string(),
  phase: z.string(),
  created: z.number(),
  changed: z.number().exactOptional(),
  /** Number of events. */
  seq: z.number(),
  outcome: outcome.exactOptional(),
  repository: z.string(),
  /** The branch it was started on. */
  branch: z.string().exactOptional(),
  owner: data<object>().exactOptional(),
  alive: z.boolean(),
  folderIsGone: z.boolean(),
});

export const listRuns = {
  input: z.strictObject({ all: flag.describe("Runs of all repositories") }),
  output: z.strictObject({
    runs: list(runs),
    /** Runs of every repository were listed. */
    all: z.boolean(),
    /** What is not listed, in words. */
    elsewhere: z.string(),
  }),
};

export const readRun = {
  input: z.strictObject({ run: z.string() }),
  output: runs.extend({
    diskBytes: z.number(),
    paused: data<{ by: string; reason: string }>().exactOptional(),
    spent: data<Record<Measure, KnownAmount>>(),
    spentWords: texts,
    unheld: list(data<Unheld & { readonly words: string }>()),
    subtasks: list(
      z.strictObject({
        id: z.string(),
        phase: z.custom<Phase>((value) => typeof value === "string"),
        attempts: z.number(),
        lastFailure: z.string().optional(),
        wakesAt: z.string().optional(),
        question: z.string().optional(),
        unanswered: z.string().optional(),
        unansweredWords: z.string().optional(),
        notes: list(data<Note & { readonly words: string }>()),
        errorCount: z.number(),
        isHiccup: z.boolean(),
      }),
    ),
  }),
};

/** How a run was left by who worked on it. */
const left = {
  run: z.string(),
  end: z.enum(["verified", "unverified", "failed", "budget", "needs-person", "paused"]),
  outcome: outcome.exactOptional(),
  view: data<RunView>().exactOptional(),
};
const watched = z
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

const question = {
  run: z.string(),
  repository: z.string(),
  /** An answer that nobody has taken yet, because nobody works on the run. */
  given: z
    .strictObject({ answer: data<Answer>(), by: z.string(), words: z.string() })
    .exactOptional(),
};

export const inbox = {
  input: z.strictObject({ all: flag.describe("Of all repositories") }),
  output: z.strictObject({
    questions: list(data<Checkpoint>().and(z.looseObject(question))),
    all: z.boolean(),
    /** Open questions of other repositories that are not listed. */
    elsewhere: z.number(),
  }),
};

export const reviewQuestions = {
  input: z.strictObject({ run: asked }),
  output: list(
    z.strictObject({
      ...question,
      checkpoint: data<Checkpoint>(),
      /** The last event that was recorded when the question was read. */
      seen: z.number(),
      /** All that failed and what was done about it. */
      story: z.string(),
      approaches: list(
        z.strictObject({
          attempt: z.number(),
          approach: z.string(),
          failure: z.string().optional(),
        }),
      ),
      /** What its last attempt changed against the base, as git tells it. */
      diff: z.string(),
      /** In Markdown. */
      report: z.string(),
      /** Where its tree stands, for a person who takes over. */
      folder: z.string().exactOptional(),
    }),
  ),
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

export const diffRun = {
  input: ofRun.extend({ attempt: z.string().optional().describe("Of one attempt: subtask/n") }),
  output: z.strictObject({
    ...{ run: z.string(), repository: z.string(), from: z.string(), to: z.string() },
    text: z.string(),
    cut: z.boolean(),
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

export const followRun = {
  input: ofRun.extend({
    from: z.number().optional().describe("The first event to be told; default: 1"),
    onlyNews: flag.describe("Only what is recorded from now on"),
    until: z
      .enum(["now", "ended", "unattended"])
      .describe("How long: what is recorded; until it ends; until nobody works on it"),
    view: watched,
  }),
  output: z.strictObject({
    run: z.string(),
    /** Somebody works on it. */
    goesOn: z.boolean(),
    view: data<RunView>().exactOptional(),
  }),
};

export const explainRun = {
  input: ofRun.extend({ subtask: z.string().optional(), event: z.number().optional() }),
  output: z.strictObject({
    run: z.string(),
    begun: z.boolean(),
    decisions: list(
      z.strictObject({
        seq: z.number(),
        subtask: z.string().exactOptional(),
        decision: z.string(),
        seen: texts,
        considered: list(data<Considered>()),
        why: z.string(),
        event: data<RunEvent>(),
      }),
    ),
  }),
};

const metrics = {
  recovery_triggers: z.number(),
  recovery_success: z.number(),
  stage_success: z.record(z.string(), z.number()).readonly(),
  recovery_iterations: z.number(),
};

export const reportRun = {
  input: ofRun.extend({ subtask: z.string().optional().describe("Only this one") }),
  output: z.strictObject({
    run: z.string(),
    goal: z.string(),
    outcome: outcome.exactOptional(),
    durationMs: z.number(),
    subtasks: list(
      z.strictObject({
        id: z.string(),
        phase: z.custom<Phase>((value) => typeof value === "string"),
        dependsOn: texts,
        blocks: texts,
        files: texts,
        attempts: list(data<PastAttempt>()),
      }),
    ),
    questions: list(data<Checkpoint>()),
    metrics: z.strictObject(metrics),
    markdown: z.string(),
  }),
};

export const measureRecovery = {
  input: ofRun.describe("Without a run: all of them together"),
  output: z.strictObject({ runs: z.number(), ...metrics }),
};

export const exportRun = {
  input: ofRun.extend({ episodes: flag }),
  output: z.union([
    z.strictObject({ history: data<AttemptHistoryJson>() }),
    z.strictObject({ episodes: list(data<Episode>()) }),
  ]),
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
