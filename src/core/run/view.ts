/**
 * Derived facts about a run for people and screens: which subtasks are blocked, and whether the run waits for a person.
 * One pass over the plan; never called by `decide` or `fold`.
 */
import { vectorItems } from "../persistent-collections.ts";
import type { RunState } from "./state.ts";
import type { StoredPhase } from "./subtask-state.ts";

export type Phase = StoredPhase | "blocked";

/**
 * The phase of every subtask in plan order. A pending subtask is blocked if it waits for one that was given up or
 * parked.
 */
export function phases(state: RunState): Phase[] {
  const still = isStopped(state);
  const shown: Phase[] = vectorItems(state.subtasks).map(({ phase }) =>
    still && phase === "running" ? "pending" : phase,
  );
  const open = shown.flatMap((phase, index) =>
    phase === "stuck" || phase === "skipped" || phase === "asking" ? [index] : [],
  );
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const dependent of state.graph.dependents[next] ?? []) {
      if (shown[dependent] !== "pending") continue;
      shown[dependent] = "blocked";
      open.push(dependent);
    }
  }
  return shown;
}

/**
 * Whether it has ended or is paused, even if its owner died before everything was recorded as stopped. A stopped run's
 * clock does not run.
 */
export const isStopped = ({ phase, paused }: RunState): boolean =>
  phase === "ended" || paused !== undefined;

/** Whether nothing can continue until somebody answers. */
export function needsPerson(state: RunState): boolean {
  const { agents, checking, toMerge, counts, baseline } = state;
  return (
    state.phase === "active" &&
    baseline.awaited === undefined &&
    state.openCheckpoints > 0 &&
    agents + checking + toMerge + counts.waiting === 0
  );
}
