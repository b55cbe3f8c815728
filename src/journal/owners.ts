/**
 * Ownership of runs: at most one process owns a run, identified by pid, start time and boot. Also removes a run from
 * the journal, which only its owner may do. Invariants: a claim is a compare-and-swap on the epoch; a run is taken over
 * only from an owner that is proven dead; each ownership has its own epoch, so late writes of an old owner are refused.
 * Events are removed from last to first, so a concurrent reader finds fewer of them but no gap; the run's row goes
 * last. Giving space back to the disk never blocks others for long: what cannot be done now is left for later.
 */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { PLACES_PER_RUN, pragma } from "./database.ts";
import { hasCode, JournalError, journalError, LOCK_WAIT_MS, retryWhileLocked } from "./error.ts";
import type { GroupCommit } from "./group-commit.ts";

export interface OwnerProcess {
  readonly pid: number;
  /** As the system reports it: distinguishes a reused pid. */
  readonly startTime: string;
  readonly bootId: string;
}

/** What the journal needs to know about the system's processes. */
export interface Processes {
  readonly self: OwnerProcess;
  /** True only with proof: the pid is gone, belongs to a later process, or the machine was rebooted. */
  isDead(owner: OwnerProcess): boolean;
}

/** The right to append to a run, for one period of ownership. */
export interface Claim {
  readonly run: string;
  /** The run's key in the tables. */
  readonly number: number;
  readonly epoch: number;
}

export interface Owners {
  /** Creates the run if there is none. Rejects with `run-owned`. */
  claim(run: string, at: number): Promise<Claim>;
  release(claim: Claim): Promise<void>;
}

/** The columns of a run's row that identify its owner. */
export interface OwnerColumns {
  readonly pid: number | null;
  readonly started: string | null;
  readonly boot: string | null;
}

export const INSERT_RUN =
  "INSERT INTO runs (id, created) VALUES (?, ?) ON CONFLICT (id) DO NOTHING";

export function owners(database: DatabaseSync, group: GroupCommit, processes: Processes): Owners {
  const insert = database.prepare(INSERT_RUN);
  const find = database.prepare("SELECT number, epoch, pid, started, boot FROM runs WHERE id = ?");
  const take = database.prepare(
    "UPDATE runs SET epoch = epoch + 1, pid = ?, started = ?, boot = ? " +
      "WHERE number = ? AND epoch = ?",
  );
  const give = database.prepare(
    "UPDATE runs SET epoch = epoch + 1, pid = NULL, started = NULL, boot = NULL " +
      "WHERE number = ? AND epoch = ?",
  );
  return {
    async claim(run, at) {
      for (;;) {
        const row = await group.write(() => {
          insert.run(run, at);
          return find.get(run) as unknown as OwnerColumns & { number: number; epoch: number };
        }, LOCK_WAIT_MS);
        const owner = ownerOf(row);
        // Outside any transaction: the proof may have to query the system.
        if (owner !== undefined && !processes.isDead(owner))
          throw new JournalError(
            "run-owned",
            `Run ${run} is being worked on by process ${owner.pid}. Attach to it, or stop that process first.`,
          );
        const { pid, startTime, bootId } = processes.self;
        const { number, epoch } = row;
        const taken = await group.write(
          () => take.run(pid, startTime, bootId, number, epoch).changes,
          LOCK_WAIT_MS,
        );
        if (Number(taken) === 1) return { run, number, epoch: epoch + 1 };
      }
    },
    async release({ number, epoch }) {
      await group.write(() => give.run(number, epoch));
    },
  };
}

export const ownerOf = ({ pid, started, boot }: OwnerColumns): OwnerProcess | undefined =>
  pid === null ? undefined : { pid, startTime: started ?? "", bootId: boot ?? "" };

export interface Removal {
  /** The claim is void afterwards. */
  remove(claim: Claim): Promise<void>;
  shrink(): Promise<void>;
}

/** How many events, or pages, one transaction removes: other processes write in between. */
const EVENTS_AT_ONCE = 2000;
const PAGES_AT_ONCE = 1000;
const SHRINK_MS = 10_000;
/** A file created before incremental vacuum is rewritten once this share of it is free. */
const FREE_SHARE = 0.25;
/** Rewriting the file needs space for a copy of it and for one in its log. */
const ROOM_FACTOR = 3;
const INCREMENTAL = 2;

export function removal(
  database: DatabaseSync,
  group: GroupCommit,
  { path, processes }: { readonly path: string; readonly processes: Processes },
): Removal {
  const epochOf = database.prepare("SELECT epoch FROM runs WHERE number = ?");
  const removeEvents = database.prepare(
    `DELETE FROM events WHERE place IN
       (SELECT place FROM events WHERE place BETWEEN ? AND ? ORDER BY place DESC LIMIT ${EVENTS_AT_ONCE})`,
  );
  const rest = ["snapshots WHERE run", "inbox WHERE run", "runs WHERE number"].map((where) =>
    database.prepare(`DELETE FROM ${where} = ?`),
  );
  const owned = database.prepare("SELECT pid, started, boot FROM runs WHERE pid IS NOT NULL");

  const requireOwner = ({ run, number, epoch }: Claim): void => {
    const row = epochOf.get(number) as { epoch: number } | undefined;
    if (row?.epoch !== epoch)
      throw new JournalError("owner-lost", `Another process has taken run ${run}. Try again.`);
  };
  const isWorkedOn = (): boolean =>
    (owned.all() as unknown as OwnerColumns[])
      .flatMap((row) => ownerOf(row) ?? [])
      .some((owner) => !processes.isDead(owner));
  const giveBack = async (): Promise<void> => {
    const until = performance.now() + SHRINK_MS;
    const step = (): void => database.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
    while (pragma(database, "freelist_count") > 0 && performance.now() < until)
      await retryWhileLocked(path, step);
  };
  /** Rewrites the file at its minimal size; from then on it can give space back incrementally. */
  const writeAnew = (): void => {
    const [free, pages] = [pragma(database, "freelist_count"), pragma(database, "page_count")];
    if (free < pages * FREE_SHARE || isWorkedOn()) return;
    const { bavail, bsize } = statfsSync(dirname(path));
    const bytes = (pages - free) * pragma(database, "page_size");
    if (bavail * bsize < bytes * ROOM_FACTOR) return;
    database.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
  };

  return {
    async remove(claim) {
      const first = claim.number * PLACES_PER_RUN;
      for (let gone = EVENTS_AT_ONCE; gone === EVENTS_AT_ONCE;)
        gone = await group.write(() => {
          requireOwner(claim);
          return Number(removeEvents.run(first, first + PLACES_PER_RUN - 1).changes);
        });
      await group.write(() => {
        requireOwner(claim);
        for (const statement of rest) statement.run(claim.number);
      });
    },
    async shrink() {
      try {
        if (pragma(database, "auto_vacuum") === INCREMENTAL) await giveBack();
        else writeAnew();
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch (error) {
        const failure = journalError(error, path);
        if (!hasCode(failure, "busy") && !hasCode(failure, "disk-full")) throw failure;
      }
    },
  };
}
