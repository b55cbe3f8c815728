/**
 * The journal: one database per user, many runs, append-only events. Invariants: events are appended only with the
 * owner's claim and at the expected position; an input from the inbox is removed in the same commit as the append it
 * led to; nothing acknowledged is ever lost; of two processes that change the same incident at once, the second sees
 * the result of the first.
 */
import type { DatabaseSync } from "node:sqlite";
import type { RunInput } from "../core/run/input.ts";
import type { RunSummary } from "../core/run/run-summary.ts";
import { reader, type JournalReader, type StoredSnapshot } from "./reader.ts";
import { changes, type Change } from "./changes.ts";
import { PLACES_PER_RUN, connect, connectToRead } from "./database.ts";
import type { ConnectionOptions, JournalMode } from "./database.ts";
import { JournalError, LOCK_WAIT_MS } from "./error.ts";
import { inputText, type RowText } from "./event-text.ts";
import { ROW_VERSION } from "./row-text.ts";
import { learned, type Learned } from "./learned.ts";
import { groupCommit, type GroupCommit } from "./group-commit.ts";
import { INSERT_RUN, owners, removal } from "./owners.ts";
import type { Claim, Owners, Processes, Removal } from "./owners.ts";

/** The user's incidents, over all runs: small texts by key. */
export interface Incidents {
  /** `next` undefined ends the incident. The change must have no side effect: it may be repeated. */
  change<T>(
    key: string,
    change: (known: string | undefined) => {
      readonly next: string | undefined;
      readonly answer: T;
    },
  ): Promise<T>;
}

export interface JournalOptions extends ConnectionOptions {
  readonly processes: Processes;
}

export interface Append {
  readonly claim: Claim;
  /** The number of existing events, as far as the caller knows. */
  readonly expected: number;
  readonly events: readonly RowText[];
  /** Ids of the inbox rows handled by this append, even if they led to no event. */
  readonly taken: readonly number[];
  /** Shown in the list of runs. */
  readonly phase: string;
  readonly outcome?: string;
  readonly summary?: RunSummary;
  readonly at: number;
}

export type Appended =
  | { readonly ok: true; readonly seq: number }
  /** Nothing was written: another process owns the run, or its sequence number differs. */
  | { readonly ok: false; readonly why: "owner" | "sequence"; readonly seq: number };

export interface Journal extends JournalReader, Owners {
  readonly mode: JournalMode;
  readonly incidents: Incidents;
  append(append: Append): Promise<Appended>;
  /** Replaces the run's snapshot; ignored if the claim no longer holds. */
  saveSnapshot(claim: Claim, snapshot: StoredSnapshot): Promise<void>;
  /** Inserts into the inbox. `run-started` creates the run; any other input needs an existing one. */
  post(run: string, input: RunInput): Promise<void>;
  /** Sets a run's name in the list of runs, and creates the run if there is none. */
  describe(run: string, named: { repo: string; title: string; at: number }): Promise<void>;
}

/** A journal in a file, which also allows removing runs. */
export interface StoredJournal extends Journal, Removal {
  readonly learned: Learned;
}

export async function openJournal(options: JournalOptions): Promise<StoredJournal> {
  const { database, mode } = await connect(options);
  const group = groupCommit(database, options.path);
  const noticed = changes(database);
  const reading = reader(database, options.path, noticed);
  return {
    ...reading,
    ...owners(database, group, options.processes),
    ...removal(database, group, options),
    ...writer(database, group, noticed.tell),
    mode,
    incidents: incidents(database, group),
    learned: learned(database, group, options.path),
    async close() {
      group.close();
      await reading.close();
    },
  };
}

/** For processes that only read. */
export async function openJournalToRead(path: string): Promise<JournalReader> {
  const database = await connectToRead(path);
  return reader(database, path, changes(database));
}

/** For a removed run: no claim on it is valid. */
const REMOVED = { seq: 0, epoch: -1 };

function writer(
  database: DatabaseSync,
  group: GroupCommit,
  tell: (change: Change) => void,
): Pick<Journal, "append" | "saveSnapshot" | "post" | "describe"> {
  const placeOf = database.prepare("SELECT seq, epoch FROM runs WHERE number = ?");
  const insertEvent = database.prepare(
    `INSERT INTO events (place, v, event) VALUES (?, ${ROW_VERSION}, ?)`,
  );
  const move = database.prepare(
    "UPDATE runs SET seq = ?, phase = ?, outcome = ?, summary = ?, changed = ? WHERE number = ?",
  );
  const removePosted = database.prepare("DELETE FROM inbox WHERE id = ? AND run = ?");
  const replaceSnapshot = database.prepare(
    "INSERT OR REPLACE INTO snapshots (run, seq, shape, state) VALUES (?, ?, ?, ?)",
  );
  const insertRun = database.prepare(INSERT_RUN);
  const numberOf = database.prepare("SELECT number FROM runs WHERE id = ?");
  const insertPosted = database.prepare("INSERT INTO inbox (run, v, input) VALUES (?, ?, ?)");
  const nameRun = database.prepare("UPDATE runs SET repo = ?, title = ? WHERE id = ?");
  const place = ({ number }: Claim) =>
    (placeOf.get(number) as typeof REMOVED | undefined) ?? REMOVED;
  return {
    async append({ claim, expected, events, taken, phase, outcome = null, summary, at }) {
      const told = summary === undefined ? null : JSON.stringify(summary);
      const appended = await group.write((): Appended => {
        const { seq, epoch } = place(claim);
        if (epoch !== claim.epoch) return { ok: false, why: "owner", seq };
        if (seq !== expected) return { ok: false, why: "sequence", seq };
        let next = seq;
        const first = claim.number * PLACES_PER_RUN;
        for (const text of events) insertEvent.run(first + (next += 1), text);
        if (next > seq) move.run(next, phase, outcome, told, at, claim.number);
        for (const id of taken) removePosted.run(id, claim.number);
        return { ok: true, seq: next };
      });
      // A turn later, so that a listener finds that the owner has already acted on the events.
      if (appended.ok) setImmediate(() => tell({ kind: "events", run: claim.run }));
      return appended;
    },
    saveSnapshot: (claim, { seq, shape, state }) =>
      group.write(() => {
        if (place(claim).epoch === claim.epoch)
          replaceSnapshot.run(claim.number, seq, shape, state);
      }),
    async post(run, input) {
      const text = inputText(input);
      await group.write(() => {
        if (input.kind === "run-started") insertRun.run(run, input.at);
        const row = numberOf.get(run) as { number: number } | undefined;
        if (row === undefined)
          throw new JournalError("unknown-run", `There is no run ${run}. See the list of runs.`);
        insertPosted.run(row.number, ROW_VERSION, text);
      }, LOCK_WAIT_MS);
      tell({ kind: "inbox", run });
    },
    describe: (run, { repo, title, at }) =>
      group.write(() => {
        insertRun.run(run, at);
        nameRun.run(repo, title, run);
      }, LOCK_WAIT_MS),
  };
}

function incidents(database: DatabaseSync, group: GroupCommit): Incidents {
  const find = database.prepare("SELECT state FROM incidents WHERE key = ?");
  const put = database.prepare("INSERT OR REPLACE INTO incidents (key, state) VALUES (?, ?)");
  const remove = database.prepare("DELETE FROM incidents WHERE key = ?");
  return {
    change: (key, change) =>
      group.write(() => {
        const row = find.get(key) as { state: string } | undefined;
        const { next, answer } = change(row?.state);
        if (next === undefined && row !== undefined) remove.run(key);
        if (next !== undefined && next !== row?.state) put.run(key, next);
        return answer;
      }),
  };
}
