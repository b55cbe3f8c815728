/**
 * The judge's tree (U5): a checkout of exactly one commit's files, beside the slots, that no agent was ever given. It
 * is filled for each check, made ready once, and compared afterwards. Whatever is not of the commit, of set-up or a
 * cache is gone before a check begins; a fill that was cut off is done again from the start. What set-up made is
 * remembered by inode, size and change time, so that a change to it is seen without reading a byte; set-up counts
 * only while nobody changed what it made.
 */
import { lstatSync } from "node:fs";
import { lstat, mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { exists, namesIn, readJson, writeJson } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import { type ActiveRun, pass } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";
import { makeCheckGit } from "../git/agent-git.ts";
import { rawView } from "../git/git-dir.ts";
import { bytes, git, records, text } from "../git/git.ts";
import { ensureRawGit } from "../git/worktree.ts";
import { cleanAround, differsFrom, fillTree } from "./fill-tree.ts";

export interface CheckTreePlan {
  readonly number: number;
  /** What its files are to be: a commit, or a tree. */
  readonly tree: string;
  /** What HEAD says. */
  readonly head: string;
  /** Folders that stay from one check to the next; none of them is there where `cold`. */
  readonly caches: readonly string[];
  readonly cold: boolean;
  /** What set-up amounts to for this tree: made ready for the same, it is not made ready again. */
  readonly ready: string;
  /** Lays carried files and runs set-up; throws where it cannot. Absent: there is neither. */
  readonly prepare?: (worktree: Worktree) => Promise<void>;
}

export interface FilledTree {
  readonly worktree: Worktree;
  /** No cache of an earlier check is in it. */
  readonly cold: boolean;
  /** Submodules that are not initialised in the checkout, and files whose LFS object was never fetched. */
  readonly empty: readonly string[];
  readonly pointers: readonly string[];
}

interface Ready {
  readonly mark: string;
  /** Top paths that are there beside the commit. */
  readonly tops: readonly string[];
  /** What set-up made, by path below the tree. */
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
  // A cache that the commit itself has is no cache: `fillTree` brings it back.
  if (plan.cold) for (const path of plan.caches) await forceRemove(join(worktree.path, path));
  await pass(run.control, "check:cleaned");
  const { emptySubmodules: empty, pointers } = await fillTree(run, worktree, plan.tree);
  await makeCheckGit(run, worktree, plan.head);
  await pass(run.control, "check:filled");
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

/** Null where it was not made ready yet, or where that was cut short: done again. */
const readReady = (run: Run, worktree: Worktree): Promise<Ready | null> =>
  readJson<Ready>(readyFile(run, worktree)).catch(() => null);

async function makeReady(run: ActiveRun, worktree: Worktree, plan: CheckTreePlan): Promise<void> {
  await plan.prepare?.(worktree);
  await pass(run.control, "check:prepared");
  const kept = plan.prepare === undefined ? [] : await topsBeside(run, worktree, plan);
  const files: Record<string, string> = {};
  await lookThrough(worktree.path, kept, plan.caches, (path, mark) => {
    files[path] = mark;
  });
  const ready: Ready = { mark: plan.ready, tops: kept, files };
  await writeJson(readyFile(run, worktree), ready);
}

/** What set-up left beside the commit, once its files are those of the commit again. */
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

/** The folder and our view of it; a later fill makes both anew. */
export async function removeCheckTree(run: Run, number: number): Promise<void> {
  const { key, path } = checkWorktree(run, number);
  await forceRemove(path);
  await forceRemove(layout(run.runDir).private(key));
}

/** What is not as it was filled: files of the commit, and what set-up made. */
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

/** Files that are not as set-up left them, or gone. What came later is removed and not named. */
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

/** Calls `see` with every file below the tops; symlinks are not followed, cache folders not looked at. */
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
