/** The initial state of a run. Invariant: it depends only on the plan and the good commit recorded by `run-started`. */
import { assert } from "../assert.ts";
import { EMPTY_LEDGER } from "../budget.ts";
import { NO_RECOVERIES } from "../history/recovery-metrics.ts";
import { queueFrom, vectorFrom } from "../persistent-collections.ts";
import { planGraph } from "../plan/graph.ts";
import type { Plan } from "../plan/plan.ts";
import { newSubtask } from "./new-subtask.ts";
import type { RunState } from "./state.ts";
import type { SubtaskState } from "./subtask-state.ts";

/** The state of a run before anything is recorded. */
export const NEW_RUN: RunState = {
  run: "",
  phase: "new",
  paused: undefined,
  pauses: 0,
  plan: { goal: "", subtasks: [], ladder: [], concurrency: 1, budget: {}, attemptCap: {} },
  graph: { indexOf: new Map(), dependents: [] },
  subtasks: vectorFrom<SubtaskState>([]),
  counts: {
    pending: 0,
    running: 0,
    waiting: 0,
    asking: 0,
    verified: 0,
    unverified: 0,
    answered: 0,
    stuck: 0,
    skipped: 0,
  },
  urgent: queueFrom([]),
  ready: queueFrom([]),
  agents: 0,
  checking: 0,
  toMerge: 0,
  merging: undefined,
  mergeQueue: queueFrom([]),
  ledger: EMPTY_LEDGER,
  limit: {},
  recovery: { ledger: EMPTY_LEDGER, limit: {}, warned: [] },
  estimated: false,
  warned: [],
  unheld: [],
  tight: [],
  checkpoint: undefined,
  checkpoints: 0,
  openCheckpoints: 0,
  causes: {},
  suspects: {},
  metrics: NO_RECOVERIES,
  goodCommit: undefined,
  baseline: { awaited: undefined, outcomes: {}, dropped: [] },
  finalCheck: undefined,
  unfunded: undefined,
  allowed: [],
  outcome: undefined,
};

export function startedRun(run: string, plan: Plan, goodCommit: string | undefined): RunState {
  const reading = planGraph(plan.subtasks);
  assert(reading.ok, "a plan is checked before it is started");
  const waiting = plan.subtasks.flatMap((subtask, index) =>
    subtask.dependsOn.length === 0 ? [index] : [],
  );
  return {
    ...NEW_RUN,
    run,
    phase: "active",
    plan,
    graph: reading.graph,
    subtasks: vectorFrom(plan.subtasks.map((subtask) => newSubtask(plan, subtask))),
    counts: { ...NEW_RUN.counts, pending: plan.subtasks.length },
    ready: queueFrom(waiting),
    limit: plan.budget,
    recovery: { ledger: EMPTY_LEDGER, limit: plan.recoveryBudget ?? {}, warned: [] },
    goodCommit,
  };
}
