/** The state of a subtask before its first attempt. Invariant: it depends only on the plan. */
import { assert } from "../assert.ts";
import { EMPTY_LEDGER } from "../budget.ts";
import { entryForTier } from "../plan/model-ladder.ts";
import type { Plan, Subtask } from "../plan/plan.ts";
import { NOT_STUCK } from "../progress/stuck-state.ts";
import type { SubtaskState } from "./subtask-state.ts";

export function newSubtask(plan: Plan, subtask: Subtask): SubtaskState {
  const entry = entryForTier(plan.ladder, subtask.tier ?? 1);
  assert(entry !== undefined, "a plan has at least one enabled model entry");
  return {
    phase: "pending",
    unmet: new Set(subtask.dependsOn).size,
    attempt: 0,
    counted: 0,
    running: [],
    next: [],
    stages: [],
    lastSpec: undefined,
    slots: {},
    sessions: {},
    answer: undefined,
    unanswered: undefined,
    lastOutput: "",
    seen: [],
    attempts: [],
    entry,
    entriesUsed: [entry],
    thinking: false,
    budgetFactor: 1,
    uses: {},
    mutationsTried: [],
    strategiesTried: [],
    toldToDecide: false,
    declined: [],
    rung: undefined,
    lastRung: undefined,
    lastRecovery: undefined,
    banned: [],
    progress: NOT_STUCK,
    iterations: 0,
    outage: undefined,
    cutOffs: 0,
    continues: 0,
    continuesTotal: 0,
    goodCommit: undefined,
    notes: [],
    words: undefined,
    spokenAt: 0,
    timer: undefined,
    timers: 0,
    checkpoint: undefined,
    checkpoints: 0,
    expiry: undefined,
    branches: [],
    ledger: EMPTY_LEDGER,
    limit: subtask.limits?.budget ?? {},
    warned: [],
    level: null,
    errors: 0,
    isHiccup: false,
    startedAt: undefined,
  };
}
