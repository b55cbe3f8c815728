/**
 * RunState as plain JSON and back, for snapshots that spare a long journal its replay. Invariant:
 * thaw(parse(stringify(freeze(s)))) behaves exactly like s.
 */
import { assert } from "../assert.ts";
import { planGraph } from "../plan/graph.ts";
import { queueFrom, queueItems } from "./queue.ts";
import type { RunState } from "./state.ts";

type Queues = "urgent" | "ready" | "mergeQueue";

export type FrozenState = Omit<RunState, "graph" | Queues> & {
  readonly [queue in Queues]: readonly number[];
};

export function freeze(state: RunState): FrozenState {
  const { graph: _, ...rest } = state;
  return {
    ...rest,
    urgent: queueItems(state.urgent),
    ready: queueItems(state.ready),
    mergeQueue: queueItems(state.mergeQueue),
  };
}

export function thaw(frozen: FrozenState): RunState {
  const reading = planGraph(frozen.plan.subtasks);
  assert(reading.ok, "a frozen plan was checked before it was started");
  return {
    ...frozen,
    graph: reading.graph,
    urgent: queueFrom(frozen.urgent),
    ready: queueFrom(frozen.ready),
    mergeQueue: queueFrom(frozen.mergeQueue),
  };
}
