/**
 * A check tree: a checkout of exactly one commit's files, next to the slots, that no agent was ever given. It is filled
 * for each check, set up once, and compared afterwards. Invariants: before a check begins, everything that is not from
 * the commit, set-up or a cache is removed; an interrupted fill starts over; files made by set-up are remembered by
 * inode, size and change time, so a change is detected without reading them; set-up is redone once any of them was
 * changed.
 */
import { lstatSync } from "node:fs";
import { lstat, mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { exists, namesIn, readJson, writeJson } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import { type ActiveRun, reachPoint } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";
import { makeCheckGit } from "../git/agent-git.ts";
import { rawView } from "../git/git-dir.ts";
import { bytes, git, records, text } from "../git/git.ts";
import { ensureRawGit } from "../git/worktree.ts";
import { cleanAround, differsFrom, fillTree } from "./fill-tree.ts";

export interface CheckTreePlan {
  readonly number: number;
  /** The files to check out: a commit or a tree. */
  readonly tree: string;
  /** The commit for HEAD. */
  readonly head: string;
  /** Folders kept from one check to the next, unless `cold`. */
  readonly caches: readonly string[];
  readonly cold: boolean;
  /** The mark of the set-up for this tree; a tree prepared with the same mark is not set up again. */
  readonly ready: string;
  /** Places carried files and runs set-up; throws if it cannot. Absent if there is neither. */
  readonly prepare?: (worktree: Worktree) => Promise<void>;
}

export interface FilledTree {
  readonly worktree: Worktree;
  /** Contains no cache of an earlier check. */
  readonly cold: boolean;
  /** Submodules not initialised in the checkout, and files whose LFS object was never fetched. */
  readonly empty: readonly string[];
  readonly pointers: readonly string[];
}

interface Ready {
  readonly mark: string;
  /** Top-level paths that exist in addition to the commit's. */
  readonly tops: readonly string[];
  /** Files made by set-up, by path below the tree. */
  readonly files: Readonly<Record<string, string>>;
}

export const isCheckTree = (key: string): boolean => key.startsWith("check-");

const checkWorktree = (run: Run, number: number): Worktree => ({
  key: `check-${number}`,
  path: join(layout(run.runDir).checks, String(number)),
});

export async function fillCheckTree(run: ActiveRun, plan: CheckTreePlan): Promise<FilledTree> {
  const worktree = checkWorktree(run, plan.number);
  await mkdir(worktree.path, { recursive: true });
  await requireOwnFolder(worktree);
  await ensureRawGit(run, worktree.key);
  const known = await stillReady(run, worktree, plan);
  const stay = [...(plan.cold ? [] : plan.caches), ...(known?.tops ?? [])];
  await cleanAround(run, worktree, stay.map(bytes));
  // A cache folder that the commit itself contains is not a cache: `fillTree` restores it.
  if (plan.cold) for (const path of plan.caches) await forceRemove(join(worktree.path, path));
  await reachPoint(run.control, "check:cleaned");
  const { emptySubmodules: empty, pointers } = await fillTree(run, worktree, plan.tree);
  await makeCheckGit(run, worktree, plan.head);
  await reachPoint(run.control, "check:filled");
  if (known === null) await makeReady(run, worktree, plan);
  const warm = await Promise.all(plan.caches.map((path) => exists(join(worktree.path, path))));
  return { worktree, cold: !warm.includes(true), empty, pointers };
}

async function requireOwnFolder({ path }: Worktree): Promise<void> {
  const found = await lstat(path);
  if (!found.isDirectory() || (await realpath(path)) !== path)
    refuse("worktree-replaced", `${path} is no longer the folder it was made as`);
}

const readyFile = (run: Run, worktree: Worktree): string =>
  join(layout(run.runDir).private(worktree.key), "ready.json");

async function stillReady(
  run: Run,
  worktree: Worktree,
  { ready, caches }: CheckTreePlan,
): Promise<Ready | null> {
  const known = await readReady(run, worktree);
  if (known?.mark === ready && (await changedSince(worktree.path, known, caches)).length === 0)
    return known;
  await rm(readyFile(run, worktree), { force: true });
  return null;
}

/** Null if it was not prepared yet or was interrupted; set-up is then redone. */
const readReady = (run: Run, worktree: Worktree): Promise<Ready | null> =>
  readJson<Ready>(readyFile(run, worktree)).catch(() => null);

async function makeReady(run: ActiveRun, worktree: Worktree, plan: CheckTreePlan): Promise<void> {
  await plan.prepare?.(worktree);
  await reachPoint(run.control, "check:prepared");
  const kept = plan.prepare === undefined ? [] : await topsBeside(run, worktree, plan);
  const files: Record<string, string> = {};
  await lookThrough(worktree.path, kept, plan.caches, (path, mark) => {
    files[path] = mark;
  });
  const ready: Ready = { mark: plan.ready, tops: kept, files };
  await writeJson(readyFile(run, worktree), ready);
}

/** What set-up added to the commit's files, after those have been restored. */
async function topsBeside(
  run: ActiveRun,
  worktree: Worktree,
  { tree, caches }: CheckTreePlan,
): Promise<string[]> {
  await fillTree(run, worktree, tree);
  const args = ["ls-files", "-o", "--directory", "-z"];
  const { stdout } = await git({ args, env: rawView(run, worktree, "own") }, run.control);
  const tops = records(stdout).map((path) => text(path.replace(/\/$/, "")));
  return tops.filter((path) => !caches.includes(path));
}

/** Removes the folder and our view of it; a later fill recreates both. */
export async function removeCheckTree(run: Run, number: number): Promise<void> {
  const { key, path } = checkWorktree(run, number);
  await forceRemove(path);
  await forceRemove(layout(run.runDir).private(key));
}

/** What has changed since the fill: files of the commit, and files made by set-up. */
export async function changedInCheckTree(
  run: ActiveRun,
  { number, tree, caches }: Pick<CheckTreePlan, "number" | "tree" | "caches">,
): Promise<readonly string[]> {
  const worktree = checkWorktree(run, number);
  const tracked = await differsFrom(run, worktree, tree);
  const known = await readReady(run, worktree);
  return known === null
    ? tracked
    : [...tracked, ...(await changedSince(worktree.path, known, caches))];
}

/** Files changed or deleted since set-up. Files created later are removed and not reported. */
async function changedSince(
  root: string,
  { tops, files: made }: Ready,
  caches: readonly string[],
): Promise<readonly string[]> {
  const changed: string[] = [];
  const late: string[] = [];
  const seen = new Set<string>();
  await lookThrough(root, tops, caches, (path, mark) => {
    seen.add(path);
    if (!Object.hasOwn(made, path)) late.push(path);
    else if (made[path] !== mark) changed.push(path);
  });
  for (const path of Object.keys(made)) if (!seen.has(path)) changed.push(path);
  for (const path of late) await rm(join(root, path), { force: true });
  return changed;
}

/** Calls `see` for every file below the top-level paths; does not follow symlinks or enter cache folders. */
async function lookThrough(
  root: string,
  tops: readonly string[],
  caches: readonly string[],
  see: (path: string, mark: string) => void,
): Promise<void> {
  const skipped = new Set(caches);
  const open = [...tops];
  let looked = 0;
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (skipped.has(path)) continue;
    if ((looked += 1) % 2000 === 0) await breathe();
    const found = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    if (found === undefined) continue;
    if (!found.isDirectory()) see(path, `${found.ino} ${found.size} ${found.ctimeNs}`);
    else for (const name of namesIn(join(root, path))) open.push(`${path}/${name}`);
  }
}
