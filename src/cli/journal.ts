/** The user's one journal. */
import { systemProcesses } from "../engines/system-processes.ts";
import { openJournal } from "../journal/journal.ts";
import type { StoredJournal } from "../journal/journal.ts";
import type { Home } from "./home.ts";
import { refuseLost } from "./lost-journal.ts";

export async function openUserJournal(home: Home): Promise<StoredJournal> {
  refuseLost(home);
  return openJournal({ path: home.database, processes: systemProcesses() });
}
