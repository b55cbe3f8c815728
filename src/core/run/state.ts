/**
 * RunState: everything decisions are made from. Only `fold` makes a new one. Invariants: immutable; bounded per
 * subtask; `blocked` is not stored but derived (`view.ts`), so nothing has to be kept in step with the graph.
 */
import type { Budget, Ledger, Measure, Unheld } from "../budget.ts";
import { assert } from "../assert.ts";
import type { Failure } from "../failure.ts";
import { vectorGet, vectorSet } from "../persistent-collections.ts";
import type { PersistentVector, Queue } from "../persistent-collections.ts";
import type { RecoveryMetrics } from "../history/recovery-metrics.ts";
import type { PlanGraph } from "../plan/graph.ts";
import type { ModelEntry, Plan, Subtask } from "../plan/plan.ts";
import type { StuckState } from "../progress/stuck-state.ts";
import type { Mutation, RecoveryLevel, RecoveryName } from "../recovery.ts";
import type { AttemptRecord, AttemptSpec, RunningAttempt } from "./attempt.ts";
import type { CheckOutcome } from "../checks/outcome.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { PausedBy } from "./input.ts";
import type { Note } from "./note.ts";

/** Key of a subtask's own working tree among `slots`; branches have their ids. */
export const OWN_TREE = "";

export type StoredPhase =
  | "pending"
  | "running"
  | "waiting"
  | "asking"
  | "verified"
  | "unverified"
  | "answered"
  | "stuck"
  | "skipped";

/** One run of the checks on what an attempt left. */
export interface CheckRound {
  readonly attempt: number;
  readonly round: number;
  /** The agent itself failed, but its work is worth checking. */
  readonly failure?: Failure;
  /** How the agent ended that failed so. */
  readonly how?: string;
  /** What failed in an earlier round on the same tree. */
  readonly flaky?: readonly string[];
}

/** What happens to an attempt's tree after its agent ended. */
export type Stage =
  | (CheckRound & { readonly kind: "checks" })
  | {
      readonly kind: "merge";
      readonly attempt: number;
      readonly dispatched: boolean;
      readonly round: number;
      /** What its checks had to say beside "passed". */
      readonly notes: readonly Note[];
    };

export interface BranchState {
  readonly id: string;
  readonly approach: string;
  readonly iterationsLeft: number;
  readonly bestScore: number;
  readonly bestAttempt: number | undefined;
  readonly ended: boolean;
}

export interface AgentSession {
  readonly agent: string;
  readonly id: string;
}

export interface SubtaskState {
  readonly phase: StoredPhase;
  /** Dependencies that are not done yet. */
  readonly unmet: number;
  /** Number of the last attempt; attempts are numbered from 1 and never overwritten. */
  readonly attempt: number;
  readonly counted: number;
  readonly running: readonly RunningAttempt[];
  /** Attempts to dispatch as soon as a place is free. */
  readonly next: readonly AttemptSpec[];
  /** What is done with the trees of ended attempts; branches have one each. */
  readonly stages: readonly Stage[];
  readonly lastSpec: AttemptSpec | undefined;
  /** Working tree of the subtask, and of each branch under its id. */
  readonly slots: Readonly<Record<string, string>>;
  /** The last session of an agent in each of those trees. */
  readonly sessions: Readonly<Record<string, AgentSession>>;
  /** Final answer of the last attempt that gave one: what subtasks that declare it as input are told. */
  readonly answer: string | undefined;
  /** Why it ended without an answer; only of a read-only subtask. */
  readonly unanswered: string | undefined;
  /** The end of what the last attempt said. */
  readonly lastOutput: string;
  /** The most recent attempts, oldest first. */
  readonly attempts: readonly AttemptRecord[];
  readonly entry: ModelEntry;
  readonly entriesUsed: readonly ModelEntry[];
  readonly thinking: boolean;
  readonly budgetFactor: number;
  readonly uses: Readonly<Record<string, number>>;
  readonly mutationsTried: readonly Mutation[];
  readonly strategiesTried: readonly string[];
  /** Rung of the recovery under way; none once the subtask got going again. */
  readonly rung: string | undefined;
  /** Rung of the last recovery: what is put down to it if the subtask ends verified. */
  readonly lastRung: string | undefined;
  readonly lastRecovery: RecoveryName | undefined;
  /** Ruled out by a circular fix. */
  readonly banned: readonly RecoveryName[];
  readonly progress: StuckState;
  readonly iterations: number;
  /** Infrastructure failures in a row. */
  readonly outage: { readonly streak: number; readonly since: number } | undefined;
  /** Hung, interrupted or lost attempts in a row. */
  readonly cutOffs: number;
  /** Continuations without net progress, and in all. */
  readonly continues: number;
  readonly continuesTotal: number;
  readonly goodCommit: string | undefined;
  /** What is to be known beside its phase, once it is done. */
  readonly notes: readonly Note[];
  readonly words: string | undefined;
  /** Attempt after which a person last spoke: circles are looked for since then. */
  readonly spokenAt: number;
  readonly timer:
    | {
        readonly id: number;
        readonly dueAt: number;
        readonly spec: AttemptSpec;
        readonly ofService: boolean;
      }
    | undefined;
  readonly timers: number;
  readonly checkpoint: Checkpoint | undefined;
  readonly checkpoints: number;
  /** When its question counts as answered with its default. */
  readonly expiry: { readonly id: number; readonly dueAt: number } | undefined;
  readonly branches: readonly BranchState[];
  readonly ledger: Ledger;
  readonly limit: Budget;
  /** What a person was told is nearly used up. */
  readonly warned: Warned;
  readonly level: RecoveryLevel | null;
  readonly errors: number;
  readonly isHiccup: boolean;
  readonly startedAt: number | undefined;
}

export type Warned = readonly (Measure | "iterations")[];

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
  readonly recovery: {
    readonly ledger: Ledger;
    readonly limit: Budget;
    readonly warned: Warned;
  };
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
  };
  /** Round of the last check before the end, while it is under way. */
  readonly finalCheck: number | undefined;
  /** Its budget is used up and was not raised: it ends when what is under way is done. */
  readonly unfunded: string | undefined;
  readonly outcome: { readonly kind: RunOutcome; readonly reason: string } | undefined;
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
