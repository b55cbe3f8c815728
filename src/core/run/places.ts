/**
 * Who may start next, and how many places are taken. Invariant: what is in a queue and was dispatched from the
 * other, or parked meanwhile, is passed over.
 */
import { dequeue } from "./queue.ts";
import type { Queue } from "./queue.ts";
import { subtaskAt } from "./state.ts";
import type { RunState, SubtaskState } from "./state.ts";

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
export function startingNow(state: RunState): number {
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
