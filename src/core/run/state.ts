/**
 * RunState: everything decisions are made from. Only `fold` makes a new one. Invariants: immutable; bounded per
 * subtask; `blocked` is not stored but derived (`view.ts`), so nothing has to be kept in step with the graph.
 */
import type { Refusal } from "../agent-words/refusal.ts";
import type { Budget, Ledger, Measure, Unheld } from "../budget.ts";
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

/** Key of a subtask's own working tree among `slots`; branches have their ids. */
export const OWN_TREE = "";

export type RunOutcome =
  "verified" | "unverified" | "failed" | "needs-person" | "budget" | "cancelled";

export interface RunState {
  readonly run: string;
  readonly phase: "new" | "active" | "pausing" | "paused" | "ending" | "ended";
  /** Who paused it, and why; nothing while it goes on. */
  readonly paused: { readonly by: PausedBy; readonly reason: string } | undefined;
  /** Number of the last pause. */
  readonly pauses: number;
  readonly plan: Plan;
  readonly graph: PlanGraph;
  readonly subtasks: PersistentVector<SubtaskState>;
  readonly counts: { readonly [phase in StoredPhase]: number };
  /** Subtasks in recovery go before those that wait for their first attempt. */
  readonly urgent: Queue;
  readonly ready: Queue;
  /** Agents under way, over all subtasks. */
  readonly agents: number;
  /** Attempts in checks, and those that are to be merged: they keep their place. */
  readonly checking: number;
  readonly toMerge: number;
  readonly merging: number | undefined;
  readonly mergeQueue: Queue;
  readonly ledger: Ledger;
  readonly limit: Budget;
  /** Recovery as a whole, within the above. */
  readonly recovery: Pick<SubtaskState, "ledger" | "limit" | "warned">;
  /** Some of the money that is spent is an estimate. */
  readonly estimated: boolean;
  readonly warned: Warned;
  /** Budgets that cannot hold its agents, as it said at its start. */
  readonly unheld: readonly Unheld[];
  /** What was said to be too little for another attempt beside those under way. */
  readonly tight: readonly Measure[];
  /** Open question about the run's own budget. */
  readonly checkpoint: Checkpoint | undefined;
  readonly checkpoints: number;
  readonly openCheckpoints: number;
  /** Open questions that others may join: the subtask each was asked for, by cause. */
  readonly causes: Readonly<Record<string, string>>;
  /** The first subtask that keeps failing as the base does, by cause. */
  readonly suspects: Readonly<Record<string, string>>;
  readonly metrics: RecoveryMetrics;
  /** Last commit whose checks passed; subtasks start from it and may be rolled back to it. */
  readonly goodCommit: string | undefined;
  /** What the checks said of the base. Nothing is dispatched while it is awaited or asked about. */
  readonly baseline: {
    /** Round of the run of checks that is under way. */
    readonly awaited: number | undefined;
    readonly outcomes: Readonly<Record<string, CheckOutcome>>;
    /** Checks that a person let go of, because they cannot run here. */
    readonly dropped: readonly string[];
    /** The base does not build. */
    readonly broken?: boolean;
  };
  /** Round of the last check before the end, while it is under way. */
  readonly finalCheck: number | undefined;
  /** Its budget is used up and was not raised: it ends when what is under way is done. */
  readonly unfunded: string | undefined;
  /** Calls that a person allowed in this run. */
  readonly allowed: readonly Refusal[];
  /** Nobody answered the last agent that waited, nor anything since: no other waits. */
  readonly unattended?: boolean;
  readonly outcome: { readonly kind: RunOutcome; readonly reason: string } | undefined;
  /** As it was when the run started. */
  readonly learned?: LearnedCounts;
  readonly usualMs?: Readonly<Record<string, number>>;
  readonly lessons?: readonly KnownLesson[];
}

export function indexOf(state: RunState, subtask: string): number | undefined {
  return state.graph.indexOf.get(subtask);
}

/** The index of a subtask that an event names. */
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

/** Replaces one subtask's state and keeps the counts of phases in step. */
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
