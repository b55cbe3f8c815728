/**
 * Gives free places to what is ready: merges one at a time, then attempts in recovery, then first attempts; asks for
 * budget where it is used up; ends the run when nothing is left to do.
 * Imports the draft and budgets. Invariant: spent plus reserved never exceeds a budget when an attempt is dispatched.
 */
import { fit, measureAt } from "../budget.ts";
import type { Budget, Fit } from "../budget.ts";
import { budgetUsedUp } from "./checkpoint.ts";
import { emit, placeAt, placeOf } from "./draft.ts";
import type { Draft } from "./draft.ts";
import { dequeue } from "./queue.ts";
import type { Queue } from "./queue.ts";
import { firstSpec } from "./spec.ts";
import { subtaskAt } from "./state.ts";
import type { RunState, SubtaskState } from "./state.ts";

const WARN_SHARE = 0.8;

export function schedule(draft: Draft): void {
  warn(draft);
  mergeNext(draft);
  while (
    draft.state.phase === "active" &&
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
  if (placesTaken(state) > 0) return;
  if (state.phase === "stopping") {
    emit(draft, { kind: "run-ended", outcome: "stopped", reason: "stopped on request" });
    return;
  }
  if (state.phase !== "active" || state.openCheckpoints > 0 || state.counts.waiting > 0) return;
  const { verified, unverified, pending, stuck, skipped } = state.counts;
  const total = state.plan.subtasks.length;
  if (verified === total)
    emit(draft, { kind: "run-ended", outcome: "verified", reason: "every subtask is verified" });
  else if (verified + unverified === total)
    emit(draft, {
      kind: "run-ended",
      outcome: "unverified",
      reason: `${unverified} subtasks have no check`,
    });
  else
    emit(draft, {
      kind: "run-ended",
      outcome: "failed",
      reason: `${stuck + skipped} subtasks were given up, ${pending} are blocked by them`,
    });
}

/** An attempt keeps its place until its tree is judged and merged, so that the next one starts from it. */
const placesTaken = ({ agents, checking, toMerge }: RunState): number =>
  agents + checking + toMerge;

function warn(draft: Draft): void {
  const { state, input } = draft;
  if (state.phase === "ended") return;
  const measure = state.warned ? undefined : measureAt(state.limit, state.ledger, WARN_SHARE);
  if (measure !== undefined) emit(draft, { kind: "budget-warned", measure });
  if (input.kind !== "attempt-ended") return;
  const { id: subtask, state: own } = placeOf(draft, input.subtask);
  const ofSubtask = own.warned ? undefined : measureAt(own.limit, own.ledger, WARN_SHARE);
  if (ofSubtask !== undefined) emit(draft, { kind: "budget-warned", measure: ofSubtask, subtask });
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
  if (stage !== undefined)
    emit(draft, { kind: "merge-dispatched", subtask, attempt: stage.attempt });
}

const dispatchable = (subtask: SubtaskState): boolean =>
  subtask.next.length > 0
    ? subtask.phase === "pending" || subtask.phase === "running"
    : subtask.phase === "pending" && subtask.unmet === 0 && subtask.attempt === 0;

const firstReady = (state: RunState, from: "urgent" | "ready"): number | undefined =>
  firstOf(state, state[from], dispatchable);

function firstOf(
  state: RunState,
  queue: Queue,
  wanted: (subtask: SubtaskState) => boolean,
): number | undefined {
  for (let taken = dequeue(queue); taken !== undefined; taken = dequeue(taken.rest))
    if (wanted(subtaskAt(state, taken.item))) return taken.item;
  return undefined;
}

/** False when nothing more can be dispatched now. */
function dispatch(draft: Draft, index: number, from: "urgent" | "ready"): boolean {
  const { id: subtask, state: own } = placeAt(draft, index);
  const { state } = draft;
  const spec = own.next[0] ?? firstSpec(own);
  const wanted = scaled(state.plan.attemptCap, spec.budgetFactor);
  const ofRun = fit(state.limit, state.ledger, wanted);
  if (!ofRun.ok) return askForRun(draft, ofRun);
  const ofSubtask = fit(own.limit, own.ledger, ofRun.cap);
  if (!ofSubtask.ok) return askFor(draft, index, "subtask", ofSubtask);
  const { ledger, limit } = state.recovery;
  const ofRecovery = spec.iteration ? fit(limit, ledger, ofSubtask.cap) : ofSubtask;
  if (!ofRecovery.ok) return askFor(draft, index, "recovery", ofRecovery);
  emit(draft, {
    kind: "attempt-dispatched",
    subtask,
    attempt: own.attempt + 1,
    spec,
    cap: ofRecovery.cap,
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
  { measure }: Extract<Fit, { readonly ok: false }>,
): boolean {
  const { id: subtask, state: own, plan } = placeAt(draft, index);
  const id = `${subtask}/c${own.checkpoints + 1}`;
  const about = { id, subtask, goal: plan.prompt, measure, of, attempts: own.attempt };
  const checkpoint = budgetUsedUp(about);
  const reason = checkpoint.context.error;
  emit(draft, { kind: "subtask-parked", subtask, phase: "asking", reason });
  emit(draft, { kind: "checkpoint-opened", checkpoint });
  return true;
}

/** Running attempts may give some of their reservation back; only when none is left a person is asked. */
function askForRun(draft: Draft, refused: Extract<Fit, { readonly ok: false }>): boolean {
  const { state } = draft;
  if (placesTaken(state) > 0 || state.checkpoint !== undefined) return false;
  const checkpoint = budgetUsedUp({
    id: `c${state.checkpoints + 1}`,
    goal: state.plan.goal,
    measure: refused.measure,
    of: "run",
    attempts: state.ledger.spent.attempts ?? 0,
  });
  emit(draft, { kind: "checkpoint-opened", checkpoint });
  return false;
}

function scaled(cap: Budget, factor: number): Budget {
  const { usd, tokens } = cap;
  return {
    ...cap,
    ...(usd === undefined ? {} : { usd: usd * factor }),
    ...(tokens === undefined ? {} : { tokens: tokens * factor }),
  };
}
