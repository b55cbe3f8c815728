/** Opens the user's journal, the current repository, and the run an operation is about, with its workspace. */
import { readdirSync, statSync } from "node:fs";
import { count } from "../../core/amounts.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { systemProcesses } from "../../engines/system.ts";
import { JournalError } from "../../journal/error.ts";
import { openJournal } from "../../journal/journal.ts";
import type { RunRow } from "../../journal/reader.ts";
import { inspect, type Inspection } from "../../workspace/repository/inspect.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import type { RefusalKind } from "../../workspace/base/refusal.ts";
import type { Run } from "../../workspace/base/run-folder.ts";
import { fleetUrl } from "../fleet/url.ts";
import { openHome, type Home } from "../home.ts";
import type { Context } from "../operation.ts";
import { accepted, refused } from "./accepted.ts";
import { sharedHome, type OpenHome, type WorkspaceUse } from "./shared-home.ts";
import { startedWith } from "./started-with.ts";
import { findRun } from "./find-run.ts";

export { accepted, refusalText, refused, workspaceFolder } from "./accepted.ts";
export type { OpenHome };

export interface OpenRun extends OpenHome {
  readonly row: RunRow;
}

export async function withHome<T>(body: (open: OpenHome) => Promise<T>): Promise<T> {
  const shared = sharedHome();
  if (shared !== undefined) return body(shared);
  const home = openHome();
  const fleet = fleetUrl();
  if (fleet !== undefined) {
    const { openRemoteFleet } = await import("../fleet/remote-fleet.ts");
    const open = openRemoteFleet(fleet, home);
    return body(open).finally(() => open.journal.close());
  }
  refuseLost(home);
  const journal = await openJournal({ path: home.database, processes: systemProcesses() });
  try {
    return await body({ home, journal });
  } finally {
    await journal.close();
  }
}

/** A lost journal is never replaced by a new one while the folders of its runs exist. */
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

export const withRun = <T>(
  context: Context,
  asked: string | undefined,
  body: (open: OpenRun) => Promise<T>,
): Promise<T> =>
  withHome(async (open) => body({ ...open, row: await findRun(context, open.journal, asked) }));

export async function workspaceOf(
  { journal, row, fleet }: Pick<OpenRun, "journal" | "row" | "fleet">,
  use: WorkspaceUse = "to-look",
): Promise<Run> {
  if (fleet !== undefined) return fleet.workspace(row.id, use);
  const { workspace } = await startedWith(journal, row.id);
  return accepted(row.id, await loadRun(workspace));
}

/** The repository that contains a folder, or why nothing can be started there and what to do instead. */
export async function repositoryAt(folder: string): Promise<Inspection> {
  const found = await inspect(folder);
  if (found.ok) return found.value;
  const { kind, detail } = found.refusal;
  throw refused(found.refusal, UNFIT[kind] ?? `cannot run here: ${cleanLine(detail, 300)}`);
}

/** Why a run cannot start in a folder, and what to do instead. */
const UNFIT: { readonly [kind in RefusalKind]?: string } = {
  "not-a-repository":
    "this folder is not in a git repository\n  Go to one, or make one here: git init && git add -A && git commit -m start",
  "bare-repository":
    "this is a bare repository: it has no files to work on\n  Clone it, and run unstuck in the clone: git clone . ../work && cd ../work",
  "git-missing": "git is not installed, or not on the search path\n  See: unstuck doctor",
};
