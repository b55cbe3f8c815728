/**
 * Who owns a run: at most one process, known by pid, start time and boot. Invariants: a claim is a
 * compare-and-swap on the epoch; a run is taken over only from an owner that is proven dead; each ownership has
 * its own epoch, so what an old owner still writes is refused.
 */
import type { DatabaseSync } from "node:sqlite";
import { JournalError, LOCK_WAIT_MS } from "./error.ts";
import type { GroupCommit } from "./group-commit.ts";

export interface OwnerProcess {
  readonly pid: number;
  /** As the system writes it: tells a reused pid apart. */
  readonly startTime: string;
  readonly bootId: string;
}

/** What the journal needs to know of the system's processes. */
export interface Processes {
  readonly self: OwnerProcess;
  /** True only with proof: the pid is gone, belongs to a later process, or the machine was started anew. */
  isDead(owner: OwnerProcess): boolean;
}

/** The right to append to a run, for one ownership. */
export interface Claim {
  readonly run: string;
  /** The run's key in the tables. */
  readonly number: number;
  readonly epoch: number;
}

export interface Owners {
  /** Makes the run if there is none. Rejects with `run-owned`. */
  claim(run: string, at: number): Promise<Claim>;
  release(claim: Claim): Promise<void>;
}

/** Columns of a run's row that name its owner. */
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
        // Outside of any transaction: the proof may have to ask the system.
        if (owner !== undefined && !processes.isDead(owner)) throw ownedError(run, owner);
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

const ownedError = (run: string, { pid }: OwnerProcess): JournalError =>
  new JournalError(
    "run-owned",
    `Run ${run} is being worked on by process ${pid}. Attach to it, or stop that process first.`,
  );
