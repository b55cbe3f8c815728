/**
 * Makes the files of a working tree those of a tree, as the user's own git would: filters applied, submodules
 * filled. Invariants: whatever else was in the index is deleted; without filters and modules one git does it all;
 * what could not be had (a submodule, an LFS object) is said, never fetched.
 */
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeWritable } from "../base/files.ts";
import type { Control, Run, Worktree } from "../base/types.ts";
import { forget } from "../git/edit-index.ts";
import {
  driverNames,
  driversOf,
  filterLimit,
  isLfs,
  mayFilter,
  prepareFilters,
} from "../git/filters.ts";
import { cloneView, filterView, layout, rawView } from "../git/git-dir.ts";
import { git, records, text } from "../git/git.ts";
import { changeForms, type Inside, loadForms, topmost } from "../git/index-notes.ts";
import { importObject, pointersOf } from "../git/lfs.ts";
import { readOrNull, writeDurably } from "../git/object-store.ts";
import { unfold } from "../git/submodules.ts";
import { isAttributeFile } from "../snapshots/ignore-rules.ts";
import { below, ensureRawGit, surveyIndex } from "./worktree.ts";

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

interface SmudgePlan {
  readonly filtered: boolean;
  readonly turned: readonly string[];
  /** Files that stay pointers; beyond this many git-lfs finds out by itself. */
  readonly pointers: readonly string[];
}

interface Wanted {
  readonly tree: string;
  readonly raw: readonly string[];
  /** Submodules: the attributes of the tree around them are not theirs. */
  readonly folders: readonly string[];
}

const MOST_POINTERS = 1000;
const NONE: SmudgePlan = { filtered: false, turned: [], pointers: [] };

async function smudgePlan(
  run: Run,
  worktree: Worktree,
  wanted: Wanted,
  control: Control,
): Promise<SmudgePlan> {
  if (driverNames(run).size === 0) return NONE;
  const forms = await loadForms(run, worktree.key);
  const has = await holdsAttributes(run, wanted.tree, control);
  if (!mayFilter(run, has) && !forms.filtered) return NONE;
  const index = join(layout(run.runDir).private(worktree.key), "index-target");
  await rm(`${index}.lock`, { force: true });
  const env = filterView(run, worktree, "all");
  const aimed = { ...env, GIT_INDEX_FILE: index };
  await prepareFilters(run, worktree, { paths: [], folders: wanted.folders });
  await git({ args: ["read-tree", wanted.tree], env: aimed }, control);
  const target = await idsIn(aimed, control);
  const without = (drivers: Map<string, string>, raw: readonly string[]): Map<string, string> => {
    for (const path of raw) drivers.delete(path);
    return drivers;
  };
  const next = without(await driversOf(run, aimed, [...target.keys()], control), wanted.raw);
  const now = await idsIn(env, control);
  let turned: string[] = [];
  if (rulesOf(now, forms.raw) !== rulesOf(target, wanted.raw)) {
    const present = without(await driversOf(run, env, [...now.keys()], control), forms.raw);
    turned = [...target.keys()].filter(
      (path) => now.get(path) === target.get(path) && present.get(path) !== next.get(path),
    );
  }
  const pointers = await missing(run, target, next, control);
  return { filtered: next.size > 0, turned, pointers: pointers.slice(0, MOST_POINTERS) };
}

/** Most trees have no attributes at all, and the same tree is asked for again and again. */
const attributed = new Map<string, boolean>();
const MOST_ATTRIBUTED = 500;

async function holdsAttributes(run: Run, tree: string, control: Control): Promise<boolean> {
  const key = `${run.runDir}\0${tree}`;
  const known = attributed.get(key);
  if (known !== undefined) return known;
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree];
  const { stdout } = await git({ args, env: cloneView(run) }, control);
  const has = records(stdout).some(isAttributeFile);
  const [oldest] = attributed.keys();
  if (attributed.size >= MOST_ATTRIBUTED && oldest !== undefined) attributed.delete(oldest);
  attributed.set(key, has);
  return has;
}

async function idsIn(
  env: Readonly<Record<string, string>>,
  control: Control,
): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await git({ args: ["ls-files", "-s", "-z"], env }, control);
  return new Map(
    records(stdout).map((record) => [
      record.slice(record.indexOf("\t") + 1),
      record.split(" ", 2)[1] ?? "",
    ]),
  );
}

/** All that decides which file has which filter. */
const rulesOf = (ids: ReadonlyMap<string, string>, raw: readonly string[]): string =>
  JSON.stringify([[...ids].filter(([path]) => isAttributeFile(path)), [...raw].sort()]);

/** Takes LFS objects over from the user's store; gives the files whose object is not there. */
async function missing(
  run: Run,
  ids: ReadonlyMap<string, string>,
  drivers: ReadonlyMap<string, string>,
  control: Control,
): Promise<string[]> {
  const paths = [...drivers].filter(([, driver]) => isLfs(run, driver)).map(([path]) => path);
  if (paths.length === 0) return [];
  const idOf = (path: string): string => ids.get(path) ?? "";
  const pointers = await pointersOf(run, [...new Set(paths.map(idOf))], control);
  const absent = new Set<string>();
  for (const [id, pointer] of pointers) if (!(await importObject(run, pointer))) absent.add(id);
  return paths.filter((path) => absent.has(idOf(path)));
}
