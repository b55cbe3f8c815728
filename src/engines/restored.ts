/**
 * A run's state out of the journal: the last snapshot and the events after it. Invariants: a snapshot is only ever
 * a shortcut, one that this version cannot use is passed over; asks no policy; gives other turns of the event loop
 * their time.
 */
import { freeze, thaw } from "../core/run/freeze.ts";
import type { FrozenState } from "../core/run/freeze.ts";
import { fold } from "../core/run/fold.ts";
import { NEW_RUN, startedRun } from "../core/run/new-run.ts";
import type { RunState } from "../core/run/state.ts";
import type { JournalReader, StoredSnapshot } from "../journal/reader.ts";

export interface RestoredRun {
  readonly state: RunState;
  /** Number of events. */
  readonly seq: number;
  /** Length of the snapshot, and of the events after it: what the next snapshot's time depends on. */
  readonly snapshotSize: number;
  readonly sizeSince: number;
}

/** Raised when the meaning of a state's fields changes without a change of their names. */
const STATE_VERSION = 1;
const ROWS_AT_ONCE = 1000;

export async function restoredRun(journal: JournalReader, run: string): Promise<RestoredRun> {
  const stored = await journal.snapshot(run);
  const thawed = stored === undefined ? undefined : usable(stored);
  let state = thawed ?? NEW_RUN;
  let seq = thawed === undefined ? 0 : (stored?.seq ?? 0);
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
  const snapshotSize = thawed === undefined ? 0 : (stored?.state.length ?? 0);
  return { state, seq, sizeSince, snapshotSize };
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

/** The names of all fields of a started run: a version that adds or drops one passes older snapshots over. */
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
