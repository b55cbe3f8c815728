/**
 * Assigns free places to whatever is ready: merges one at a time, then attempts in recovery, then first attempts. Asks
 * for more budget when it is used up, and ends the run when nothing is left to do. Invariants: an attempt's cap fits
 * into the budgets of the run, the subtask and, for an iteration, recovery; a place kept free by a budget is reported;
 * queue entries that were dispatched from the other queue or parked meanwhile are skipped.
 */
import { fit, narrowest, type Budget, type Measure } from "../../budget.ts";
import { defined } from "../../defined.ts";
import { queueFromFront } from "../../persistent-collections.ts";
import type { AttemptSpec } from "../attempt.ts";
import { budgetUsedUp } from "../make-checkpoint.ts";
import { planSubtask, subtaskAt, type RunState } from "../state.ts";
import type { SubtaskState } from "../subtask-state.ts";
import { isReadOnly } from "./attempt-failure.ts";
import { reportTightBudget, warnOfBudgets } from "./budget-notices.ts";
import { firstSpec } from "./attempt-spec.ts";
import { isHeldByIncident } from "./machine-incident.ts";
import { withdrawPermission } from "./permission.ts";
import { endWithoutAnswer } from "./read-only.ts";
import { emit, subtaskNow, type Turn } from "./turn.ts";
import { conclude, isHeldForBase } from "./whole-run-checks.ts";

export function schedule(turn: Turn): void {
  warnOfBudgets(turn);
  if (turn.state.paused === undefined) mergeNext(turn);
  while (
    turn.state.phase === "active" &&
    !isHeldForBase(turn.state) &&
    !isHeldByIncident(turn.state)
  ) {
    const hasPlace = placesTaken(turn.state) < turn.state.plan.concurrency;
    const wanted = hasPlace ? dispatchable : mayJoinItsBranches(turn.state);
    const urgent = firstOf(turn.state, "urgent", wanted);
    const subtask = urgent ?? (hasPlace ? firstOf(turn.state, "ready", wanted) : undefined);
    const from = urgent === undefined ? "ready" : "urgent";
    if (subtask === undefined || !dispatch(turn, subtask, from)) return;
  }
}

/** An attempt keeps its place until its tree is judged and merged, so the next one starts from its result. */
const placesTaken = ({ agents, checking, toMerge }: RunState): number =>
  agents + checking + toMerge;

const dispatchable = ({ phase, next }: SubtaskState): boolean =>
  phase === "pending" || (phase === "running" && next.length > 0);

/** A branch may start next to the others of its exploration as long as nothing else is running. */
const mayJoinItsBranches =
  (state: RunState) =>
  (own: SubtaskState): boolean =>
    dispatchable(own) && placesFor(state, own) > placesTaken(state);

/** The total number of places that applies to a subtask's next attempt. */
function placesFor(state: RunState, { next, running, stages }: SubtaskState): number {
  const { concurrency, branchesAtOnce = concurrency } = state.plan;
  const isAlone = running.length + stages.length === placesTaken(state);
  return isAlone && next[0]?.prompt.branch !== undefined ? branchesAtOnce : concurrency;
}

function firstOf(
  state: RunState,
  queue: "urgent" | "ready" | "mergeQueue",
  wanted: (subtask: SubtaskState) => boolean,
): string | undefined {
  for (const index of queueFromFront(state[queue]))
    if (wanted(subtaskAt(state, index))) return planSubtask(state, index).id;
  return undefined;
}

/** Ends the run when nothing is running, waiting or being asked. */
export function endIfDone(turn: Turn): void {
  const { state } = turn;
  // Cancelling does not wait for checks.
  if (state.phase === "ending" && state.unfunded === undefined && state.agents === 0)
    return emit(turn, { kind: "run-ended", outcome: "cancelled", reason: "cancelled" });
  if (placesTaken(state) > 0) return;
  if (state.phase === "ending" && state.unfunded !== undefined)
    return emit(turn, { kind: "run-ended", outcome: "budget", reason: state.unfunded });
  const awaited = state.baseline.awaited !== undefined || state.finalCheck !== undefined;
  if (state.phase !== "active" || state.openCheckpoints > 0 || awaited) return;
  if (state.counts.waiting === 0) conclude(turn);
}

function mergeNext(turn: Turn): void {
  if (turn.state.merging !== undefined) return;
  const mergeOf = ({ stages }: SubtaskState) => stages.find(({ kind }) => kind === "merge");
  const subtask = firstOf(turn.state, "mergeQueue", (own) => mergeOf(own) !== undefined);
  const stage = subtask === undefined ? undefined : mergeOf(subtaskNow(turn, subtask).state);
  if (subtask === undefined || stage === undefined) return;
  const { attempt, round } = stage;
  emit(turn, { kind: "merge-dispatched", subtask, attempt, ...(round > 1 ? { round } : {}) });
}

/** False when nothing more can be dispatched now. */
function dispatch(turn: Turn, subtask: string, from: "urgent" | "ready"): boolean {
  const { plan, state: own } = subtaskNow(turn, subtask);
  const spec = own.next[0] ?? firstSpec(own);
  const granted = grant(turn.state, own, spec);
  if (granted.ok) {
    const attempt = own.attempt + 1;
    const { cap } = granted;
    const { at } = turn.input;
    emit(turn, { kind: "attempt-dispatched", subtask, attempt, spec, cap, from, at });
    return true;
  }
  const { of, measure } = granted;
  if (of === "run") return askForRun(turn, measure);
  if (of === "subtask" && isReadOnly(plan))
    endWithoutAnswer(turn, subtask, "its own budget is used up");
  else askFor(turn, subtask, of, measure);
  return true;
}

/** The subtask waits for a larger budget; subtasks that do not depend on it continue. */
function askFor(turn: Turn, subtask: string, of: "subtask" | "recovery", measure: Measure): void {
  withdrawPermission(turn, subtask);
  const { state: own, plan } = subtaskNow(turn, subtask);
  const { ledger, limit } = of === "recovery" ? turn.state.recovery : own;
  const id = `${subtask}/c${own.checkpoints + 1}`;
  const checkpoint = budgetUsedUp({
    ...{ id, subtask, goal: plan.prompt, measure, of, attempts: own.attempt, ledger, limit },
  });
  const reason = checkpoint.context.error;
  emit(turn, { kind: "subtask-parked", subtask, phase: "asking", reason });
  emit(turn, { kind: "checkpoint-opened", checkpoint });
}

/** Running attempts may return part of their reservation, so a person is asked only when none is running. */
function askForRun(turn: Turn, measure: Measure): false {
  const { ledger, limit, plan, checkpoints, checkpoint: open, agents } = turn.state;
  if (agents > 0) reportTightBudget(turn, measure);
  if (placesTaken(turn.state) > 0 || open !== undefined) return false;
  const { goal } = plan;
  const attempts = ledger.spent.attempts ?? 0;
  const id = `c${checkpoints + 1}`;
  const checkpoint = budgetUsedUp({ id, goal, measure, of: "run", attempts, ledger, limit });
  emit(turn, { kind: "checkpoint-opened", checkpoint });
  return false;
}

type Grant =
  | { readonly ok: true; readonly cap: Budget }
  | { readonly ok: false; readonly of: "run" | "subtask" | "recovery"; readonly measure: Measure };

/** The cap of one more attempt, or the budget that has no room for it. */
function grant(state: RunState, own: SubtaskState, spec: AttemptSpec): Grant {
  const { attemptCap, concurrency, subtasks } = state.plan;
  const { budgetFactor: factor, iteration } = spec;
  const { usd, tokens } = attemptCap;
  const cap = {
    ...attemptCap,
    ...defined({ usd: usd && usd * factor, tokens: tokens && tokens * factor }),
  };
  const places = Math.min(concurrency, subtasks.length);
  const shared = { places, starting: startingNow(state, own), factor };
  const branches = Math.max(1, own.branches.filter(({ ended }) => !ended).length);
  const alone = { places: branches, starting: Math.max(1, own.next.length), factor };
  const caps: Budget[] = [];
  for (const [of, { limit, ledger }, sharing] of [
    ["run", state, shared],
    ["subtask", own, alone],
    ...(iteration ? [["recovery", state.recovery, shared] as const] : []),
  ] as const) {
    const fitting = fit(limit, ledger, cap, sharing);
    if (!fitting.ok) return { ...fitting, of };
    caps.push(fitting.cap);
  }
  return { ok: true, cap: narrowest(caps) };
}

/** How many attempts can start now, including the next one of `first`: ready ones, up to the number of free places. */
function startingNow(state: RunState, first: SubtaskState): number {
  const free = placesFor(state, first) - placesTaken(state);
  const seen = new Set<number>();
  let starting = 0;
  for (const queue of [state.urgent, state.ready])
    for (const index of queueFromFront(queue)) {
      if (starting >= free) break;
      const own = subtaskAt(state, index);
      if (seen.has(index) || !dispatchable(own)) continue;
      seen.add(index);
      starting += Math.max(1, own.next.length);
    }
  return Math.max(1, Math.min(starting, free));
}
