/**
 * Room for one more attempt: which subtask may start next, how many places are taken, and what the attempt may
 * use. Invariants: a cap that is granted fits into the budgets of the run, of its subtask and, for an iteration,
 * of recovery; what is in one queue and was dispatched from the other, or parked meanwhile, is passed over.
 */
import { fit, narrowest } from "../../budget.ts";
import type { Budget, Measure } from "../../budget.ts";
import type { AttemptSpec } from "../attempt.ts";
import type { RunState, SubtaskState } from "../state.ts";
import { dequeue } from "../queue.ts";
import type { Queue } from "../queue.ts";
import { subtaskAt } from "../state.ts";

type Grant =
  | { readonly ok: true; readonly cap: Budget }
  | { readonly ok: false; readonly of: "run" | "subtask" | "recovery"; readonly measure: Measure };

export function grant(state: RunState, own: SubtaskState, spec: AttemptSpec): Grant {
  const { attemptCap, concurrency, subtasks } = state.plan;
  const { budgetFactor: factor, iteration } = spec;
  const cap = scaled(attemptCap, factor);
  const places = Math.min(concurrency, subtasks.length);
  const shared = { places, starting: startingNow(state), factor };
  const branches = Math.max(1, own.branches.filter(({ ended }) => !ended).length);
  const alone = { places: branches, starting: Math.max(1, own.next.length), factor };
  const ofRun = fit(state.limit, state.ledger, cap, shared);
  if (!ofRun.ok) return { ...ofRun, of: "run" };
  const ofSubtask = fit(own.limit, own.ledger, cap, alone);
  if (!ofSubtask.ok) return { ...ofSubtask, of: "subtask" };
  const { limit, ledger } = state.recovery;
  const ofRecovery = iteration ? fit(limit, ledger, cap, shared) : ofRun;
  if (!ofRecovery.ok) return { ...ofRecovery, of: "recovery" };
  return { ok: true, cap: narrowest([ofRun.cap, ofSubtask.cap, ofRecovery.cap]) };
}

function scaled(cap: Budget, factor: number): Budget {
  const { usd, tokens } = cap;
  return {
    ...cap,
    ...(usd === undefined ? {} : { usd: usd * factor }),
    ...(tokens === undefined ? {} : { tokens: tokens * factor }),
  };
}

/** An attempt keeps its place until its tree is judged and merged, so that the next one starts from it. */
export const placesTaken = ({ agents, checking, toMerge }: RunState): number =>
  agents + checking + toMerge;

export const dispatchable = ({ phase, next }: SubtaskState): boolean =>
  phase === "pending" || (phase === "running" && next.length > 0);

export function firstOf(
  state: RunState,
  queue: Queue,
  wanted: (subtask: SubtaskState) => boolean,
): number | undefined {
  for (let taken = dequeue(queue); taken !== undefined; taken = dequeue(taken.rest))
    if (wanted(subtaskAt(state, taken.item))) return taken.item;
  return undefined;
}

/** How many attempts can start now: of those that are ready, as many as places are free. */
function startingNow(state: RunState): number {
  const free = state.plan.concurrency - placesTaken(state);
  const seen = new Set<number>();
  let starting = 0;
  for (const queue of [state.urgent, state.ready])
    for (
      let taken = dequeue(queue);
      taken !== undefined && starting < free;
      taken = dequeue(taken.rest)
    ) {
      const own = subtaskAt(state, taken.item);
      if (seen.has(taken.item) || !dispatchable(own)) continue;
      seen.add(taken.item);
      starting += Math.max(1, own.next.length);
    }
  return Math.max(1, Math.min(starting, free));
}
