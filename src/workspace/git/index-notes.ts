/** Notes beside an index: which submodules it holds as files. */
import { existsSync } from "node:fs";
import { readJson, writeJson } from "../base/files.ts";
import { layout, type Run } from "../base/run-folder.ts";

export interface Submodule {
  readonly path: string;
  /** Its name in `.gitmodules`, or null when no entry there has this path. */
  readonly name: string | null;
  readonly commit: string;
  /** Its recorded files, nested submodules expanded; null when they were not written there. */
  readonly tree: string | null;
}

/** A submodule that is not as recorded: mode and id of what stands there, empty when nothing does. */
export interface ChangedSubmodule {
  readonly path: string;
  readonly entry: string;
}

interface IndexNotes {
  /** Some file of the tree has a driver. */
  readonly filtered: boolean;
  /** Files with a driver whose index entry is their bytes. */
  readonly raw: readonly string[];
  /** Of the tree last written, at every depth; empty ones only once something was put there. */
  readonly submodules: readonly Submodule[];
  /** Submodules that stayed empty, as far as anyone asked. */
  readonly empty: readonly string[];
  /** Submodule folders that were given a git dir of their own. */
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
