/**
 * How our index of a worktree departs from what git would have there: submodules are unfolded into their files,
 * and some filtered files are held as their bytes instead of cleaned. Invariant: whoever changes the index in such
 * a way writes it down here. Paths are latin1 bytes.
 */
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import type { Run } from "../base/types.ts";
import { layout } from "./git-dir.ts";
import { readOrNull } from "./object-store.ts";

export interface Submodule {
  readonly path: string;
  /** Its name in `.gitmodules`, or null when no entry there has this path. */
  readonly name: string | null;
  readonly commit: string;
  /** Its recorded files, nested submodules unfolded; null when they were not written there. */
  readonly tree: string | null;
}

/** A submodule that is not as recorded: mode and id of what stands there, empty when nothing does. */
export interface Inside {
  readonly path: string;
  readonly entry: string;
}

export interface Forms {
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
  /** The last unfolded tree, and what it folds to. */
  readonly fold: { readonly from: string; readonly tree: string; readonly inside: Inside[] } | null;
}

const NONE: Forms = { filtered: false, raw: [], submodules: [], empty: [], gits: [], fold: null };

export async function loadForms(run: Run, key: string): Promise<Forms> {
  const content = await readOrNull(layout(run.runDir).forms(key));
  try {
    return content === null ? NONE : (JSON.parse(content.toString("utf8")) as Forms);
  } catch {
    return NONE; // cut short by a power loss
  }
}

export async function changeForms(run: Run, key: string, change: Partial<Forms>): Promise<Forms> {
  const path = layout(run.runDir).forms(key);
  const before = await loadForms(run, key);
  const forms = { ...before, ...change };
  if (JSON.stringify(forms) === JSON.stringify(existsSync(path) ? before : NONE)) return forms;
  await writeFile(`${path}.new`, JSON.stringify(forms));
  await rename(`${path}.new`, path);
  return forms;
}

/** Submodules of the tree itself, not those inside another one. */
export const topmost = (submodules: readonly Submodule[]): Submodule[] =>
  submodules.filter(({ path }) => !submodules.some((outer) => path.startsWith(`${outer.path}/`)));
