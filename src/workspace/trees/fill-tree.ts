/**
 * Writes the files of a tree into a working tree as the user's own git would: filters applied, submodules filled.
 * Everything else that was in the index is deleted; without filters and submodules a single git does it all. What is
 * missing (a submodule, an LFS object) is reported, never fetched. The LFS objects that the tree needs are first
 * brought into the run's store, so that no filter has to look elsewhere.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathBelow, makeWritable, readOrNull } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import type { ActiveRun } from "../base/operation.ts";
import { refusalOf } from "../base/refusal.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";
import { filterLimit } from "../git/filters.ts";
import { prepareFilters } from "../git/filter-settings.ts";
import { filterView, rawView } from "../git/git-dir.ts";
import { git, records, text } from "../git/git.ts";
import { anchored } from "../git/ignore-rules.ts";
import { expandSubmodules } from "../git/submodules.ts";
import { ensureRawGit, topmostPaths } from "../git/worktree.ts";
import { surveyIndex } from "../git/tree-state.ts";
import { changeNotes, readNotes } from "../git/index-notes.ts";
import { tooDeepIn } from "../snapshots/list-changes.ts";
import { writeTreeFiles } from "./write-tree.ts";

interface Filled {
  readonly emptySubmodules: readonly string[];
  /** Files that stay LFS pointers because the user's store lacks their objects. */
  readonly pointers: readonly string[];
}

export async function fillTree(run: ActiveRun, worktree: Worktree, tree: string): Promise<Filled> {
  await ensureRawGit(run, worktree.key);
  const { pointers } = await writeTreeFiles(run, worktree, { tree });
  const named = existsSync(join(worktree.path, ".gitmodules"));
  const empty = named ? (await surveyIndex(run, worktree)).gitlinks : [];
  await changeNotes(run, worktree.key, { empty });
  filledAs.set(worktree.path, `${tree} ${await indexHash(run, worktree)}`);
  return { emptySubmodules: empty.map(text), pointers: pointers.map(text) };
}

/** The tree last written and a hash of its index, by path: while both match, nothing is staged. */
const filledAs = new Map<string, string>();

async function indexHash(run: Run, { key }: Worktree): Promise<string> {
  const index = await readOrNull(join(layout(run.runDir).rawGit(key), "index"));
  return createHash("sha256")
    .update(index ?? "")
    .digest("hex");
}

const STRICT = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.trustctime",
  GIT_CONFIG_VALUE_0: "true",
  GIT_CONFIG_KEY_1: "core.checkStat",
  GIT_CONFIG_VALUE_1: "default",
};

/** Tracked files that differ from `tree` since `fillTree` wrote it, including those of submodules. */
export async function differsFrom(
  run: ActiveRun,
  worktree: Worktree,
  tree: string,
): Promise<readonly string[]> {
  const whole = await expandSubmodules(run, worktree, tree, []);
  const { filtered, raw, empty } = await readNotes(run, worktree.key);
  const folders = topmostPaths(whole.submodules);
  if (filtered) await prepareFilters(run, worktree, { folders, paths: raw });
  const env = { ...(filtered ? filterView : rawView)(run, worktree, "all"), ...STRICT };
  const limit = filtered ? filterLimit(run) : {};
  const names = async (args: readonly string[]): Promise<string[]> =>
    records((await git({ args: ["diff", ...DIFF, ...args], env, ...limit }, run.control)).stdout);
  const isAsFilled = filledAs.get(worktree.path) === `${tree} ${await indexHash(run, worktree)}`;
  const staged = isAsFilled ? [] : await names(["--cached", whole.tree]);
  const changed = await names([]);
  const written: string[] = [];
  for (const path of empty)
    if ((await readdir(pathBelow(worktree.path, path)).catch(() => [])).length > 0)
      written.push(path);
  return [...new Set([...staged, ...changed, ...written])].sort().map(text);
}

const DIFF = ["-z", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules=all"];

/** Removes everything that is not in the index, even ignored files, except these paths (latin1 bytes). */
export async function cleanAround(
  run: ActiveRun,
  worktree: Worktree,
  paths: readonly string[],
): Promise<void> {
  if ((await readdir(worktree.path)).length === 0) return;
  const stay = paths.flatMap((path) => ["-e", text(anchored(path))]);
  const call = { args: ["clean", "-ffdxq", ...stay], env: rawView(run, worktree, "own") };
  try {
    await git(call, run.control);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.kind !== "git-failed") throw error;
    for (const path of tooDeepIn(refusal.detail)) await forceRemove(pathBelow(worktree.path, path));
    await makeWritable(worktree.path);
    await git(call, run.control);
  }
}
