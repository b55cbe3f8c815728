/**
 * The history of a run for people: for each subtask its attempts, what failed, how it was recovered and what a person
 * said.
 */
import type { Budget } from "../budget.ts";
import type { Failure } from "../failure.ts";
import type { ModelEntry } from "../plan/plan.ts";
import type { ChosenBy } from "../policy/situation.ts";
import type { Recovery, RecoveryName } from "../recovery.ts";
import type { Checkpoint } from "../run/checkpoint.ts";
import type { DecisionOf } from "../run/decision.ts";
import type { Answer } from "../run/input.ts";
import type { Note } from "../run/note.ts";
import type { Episode } from "./episode.ts";

export interface PastAttempt {
  readonly attempt: number;
  /** Epoch milliseconds; absent for a person's own work. */
  startedAt?: number;
  endedAt?: number;
  entry?: ModelEntry;
  recovery?: RecoveryName;
  branch?: string;
  /** Numbered within the run; imported attempts keep their original number. */
  session: number;
  imported?: true;
  approach: string;
  counted: boolean;
  failure?: Failure;
  error?: string;
  failing: readonly string[];
  score?: number;
  used: Budget;
  treeBefore?: string;
  treeAfter?: string;
  /** The subtask was done with this attempt. */
  succeeded: boolean;
}

export type Alert = Pick<DecisionOf<"alert-raised">, "alert" | "severity">;

/** One event in a subtask's history. */
export type PastEvent =
  | { readonly kind: "failure"; readonly attempt: number; readonly failure: Failure }
  | {
      readonly kind: "recovery";
      readonly recoveries: readonly Recovery[];
      readonly chosenBy: ChosenBy;
      readonly because: string;
    }
  | { readonly kind: "circle"; readonly because: string };

export interface SubtaskPast {
  readonly id: string;
  readonly attempts: Map<number, PastAttempt>;
  readonly events: PastEvent[];
  /** Questions about it, with their answers. */
  readonly questions: { readonly checkpoint: Checkpoint; answer?: Answer; by?: string }[];
  parked?: string;
  /** Raised when no automatic recovery was left; it applies while the subtask is parked. */
  alert?: Alert;
  /** What to show along with its outcome. */
  notes?: readonly Note[];
  /** Why a read-only subtask ended without an answer. */
  unanswered?: string;
  waitReason?: string;
  /** When the current wait began. */
  waitingSince?: number;
  /** The total of all finished waits. */
  waitedMs?: number;
  startedAt?: number;
  endedAt?: number;
}

/**
 * By the monotonic clock, which neither jumps nor runs while the machine sleeps; by the wall clock if that was not
 * recorded.
 */
export function tookMs({ attempts, startedAt, endedAt }: SubtaskPast): number | undefined {
  const timed = [...attempts.values()].flatMap(({ used }) => used.timeMs ?? []);
  if (timed.length > 0) return timed.reduce((sum, ms) => sum + ms, 0);
  return startedAt === undefined || endedAt === undefined
    ? undefined
    : Math.max(0, endedAt - startedAt);
}

export interface RunHistory {
  readonly subtasks: ReadonlyMap<string, SubtaskPast>;
  readonly episodes: readonly Episode[];
  /** When each question was asked, by its id. */
  readonly asked: ReadonlyMap<string, number>;
  readonly startedAt: number | undefined;
  /** The time of the last event that has one. */
  readonly at: number;
}
