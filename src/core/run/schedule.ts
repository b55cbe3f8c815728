/**
 * Gives free places to what is ready: merges one at a time, then attempts in recovery, then first attempts; asks
 * for budget where it is used up; ends the run when nothing is left to do. Invariants: spent plus reserved never
 * exceeds a budget when an attempt is dispatched; a place that a budget keeps free is told of.
 */
import { measuresAt } from "../budget.ts";
import type { Budget, Ledger, Measure } from "../budget.ts";
import { budgetUsedUp } from "./checkpoint.ts";
import { emit, placeAt, placeOf } from "./draft.ts";
import type { Draft } from "./draft.ts";
import { grant } from "./grant.ts";
import { conclude, isHeldForBase } from "./judged-run.ts";
import { unanswered } from "./read-only.ts";
import { firstSpec } from "./spec.ts";
import { dispatchable, firstOf, placesTaken } from "./places.ts";
import type { RunState, SubtaskState, Warned } from "./state.ts";
import { isReadOnly } from "./verdict.ts";

const WARN_SHARE = 0.8;

export function schedule(draft: Draft): void {
  warn(draft);
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
export function endIfDone(draft: Draft): void {
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

/** Each measure of each budget once, until it is raised. */
function warn(draft: Draft): void {
  const { state, input } = draft;
  if (state.phase === "ended") return;
  warnOf(draft, state, { of: "run" });
  warnOf(draft, state.recovery, { of: "recovery" });
  if (input.kind !== "attempt-ended") return;
  const { id: subtask, state: own } = placeOf(draft, input.subtask);
  warnOf(draft, own, { of: "subtask", subtask });
  const { totalRecoveryBudget: limit } = draft.policy.settings.recovery;
  const { iterations: spent, warned } = own;
  if (limit > 0 && spent >= limit * WARN_SHARE && !warned.includes("iterations"))
    emit(draft, {
      ...{ kind: "budget-warned", of: "subtask", subtask, measure: "iterations" },
      ...{ spent, limit },
    });
}

interface Watched {
  readonly limit: Budget;
  readonly ledger: Ledger;
  readonly warned: Warned;
}

function warnOf(
  draft: Draft,
  { limit, ledger, warned }: Watched,
  whose: { readonly of: "run" | "recovery" | "subtask"; readonly subtask?: string },
): void {
  for (const measure of measuresAt(limit, ledger, WARN_SHARE))
    if (!warned.includes(measure))
      emit(draft, {
        ...{ kind: "budget-warned", ...whose, measure },
        ...{ spent: ledger.spent[measure] ?? 0, limit: limit[measure] ?? 0 },
      });
}

function mergeNext(draft: Draft): void {
  const { state } = draft;
  if (state.merging !== undefined) return;
  const waits = (subtask: SubtaskState): boolean =>
    subtask.stages.some(({ kind }) => kind === "merge");
  const index = firstOf(state, state.mergeQueue, waits);
  if (index === undefined) return;
  const { id: subtask, state: own } = placeAt(draft, index);
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
function dispatch(draft: Draft, index: number, from: "urgent" | "ready"): boolean {
  const { id: subtask, plan, state: own } = placeAt(draft, index);
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
  draft: Draft,
  index: number,
  of: "subtask" | "recovery",
  measure: Measure,
): boolean {
  const { id: subtask, state: own, plan } = placeAt(draft, index);
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
function askForRun(draft: Draft, measure: Measure): boolean {
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

/** A place stays free because of a budget: said once, so that nobody wonders why. Attempts are never given back. */
function sayTight(draft: Draft, measure: Measure): void {
  const { tight, limit, agents: running } = draft.state;
  if (measure === "attempts" || tight.includes(measure)) return;
  emit(draft, { kind: "budget-tight", measure, limit: limit[measure] ?? 0, running });
}
