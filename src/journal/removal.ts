/**
 * Takes a run out of the journal and gives its space back to the disk. Invariants: only the run's owner removes
 * it; events go from the last to the first, so that whoever reads meanwhile finds fewer of them and no gap; the
 * row goes last. Giving space back never waits long for others: what cannot be done now is left for later.
 */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { JournalError, hasCode, journalError, retryWhileLocked } from "./error.ts";
import type { GroupCommit } from "./group-commit.ts";
import { ownerOf } from "./owners.ts";
import type { Claim, OwnerColumns, Processes } from "./owners.ts";
import { pragma, PLACES_PER_RUN } from "./database.ts";

export interface Removal {
  /** The claim is void afterwards. */
  remove(claim: Claim): Promise<void>;
  shrink(): Promise<void>;
}

/** How many events one transaction removes, and how many pages one gives back: others write in between. */
const EVENTS_AT_ONCE = 2000;
const PAGES_AT_ONCE = 1000;
const SHRINK_MS = 10_000;
/** A file of before space could be given back in steps is written anew once this share of it is free. */
const FREE_SHARE = 0.25;
/** Writing it anew takes a copy beside it and one in its log. */
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
    (owned.all() as unknown as OwnerColumns[]).some((row) => {
      const owner = ownerOf(row);
      return owner !== undefined && !processes.isDead(owner);
    });
  const giveBack = async (): Promise<void> => {
    const until = performance.now() + SHRINK_MS;
    const step = (): void => database.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
    while (pragma(database, "freelist_count") > 0 && performance.now() < until)
      await retryWhileLocked(path, step);
  };
  /** Exactly as large as what it holds, and from then on able to give space back in steps. */
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
