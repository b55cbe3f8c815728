/**
 * Input and output schemas of the operations that read runs, in the style of those that act on them. Exceptions are
 * formats fixed elsewhere: the journal's events, the attempt history (B8), episodes (D6) and the names of the recovery
 * metrics (A10).
 */
import * as z from "zod";
import type { Measure, UnenforcedBudget } from "../../core/budget.ts";
import type { KnownAmount } from "../../core/amounts.ts";
import type { AttemptHistoryJson } from "../../core/history/attempt-history.ts";
import type { Episode } from "../../core/history/episode.ts";
import type { PastAttempt } from "../../core/history/run-history.ts";
import type { Considered } from "../../core/policy/situation.ts";
import type { BelievedCause } from "../../core/report/believed-causes.ts";
import type { ClassifiedFailure } from "../../core/report/classified.ts";
import type { OtherOption } from "../../core/report/explanation-parts.ts";
import type { QuestionEvidence, QuestionWords } from "../../core/report/question-words.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import type { Answer } from "../../core/run/input.ts";
import type { Note } from "../../core/run/note.ts";
import type { Phase } from "../../core/run/view.ts";
import { data, flag, list, text, texts, word } from "../schema-fields.ts";
import { card, nextCommand } from "../status/card-schema.ts";
import { RUN_STATES } from "../status/run-state.ts";
import { asked, ofRun, outcome, watched } from "./schemas.ts";

const runs = z.strictObject({
  id: text,
  title: text,
  /** The shortest name that is unambiguous among all runs. */
  name: text,
  /** It belongs to the caller's repository. */
  here: z.boolean(),
  state: z.enum(RUN_STATES),
  /** Nothing continues before this time. */
  waitsUntil: text.exactOptional(),
  pausedBy: z.enum(["user", "system"]).exactOptional(),
  /** The number of open ones. */
  questions: z.number(),
  /** Its result was applied. */
  applied: z.boolean(),
  /** Missing if no price list knows it. */
  cost: data<KnownAmount>().exactOptional(),
  /** Missing if nothing has begun, and for ended runs of earlier versions. */
  progress: z.strictObject({ done: z.number(), subtasks: z.number() }).exactOptional(),
  /** Commands that make sense now, the best first. */
  next: list(nextCommand),
  phase: text,
  created: z.number(),
  changed: z.number().exactOptional(),
  /** Number of events. */
  seq: z.number(),
  outcome: outcome.exactOptional(),
  repository: text,
  /** The branch it was started on. */
  branch: text.exactOptional(),
  owner: data<object>().exactOptional(),
  alive: z.boolean(),
  folderIsGone: z.boolean(),
});

export const listRuns = {
  input: z.strictObject({
    all: flag.describe("Every run of every repository"),
    here: flag.describe("Only this repository's"),
    limit: z.number().optional().describe("How many at most; not with all"),
  }),
  output: z.strictObject({
    /** This repository's first; within each group those that wait for a person first, then the newest. */
    runs: list(runs),
    /** Runs of every repository were listed. */
    all: z.boolean(),
    /** The caller is in a repository. */
    inside: z.boolean(),
    /** The number of runs omitted because of the limit. */
    older: z.number(),
    /** The omitted runs, in words. */
    elsewhere: text,
  }),
};

export const readRun = {
  input: z.strictObject({ run: text }),
  output: runs.extend({
    /** Missing for a run that has not begun. */
    card: card.optional(),
    diskBytes: z.number(),
    /** The person who asked for it; unknown for runs of earlier versions. */
    startedBy: text.exactOptional(),
    paused: data<{ by: string; reason: string }>().exactOptional(),
    spent: data<Record<Measure, KnownAmount>>(),
    spentWords: texts,
    unheld: list(data<UnenforcedBudget & { readonly words: string }>()),
    subtasks: list(
      z.strictObject({
        id: text,
        phase: word<Phase>(),
        attempts: z.number(),
        lastFailure: text.optional(),
        lastFailureWords: text.optional(),
        wakesAt: text.optional(),
        question: text.optional(),
        unanswered: text.optional(),
        unansweredWords: text.optional(),
        /** The alert raised when no automatic recovery was left. */
        alertWords: text.optional(),
        notes: list(data<Note & { readonly words: string }>()),
        errorCount: z.number(),
        isHiccup: z.boolean(),
      }),
    ),
  }),
};

const question = {
  run: text,
  repository: text,
  /** Epoch milliseconds. */
  askedAt: z.number().exactOptional(),
  /** What happened, its cause, and the answers with their effects and commands. */
  words: data<QuestionWords>(),
  /** The evidence of the failure. */
  evidence: data<QuestionEvidence>(),
  /** An answer that is not taken yet, because no process works on the run. */
  given: z.strictObject({ answer: data<Answer>(), by: text, words: text }).exactOptional(),
};

export const inbox = {
  input: z.strictObject({ all: flag.describe("Of all repositories") }),
  output: z.strictObject({
    questions: list(data<Checkpoint>().and(z.looseObject(question))),
    all: z.boolean(),
    /** The number of open questions of other repositories that are not listed. */
    elsewhere: z.number(),
  }),
};

export const reviewQuestions = {
  input: z.strictObject({ run: asked, all: flag.describe("Of all repositories") }),
  output: list(
    z.strictObject({
      ...question,
      checkpoint: data<Checkpoint>(),
      /** The last event recorded when the question was read. */
      seen: z.number(),
      /** All failures and the recoveries from them. */
      story: text,
      /** The recoveries so far, in words, with their number. */
      tried: texts,
      approaches: list(
        z.strictObject({
          attempt: z.number(),
          approach: text,
          failure: text.optional(),
        }),
      ),
      /** What its last attempt changed against the base, as a git diff. */
      diff: text,
      /** In Markdown. */
      report: text,
      /** The path of its tree, for a person who takes over. */
      folder: text.exactOptional(),
    }),
  ),
};

export const diffRun = {
  input: ofRun.extend({
    attempt: text.optional().describe("Of one attempt: subtask/n"),
    against: text
      .optional()
      .describe("What an attempt is compared with: start (default), good, base, or subtask/n"),
  }),
  output: z.strictObject({
    ...{ run: text, repository: text, from: text, to: text },
    text: text,
    cut: z.boolean(),
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
    run: text,
    /** A process works on it. */
    goesOn: z.boolean(),
    card: card.exactOptional(),
  }),
};

export const explainRun = {
  input: ofRun.extend({ subtask: text.optional(), event: z.number().optional() }),
  output: z.strictObject({
    run: text,
    begun: z.boolean(),
    decisions: list(
      z.strictObject({
        seq: z.number(),
        subtask: text.exactOptional(),
        decision: text,
        seen: texts,
        considered: list(data<Considered>()),
        why: text,
        /** A plain sentence, if it is part of a subtask's story. */
        said: text.exactOptional(),
        /** The evidence of the failure it is about. */
        evidence: texts.exactOptional(),
        /** The other options, and why they were not chosen. */
        others: list(data<OtherOption>()).exactOptional(),
        /** The believed causes, most likely first. */
        belief: list(data<BelievedCause>()).exactOptional(),
        /** The failure's classification, the reason, and the output with the deciding lines marked. */
        classified: data<ClassifiedFailure>().exactOptional(),
        event: data<RunEvent>(),
      }),
    ),
  }),
};

const metrics = {
  recovery_triggers: z.number(),
  recovery_success: z.number(),
  stage_success: z.record(text, z.number()).readonly(),
  recovery_iterations: z.number(),
};

export const reportRun = {
  input: ofRun.extend({
    subtask: text.optional().describe("Only this one"),
    format: z.enum(["html", "junit"]).optional().describe("Also in this form"),
  }),
  output: z.strictObject({
    run: text,
    goal: text,
    outcome: outcome.exactOptional(),
    durationMs: z.number(),
    subtasks: list(
      z.strictObject({
        id: text,
        phase: word<Phase>(),
        dependsOn: texts,
        blocks: texts,
        files: texts,
        attempts: list(data<PastAttempt>()),
      }),
    ),
    questions: list(data<Checkpoint>()),
    metrics: z.strictObject(metrics),
    markdown: text,
    /** A self-contained file without scripts. */
    html: text.exactOptional(),
    junit: text.exactOptional(),
  }),
};

export const addStepSummary = {
  input: ofRun.extend({ subtask: text.optional().describe("Only this one") }),
  output: z.strictObject({
    run: text,
    /** False: the step's summary is full. */
    added: z.boolean(),
    cut: z.boolean(),
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
