/**
 * Inputs: everything that can happen to a run, with time and chance as recorded values. Each is recognised as
 * stale by what it names (attempt, timer, checkpoint), so a duplicate changes nothing and no list of seen ids has
 * to be kept.
 */
import type { Closing } from "../agent-words/closing.ts";
import type { Lack } from "../agent-words/lacks.ts";
import type { Refusal } from "../agent-words/refusal.ts";
import type { Budget } from "../budget.ts";
import type { Evidence } from "../evidence.ts";
import type { Failure } from "../failure.ts";
import type { LearnedCounts } from "../learning/counts.ts";
import type { KnownLesson } from "../memory/recall.ts";
import type { Plan } from "../plan/plan.ts";
import type { ProgressSignals } from "../progress/progress-score.ts";
import type { CallSeen } from "../repair/failed-call.ts";
import type { CheckOutcome } from "../checks/outcome.ts";
import type { BaseProblem, CheckResult } from "./check-result.ts";
import type { RetryWay } from "./retry-way.ts";

interface Occurred {
  /** Epoch milliseconds. */
  readonly at: number;
  /** In [0, 1): the only chance that decisions may use. */
  readonly chance: number;
  /** The time of day here, in minutes since midnight, where the policy asks for it. */
  readonly minuteOfDay?: number;
}

interface OfAttempt extends Occurred {
  readonly subtask: string;
  readonly attempt: number;
}

/** What the agent left behind, whatever it said. */
export interface AttemptRemains {
  readonly treeBefore: string;
  readonly treeAfter: string;
  /** What it tried, in its own words or the plan's. */
  readonly approach: string;
  readonly signals: ProgressSignals;
  /** The end of what it said, bounded: what the next attempt's novelty and hand-over are measured by. */
  readonly output?: string;
  /** The money of `used` is an estimate: tokens times list price. */
  readonly estimated?: true;
  /** Reported or estimated amounts; an unknown measure is absent. */
  readonly used: Budget;
  /** Results of tools, as hashes, that no attempt of the subtask had seen before it; bounded. */
  readonly observed?: readonly number[];
  /** Its `<progress>` tags, as hashes, that no attempt of the subtask had written before it; bounded. */
  readonly marked?: readonly number[];
  readonly protectedFiles?: readonly string[];
  /** What it changed, first names only: what a hand-over tells. */
  readonly files?: readonly string[];
  /** What it asked at its end, in its own words (U22). */
  readonly asks?: string;
  /** The program or service that it said is not there. */
  readonly lacks?: Lack;
  /** How it spoke of its work at its end; nothing where it said nothing. */
  readonly closing?: Closing;
  /** Calls that its gate refused (U21). */
  readonly refused?: readonly Refusal[];
  /** The transcript's file, as it was when the attempt ended. */
  readonly transcript?: {
    readonly bytes: number;
    readonly sha256: string;
    readonly complete: boolean;
  };
  /** The session it was to go on with is gone for good. */
  readonly sessionLost?: boolean;
  /** The agent's own session, for an attempt that keeps its context. */
  readonly session?: string;
}

export type Answer =
  | { readonly kind: "skip" }
  /** `how`: the recovery that the person chose, of those that the question offers. */
  | { readonly kind: "retry"; readonly words: string; readonly how?: RetryWay }
  | { readonly kind: "manual"; readonly done: boolean }
  /** Go on without what the question is about: checks that cannot run, a call that was refused. */
  | { readonly kind: "without" }
  | { readonly kind: "top-up"; readonly by: Budget }
  /** Try again with an entry of another agent. */
  | { readonly kind: "other-agent" }
  /** May do what its gate refused: in the next attempt, in this run, or in every run of this user. */
  | { readonly kind: "allow-once" | "allow-run" | "allow-always" };

export type RunInput =
  | (Occurred & {
      readonly kind: "run-started";
      readonly run: string;
      readonly plan: Plan;
      /** The base commit, if its checks passed. */
      readonly goodCommit?: string;
      /** What the runtime needs of plan, policy and permissions: pinned here and never read again (U13). */
      readonly pinned?: unknown;
      /** How often which move worked here before: what decisions of this run may use. */
      readonly learned?: LearnedCounts;
      /** How long attempts usually take, by agent and tier (`durationKey`). */
      readonly usualMs?: Readonly<Record<string, number>>;
      /** Failures that were overcome in this repository before. */
      readonly lessons?: readonly KnownLesson[];
    })
  /** What the checks say of the base, before anybody has worked on it (U11, U13). */
  | (Occurred & {
      readonly kind: "baseline-ended";
      readonly round: number;
      /** By check command. */
      readonly outcomes: Readonly<Record<string, CheckOutcome>>;
      readonly problems: readonly BaseProblem[];
      /** The base commit, if its checks passed. */
      readonly goodCommit?: string;
      /** Its code does not build: going back to it would mend nothing. */
      readonly broken?: boolean;
    })
  /** What the checks say of the commit that is to be published. */
  | (Occurred & {
      readonly kind: "final-check-ended";
      readonly round: number;
      readonly result: CheckResult;
      /** Subtasks that were kept with failures of the base and whose checks pass on it. */
      readonly confirmed: readonly string[];
    })
  | (OfAttempt & {
      readonly kind: "attempt-started";
      /** The working tree it runs in; a subtask keeps it. */
      readonly slot: string;
      /** What proves its processes dead after a crash; opaque to the core. */
      readonly identity: unknown;
    })
  | (OfAttempt & {
      readonly kind: "attempt-ended";
      /** The agent says it is done; a result that says "failed" is `failed` even if nothing was thrown (D8). */
      readonly outcome: "finished" | "failed";
      /** What only the runtime can see: hung, lost, interrupted, looping, agent_missing, unsafe_action. */
      readonly observed?: Failure;
      readonly evidence: Evidence;
      /** The final answer, judged against the subtask's output schema where it has one. */
      readonly answer?: {
        readonly empty: boolean;
        readonly problem?: string;
        readonly text?: string;
      };
      readonly remains: AttemptRemains;
      /** The last of its calls that failed. */
      readonly call?: CallSeen;
      /** What a person can do about it: the command that installs the agent, or logs it in. */
      readonly advice?: string;
    })
  | (OfAttempt & {
      readonly kind: "checks-ended";
      readonly round: number;
      readonly result: CheckResult;
    })
  | (OfAttempt & {
      readonly kind: "merge-ended";
      /** From 1. */
      readonly round?: number;
      readonly result:
        | {
            readonly kind: "merged";
            readonly commit: string;
            /** What still fails of what failed on the base. */
            readonly failing?: readonly string[];
          }
        | { readonly kind: "conflict"; readonly evidence: Evidence }
        | {
            readonly kind: "red";
            readonly failing: readonly string[];
            readonly evidence: Evidence;
          }
        /** Its checks could not run on the merged tree: nobody is to blame. */
        | { readonly kind: "could-not-run"; readonly evidence: Evidence };
    })
  | (OfAttempt & {
      readonly kind: "loop-seen";
      readonly level: "nudge" | "stuck";
      readonly pattern: string;
      readonly words: string;
    })
  /** Its agent waits with a call that its gate would refuse, until somebody says yes or no (U21). */
  | (OfAttempt & {
      readonly kind: "permission-asked";
      /** Requests of an attempt are numbered from 1. */
      readonly request: number;
      readonly call: Refusal;
      /** For so long; nobody is asked where it is 0. */
      readonly waitMs: number;
    })
  | (Occurred & { readonly kind: "timer-fired"; readonly subtask: string; readonly timer: number })
  | (Occurred & {
      readonly kind: "checkpoint-answered";
      readonly checkpoint: string;
      readonly answer: Answer;
      readonly by: string;
    })
  /** A person lets a subtask that ended unverified try on, after the run's end. */
  | (Occurred & {
      readonly kind: "retry-requested";
      readonly subtask: string;
      readonly words: string;
      readonly by: string;
    })
  /** An attempt found a service well that these wait for. */
  | (Occurred & {
      readonly kind: "service-back";
      readonly waits: readonly { readonly subtask: string; readonly timer: number }[];
    })
  /** What runs is interrupted, uses nothing up, and goes on when somebody resumes the run (U16). */
  | (Occurred & {
      readonly kind: "pause-requested";
      /** Pauses of a run are numbered from 1: what comes twice, or late, is known by it. */
      readonly pause: number;
      readonly by: PausedBy;
      readonly reason: string;
    })
  /** Ends this pause and those before it. */
  | (Occurred & { readonly kind: "resume-requested"; readonly pause: number; readonly by: string })
  | (Occurred & { readonly kind: "cancel-requested"; readonly reason: string });

/** A person, who alone goes on with the run; or the system, after which the service does. */
export type PausedBy = "user" | "system";

export type InputOf<K extends RunInput["kind"]> = Extract<RunInput, { readonly kind: K }>;
