/**
 * Puts files into our index as their filter cleans them, where the smudge filter gives the same bytes back.
 * Invariant: no filter can lose a byte of a snapshot or make one fail: what does not come back the same, and what
 * a filter failed on, is stored as it is.
 */
import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { forceRemove } from "./files.ts";
import { filterLimit } from "./filters.ts";
import { git, records } from "./git.ts";
import { filterView, layout, rawView } from "./git-dir.ts";
import { listed, stageAnew, stagePaths } from "./index-paths.ts";
import { pointersOf } from "./lfs.ts";
import { refusalOf } from "./refusal.ts";
import type { Control, Run, Worktree } from "./types.ts";
import { below, lookAt } from "./view.ts";

export interface Cleaned {
  /** A filter failed: nothing was cleaned, and the large files are not in the index. */
  readonly failed: boolean;
  /** Stored as they are. */
  readonly raw: readonly string[];
}

/** `large` is too much for git itself and goes through the filter or not at all. */
export async function stageFiltered(
  run: Run,
  worktree: Worktree,
  { paths, large }: { readonly paths: readonly string[]; readonly large: readonly string[] },
  control: Control,
): Promise<Cleaned> {
  if (paths.length + large.length === 0) return { failed: false, raw: [] };
  const env = filterView(run, worktree, "own");
  const all = [...paths, ...large];
  const failed = await filterFails(() => stagePaths(env, all, control, filterLimit(run, control)));
  const raw = failed ? paths : await notReturning(run, worktree, paths, control);
  await stageAnew(rawView(run, worktree, "own"), raw, control);
  return { failed, raw };
}

async function filterFails(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (refusalOf(error)?.kind !== "filter-failed") throw error;
    return true;
  }
}

/** Of the cleaned files those that do not come back byte for byte; an LFS pointer of its size does. */
async function notReturning(
  run: Run,
  worktree: Worktree,
  paths: readonly string[],
  control: Control,
): Promise<readonly string[]> {
  const env = filterView(run, worktree, "all");
  const { stdout } = await git({ args: ["ls-files", "-s", "-z"], env }, control);
  const wanted = new Set(paths);
  const ids = new Map<string, string>();
  for (const record of records(stdout)) {
    const path = record.slice(record.indexOf("\t") + 1);
    if (wanted.has(path)) ids.set(path, record.split(" ", 2)[1] ?? "");
  }
  const pointers = await pointersOf(run, [...new Set(ids.values())], control);
  const unsure = paths.filter(
    (path) => pointers.get(ids.get(path) ?? "")?.size !== lookAt(worktree.path, path)?.size,
  );
  if (unsure.length === 0) return [];
  const folder = await mkdtemp(join(layout(run.runDir).private(worktree.key), "smudged-"));
  try {
    const args = ["checkout-index", "-z", "-f", "-q", "--stdin", `--prefix=${folder}/`];
    const call = { args, env, input: listed(unsure), ...filterLimit(run, control) };
    if (await filterFails(() => git(call, control))) return unsure;
    const differing: string[] = [];
    for (const path of unsure)
      if (!(await sameBytes(folder, worktree.path, path))) differing.push(path);
    return differing;
  } finally {
    await forceRemove(folder);
  }
}

async function sameBytes(one: string, other: string, path: string): Promise<boolean> {
  const found = [lookAt(one, path), lookAt(other, path)];
  if (!found.every((each) => each?.isFile()) || found[0]?.size !== found[1]?.size) return false;
  const [left, right] = [await readFile(below(one, path)), await readFile(below(other, path))];
  return left.equals(right);
}
