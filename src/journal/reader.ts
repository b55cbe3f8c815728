/**
 * Reads the journal (runs, events, snapshots, inbox), in the owner and in any other process. Invariants: every row is
 * checked; a gap in the sequence is damage, not the end; no statement is left open, so a reader never blocks a writer.
 */
import type { DatabaseSync } from "node:sqlite";
import type { RunEvent } from "../core/run/decision.ts";
import type { RunInput } from "../core/run/input.ts";
import { readSummary, type RunSummary } from "../core/run/run-summary.ts";
import { JournalError, closedError, retryWhileLocked } from "./error.ts";
import { readEvent, readInput } from "./event-text.ts";
import { ownerOf, type OwnerColumns, type OwnerProcess } from "./owners.ts";
import { PLACES_PER_RUN } from "./database.ts";
import type { Changes, Change } from "./changes.ts";

export interface RunRow {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly created: number;
  readonly repo: string;
  readonly title: string;
  readonly phase: string;
  readonly outcome?: string;
  /** Number of events. */
  readonly seq: number;
  /** Time of the last event. */
  readonly changed?: number;
  /** Present whether or not the owner is alive. */
  readonly owner?: OwnerProcess;
  /** The workers of a fleet work on it, on any machine. */
  readonly fleet?: true;
  /** Missing in rows of older versions and of imported history. */
  readonly summary?: RunSummary;
}

export interface JournalRow {
  readonly seq: number;
  readonly event: RunEvent;
  /** Length of its text. */
  readonly size: number;
}

export interface StoredSnapshot {
  /** The last event it includes. */
  readonly seq: number;
  /** Shows whether this version of the program can use it. */
  readonly shape: string;
  readonly state: string;
}

export type Posted = { readonly id: number } & (
  | { readonly input: RunInput }
  /** Not readable by this version; the row is kept. */
  | { readonly problem: unknown }
);

export interface JournalReader {
  /** Newest first. */
  runs(): Promise<readonly RunRow[]>;
  run(id: string): Promise<RunRow | undefined>;
  /** Runs that have not ended or have changed since, newest first, and the total number of runs. */
  runsSince(at: number): Promise<{
    readonly rows: readonly RunRow[];
    readonly total: number;
    /** By run: the last input in its inbox that its owner has not taken yet. */
    readonly waiting: ReadonlyMap<string, number>;
  }>;
  read(run: string, from: number, limit: number): Promise<readonly JournalRow[]>;
  snapshot(run: string): Promise<StoredSnapshot | undefined>;
  /** Inputs in the inbox after this id, oldest first. */
  posted(run: string, after: number, limit: number): Promise<readonly Posted[]>;
  watch(listener: (change: Change) => void): () => void;
  close(): Promise<void>;
}

const RUN_COLUMNS =
  "SELECT id, created, repo, title, phase, outcome, seq, changed, summary, pid, started, boot FROM runs";

const NUMBER = "(SELECT number FROM runs WHERE id = ?)";

export function reader(database: DatabaseSync, path: string, changes: Changes): JournalReader {
  const allRuns = database.prepare(`${RUN_COLUMNS} ORDER BY created DESC, number DESC`);
  const lately = database.prepare(
    `${RUN_COLUMNS} WHERE changed >= ? OR phase <> 'ended' ORDER BY created DESC, number DESC`,
  );
  const total = database.prepare("SELECT count(*) AS total FROM runs");
  const oneRun = database.prepare(`${RUN_COLUMNS} WHERE id = ?`);
  const events = database.prepare(
    `SELECT events.seq, v, event FROM runs JOIN events
       ON place BETWEEN number * ${PLACES_PER_RUN} + ? AND (number + 1) * ${PLACES_PER_RUN} - 1
     WHERE id = ? ORDER BY place LIMIT ?`,
  );
  // Events are many, and reading rows as arrays takes half the time; Node 22 only has objects.
  if ("setReturnArrays" in events) events.setReturnArrays(true);
  const snapshots = database.prepare(
    `SELECT seq, shape, state FROM snapshots WHERE run = ${NUMBER}`,
  );
  const inbox = database.prepare(
    `SELECT id, v, input FROM inbox WHERE run = ${NUMBER} AND id > ? ORDER BY id LIMIT ?`,
  );
  const waiting = database.prepare(
    "SELECT runs.id, max(inbox.id) AS last FROM inbox JOIN runs ON run = number GROUP BY run",
  );
  let closed = false;
  const look = <T>(work: () => T): Promise<T> =>
    retryWhileLocked(path, () => {
      if (closed) throw closedError(path);
      return work();
    });
  return {
    runs: () => look(() => (allRuns.all() as unknown as RunColumns[]).map(runRow)),
    run: (id) => look(() => (oneRun.all(id) as unknown as RunColumns[]).map(runRow)[0]),
    runsSince: (at) =>
      look(() => ({
        rows: (lately.all(at) as unknown as RunColumns[]).map(runRow),
        total: (total.get() as { total: number }).total,
        waiting: new Map(
          (waiting.all() as { id: string; last: number }[]).map(({ id, last }) => [id, last]),
        ),
      })),
    read: (run, from, limit) =>
      look(() => {
        const first = Math.max(1, from);
        const rows = events.all(first, run, limit) as unknown as (EventColumns | EventObject)[];
        return rows.map((row, index) => eventRow(row, first + index, run));
      }),
    snapshot: (run) => look(() => snapshots.get(run) as unknown as StoredSnapshot | undefined),
    posted: (run, after, limit) =>
      look(() => (inbox.all(run, after, limit) as unknown as InboxColumns[]).map(posted)),
    watch: (listener) => changes.watch(listener),
    async close() {
      if (closed) return;
      closed = true;
      changes.close();
      database.close();
    },
  };
}

type EventColumns = readonly [seq: number, v: number, event: string];

interface EventObject {
  readonly seq: number;
  readonly v: number;
  readonly event: string;
}

function eventRow(row: EventColumns | EventObject, expected: number, run: string): JournalRow {
  const [seq, v, event] = "seq" in row ? ([row.seq, row.v, row.event] as const) : row;
  const place = `Event ${expected} of run ${run}`;
  if (seq !== expected)
    throw new JournalError("damaged", `${place} is missing. Restore the journal from a backup.`);
  return { seq, event: readEvent(v, event, place), size: event.length };
}

interface InboxColumns {
  readonly id: number;
  readonly v: number;
  readonly input: string;
}

function posted({ id, v, input }: InboxColumns): Posted {
  try {
    return { id, input: readInput(v, input, `Input ${id} of the inbox`) };
  } catch (problem) {
    return { id, problem };
  }
}

type RunColumns = Omit<RunRow, "outcome" | "changed" | "owner" | "summary"> &
  OwnerColumns & {
    readonly outcome: string | null;
    readonly changed: number | null;
    readonly summary: string | null;
  };

function runRow(columns: RunColumns): RunRow {
  const { pid, started, boot, outcome, changed, summary, ...row } = columns;
  const told = summary === null ? undefined : readSummary(summary);
  const owner = ownerOf({ pid, started, boot });
  return {
    ...row,
    ...(outcome === null ? {} : { outcome }),
    ...(changed === null ? {} : { changed }),
    ...(told === undefined ? {} : { summary: told }),
    ...(owner === undefined ? {} : { owner }),
  };
}
