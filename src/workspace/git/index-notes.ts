/** Notes kept with an index: which submodules it contains as files, and which files have filters. */
import { existsSync } from "node:fs";
import { readJson, writeJson } from "../base/files.ts";
import { layout, type Run } from "../base/run-folder.ts";

export interface Submodule {
  readonly path: string;
  /** Its name in `.gitmodules`, or null if no entry there has this path. */
  readonly name: string | null;
  readonly commit: string;
  /** The tree of its recorded files, nested submodules expanded; null if they were not written there. */
  readonly tree: string | null;
}

/** A submodule that differs from its record: mode and id of what is there now, empty if nothing is. */
export interface ChangedSubmodule {
  readonly path: string;
  readonly entry: string;
}

interface IndexNotes {
  /** At least one file of the tree has a driver. */
  readonly filtered: boolean;
  /** Files with a driver whose index entry holds their unfiltered bytes. */
  readonly raw: readonly string[];
  /** Submodules of the tree last written, at every depth; empty ones only once something was put there. */
  readonly submodules: readonly Submodule[];
  /** Submodules that stayed empty, as far as this was checked. */
  readonly empty: readonly string[];
  /** Submodule folders that were given their own git dir. */
  readonly gits: readonly string[];
  /** The last expanded tree, and what it collapses to. */
  readonly fold: {
    readonly from: string;
    readonly tree: string;
    readonly inside: ChangedSubmodule[];
  } | null;
}

const NONE: IndexNotes = {
  ...{ filtered: false, raw: [], submodules: [] },
  ...{ empty: [], gits: [], fold: null },
};

export const readNotes = async (run: Run, key: string): Promise<IndexNotes> =>
  (await readJson<IndexNotes>(layout(run.runDir).forms(key))) ?? NONE;

export async function changeNotes(
  run: Run,
  key: string,
  change: Partial<IndexNotes>,
): Promise<void> {
  const path = layout(run.runDir).forms(key);
  const before = await readNotes(run, key);
  const notes = { ...before, ...change };
  if (JSON.stringify(notes) !== JSON.stringify(existsSync(path) ? before : NONE))
    await writeJson(path, notes);
}
