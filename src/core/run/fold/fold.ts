/**
 * fold(state, event) -> state: applies recorded facts, the only way state is made. Invariants: never asks policy,
 * classifier or priors; cost does not depend on the number of subtasks or events (but for the dependents a
 * finished subtask frees).
 */
import { assert, unreachable } from "../../assert.ts";
import { foldAttempt } from "./fold-attempt.ts";
import { anew, foldCheckpoint } from "./fold-checkpoint.ts";
import { foldRecovery } from "./fold-recovery.ts";
import { withoutSuspect } from "./base-suspects.ts";
import type { DecisionOf, RunEvent } from "../decision.ts";
import type { InputOf, RunInput } from "../input.ts";
import { countRecovery } from "../../history/recovery-metrics.ts";
import { enqueue } from "../queue.ts";
import { startedRun } from "../new-run.ts";
import { recordedIndex, subtaskAt, withSubtask } from "../state.ts";
import type { RunState, SubtaskState } from "../state.ts";

export function fold(state: RunState, event: RunEvent): RunState {
  switch (event.kind) {
    case "received":
      return foldInput(state, event.input);
    case "failure-classified":
    case "progress-scored":
    case "attempt-queued":
    case "attempt-dispatched":
    case "checks-dispatched":
    case "merge-queued":
    case "merge-dispatched":
    case "nudge-sent":
    case "attempt-interrupted":
    case "attempt-cut-off":
      return foldAttempt(state, event);
    case "circular-fix-seen":
    case "recovery-chosen":
    case "wait-scheduled":
    case "wait-shortened":
    case "exploration-started":
    case "branch-moved":
    case "exploration-ended":
      return foldRecovery(state, event);
    case "subtask-done":
      return subtaskDone(state, event);
    case "subtask-parked":
      return withSubtask(
        state,
        recordedIndex(state, event.subtask),
        parked(event, subtaskAt(state, recordedIndex(state, event.subtask))),
      );
    case "checkpoint-opened":
    case "checkpoint-joined":
    case "checkpoint-followed":
    case "checkpoint-taken":
    case "checkpoint-closed":
      return foldCheckpoint(state, event);
    case "expiry-scheduled": {
      const { timer: id, dueAt } = event;
      return withSubtask(state, recordedIndex(state, event.subtask), {
        expiry: { id, dueAt },
        timers: id,
      });
    }
    case "budget-warned":
      return budgetWarned(state, event);
    case "budget-unheld": {
      const { kind: _, ...unheld } = event;
      return { ...state, unheld: [...state.unheld, unheld] };
    }
    case "budget-tight":
      return { ...state, tight: [...state.tight, event.measure] };
    case "baseline-dispatched":
      return { ...state, baseline: { ...state.baseline, awaited: event.round } };
    case "final-check-dispatched":
      return { ...state, finalCheck: event.round };
    case "subtask-confirmed": {
      const { notes } = event;
      return withSubtask(state, recordedIndex(state, event.subtask), { phase: "verified", notes });
    }
    case "run-paused":
      return { ...state, phase: "paused" };
    case "run-ended":
      return {
        ...{ ...state, phase: "ended", paused: undefined },
        outcome: { kind: event.outcome, reason: event.reason },
      };
    case "subtask-blocked":
    case "approval-requested":
    case "alert-raised":
    case "fell-through":
    case "episode-recorded":
      return state;
    default:
      return unreachable(event);
  }
}

export function foldAll(state: RunState, events: Iterable<RunEvent>): RunState {
  let folded = state;
  for (const event of events) folded = fold(folded, event);
  return folded;
}

function foldInput(state: RunState, input: RunInput): RunState {
  switch (input.kind) {
    case "run-started":
      return startedRun(input.run, input.plan, input.goodCommit);
    case "baseline-ended": {
      const { outcomes, goodCommit } = input;
      const baseline = { ...state.baseline, awaited: undefined, outcomes };
      return { ...state, baseline, goodCommit: goodCommit ?? state.goodCommit };
    }
    case "final-check-ended":
      return { ...state, finalCheck: undefined };
    case "attempt-started":
    case "attempt-ended":
    case "checks-ended":
    case "merge-ended":
      return foldAttempt(state, input);
    case "timer-fired": {
      const index = recordedIndex(state, input.subtask);
      const { timer, expiry } = subtaskAt(state, index);
      if (expiry?.id === input.timer) return withSubtask(state, index, { expiry: undefined });
      assert(timer !== undefined, "a recorded timer was set");
      const next = withSubtask(state, index, {
        phase: "pending",
        timer: undefined,
        next: [timer.spec],
      });
      return { ...next, urgent: enqueue(next.urgent, index) };
    }
    case "retry-requested":
      return reopened(state, input);
    case "pause-requested": {
      const { by, reason, pause: pauses } = input;
      return { ...state, phase: pausedPhase(state), paused: { by, reason }, pauses };
    }
    case "resume-requested":
      return { ...state, phase: "active", paused: undefined };
    case "cancel-requested":
      return { ...state, phase: "ending", paused: undefined };
    case "loop-seen":
    case "service-back":
    case "checkpoint-answered":
      return state;
    default:
      return unreachable(input);
  }
}

const pausedPhase = ({ phase }: RunState): RunState["phase"] =>
  phase === "paused" ? "paused" : "pausing";

/** The run goes on with one subtask, on top of all that is merged, in a tree of its own. */
function reopened(state: RunState, { subtask, words }: InputOf<"retry-requested">): RunState {
  const index = recordedIndex(state, subtask);
  const { attempt } = subtaskAt(state, index);
  const next = withSubtask(state, index, {
    ...{ ...anew(attempt), phase: "pending", words: words || undefined },
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
    if (unmet === 0) continue; // it was done before, and is only tried on
    next = withSubtask(next, dependent, { unmet: unmet - 1 });
    if (unmet === 1) next = { ...next, ready: enqueue(next.ready, dependent) };
  }
  if (event.commit !== undefined && event.phase === "verified")
    next = { ...next, goodCommit: event.commit };
  return event.rung === undefined || event.phase !== "verified"
    ? next
    : { ...next, metrics: countRecovery(next.metrics, { kind: "resolved", stage: event.rung }) };
}

const parked = (
  event: DecisionOf<"subtask-parked">,
  subtask: SubtaskState,
): Partial<SubtaskState> => ({
  phase: event.phase,
  /** One that only waits for a larger budget keeps what it was about to do. */
  next:
    event.phase === "asking"
      ? subtask.next.filter(({ prompt }) => prompt.branch === undefined)
      : [],
  branches: [],
  isHiccup: event.phase !== "skipped",
});

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
