/**
 * fold(state, event) -> state: applies recorded facts; the only way to create a state. Invariants: never consults
 * policy, classifier or history; the cost does not depend on the number of subtasks or events (except for the
 * dependents that a finished subtask unblocks).
 */
import { defined } from "../../defined.ts";
import { assert, unreachable } from "../../assert.ts";
import { countRecovery } from "../../history/recovery-metrics.ts";
import { enqueue } from "../../persistent-collections.ts";
import type { DecisionOf, RunEvent } from "../decision.ts";
import type { InputOf } from "../input.ts";
import { startedRun } from "../new-run.ts";
import { recordedIndex, subtaskAt, withSubtask, type RunState } from "../state.ts";
import { inSubtask, queuesSubtask, type Fact, type Fold, type Folds } from "./facts.ts";
import { ATTEMPT_FOLDS } from "./fold-attempt.ts";
import { resetProgress, CHECKPOINT_FOLDS } from "./fold-checkpoint.ts";
import { RECOVERY_FOLDS } from "./fold-recovery.ts";

const unchanged = (state: RunState): RunState => state;

const FOLDS: Folds = {
  ...ATTEMPT_FOLDS,
  ...RECOVERY_FOLDS,
  ...CHECKPOINT_FOLDS,
  "run-started": (_, { run, plan, goodCommit, learned, usualMs, lessons }) => ({
    ...startedRun(run, plan, goodCommit),
    ...defined({ learned, usualMs, lessons }),
  }),
  "baseline-dispatched": (state, { round: awaited }) => ({
    ...state,
    baseline: { ...state.baseline, awaited },
  }),
  "baseline-ended": (state, { outcomes, goodCommit = state.goodCommit, broken }) => ({
    ...state,
    baseline: { ...state.baseline, awaited: undefined, outcomes, ...defined({ broken }) },
    goodCommit,
  }),
  "final-check-dispatched": (state, { round: finalCheck }) => ({ ...state, finalCheck }),
  "final-check-ended": (state) => ({ ...state, finalCheck: undefined }),
  "timer-fired": timerFired,
  "subtask-done": subtaskDone,
  "subtask-parked": inSubtask(({ next }, { phase }) => ({
    phase,
    // A subtask that only waits for a larger budget keeps its queued attempts.
    next: phase === "asking" ? next.filter(({ prompt }) => prompt.branch === undefined) : [],
    branches: [],
    isHiccup: phase !== "skipped",
  })),
  "subtask-confirmed": inSubtask((_, { notes }) => ({ phase: "verified", notes })),
  "budget-warned": budgetWarned,
  "budget-unheld": (state, { kind: _, ...unheld }) => ({
    ...state,
    unheld: [...state.unheld, unheld],
  }),
  "budget-tight": (state, { measure }) => ({ ...state, tight: [...state.tight, measure] }),
  "retry-requested": reopened,
  "pause-requested": (state, { by, reason, pause: pauses }) => ({
    ...state,
    phase: state.phase === "paused" ? "paused" : "pausing",
    paused: { by, reason },
    pauses,
  }),
  "run-paused": (state) => ({ ...state, phase: "paused" }),
  "resume-requested": (state) => ({ ...state, phase: "active", paused: undefined }),
  "cancel-requested": (state) => ({ ...state, phase: "ending", paused: undefined }),
  "run-ended": (state, { outcome: kind, reason }) => ({
    ...{ ...state, phase: "ended", paused: undefined },
    outcome: { kind, reason },
  }),
  "loop-seen": unchanged,
  "service-back": unchanged,
  "checkpoint-answered": ({ unattended: _, ...state }) => state,
  "subtask-blocked": unchanged,
  "approval-requested": unchanged,
  "alert-raised": unchanged,
  "fell-through": unchanged,
  "episode-recorded": unchanged,
};

export function fold(state: RunState, event: RunEvent): RunState {
  const fact = event.kind === "received" ? event.input : event;
  const apply = FOLDS[fact.kind] as Fold<Fact> | undefined;
  return apply === undefined ? unreachable(fact as never) : apply(state, fact);
}

export function foldAll(state: RunState, events: Iterable<RunEvent>): RunState {
  let folded = state;
  for (const event of events) folded = fold(folded, event);
  return folded;
}

function timerFired(state: RunState, input: InputOf<"timer-fired">): RunState {
  const { expiry, checkpoint } = subtaskAt(state, recordedIndex(state, input.subtask));
  if (expiry?.id !== input.timer) return waitOver(state, input);
  const expired = questionExpired(state, input);
  return checkpoint?.waiting === undefined ? expired : { ...expired, unattended: true };
}

const questionExpired = inSubtask<InputOf<"timer-fired">>(() => ({ expiry: undefined }));

const waitOver = queuesSubtask<InputOf<"timer-fired">>(({ timer }) => {
  assert(timer !== undefined, "a recorded timer was set");
  return { phase: "pending", timer: undefined, next: [timer.spec] };
});

/** Continues the run with one subtask, on top of everything merged, in a new tree. */
function reopened(state: RunState, { subtask, words }: InputOf<"retry-requested">): RunState {
  const index = recordedIndex(state, subtask);
  const { attempt } = subtaskAt(state, index);
  const next = withSubtask(state, index, {
    ...{ ...resetProgress(attempt), phase: "pending", words: words || undefined },
    ...{ notes: [], slots: {}, sessions: {} },
  });
  return { ...next, phase: "active", outcome: undefined };
}

function subtaskDone(state: RunState, event: DecisionOf<"subtask-done">): RunState {
  const index = recordedIndex(state, event.subtask);
  let next = withSubtask(withoutSuspect(state, event.subtask), index, {
    phase: event.phase,
    notes: event.notes ?? [],
    ...(event.unanswered === undefined ? {} : { answer: undefined, unanswered: event.unanswered }),
    next: [],
    branches: [],
    rung: undefined,
    lastRung: undefined,
    words: undefined,
    outage: undefined,
  });
  for (const dependent of state.graph.dependents[index] ?? []) {
    const { unmet } = subtaskAt(next, dependent);
    if (unmet === 0) continue; // it was done before and is now retried
    next = withSubtask(next, dependent, { unmet: unmet - 1 });
    if (unmet === 1) next = { ...next, ready: enqueue(next.ready, dependent) };
  }
  if (event.commit !== undefined && event.phase === "verified")
    next = { ...next, goodCommit: event.commit };
  return event.rung === undefined || event.phase !== "verified"
    ? next
    : { ...next, metrics: countRecovery(next.metrics, { kind: "resolved", stage: event.rung }) };
}

/** Removes the causes it held. */
function withoutSuspect(state: RunState, subtask: string): RunState {
  const all = Object.entries(state.suspects);
  const kept = all.filter(([, holder]) => holder !== subtask);
  return kept.length === all.length ? state : { ...state, suspects: Object.fromEntries(kept) };
}

function budgetWarned(state: RunState, event: DecisionOf<"budget-warned">): RunState {
  const { of, subtask, measure } = event;
  if (of === "recovery") {
    const warned = [...state.recovery.warned, measure];
    return { ...state, recovery: { ...state.recovery, warned } };
  }
  if (subtask === undefined) return { ...state, warned: [...state.warned, measure] };
  const index = recordedIndex(state, subtask);
  return withSubtask(state, index, { warned: [...subtaskAt(state, index).warned, measure] });
}
