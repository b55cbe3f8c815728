/**
 * Makes the files of a working tree those of a tree, as the user's own git would: filters applied, submodules
 * filled. Invariants: whatever else was in the index is deleted; without filters and modules one git does it all;
 * what could not be had (a submodule, an LFS object) is said, never fetched.
 */
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeWritable } from "./files.ts";
import { filterLimit, prepareFilters } from "./filters.ts";
import { changeForms, loadForms, topmost, type Inside } from "./forms.ts";
import { git, records, text } from "./git.ts";
import { filterView, layout, rawView } from "./git-dir.ts";
import { forget } from "./index-paths.ts";
import { smudgePlan } from "./smudge-plan.ts";
import { readOrNull, writeDurably } from "./store.ts";
import { unfold } from "./submodules.ts";
import type { Control, Run, Worktree } from "./types.ts";
import { below, ensureRawGit, surveyIndex } from "./view.ts";

export interface Target {
  /** A commit, or the tree of a snapshot. */
  readonly tree: string;
  /** Of a snapshot: files with a filter that it holds as their bytes. */
  readonly raw?: readonly string[];
  /** Of a snapshot: what stands in changed submodules. */
  readonly inside?: readonly Inside[];
}

export interface Filled {
  readonly emptySubmodules: readonly string[];
  /** Files that stay LFS pointers because the user's store has not their objects. */
  readonly pointers: readonly string[];
}

export async function fillTree(
  run: Run,
  worktree: Worktree,
  tree: string,
  control: Control,
): Promise<Filled> {
  await ensureRawGit(run, worktree.key);
  const { pointers } = await writeTarget(run, worktree, { tree }, control);
  const named = existsSync(join(worktree.path, ".gitmodules"));
  const empty = named ? (await surveyIndex(run, worktree, control)).gitlinks : [];
  await changeForms(run, worktree.key, { empty });
  return { emptySubmodules: empty.map(text), pointers: pointers.map(text) };
}

/** Gives the tree as it now stands in the index, with submodules unfolded. */
export async function writeTarget(
  run: Run,
  worktree: Worktree,
  { tree, raw = [], inside = [] }: Target,
  control: Control,
): Promise<{ readonly tree: string; readonly pointers: readonly string[] }> {
  const whole = await unfold(run, worktree, tree, inside, control);
  const folders = topmost(whole.submodules).map(({ path }) => path);
  const plan = await smudgePlan(run, worktree, { tree: whole.tree, raw, folders }, control);
  await changeForms(run, worktree.key, { submodules: whole.submodules, fold: null });
  await forget(rawView(run, worktree, "own"), plan.turned, control);
  if (plan.filtered)
    await prepareFilters(run, worktree, { folders, paths: [...raw, ...plan.pointers] });
  await readTree(run, worktree, whole.tree, plan.filtered, control);
  await changeForms(run, worktree.key, {
    filtered: plan.filtered,
    raw: [...raw, ...plan.pointers],
  });
  return { tree: whole.tree, pointers: plan.pointers };
}

/**
 * Files and index become the tree. Where folders were made read-only and git could not do it all, they are
 * made writable and it is done again from the start.
 */
async function readTree(
  run: Run,
  worktree: Worktree,
  tree: string,
  filtered: boolean,
  control: Control,
): Promise<void> {
  const index = join(layout(run.runDir).rawGit(worktree.key), "index");
  const earlier = await readOrNull(index);
  const view = filtered ? filterView : rawView;
  const call = {
    args: ["read-tree", "--reset", "-u", tree],
    env: view(run, worktree, "all"),
    ...(filtered ? filterLimit(run, control) : {}),
  };
  const { code, stderr } = await git({ ...call, okCodes: [0, 1, 128] }, control);
  if (code === 0 && !/unable to (?:unlink|create|write)/.test(stderr)) return;
  await makeWritable(worktree.path);
  if (earlier === null) await rm(index, { force: true });
  else await writeDurably(index, earlier);
  await git(call, control);
}

const STRICT = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "core.trustctime",
  GIT_CONFIG_VALUE_0: "true",
  GIT_CONFIG_KEY_1: "core.checkStat",
  GIT_CONFIG_VALUE_1: "default",
};

/** Tracked files of a tree that `fillTree` wrote and that are not `tree`'s any more, submodules' too. */
export async function differsFrom(
  run: Run,
  worktree: Worktree,
  tree: string,
  control: Control,
): Promise<readonly string[]> {
  const whole = await unfold(run, worktree, tree, [], control);
  const { filtered, raw, empty } = await loadForms(run, worktree.key);
  const folders = topmost(whole.submodules).map(({ path }) => path);
  if (filtered) await prepareFilters(run, worktree, { folders, paths: raw });
  const env = { ...(filtered ? filterView : rawView)(run, worktree, "all"), ...STRICT };
  const limit = filtered ? filterLimit(run, control) : {};
  const names = async (args: readonly string[]): Promise<string[]> =>
    records((await git({ args: ["diff", ...DIFF, ...args], env, ...limit }, control)).stdout);
  const staged = await names(["--cached", whole.tree]);
  const changed = await names([]);
  const written: string[] = [];
  for (const path of empty)
    if ((await readdir(below(worktree.path, path)).catch(() => [])).length > 0) written.push(path);
  return [...new Set([...staged, ...changed, ...written])].sort().map(text);
}

const DIFF = ["-z", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules=all"];
