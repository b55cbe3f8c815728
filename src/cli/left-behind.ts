/**
 * What runs left that the journal knows nothing of: folders without a run, and pins in this repository without one. Imports the
 * journal, home and the workspace. Invariants: folders are listed before the journal is read, so a run that starts meanwhile is
 * known; a folder that holds work, or that somebody touched lately, stays.
 */
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { JournalReader } from "../journal/reader.ts";
import { lossOf } from "../workspace/clean-up.ts";
import { loadRun } from "../workspace/run.ts";
import { pinnedRuns, removePins } from "../workspace/run-refs.ts";
import type { Home } from "./home.ts";
import { removeFiles, workspaceFolder } from "./removal.ts";
import type { ThisRepository } from "./this-repository.ts";
import { lossWords } from "./would-lose.ts";

export interface LeftBehind {
  readonly folders: number;
  readonly pins: number;
  /** Ids of folders that stay, with what they hold. */
  readonly kept: readonly { readonly id: string; readonly why: string }[];
}

export async function removeLeftBehind(
  home: Home,
  journal: JournalReader,
  {
    before,
    force,
    here,
  }: {
    readonly before: number;
    readonly force: boolean;
    readonly here: ThisRepository | undefined;
  },
): Promise<LeftBehind> {
  const top = join(home.root, "runs");
  const names = await readdir(top).catch(() => []);
  const known = new Set((await journal.runs()).map(({ id }) => id));
  const kept: { id: string; why: string }[] = [];
  let folders = 0;
  for (const id of names.filter((name) => !known.has(name))) {
    const found = await stat(join(top, id)).catch(() => undefined);
    if (found === undefined || found.mtimeMs > before) continue;
    const loaded = await loadRun(workspaceFolder(home, id));
    const loss = loaded.ok && !force ? await lossOf(loaded.value, { done: [] }) : undefined;
    const why = loss?.ok === true ? lossWords(loss.value) : (loss?.refusal.detail ?? "");
    if (why !== "") kept.push({ id, why });
    else {
      await removeFiles(home, { id, repo: "" });
      folders += 1;
    }
  }
  const pins = here === undefined ? 0 : await removeLostPins(home, here, known);
  return { folders, pins, kept };
}

/** A run that has neither a row nor a folder leans on nothing any more. */
async function removeLostPins(
  home: Home,
  { commonDir }: ThisRepository,
  known: ReadonlySet<string>,
): Promise<number> {
  const found = await pinnedRuns(commonDir);
  const lost = (found.ok ? found.value : []).filter(
    (id) => !known.has(id) && !existsSync(home.runDir(id)),
  );
  for (const id of lost) await removePins(commonDir, id, {});
  return lost.length;
}
