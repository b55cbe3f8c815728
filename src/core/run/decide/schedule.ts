/**
 * Gives free places to what is ready: merges one at a time, then attempts in recovery, then first attempts; asks
 * for budget where it is used up; ends the run when nothing is left to do. Invariants: spent plus reserved never
 * exceeds a budget when an attempt is dispatched; a place that a budget keeps free is told of.
 */
import { sayTight, warnOfBudgets } from "./budget-notices.ts";
import type { Measure } from "../../budget.ts";
import { budgetUsedUp } from "../checkpoint.ts";
import { emit, subtaskNowAt } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";
import { dispatchable, firstOf, grant, placesTaken } from "./capacity.ts";
import { conclude, isHeldForBase } from "./whole-run-checks.ts";
import { unanswered } from "./read-only.ts";
import { firstSpec } from "./next-attempt.ts";
import type { RunState, SubtaskState } from "../state.ts";
import { isReadOnly } from "./attempt-failure.ts";

export function schedule(draft: DecisionDraft): void {
  warnOfBudgets(draft);
  if (draft.state.paused === undefined) mergeNext(draft);
  while (
    draft.state.phase === "active" &&
    !isHeldForBase(draft.state) &&
    placesTaken(draft.state) < draft.state.plan.concurrency
  ) {
    const from = firstReady(draft.state, "urgent") === undefined ? "ready" : "urgent";
    const index = firstReady(draft.state, from);
    if (index === undefined || !dispatch(draft, index, from)) return;
  }
}

/** Nothing runs, nothing waits, nobody is asked: the run is over. */
export function endIfDone(draft: DecisionDraft): void {
  const { state } = draft;
  const { unfunded } = state;
  // Who cancels does not wait for checks.
  if (state.phase === "ending" && unfunded === undefined && state.agents === 0)
    return emit(draft, { kind: "run-ended", outcome: "cancelled", reason: "cancelled" });
  if (placesTaken(state) > 0) return;
  if (state.phase === "ending" && unfunded !== undefined)
    return emit(draft, { kind: "run-ended", outcome: "budget", reason: unfunded });
  const awaited = state.baseline.awaited !== undefined || state.finalCheck !== undefined;
  if (state.phase !== "active" || state.openCheckpoints > 0 || awaited) return;
  if (state.counts.waiting === 0) conclude(draft);
}

function mergeNext(draft: DecisionDraft): void {
  const { state } = draft;
  if (state.merging !== undefined) return;
  const waits = (subtask: SubtaskState): boolean =>
    subtask.stages.some(({ kind }) => kind === "merge");
  const index = firstOf(state, state.mergeQueue, waits);
  if (index === undefined) return;
  const { id: subtask, state: own } = subtaskNowAt(draft, index);
  const stage = own.stages.find(({ kind }) => kind === "merge");
  if (stage !== undefined) emit(draft, { kind: "merge-dispatched", subtask, ...stageOf(stage) });
}

const stageOf = (
  stage: SubtaskState["stages"][number],
): { readonly attempt: number; readonly round?: number } => ({
  attempt: stage.attempt,
  ...(stage.round > 1 ? { round: stage.round } : {}),
});

const firstReady = (state: RunState, from: "urgent" | "ready"): number | undefined =>
  firstOf(state, state[from], dispatchable);

/** False when nothing more can be dispatched now. */
function dispatch(draft: DecisionDraft, index: number, from: "urgent" | "ready"): boolean {
  const { id: subtask, plan, state: own } = subtaskNowAt(draft, index);
  const spec = own.next[0] ?? firstSpec(own);
  const granted = grant(draft.state, own, spec);
  if (!granted.ok) {
    const { of, measure } = granted;
    if (of === "run") return askForRun(draft, measure);
    if (of === "recovery" || !isReadOnly(plan)) return askFor(draft, index, of, measure);
    unanswered(draft, index, "its own budget is used up");
    return true;
  }
  emit(draft, {
    kind: "attempt-dispatched",
    subtask,
    attempt: own.attempt + 1,
    spec,
    cap: granted.cap,
    from,
    at: draft.input.at,
  });
  return true;
}

/** The subtask waits for a larger budget; what does not depend on it goes on. */
function askFor(
  draft: DecisionDraft,
  index: number,
  of: "subtask" | "recovery",
  measure: Measure,
): boolean {
  const { id: subtask, state: own, plan } = subtaskNowAt(draft, index);
  const id = `${subtask}/c${own.checkpoints + 1}`;
  const { ledger, limit } = of === "recovery" ? draft.state.recovery : own;
  const about = {
    ...{ id, subtask, goal: plan.prompt, measure, of, attempts: own.attempt },
    ...{ ledger, limit },
  };
  const checkpoint = budgetUsedUp(about);
  const reason = checkpoint.context.error;
  emit(draft, { kind: "subtask-parked", subtask, phase: "asking", reason });
  emit(draft, { kind: "checkpoint-opened", checkpoint });
  return true;
}

/** Running attempts may give some of their reservation back; only when none is left a person is asked. */
function askForRun(draft: DecisionDraft, measure: Measure): boolean {
  const { state } = draft;
  if (state.agents > 0) sayTight(draft, measure);
  if (placesTaken(state) > 0 || state.checkpoint !== undefined) return false;
  const checkpoint = budgetUsedUp({
    id: `c${state.checkpoints + 1}`,
    goal: state.plan.goal,
    measure,
    of: "run",
    attempts: state.ledger.spent.attempts ?? 0,
    ledger: state.ledger,
    limit: state.limit,
  });
  emit(draft, { kind: "checkpoint-opened", checkpoint });
  return false;
}
