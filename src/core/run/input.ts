/**
 * Inputs: everything that can happen to a run, with time and randomness as recorded values. The attempt, timer or
 * checkpoint number that an input names shows whether it is stale, so a duplicate changes nothing and no list of seen
 * ids is needed.
 */
import type { Closing } from "../agent-words/closing.ts";
import type { Lack } from "../agent-words/reported-lack.ts";
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
import type { RetryMethod } from "./retry-method.ts";

interface Occurred {
  /** Epoch milliseconds. */
  readonly at: number;
  /** In [0, 1): the only randomness available to decisions. */
  readonly chance: number;
  /** Local time in minutes since midnight, if the policy needs it. */
  readonly minuteOfDay?: number;
}

interface OfAttempt extends Occurred {
  readonly subtask: string;
  readonly attempt: number;
}

/** What the attempt left behind, whatever the agent said about it. */
export interface AttemptLeftovers {
  readonly treeBefore: string;
  readonly treeAfter: string;
  /** What it tried, in its own words or the plan's. */
  readonly approach: string;
  readonly signals: ProgressSignals;
  /** The bounded end of its output: the basis for the next attempt's novelty score and hand-over. */
  readonly output?: string;
  /** The cost in `used` is an estimate: tokens times list price. */
  readonly estimated?: true;
  /** Reported or estimated amounts; unknown measures are absent. */
  readonly used: Budget;
  /** Hashes of tool results that no earlier attempt of the subtask had seen; bounded. */
  readonly observed?: readonly number[];
  /** Hashes of `<progress>` tags that no earlier attempt of the subtask had written; bounded. */
  readonly marked?: readonly number[];
  readonly protectedFiles?: readonly string[];
  /** The names of the first files it changed, for the hand-over. */
  readonly files?: readonly string[];
  /** The question it ended with, in its own words. */
  readonly asks?: string;
  /** The program or service that it reported missing. */
  readonly lacks?: Lack;
  /** How it described its work at the end; absent if it did not. */
  readonly closing?: Closing;
  /** Calls that its gate refused. */
  readonly refused?: readonly Refusal[];
  /** The transcript file at the end of the attempt. */
  readonly transcript?: {
    readonly bytes: number;
    readonly sha256: string;
    readonly complete: boolean;
  };
  /** The session it was to resume no longer exists. */
  readonly sessionLost?: boolean;
  /** The agent's own session, so that a later attempt can keep its context. */
  readonly session?: string;
}

export type Answer =
  | { readonly kind: "skip" }
  /** `how`: the recovery that the person chose from those offered by the question. */
  | { readonly kind: "retry"; readonly words: string; readonly how?: RetryMethod }
  | { readonly kind: "manual"; readonly done: boolean }
  /** Continue without what the question is about: checks that cannot run, or a refused call. */
  | { readonly kind: "without" }
  | { readonly kind: "top-up"; readonly by: Budget }
  /** Try again with an entry of another agent. */
  | { readonly kind: "other-agent" }
  /** Allow what the gate refused: in the next attempt, in this run, or in every run of this user. */
  | { readonly kind: "allow-once" | "allow-run" | "allow-always" };

export type RunInput =
  | (Occurred & {
      readonly kind: "run-started";
      readonly run: string;
      readonly plan: Plan;
      /** The base commit, if its checks passed. */
      readonly goodCommit?: string;
      /** What the runtime needs from plan, policy and permissions: fixed at the start and never read again. */
      readonly pinned?: unknown;
      /** How often each move has worked here before; decisions of this run may use it. */
      readonly learned?: LearnedCounts;
      /** The usual duration of attempts, by agent and tier (`durationKey`). */
      readonly usualMs?: Readonly<Record<string, number>>;
      /** Failures that were overcome earlier in this repository. */
      readonly lessons?: readonly KnownLesson[];
    })
  /** The results of the checks on the base, before any work. */
  | (Occurred & {
      readonly kind: "baseline-ended";
      readonly round: number;
      /** By check command. */
      readonly outcomes: Readonly<Record<string, CheckOutcome>>;
      readonly problems: readonly BaseProblem[];
      /** The base commit, if its checks passed. */
      readonly goodCommit?: string;
      /** Its code does not build, so rolling back to it would fix nothing. */
      readonly broken?: boolean;
    })
  /** The result of the checks on the commit to be published. */
  | (Occurred & {
      readonly kind: "final-check-ended";
      readonly round: number;
      readonly result: CheckResult;
      /** Subtasks that were kept with failures of the base and whose checks pass on this commit. */
      readonly confirmed: readonly string[];
    })
  | (OfAttempt & {
      readonly kind: "attempt-started";
      /** The working tree it runs in; the subtask keeps it. */
      readonly slot: string;
      /** Used to prove its processes dead after a crash; opaque to the core. */
      readonly identity: unknown;
    })
  | (OfAttempt & {
      readonly kind: "attempt-ended";
      /**
       * `finished`: the agent says that it is done. A result that reports a failure is `failed` even if nothing was
       * thrown.
       */
      readonly outcome: "finished" | "failed";
      /**
       * A failure that only the runtime can observe: hung, lost, interrupted, looping, agent_missing, unsafe_action.
       */
      readonly observed?: Failure;
      readonly evidence: Evidence;
      /** The final answer, validated against the subtask's output schema if there is one. */
      readonly answer?: {
        readonly empty: boolean;
        readonly problem?: string;
        readonly text?: string;
      };
      readonly remains: AttemptLeftovers;
      /** The last of its calls that failed. */
      readonly call?: CallSeen;
      /** What a person can do about it: the command that installs the agent or logs it in. */
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
            /** The remaining failures, all of which already existed on the base. */
            readonly failing?: readonly string[];
          }
        | { readonly kind: "conflict"; readonly evidence: Evidence }
        | {
            readonly kind: "red";
            readonly failing: readonly string[];
            readonly evidence: Evidence;
          }
        /** The checks could not run on the merged tree, which is no one's fault. */
        | { readonly kind: "could-not-run"; readonly evidence: Evidence };
    })
  | (OfAttempt & {
      readonly kind: "loop-seen";
      readonly level: "nudge" | "stuck";
      readonly pattern: string;
      readonly words: string;
    })
  /** The agent is waiting to make a call that its gate would refuse, until a person allows or denies it. */
  | (OfAttempt & {
      readonly kind: "permission-asked";
      /** Numbered from 1 within the attempt. */
      readonly request: number;
      readonly call: Refusal;
      /** How long it waits; if 0, nobody is asked. */
      readonly waitMs: number;
    })
  | (Occurred & { readonly kind: "timer-fired"; readonly subtask: string; readonly timer: number })
  | (Occurred & {
      readonly kind: "checkpoint-answered";
      readonly checkpoint: string;
      readonly answer: Answer;
      readonly by: string;
    })
  /** After the run has ended, a person asks for another try at a subtask that ended unverified. */
  | (Occurred & {
      readonly kind: "retry-requested";
      readonly subtask: string;
      readonly words: string;
      readonly by: string;
    })
  /** An attempt found that a service these subtasks wait for is healthy again. */
  | (Occurred & {
      readonly kind: "service-back";
      readonly waits: readonly { readonly subtask: string; readonly timer: number }[];
    })
  /** Interrupts running attempts at no cost to their limits; they resume with the run. */
  | (Occurred & {
      readonly kind: "pause-requested";
      /** Pauses are numbered from 1 within a run, so that a duplicate or late one is recognised. */
      readonly pause: number;
      readonly by: PausedBy;
      readonly reason: string;
    })
  /** Ends this pause and all earlier ones. */
  | (Occurred & { readonly kind: "resume-requested"; readonly pause: number; readonly by: string })
  | (Occurred & { readonly kind: "cancel-requested"; readonly reason: string });

/** Who paused the run. After a person's pause only a person resumes it; after the system's, the service does. */
export type PausedBy = "user" | "system";

export type InputOf<K extends RunInput["kind"]> = Extract<RunInput, { readonly kind: K }>;
