/**
 * The Journal of one simulated process on the shared store in memory: every operation takes time, may be cut off
 * by the death of the process, and may be refused by a full or failing disk. Invariant: what is acknowledged is in
 * the store.
 */
import type { Posted, RunRow } from "../../../src/journal/reader.ts";
import type { Change } from "../../../src/journal/changes.ts";
import type { JournalError } from "../../../src/journal/error.ts";
import { inputText, readEvent, readInput } from "../../../src/journal/event-text.ts";
import { ROW_VERSION } from "../../../src/journal/row-text.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import type { OwnerProcess } from "../../../src/journal/owners.ts";
import type { Chance } from "./chance.ts";
import type { MemoryStore, StoredRun } from "./memory-store.ts";
import type { SimulatedProcess } from "./process.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** What all processes share. */
export interface Storage {
  readonly store: MemoryStore;
  readonly watchers: Set<{ readonly process: SimulatedProcess; tell(change: Change): void }>;
  /** Why nothing can be written now. */
  readonly fault: () => JournalError | undefined;
  /** Told of every event the moment it is durable. */
  readonly onCommit: (run: StoredRun, from: number, by: SimulatedProcess) => void;
  readonly isDead: (owner: OwnerProcess) => boolean;
  readonly time: VirtualTime;
  readonly chance: Chance;
}

/** Another process notices a change no later than this. */
const LOOK_MS = 120;

export function memoryJournal(storage: Storage, process: SimulatedProcess): Journal {
  const { store, watchers, time, chance } = storage;
  const self: OwnerProcess = { pid: process.pid, startTime: "1", bootId: "boot" };
  const tellOthers = (): void => {
    for (const watcher of watchers)
      if (watcher.process !== process)
        time.after(chance.between(0, LOOK_MS), () => watcher.tell({ kind: "foreign" }));
  };
  const tellOwn = (change: Change): void => {
    for (const watcher of watchers) if (watcher.process === process) watcher.tell(change);
  };
  const write = <T>(what: string, apply: () => T): Promise<T> =>
    process.effect(`journal ${what}`, () => {
      const fault = storage.fault();
      if (fault !== undefined) throw fault;
      const result = apply();
      tellOthers();
      return result;
    });
  const look = <T>(what: string, apply: () => T): Promise<T> =>
    process.effect(`journal ${what}`, apply);
  return {
    mode: "wal",
    incidents: {
      change: (key, change) =>
        write("incident", () => {
          const { next, answer } = change(store.incidents.get(key));
          if (next === undefined) store.incidents.delete(key);
          else store.incidents.set(key, next);
          return answer;
        }),
    },
    runs: () => look("runs", () => store.all().map(rowOf)),
    runsSince: () =>
      look("runs", () => {
        const rows = store.all().map(rowOf);
        return { rows, total: rows.length, waiting: new Map() };
      }),
    run: (id) => look("run", () => optional(store.run(id), rowOf)),
    read: (run, from, limit) => look("read", () => eventsOf(store.run(run), from, limit)),
    snapshot: (run) => look("snapshot", () => store.run(run)?.snapshot),
    posted: (run, after, limit) => look("posted", () => postedOf(store.run(run), after, limit)),
    watch(listener) {
      const watcher = { process, tell: process.inside(listener) };
      const stop = (): void => void watchers.delete(watcher);
      watchers.add(watcher);
      process.onDeath(stop);
      return stop;
    },
    close: async () => undefined,
    claim: (run, at) => write("claim", () => store.claim(run, at, self, storage.isDead)),
    release: (claim) => write("release", () => store.release(claim)),
    async append(append) {
      const appended = await write("append", () => {
        const { run } = append.claim;
        const from = store.run(run)?.events.length ?? 0;
        const result = store.append(append);
        const row = store.run(run);
        if (result.ok && row !== undefined) storage.onCommit(row, from, process);
        return result;
      });
      if (appended.ok) tellOwn({ kind: "events", run: append.claim.run });
      return appended;
    },
    saveSnapshot: (claim, snapshot) =>
      write("snapshot save", () => store.saveSnapshot(claim, snapshot)),
    async post(run, input) {
      const text = inputText(input);
      await write("post", () => store.post(run, input, text));
      tellOwn({ kind: "inbox", run });
    },
    describe: (run, { at }) => write("describe", () => void store.make(run, at)),
  };
}

const optional = <T, U>(value: T | undefined, map: (value: T) => U): U | undefined =>
  value === undefined ? undefined : map(value);

function rowOf({ id, created, phase, outcome, changed, owner, events }: StoredRun): RunRow {
  return {
    ...{ id, created, phase, repo: "", title: "", seq: events.length },
    ...(outcome === undefined ? {} : { outcome }),
    ...(changed === undefined ? {} : { changed }),
    ...(owner === undefined ? {} : { owner }),
  };
}

function eventsOf(run: StoredRun | undefined, from: number, limit: number) {
  const first = Math.max(1, from);
  return (run?.events ?? []).slice(first - 1, first - 1 + limit).map((text, index) => ({
    seq: first + index,
    event: readEvent(ROW_VERSION, text, `Event ${first + index}`),
    size: text.length,
  }));
}

function postedOf(run: StoredRun | undefined, after: number, limit: number): readonly Posted[] {
  const rows = (run?.inbox ?? []).filter(({ id }) => id > after).slice(0, limit);
  return rows.map(({ id, text }) => ({
    id,
    input: readInput(ROW_VERSION, text, `Input ${id} of the inbox`),
  }));
}
