/**
 * Decisions: the facts that `decide` adds to an input. Recorded in the same append, applied by `fold`. Invariant:
 * a decision holds everything `fold` needs, so replay asks nobody.
 */
import type { Refusal } from "../agent-words/refusal.ts";
import type { Belief } from "../adaptive/belief.ts";
import type { OutcomeByCause } from "../adaptive/outcome-by-cause.ts";
import type { Budget, Measure, Unheld } from "../budget.ts";
import type { Failure } from "../failure.ts";
import type { FailureKind } from "../kinds.ts";
import type { Episode } from "../history/episode.ts";
import type { ChosenBy, Considered } from "../policy/situation.ts";
import type { StuckState } from "../progress/stuck-state.ts";
import type { Branch, Recovery } from "../recovery.ts";
import type { AttemptSpec, LeftFailing, TriedAttempt } from "./attempt.ts";
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
      LeftFailing & {
        readonly kind: "failure-classified";
        readonly failure: Failure;
        readonly counted: boolean;
        /** It says something about the work: not infrastructure, lost or interrupted. */
        readonly verdict: boolean;
        readonly error: string;
        /** The call it failed of, where one is known. */
        readonly call?: FailedCall;
      })
  | (OfAttempt & {
      readonly kind: "progress-scored";
      readonly score: number;
      readonly state: StuckState;
      readonly progressed: boolean;
      /** It was stuck and this attempt got it going again: rungs may be used anew. */
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
      /** Counts as a use of the rung or structure rule; guard rails and the loop's own next attempt do not. */
      readonly usesRung: boolean;
      /** What was believed of the cause, where the policy chose by that. */
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
      /** What its checks have to say beside "passed". */
      readonly notes?: readonly Note[];
      /** From 1; again where its checks could not run, or might be flaky. */
      readonly round?: number;
    })
  | (OfAttempt & { readonly kind: "merge-dispatched"; readonly round?: number })
  | (OfTimer & {
      readonly kind: "wait-scheduled";
      readonly reason: string;
      readonly spec: AttemptSpec;
      /** Start of the outage, for the maximum wait. */
      readonly since: number;
      /** For a service that others wait for too: it ends when one of them finds the service well. */
      readonly ofService?: boolean;
    })
  /** The service it waited for is back. */
  | (OfTimer & { readonly kind: "wait-shortened" })
  | (OfAttempt & { readonly kind: "nudge-sent"; readonly words: string })
  /** The agent that waits with a call is told whether it may. */
  | (OfAttempt & {
      readonly kind: "permission-settled";
      readonly request: number;
      readonly call: Refusal;
      readonly allowed: boolean;
      /** The person who said so. */
      readonly by?: string;
      /** Why nobody was asked. */
      readonly because?: string;
    })
  | (OfAttempt & {
      readonly kind: "attempt-interrupted";
      readonly reason: string;
      /** Because the run is paused. */
      readonly pause?: boolean;
    })
  /** A pause ended it: it counts towards no cap, and goes on as it was. */
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
      /** The winning branch; an unverified one becomes the next starting tree and is never merged as done. */
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
      /** Why a read-only subtask has no answer; the others go on without. */
      readonly unanswered?: string;
      readonly commit?: string;
      /** Rung of the recovery that led here; it succeeded if the subtask is verified. */
      readonly rung?: string;
    })
  | (OfSubtask & {
      readonly kind: "subtask-parked";
      readonly phase: "stuck" | "asking" | "skipped";
      readonly reason: string;
      /** The attempt whose tree is the best it came to. */
      readonly best?: number;
    })
  | (OfSubtask & {
      readonly kind: "subtask-blocked";
      readonly reason: string;
      /** Subtasks that do not depend on it and can still go on. */
      readonly independent: number;
    })
  | (OfQuestion & {
      readonly kind: "approval-requested";
      /** All that was tried, oldest first (E5). */
      readonly attempts?: readonly TriedAttempt[];
    })
  | { readonly kind: "checkpoint-opened"; readonly checkpoint: Checkpoint }
  /** It met what an open question is about already, and waits for the same answer. */
  | (OfQuestion & {
      readonly kind: "checkpoint-joined";
      /** The subtask the question was asked for. */
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
      /** Set for a subtask's own budget; iterations are the agent starts of its recovery. */
      readonly subtask?: string;
      readonly measure: Measure | "iterations";
      readonly spent: number;
      readonly limit: number;
    }
  | ({ readonly kind: "budget-unheld" } & Unheld)
  /** While others run, what is left is too little for one more: a place stays free. */
  | {
      readonly kind: "budget-tight";
      readonly measure: Measure;
      readonly limit: number;
      /** Attempts under way, which may give some back. */
      readonly running: number;
    }
  /** What it left failing was fixed by others: the result passes all its checks. */
  | (OfSubtask & { readonly kind: "subtask-confirmed"; readonly notes: readonly Note[] })
  | { readonly kind: "baseline-dispatched"; readonly round: number }
  | { readonly kind: "final-check-dispatched"; readonly round: number }
  | (Pick<InputOf<"pause-requested">, "pause" | "by" | "reason"> & { readonly kind: "run-paused" })
  | { readonly kind: "run-ended"; readonly outcome: RunOutcome; readonly reason: string };

export type DecisionOf<K extends Decision["kind"]> = Extract<Decision, { readonly kind: K }>;

/** What the journal holds, in order: each input followed by the decisions it led to. */
export type RunEvent = { readonly kind: "received"; readonly input: RunInput } | Decision;
