/** What commands about an existing run share: the journal, the run, and closing it again. */
import type { StoredJournal } from "../journal/journal.ts";
import type { JournalReader, RunRow } from "../journal/reader.ts";
import { loadRun } from "../workspace/repository/open-run.ts";
import type { Refusal, Result } from "../workspace/base/refusal.ts";
import type { Run } from "../workspace/base/run-folder.ts";
import { tameLine } from "../core/foreign-text.ts";
import { findRun } from "./find-run.ts";
import { openHome } from "./home.ts";
import type { Home } from "./home.ts";
import { openUserJournal } from "./journal.ts";
import { pinnedOf } from "./pinned.ts";
import { refused } from "./refused.ts";

export interface About {
  readonly home: Home;
  readonly journal: StoredJournal;
  readonly row: RunRow;
}

export async function aboutRun<T>(
  asked: string | undefined,
  body: (about: About) => Promise<T>,
): Promise<T> {
  const home = openHome();
  const journal = await openUserJournal(home);
  try {
    return await body({ home, journal, row: await findRun(journal, asked) });
  } finally {
    await journal.close();
  }
}

export async function workspaceOf({
  journal,
  row,
}: Pick<About, "row"> & { readonly journal: JournalReader }): Promise<Run> {
  const { workspace } = await pinnedOf(journal, row.id);
  return accepted(row.id, await loadRun(workspace));
}

/** The value, or the refusal as words for a person. */
export function accepted<T>(run: string, result: Result<T>): T {
  if (result.ok) return result.value;
  throw refused(result.refusal.kind, `run ${run}: ${refusalText(result.refusal)}`);
}

export function refusalText({ detail, files }: Refusal): string {
  const listed =
    files === undefined
      ? ""
      : `: ${files
          .slice(0, 10)
          .map((file) => tameLine(file, 100))
          .join(", ")}`;
  return `${tameLine(detail, 700)}${listed}`;
}
