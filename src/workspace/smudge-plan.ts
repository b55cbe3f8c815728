/**
 * What filters will do when a tree is written: whether any applies, which LFS objects are missing, and which files
 * must be written again because their driver turned while their blob did not. Invariant: LFS objects of the user's
 * that the tree needs are in the run's store afterwards, so that no filter has a reason to look elsewhere.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { driverNames, driversOf, isLfs, mayFilter, prepareFilters } from "./filters.ts";
import { loadForms } from "./forms.ts";
import { git, records } from "./git.ts";
import { cloneView, filterView, layout } from "./git-dir.ts";
import { isAttributeFile } from "./ignore.ts";
import { importObject, pointersOf } from "./lfs.ts";
import type { Control, Run, Worktree } from "./types.ts";

export interface SmudgePlan {
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

export async function smudgePlan(
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
