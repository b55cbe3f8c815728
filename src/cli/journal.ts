/** The user's one journal. Imports journal and engines. */
import { systemProcesses } from "../engines/system-processes.ts";
import { openJournal } from "../journal/journal.ts";
import type { StoredJournal } from "../journal/journal.ts";
import type { Home } from "./home.ts";

export const openUserJournal = (home: Home): Promise<StoredJournal> =>
  openJournal({ path: home.database, processes: systemProcesses() });
