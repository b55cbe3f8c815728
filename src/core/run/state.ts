/**
 * RunState: the data that all decisions are based on. Only `fold` creates new states. Invariants: immutable; bounded
 * per subtask; `blocked` is derived (`view.ts`) instead of stored, so nothing has to be kept in sync with the graph.
 */
import type { Refusal } from "../agent-words/refusal.ts";
import type { Budget, Ledger, Measure, UnenforcedBudget } from "../budget.ts";
import { assert } from "../assert.ts";
import { vectorGet, vectorSet } from "../persistent-collections.ts";
import type { PersistentVector, Queue } from "../persistent-collections.ts";
import type { RecoveryMetrics } from "../history/recovery-metrics.ts";
import type { LearnedCounts } from "../learning/counts.ts";
import type { KnownLesson } from "../memory/recall.ts";
import type { PlanGraph } from "../plan/graph.ts";
import type { Plan, Subtask } from "../plan/plan.ts";
import type { CheckOutcome } from "../checks/outcome.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { PausedBy } from "./input.ts";
import type { SubtaskState, Warned, StoredPhase } from "./subtask-state.ts";

/** The key of a subtask's own working tree in `slots`; branches use their ids. */
export const OWN_TREE = "";

export type RunOutcome =
  "verified" | "unverified" | "failed" | "needs-person" | "budget" | "cancelled";

export interface RunState {
  readonly run: string;
  readonly phase: "new" | "active" | "pausing" | "paused" | "ending" | "ended";
  /** Who paused it and why; undefined while it is not paused. */
  readonly paused: { readonly by: PausedBy; readonly reason: string } | undefined;
  /** Number of the last pause. */
  readonly pauses: number;
  readonly plan: Plan;
  readonly graph: PlanGraph;
  readonly subtasks: PersistentVector<SubtaskState>;
  readonly counts: { readonly [phase in StoredPhase]: number };
  /** Subtasks in recovery take precedence over those that wait for their first attempt. */
  readonly urgent: Queue;
  readonly ready: Queue;
  /** Running agents, over all subtasks. */
  readonly agents: number;
  /** Attempts in checks, and those waiting to be merged: they keep their place. */
  readonly checking: number;
  readonly toMerge: number;
  readonly merging: number | undefined;
  readonly mergeQueue: Queue;
  readonly ledger: Ledger;
  readonly limit: Budget;
  /** The budget for all recovery, within the run's budget. */
  readonly recovery: Pick<SubtaskState, "ledger" | "limit" | "warned">;
  /** Part of the recorded cost is an estimate. */
  readonly estimated: boolean;
  readonly warned: Warned;
  /** Budgets that cannot be enforced for some agents, as reported at the start. */
  readonly unheld: readonly UnenforcedBudget[];
  /** Measures already reported as too low for another attempt while others run. */
  readonly tight: readonly Measure[];
  /** The open question about the whole run: its budget or the base's checks. */
  readonly checkpoint: Checkpoint | undefined;
  readonly checkpoints: number;
  readonly openCheckpoints: number;
  /** Open questions that others may join: by cause, the subtask that asked. */
  readonly causes: Readonly<Record<string, string>>;
  /** By cause, the first subtask that keeps failing in the same way as the base. */
  readonly suspects: Readonly<Record<string, string>>;
  readonly metrics: RecoveryMetrics;
  /** The last commit whose checks passed. Subtasks start from it and may be rolled back to it. */
  readonly goodCommit: string | undefined;
  /**
   * The results of the checks on the base. Nothing is dispatched while they are awaited or a question about them is
   * open.
   */
  readonly baseline: {
    /** The round of checks that is running. */
    readonly awaited: number | undefined;
    readonly outcomes: Readonly<Record<string, CheckOutcome>>;
    /** Checks that a person dropped because they cannot run here. */
    readonly dropped: readonly string[];
    /** The base does not build. */
    readonly broken?: boolean;
  };
  /** The round of the final check, while it is running. */
  readonly finalCheck: number | undefined;
  /** The budget is used up and was not raised; the run ends once the current work is done. */
  readonly unfunded: string | undefined;
  /** Calls that a person allowed for this run. */
  readonly allowed: readonly Refusal[];
  /** Nobody answered the last permission question, nor anything since, so no other agent waits for an answer. */
  readonly unattended?: boolean;
  readonly outcome: { readonly kind: RunOutcome; readonly reason: string } | undefined;
  /** As of the start of the run. */
  readonly learned?: LearnedCounts;
  readonly usualMs?: Readonly<Record<string, number>>;
  readonly lessons?: readonly KnownLesson[];
}

export function indexOf(state: RunState, subtask: string): number | undefined {
  return state.graph.indexOf.get(subtask);
}

/** The index of a subtask named by a recorded event. */
export function recordedIndex(state: RunState, subtask: string): number {
  const index = indexOf(state, subtask);
  assert(index !== undefined, `a recorded subtask is in the plan: ${subtask}`);
  return index;
}

export const subtaskAt = (state: RunState, index: number): SubtaskState =>
  vectorGet(state.subtasks, index);

export function planSubtask(state: RunState, index: number): Subtask {
  const subtask = state.plan.subtasks[index];
  assert(subtask !== undefined, "every state has its subtask in the plan");
  return subtask;
}

/** Replaces one subtask's state and updates the counts of phases. */
export function withSubtask(
  state: RunState,
  index: number,
  change: Partial<SubtaskState>,
): RunState {
  const before = subtaskAt(state, index);
  const after = { ...before, ...change };
  const subtasks = vectorSet(state.subtasks, index, after);
  if (before.phase === after.phase) return { ...state, subtasks };
  const counts = {
    ...state.counts,
    [before.phase]: state.counts[before.phase] - 1,
    [after.phase]: state.counts[after.phase] + 1,
  };
  return { ...state, subtasks, counts };
}
