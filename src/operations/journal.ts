/** The user's one journal. A journal that was lost is never taken for a new one while the folders of its runs are there. */
import { readdirSync, statSync } from "node:fs";
import { count } from "../core/amounts.ts";
import { systemProcesses } from "../engines/system.ts";
import { JournalError } from "../journal/error.ts";
import { openJournal } from "../journal/journal.ts";
import type { StoredJournal } from "../journal/journal.ts";
import type { Home } from "./home.ts";

export async function openUserJournal(home: Home): Promise<StoredJournal> {
  refuseLost(home);
  return openJournal({ path: home.database, processes: systemProcesses() });
}

export function refuseLost({ database, runs }: Home): void {
  const size = statSync(database, { throwIfNoEntry: false })?.size;
  if (size !== undefined && size > 0) return;
  const { length } = readdirSync(runs);
  if (length === 0) return;
  throw new JournalError(
    "damaged",
    `The journal ${database} is ${size === undefined ? "gone" : "empty"}, though ${runs} holds ` +
      `${count(length, "run", "runs")}; nothing was changed. Restore the file from a backup, or move ${runs} away to start anew.`,
  );
}
