/** Writes the files of a tree, applying filters if there are any, and reports missing LFS objects. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeWritable, readOrNull, writeDurably } from "../base/files.ts";
import type { ActiveRun, Control } from "../base/operation.ts";
import { layout, type Worktree } from "../base/run-folder.ts";
import { unstagePaths } from "../git/edit-index.ts";
import { driversOf, filterLimit, importObject, isLfs, mayFilter } from "../git/filters.ts";
import { driverNames, prepareFilters } from "../git/filter-settings.ts";
import { pointersOf } from "../git/lfs.ts";
import { filterView, rawView } from "../git/git-dir.ts";
import { git, type GitEnv } from "../git/git.ts";
import { isAttributeFile } from "../git/ignore-rules.ts";
import { knownTree } from "../git/objects.ts";
import { allEntries, idIn, indexEntries } from "../git/read-objects.ts";
import { expandSubmodules } from "../git/submodules.ts";
import { topmostPaths } from "../git/worktree.ts";
import { type ChangedSubmodule, changeNotes, readNotes } from "../git/index-notes.ts";

interface Target {
  /** A commit, or the tree of a snapshot. */
  readonly tree: string;
  /** For a snapshot: files with a filter that it holds as raw bytes. */
  readonly raw?: readonly string[];
  /** For a snapshot: the content of changed submodules. */
  readonly inside?: readonly ChangedSubmodule[];
}

/** Returns the tree now in the index, with submodules expanded. */
export async function writeTreeFiles(
  run: ActiveRun,
  worktree: Worktree,
  { tree, raw = [], inside = [] }: Target,
): Promise<{ readonly tree: string; readonly pointers: readonly string[] }> {
  const whole = await expandSubmodules(run, worktree, tree, inside);
  const folders = topmostPaths(whole.submodules);
  const plan = { tree: whole.tree, raw, folders };
  const { filtered, otherDriver, pointers } = await filterPlan(run, worktree, plan);
  const asBytes = [...raw, ...pointers];
  await changeNotes(run, worktree.key, { submodules: whole.submodules, fold: null });
  await unstagePaths(rawView(run, worktree, "own"), otherDriver, run.control);
  if (filtered) await prepareFilters(run, worktree, { folders, paths: asBytes });
  await readTree(run, worktree, whole.tree, filtered);
  await changeNotes(run, worktree.key, { filtered, raw: asBytes });
  return { tree: whole.tree, pointers };
}

/** Sets files and index to the tree; if read-only folders block git, makes them writable and starts over. */
async function readTree(
  run: ActiveRun,
  worktree: Worktree,
  tree: string,
  filtered: boolean,
): Promise<void> {
  const index = join(layout(run.runDir).rawGit(worktree.key), "index");
  const earlier = await readOrNull(index);
  const view = filtered ? filterView : rawView;
  const call = {
    args: ["read-tree", "--reset", "-u", tree],
    env: view(run, worktree, "all"),
    ...(filtered ? filterLimit(run) : {}),
  };
  const { code, stderr } = await git({ ...call, okCodes: [0, 1, 128] }, run.control);
  if (code === 0 && !/unable to (?:unlink|create|write)/.test(stderr)) return;
  await makeWritable(worktree.path);
  if (earlier === null) await rm(index, { force: true });
  else await writeDurably(index, earlier);
  await git(call, run.control);
}

/** What filters will do when a tree is written. */
interface FilterPlan {
  /** At least one file has a filter. */
  readonly filtered: boolean;
  /** Files to write again because their driver changes although their blob does not. */
  readonly otherDriver: readonly string[];
  /** Files that stay pointers; beyond a maximum, git-lfs finds out by itself. */
  readonly pointers: readonly string[];
}

interface Wanted {
  readonly tree: string;
  readonly raw: readonly string[];
  /** Submodules: the attributes of the surrounding tree do not apply to them. */
  readonly folders: readonly string[];
}

const NONE: FilterPlan = { filtered: false, otherDriver: [], pointers: [] };

async function filterPlan(run: ActiveRun, worktree: Worktree, wanted: Wanted): Promise<FilterPlan> {
  if (driverNames(run).size === 0) return NONE;
  const notes = await readNotes(run, worktree.key);
  const has = await holdsAttributes(run, wanted.tree);
  if (!mayFilter(run, has) && !notes.filtered) return NONE;
  const index = join(layout(run.runDir).private(worktree.key), "index-target");
  await rm(`${index}.lock`, { force: true });
  const env = filterView(run, worktree, "all");
  const aimed = { ...env, GIT_INDEX_FILE: index };
  await prepareFilters(run, worktree, { paths: [], folders: wanted.folders });
  await git({ args: ["read-tree", wanted.tree], env: aimed }, run.control);
  const target = await idsIn(aimed, run.control);
  const next = await driversOf(run, aimed, [...target.keys()], wanted.raw);
  const now = await idsIn(env, run.control);
  let otherDriver: string[] = [];
  if (rulesOf(now, notes.raw) !== rulesOf(target, wanted.raw)) {
    const present = await driversOf(run, env, [...now.keys()], notes.raw);
    otherDriver = [...target.keys()].filter(
      (path) => now.get(path) === target.get(path) && present.get(path) !== next.get(path),
    );
  }
  const pointers = (await missingObjects(run, target, next)).slice(0, 1000);
  return { filtered: next.size > 0, otherDriver, pointers };
}

/** A cache: most trees have no attributes, and the same trees are checked repeatedly. */
const attributed = new Map<string, boolean>();

async function holdsAttributes(run: ActiveRun, tree: string): Promise<boolean> {
  const key = `${run.runDir}\0${knownTree(tree) ?? tree}`;
  const known = attributed.get(key);
  if (known !== undefined) return known;
  const has = [...(await allEntries(run, tree)).keys()].some(isAttributeFile);
  const [oldest] = attributed.keys();
  if (attributed.size >= 500 && oldest !== undefined) attributed.delete(oldest);
  attributed.set(key, has);
  return has;
}

const idsIn = async (env: GitEnv, control: Control): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await indexEntries(env, control))].map(([path, entry]) => [path, idIn(entry)]));

/** Everything that decides which file has which filter. */
const rulesOf = (ids: ReadonlyMap<string, string>, raw: readonly string[]): string =>
  JSON.stringify([[...ids].filter(([path]) => isAttributeFile(path)), [...raw].sort()]);

/** Imports LFS objects from the user's store; returns the files whose object is missing. */
async function missingObjects(
  run: ActiveRun,
  ids: ReadonlyMap<string, string>,
  drivers: ReadonlyMap<string, string>,
): Promise<string[]> {
  const paths = [...drivers].filter(([, driver]) => isLfs(run, driver)).map(([path]) => path);
  if (paths.length === 0) return [];
  const idOf = (path: string): string => ids.get(path) ?? "";
  const pointers = await pointersOf(run, [...new Set(paths.map(idOf))]);
  const absent = new Set<string>();
  for (const [id, pointer] of pointers) if (!(await importObject(run, pointer))) absent.add(id);
  return paths.filter((path) => absent.has(idOf(path)));
}
