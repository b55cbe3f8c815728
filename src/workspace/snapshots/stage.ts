/**
 * Stages changed files in our index: byte for byte, or cleaned if they have a filter and smudge back to the same bytes.
 * No filter can lose a byte of a snapshot or make one fail: files that do not come back identical, or whose filter
 * failed, are stored raw and noted; files that cannot be stored at all are reported. Attribute files are read from the
 * index, so a restore sees the same ones; without filters only one git runs. Paths are latin1 bytes.
 */
import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathBelow, lstatOrUndefined } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import type { ActiveRun } from "../base/operation.ts";
import { refusalOf } from "../base/refusal.ts";
import { layout, type Run, type Skipped, type Worktree } from "../base/run-folder.ts";
import { pathList, restagePaths, stagePaths } from "../git/edit-index.ts";
import { driversOf, filterLimit, isLfs, mayFilter } from "../git/filters.ts";
import { prepareFilters } from "../git/filter-settings.ts";
import { pointersOf } from "../git/lfs.ts";
import { filterView, rawView } from "../git/git-dir.ts";
import { git, records } from "../git/git.ts";
import { isAttributeFile } from "../git/ignore-rules.ts";
import { idIn, indexEntries } from "../git/read-objects.ts";
import { topmostPaths } from "../git/worktree.ts";
import { changeNotes, readNotes } from "../git/index-notes.ts";
import { skip } from "./storable.ts";

interface Changed {
  readonly paths: readonly string[];
  readonly big: readonly string[];
  /** The tree has attribute files. */
  readonly attributes: boolean;
}

/** Returns the big files that could not be stored. */
export async function stageAll(
  run: ActiveRun,
  worktree: Worktree,
  { paths, big, attributes }: Changed,
): Promise<Skipped[]> {
  if (paths.length + big.length === 0) return [];
  const filters = mayFilter(run, attributes);
  if (!filters) await stagePaths(rawView(run, worktree, "own"), paths, run.control);
  const left = filters ? await stageWithFilters(run, worktree, paths, big) : big;
  return left.map((path) => tooBig(worktree.path, path));
}

async function stageWithFilters(
  run: ActiveRun,
  worktree: Worktree,
  paths: readonly string[],
  big: readonly string[],
): Promise<readonly string[]> {
  const raw = rawView(run, worktree, "own");
  const notes = await readNotes(run, worktree.key);
  const folders = topmostPaths(notes.submodules);
  await prepareFilters(run, worktree, { paths: [], folders });
  const turned = await stageAttributes(run, worktree, paths.filter(isAttributeFile));
  const wasRaw = new Set(notes.raw);
  const seen = new Set(paths);
  const lost = turned.lost.filter((path) => !wasRaw.has(path) && !seen.has(path));
  await restagePaths(raw, lost, run.control);
  const rest = paths.filter((path) => !isAttributeFile(path));
  const env = filterView(run, worktree, "all");
  const drivers = await driversOf(run, env, [...paths, ...big, ...lost]);
  const filtered = rest.filter(
    (path) => drivers.has(path) && lstatOrUndefined(worktree.path, path)?.isFile() === true,
  );
  const cleanable = new Set(filtered);
  const others = rest.filter((path) => !cleanable.has(path));
  await stagePaths(raw, others, run.control);
  const large = big.filter((path) => takenByLfs(run, worktree, path, drivers.get(path)));
  const cleaned = await stageFiltered(run, worktree, { paths: filtered, large });
  const kept = [...notes.raw, ...turned.gained].filter((path) => !seen.has(path));
  const bytes = [...paths.filter(isAttributeFile), ...lost].filter((path) => drivers.has(path));
  await changeNotes(run, worktree.key, {
    raw: [...new Set([...kept, ...bytes, ...cleaned.raw])],
    ...(filtered.length + large.length > 0 ? { filtered: true } : {}),
  });
  return cleaned.failed ? [...big] : big.filter((path) => !large.includes(path));
}

function takenByLfs(run: Run, worktree: Worktree, path: string, driver = ""): boolean {
  const size = lstatOrUndefined(worktree.path, path)?.size ?? 0;
  return isLfs(run, driver) && size <= 2 * 1024 * 1024 * 1024;
}

/** Stages attribute files first. Returns the files whose driver changes with them. */
async function stageAttributes(
  run: ActiveRun,
  worktree: Worktree,
  files: readonly string[],
): Promise<{ readonly lost: readonly string[]; readonly gained: readonly string[] }> {
  if (files.length === 0) return { lost: [], gained: [] };
  const env = filterView(run, worktree, "all");
  const all = records((await git({ args: ["ls-files", "-z"], env }, run.control)).stdout);
  const before = await driversOf(run, env, all);
  await stagePaths(rawView(run, worktree, "own"), files, run.control);
  const after = await driversOf(run, env, all);
  const turned = all.filter((path) => before.get(path) !== after.get(path));
  return {
    lost: turned.filter((path) => before.has(path)),
    gained: turned.filter((path) => !before.has(path)),
  };
}

interface Cleaned {
  /** A filter failed: nothing was cleaned, and the large files are not in the index. */
  readonly failed: boolean;
  /** Stored as raw bytes. */
  readonly raw: readonly string[];
}

/** `large` files are too big for git itself: they go through the filter or are not stored. */
async function stageFiltered(
  run: ActiveRun,
  worktree: Worktree,
  { paths, large }: { readonly paths: readonly string[]; readonly large: readonly string[] },
): Promise<Cleaned> {
  if (paths.length + large.length === 0) return { failed: false, raw: [] };
  const env = filterView(run, worktree, "own");
  const all = [...paths, ...large];
  const failed = await filterFails(() => stagePaths(env, all, run.control, filterLimit(run)));
  const raw = failed ? paths : await changedByFilters(run, worktree, paths);
  await restagePaths(rawView(run, worktree, "own"), raw, run.control);
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

/** The cleaned files that do not come back byte for byte; an LFS pointer with the right size does. */
async function changedByFilters(
  run: ActiveRun,
  worktree: Worktree,
  paths: readonly string[],
): Promise<readonly string[]> {
  const env = filterView(run, worktree, "all");
  const entries = await indexEntries(env, run.control);
  const idOf = (path: string): string => idIn(entries.get(path));
  const pointers = await pointersOf(run, [...new Set(paths.map(idOf).filter((id) => id !== ""))]);
  const unsure = paths.filter(
    (path) => pointers.get(idOf(path))?.size !== lstatOrUndefined(worktree.path, path)?.size,
  );
  if (unsure.length === 0) return [];
  const folder = await mkdtemp(join(layout(run.runDir).private(worktree.key), "smudged-"));
  try {
    const args = ["checkout-index", "-z", "-f", "-q", "--stdin", `--prefix=${folder}/`];
    const call = { args, env, input: pathList(unsure), ...filterLimit(run) };
    if (await filterFails(() => git(call, run.control))) return unsure;
    const differing: string[] = [];
    for (const path of unsure)
      if (!(await sameBytes(folder, worktree.path, path))) differing.push(path);
    return differing;
  } finally {
    await forceRemove(folder);
  }
}

async function sameBytes(one: string, other: string, path: string): Promise<boolean> {
  const found = [lstatOrUndefined(one, path), lstatOrUndefined(other, path)];
  if (!found.every((each) => each?.isFile()) || found[0]?.size !== found[1]?.size) return false;
  const [left, right] = [
    await readFile(pathBelow(one, path)),
    await readFile(pathBelow(other, path)),
  ];
  return left.equals(right);
}

export const tooBig = (root: string, path: string): Skipped =>
  skip(path, "too-big", lstatOrUndefined(root, path)?.size ?? 0);
