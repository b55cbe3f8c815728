/**
 * Restores a run's state from the journal: the last snapshot and the events after it. Invariants: a snapshot is only a
 * shortcut, and one that this version cannot use is skipped; a state that was written and read back behaves exactly as
 * before; no policy is consulted; the event loop is not blocked.
 */
import { fold } from "../core/run/fold/fold.ts";
import { NEW_RUN, startedRun } from "../core/run/new-run.ts";
import type { RunState } from "../core/run/state.ts";
import type { JournalReader, StoredSnapshot } from "../journal/reader.ts";
import { assert } from "../core/assert.ts";
import { planGraph } from "../core/plan/graph.ts";
import { queueFrom, queueItems } from "../core/persistent-collections.ts";

export interface RestoredRun {
  readonly state: RunState;
  /** Number of events. */
  readonly seq: number;
  /** Lengths of the snapshot and of the events after it: they determine when the next snapshot is due. */
  readonly snapshotSize: number;
  readonly sizeSince: number;
}

/** Raised when the meaning of a state's fields changes without a change of their names. */
const STATE_VERSION = 1;
const ROWS_AT_ONCE = 1000;

export async function restoredRun(journal: JournalReader, run: string): Promise<RestoredRun> {
  const stored = await journal.snapshot(run);
  const thawed = stored && usable(stored);
  const from = thawed === undefined ? undefined : stored;
  let state = thawed ?? NEW_RUN;
  let seq = from?.seq ?? 0;
  let sizeSince = 0;
  for (;;) {
    const rows = await journal.read(run, seq + 1, ROWS_AT_ONCE);
    for (const row of rows) {
      state = fold(state, row.event);
      sizeSince += row.size;
      seq = row.seq;
    }
    if (rows.length < ROWS_AT_ONCE) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { state, seq, sizeSince, snapshotSize: from?.state.length ?? 0 };
}

export function snapshotOf(state: RunState, seq: number): StoredSnapshot {
  return { seq, shape: SHAPE, state: JSON.stringify(freeze(state)) };
}

function usable({ shape, state }: StoredSnapshot): RunState | undefined {
  if (shape !== SHAPE) return undefined;
  try {
    return thaw(JSON.parse(state) as FrozenState);
  } catch {
    return undefined;
  }
}

/** The names of all fields of a started run: a version that adds or drops one skips older snapshots. */
const SHAPE = `${STATE_VERSION} ${shapeOf(
  freeze(
    startedRun(
      "",
      {
        goal: "",
        subtasks: [{ id: "a", prompt: "", dependsOn: [], checks: 0 }],
        ladder: [{ agent: "", tier: 1 }],
        concurrency: 1,
        budget: {},
        attemptCap: {},
      },
      undefined,
    ),
  ),
)}`;

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length > 0 ? shapeOf(value[0]) : ""}]`;
  if (typeof value !== "object" || value === null) return "";
  const fields = Object.entries(value).map(([name, field]) => name + shapeOf(field));
  return `{${fields.sort().join()}}`;
}

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
