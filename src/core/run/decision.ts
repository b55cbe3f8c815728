/**
 * Decisions: the facts that `decide` adds to an input. They are recorded in the same append and applied by `fold`.
 * Invariant: a decision contains everything `fold` needs, so a replay depends on nothing else.
 */
import type { Refusal } from "../agent-words/refusal.ts";
import type { Belief } from "../adaptive/belief.ts";
import type { OutcomeByCause } from "../adaptive/outcome-by-cause.ts";
import type { Budget, Measure, UnenforcedBudget } from "../budget.ts";
import type { Failure } from "../failure.ts";
import type { FailureKind } from "../kinds.ts";
import type { Episode } from "../history/episode.ts";
import type { ChosenBy, Considered } from "../policy/situation.ts";
import type { StuckState } from "../progress/stuck-state.ts";
import type { Branch, Recovery } from "../recovery.ts";
import type { AttemptSpec, RemainingFailures, TriedAttempt } from "./attempt.ts";
import type { FailedCall } from "../repair/failed-call.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { Answer, InputOf, RunInput } from "./input.ts";
import type { Note } from "./note.ts";
import type { RunOutcome } from "./state.ts";
import type { CheckRound } from "./subtask-state.ts";

interface OfSubtask {
  readonly subtask: string;
}
export interface OfAttempt extends OfSubtask {
  readonly attempt: number;
}
export interface OfTimer extends OfSubtask {
  readonly timer: number;
  readonly dueAt: number;
}
interface OfQuestion extends OfSubtask {
  readonly checkpoint: string;
}

export type Decision =
  | (OfAttempt &
      RemainingFailures & {
        readonly kind: "failure-classified";
        readonly failure: Failure;
        readonly counted: boolean;
        /** It says something about the work: it is not infrastructure, lost or interrupted. */
        readonly verdict: boolean;
        readonly error: string;
        /** The failed call, if known. */
        readonly call?: FailedCall;
      })
  | (OfAttempt & {
      readonly kind: "progress-scored";
      readonly score: number;
      readonly state: StuckState;
      readonly progressed: boolean;
      /** The subtask was stuck and this attempt got it moving again, so rungs may be used again. */
      readonly recovered: boolean;
    })
  | (OfSubtask & {
      readonly kind: "circular-fix-seen";
      readonly because: string;
      readonly ban: boolean;
    })
  | (OfSubtask & {
      readonly kind: "recovery-chosen";
      readonly recoveries: readonly Recovery[];
      readonly chosenBy: ChosenBy;
      readonly because: string;
      readonly considered: readonly Considered[];
      /**
       * Counts as a use of the rung or structure rule. Guard rails and the ordinary next attempt of the loop do not.
       */
      readonly usesRung: boolean;
      /** The policy's belief about the cause, if it chose by that. */
      readonly belief?: Belief;
      /** What its outcome will be counted as, for each cause. */
      readonly outcome?: OutcomeByCause;
    })
  | (OfSubtask & { readonly kind: "attempt-queued"; readonly specs: readonly AttemptSpec[] })
  | (OfAttempt & {
      readonly kind: "attempt-dispatched";
      readonly spec: AttemptSpec;
      readonly cap: Budget;
      readonly from: "urgent" | "ready";
      readonly at: number;
    })
  | (OfSubtask & CheckRound & { readonly kind: "checks-dispatched" })
  | (OfAttempt & {
      readonly kind: "merge-queued";
      /** Notes from its checks, to be shown along with "passed". */
      readonly notes?: readonly Note[];
      /** Starts at 1; increases when the checks could not run or might be flaky. */
      readonly round?: number;
    })
  | (OfAttempt & { readonly kind: "merge-dispatched"; readonly round?: number })
  | (OfTimer & {
      readonly kind: "wait-scheduled";
      readonly reason: string;
      readonly spec: AttemptSpec;
      /** When the outage started, for the maximum wait. */
      readonly since: number;
      /** It waits for a service that others wait for too, so it ends when one of them finds the service healthy. */
      readonly ofService?: boolean;
    })
  /** The service it waited for is back. */
  | (OfTimer & { readonly kind: "wait-shortened" })
  | (OfAttempt & { readonly kind: "nudge-sent"; readonly words: string })
  /** Tells a waiting agent whether it may make the call. */
  | (OfAttempt & {
      readonly kind: "permission-settled";
      readonly request: number;
      readonly call: Refusal;
      readonly allowed: boolean;
      /** The person who decided. */
      readonly by?: string;
      /** Why no person was asked. */
      readonly because?: string;
    })
  | (OfAttempt & {
      readonly kind: "attempt-interrupted";
      readonly reason: string;
      /** Because of a pause of the run. */
      readonly pause?: boolean;
    })
  /** A pause ended it: it counts towards no limit and later resumes unchanged. */
  | (OfAttempt & { readonly kind: "attempt-cut-off"; readonly spec: AttemptSpec })
  | (OfSubtask & { readonly kind: "exploration-started"; readonly branches: readonly Branch[] })
  | (OfAttempt & {
      readonly kind: "branch-moved";
      readonly branch: string;
      readonly score: number;
      readonly ended: boolean;
    })
  | (OfSubtask & {
      readonly kind: "exploration-ended";
      /** The winning branch. An unverified winner only becomes the next starting tree and is never merged as done. */
      readonly winner?: {
        readonly branch: string;
        readonly attempt: number;
        readonly verified: boolean;
      };
    })
  | (OfAttempt & {
      readonly kind: "subtask-done";
      readonly phase: "verified" | "unverified" | "answered";
      readonly notes?: readonly Note[];
      /** Why a read-only subtask has no answer; the others go on without it. */
      readonly unanswered?: string;
      readonly commit?: string;
      /** The rung of the recovery that led here; it counts as a success if the subtask is verified. */
      readonly rung?: string;
    })
  | (OfSubtask & {
      readonly kind: "subtask-parked";
      readonly phase: "stuck" | "asking" | "skipped";
      readonly reason: string;
      /** The attempt with the best tree. */
      readonly best?: number;
    })
  | (OfSubtask & {
      readonly kind: "subtask-blocked";
      readonly reason: string;
      /** How many other subtasks do not depend on it and can continue. */
      readonly independent: number;
    })
  | (OfQuestion & {
      readonly kind: "approval-requested";
      /** Everything that was tried, oldest first. */
      readonly attempts?: readonly TriedAttempt[];
    })
  | { readonly kind: "checkpoint-opened"; readonly checkpoint: Checkpoint }
  /** It hit the cause that an open question is already about, and waits for the same answer. */
  | (OfQuestion & {
      readonly kind: "checkpoint-joined";
      /** The subtask the question was opened for. */
      readonly of: string;
    })
  /** The answer to the question it had joined. */
  | (OfQuestion & { readonly kind: "checkpoint-followed"; readonly answer: Answer })
  | (OfQuestion & OfTimer & { readonly kind: "expiry-scheduled" })
  | (OfQuestion & { readonly kind: "checkpoint-taken"; readonly by: string })
  | {
      readonly kind: "checkpoint-closed";
      readonly checkpoint: string;
      readonly answer: Answer;
      readonly by: string;
      readonly subtask?: string;
    }
  | (OfSubtask & {
      readonly kind: "alert-raised";
      readonly alert: "stuck_unrecoverable";
      readonly severity: "critical";
    })
  | (OfSubtask & {
      readonly kind: "fell-through";
      readonly failure: FailureKind;
      readonly at: number;
    })
  | { readonly kind: "episode-recorded"; readonly episode: Episode }
  | {
      readonly kind: "budget-warned";
      readonly of: "run" | "subtask" | "recovery";
      /** Set for a subtask's own budget. Iterations are the agent starts of its recovery. */
      readonly subtask?: string;
      readonly measure: Measure | "iterations";
      readonly spent: number;
      readonly limit: number;
    }
  | ({ readonly kind: "budget-unheld" } & UnenforcedBudget)
  /** While other attempts run, too little is left for one more, so a place stays free. */
  | {
      readonly kind: "budget-tight";
      readonly measure: Measure;
      readonly limit: number;
      /** Running attempts, which may return part of their reservation. */
      readonly running: number;
    }
  /** Others fixed what it had left failing: the result passes all its checks. */
  | (OfSubtask & { readonly kind: "subtask-confirmed"; readonly notes: readonly Note[] })
  | { readonly kind: "baseline-dispatched"; readonly round: number }
  | { readonly kind: "final-check-dispatched"; readonly round: number }
  | (Pick<InputOf<"pause-requested">, "pause" | "by" | "reason"> & { readonly kind: "run-paused" })
  | { readonly kind: "run-ended"; readonly outcome: RunOutcome; readonly reason: string };

export type DecisionOf<K extends Decision["kind"]> = Extract<Decision, { readonly kind: K }>;

/** The journal's contents, in order: each input followed by the decisions it led to. */
export type RunEvent = { readonly kind: "received"; readonly input: RunInput } | Decision;
