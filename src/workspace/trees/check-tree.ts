/**
 * The judge's tree (U5): a checkout of exactly one commit's files, beside the slots, that no agent was ever given.
 * It is filled for each check, made ready once, and compared afterwards. Invariants: whatever is not of the
 * commit, of set-up or a cache is gone before a check begins; set-up counts only while nobody changed what it
 * made; a fill that was cut off is done again from the start.
 */
import { lstatSync, readdirSync } from "node:fs";
import { lstat, mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { exists, forceRemove } from "../base/files.ts";
import { pass, refuse, settled } from "../base/refusal.ts";
import type { Control, Result, Run, Worktree } from "../base/types.ts";
import { layout, rawView } from "../git/git-dir.ts";
import { bytes, git, records, text } from "../git/git.ts";
import { differsFrom, fillTree } from "./fill-tree.ts";
import { cleanAround } from "./lease.ts";
import { makeCheckGit } from "./visible-git.ts";
import { ensureRawGit } from "./worktree.ts";

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
  /** Lays carried files and runs set-up; throws where it cannot. */
  readonly prepare: (worktree: Worktree) => Promise<void>;
}

interface FilledTree {
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
  readonly files: MadeFiles;
}

const checkWorktree = (run: Run, number: number): Worktree => ({
  key: `check-${number}`,
  path: join(layout(run.runDir).checks, String(number)),
});

export const fillCheckTree = (
  run: Run,
  plan: CheckTreePlan,
  control: Control = {},
): Promise<Result<FilledTree>> => settled(() => filled(run, plan, control));

async function filled(run: Run, plan: CheckTreePlan, control: Control): Promise<FilledTree> {
  const worktree = checkWorktree(run, plan.number);
  await mkdir(worktree.path, { recursive: true });
  await requireOwnFolder(worktree);
  await ensureRawGit(run, worktree.key);
  const known = await stillReady(run, worktree, plan);
  const stay = [...(plan.cold ? [] : plan.caches), ...(known?.tops ?? [])];
  await cleanAround(run, worktree, stay.map(bytes), control);
  if (plan.cold) for (const path of plan.caches) await removeCache(worktree, path);
  await pass(control, "check:cleaned");
  const { emptySubmodules: empty, pointers } = await fillTree(run, worktree, plan.tree, control);
  await makeCheckGit(run, worktree, plan.head);
  await pass(control, "check:filled");
  if (known === undefined) await makeReady(run, worktree, plan, control);
  const warm = await Promise.all(plan.caches.map((path) => exists(join(worktree.path, path))));
  return { worktree, cold: !warm.includes(true), empty, pointers };
}

/** A cache that the commit itself has is no cache; `fillTree` brings it back. */
const removeCache = (worktree: Worktree, path: string): Promise<void> =>
  forceRemove(join(worktree.path, path));

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
): Promise<Ready | undefined> {
  const known = await readReady(run, worktree);
  if (known?.mark === ready) {
    const changed = await changedSince(worktree.path, known.tops, caches, known.files);
    if (changed.length === 0) return known;
  }
  await rm(readyFile(run, worktree), { force: true });
  return undefined;
}

async function readReady(run: Run, worktree: Worktree): Promise<Ready | undefined> {
  try {
    return JSON.parse(await readFile(readyFile(run, worktree), "utf8")) as Ready;
  } catch {
    return undefined; // not made ready yet, or cut short: done again
  }
}

async function makeReady(
  run: Run,
  worktree: Worktree,
  plan: CheckTreePlan,
  control: Control,
): Promise<void> {
  await plan.prepare(worktree);
  await pass(control, "check:prepared");
  await fillTree(run, worktree, plan.tree, control); // what set-up wrote to files of the commit
  const args = ["ls-files", "-o", "--directory", "-z"];
  const { stdout } = await git({ args, env: rawView(run, worktree, "own") }, control);
  const tops = records(stdout).map((path) => text(path.replace(/\/$/, "")));
  const kept = tops.filter((path) => !plan.caches.includes(path));
  const files = await madeFiles(worktree.path, kept, plan.caches);
  const ready: Ready = { mark: plan.ready, tops: kept, files };
  await writeFile(`${readyFile(run, worktree)}.new`, JSON.stringify(ready));
  await rename(`${readyFile(run, worktree)}.new`, readyFile(run, worktree));
}

/** The folder and our view of it; a later fill makes both anew. */
export async function removeCheckTree(run: Run, number: number): Promise<void> {
  const { key, path } = checkWorktree(run, number);
  await forceRemove(path);
  await forceRemove(layout(run.runDir).private(key));
}

/** What is not as it was filled: files of the commit, and what set-up made. */
export const changedInCheckTree = (
  run: Run,
  { number, tree, caches }: Pick<CheckTreePlan, "number" | "tree" | "caches">,
  control: Control = {},
): Promise<Result<readonly string[]>> =>
  settled(async () => {
    const worktree = checkWorktree(run, number);
    const tracked = await differsFrom(run, worktree, tree, control);
    const known = await readReady(run, worktree);
    if (known === undefined) return tracked;
    const made = await changedSince(worktree.path, known.tops, caches, known.files);
    return [...tracked, ...made];
  });

/** By path below the tree. */
type MadeFiles = Readonly<Record<string, string>>;

const BREATHE_AFTER = 2000;

/** `tops` and `caches` are paths below `root`. */
async function madeFiles(
  root: string,
  tops: readonly string[],
  caches: readonly string[],
): Promise<MadeFiles> {
  const found: Record<string, string> = {};
  await walk(root, tops, caches, (path, mark) => {
    found[path] = mark;
  });
  return found;
}

/** Files that are not as set-up left them, or gone. What came later is removed and not named. */
async function changedSince(
  root: string,
  tops: readonly string[],
  caches: readonly string[],
  made: MadeFiles,
): Promise<readonly string[]> {
  const changed: string[] = [];
  const late: string[] = [];
  const seen = new Set<string>();
  await walk(root, tops, caches, (path, mark) => {
    seen.add(path);
    if (!Object.hasOwn(made, path)) late.push(path);
    else if (made[path] !== mark) changed.push(path);
  });
  for (const path of Object.keys(made)) if (!seen.has(path)) changed.push(path);
  for (const path of late) await rm(join(root, path), { force: true });
  return changed;
}

async function walk(
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
    looked += 1;
    if (looked % BREATHE_AFTER === 0) await breathe();
    const found = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    if (found === undefined) continue;
    if (!found.isDirectory()) see(path, `${found.ino} ${found.size} ${found.ctimeNs}`);
    else for (const name of namesIn(join(root, path))) open.push(`${path}/${name}`);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
