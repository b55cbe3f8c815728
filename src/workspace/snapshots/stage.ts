/**
 * Puts changed files into our index: byte for byte, or cleaned where they have a filter and come back the same.
 * Invariants: an entry that is a file's bytes although it has a filter is named in the forms; attribute files
 * count as they stand in the index, so a restore sees the same ones; without filters nothing but one git runs.
 */
import { setImmediate as breathe } from "node:timers/promises";
import { accessSync, constants, existsSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { forceRemove } from "../base/files.ts";
import { refusalOf } from "../base/refusal.ts";
import type { Control, Run, Skipped, Worktree } from "../base/types.ts";
import { listed, stageAnew, stagePaths } from "../git/edit-index.ts";
import { driversOf, filterLimit, isLfs, mayFilter, prepareFilters } from "../git/filters.ts";
import { filterView, layout, rawView } from "../git/git-dir.ts";
import { git, records, text } from "../git/git.ts";
import { changeForms, loadForms, topmost } from "../git/index-notes.ts";
import { pointersOf } from "../git/lfs.ts";
import { below, lookAt } from "../trees/worktree.ts";
import { isAttributeFile } from "./ignore-rules.ts";

const LARGEST_LFS_BYTES = 2 * 1024 * 1024 * 1024;

interface Changed {
  readonly paths: readonly string[];
  readonly big: readonly string[];
  /** The tree has attribute files. */
  readonly attributes: boolean;
}

/** Says which of the big files nothing could take. */
export async function stageAll(
  run: Run,
  worktree: Worktree,
  { paths, big, attributes }: Changed,
  control: Control,
): Promise<Skipped[]> {
  if (paths.length + big.length === 0) return [];
  const filters = mayFilter(run, attributes);
  if (!filters) await stagePaths(rawView(run, worktree, "own"), paths, control);
  const left = filters ? await stageByForm(run, worktree, paths, big, control) : big;
  return left.map((path) => tooBig(worktree.path, path));
}

async function stageByForm(
  run: Run,
  worktree: Worktree,
  paths: readonly string[],
  big: readonly string[],
  control: Control,
): Promise<readonly string[]> {
  const raw = rawView(run, worktree, "own");
  const forms = await loadForms(run, worktree.key);
  const folders = topmost(forms.submodules).map(({ path }) => path);
  await prepareFilters(run, worktree, { paths: [], folders });
  const turned = await stageAttributes(run, worktree, paths.filter(isAttributeFile), control);
  const wasRaw = new Set(forms.raw);
  const seen = new Set(paths);
  const lost = turned.lost.filter((path) => !wasRaw.has(path) && !seen.has(path));
  await stageAnew(raw, lost, control);
  const rest = paths.filter((path) => !isAttributeFile(path));
  const env = filterView(run, worktree, "all");
  const drivers = await driversOf(run, env, [...paths, ...big, ...lost], control);
  const filtered = rest.filter(
    (path) => drivers.has(path) && lookAt(worktree.path, path)?.isFile() === true,
  );
  const others = new Set(filtered);
  await stagePaths(
    raw,
    rest.filter((path) => !others.has(path)),
    control,
  );
  const large = big.filter((path) => takenByLfs(run, worktree, path, drivers.get(path)));
  const cleaned = await stageFiltered(run, worktree, { paths: filtered, large }, control);
  const kept = [...forms.raw, ...turned.gained].filter((path) => !seen.has(path));
  const bytes = [...paths.filter(isAttributeFile), ...lost].filter((path) => drivers.has(path));
  await changeForms(run, worktree.key, {
    raw: [...new Set([...kept, ...bytes, ...cleaned.raw])],
    ...(filtered.length + large.length > 0 ? { filtered: true } : {}),
  });
  return cleaned.failed ? [...big] : big.filter((path) => !large.includes(path));
}

function takenByLfs(run: Run, worktree: Worktree, path: string, driver = ""): boolean {
  const size = lookAt(worktree.path, path)?.size ?? 0;
  return isLfs(run, driver) && size <= LARGEST_LFS_BYTES;
}

/** Attribute files go first; entries whose driver they change are not what they were any more. */
async function stageAttributes(
  run: Run,
  worktree: Worktree,
  files: readonly string[],
  control: Control,
): Promise<{ readonly lost: readonly string[]; readonly gained: readonly string[] }> {
  if (files.length === 0) return { lost: [], gained: [] };
  const env = filterView(run, worktree, "all");
  const all = records((await git({ args: ["ls-files", "-z"], env }, control)).stdout);
  const before = await driversOf(run, env, all, control);
  await stagePaths(rawView(run, worktree, "own"), files, control);
  const after = await driversOf(run, env, all, control);
  const turned = all.filter((path) => before.get(path) !== after.get(path));
  return {
    lost: turned.filter((path) => before.has(path)),
    gained: turned.filter((path) => !before.has(path)),
  };
}

interface Cleaned {
  /** A filter failed: nothing was cleaned, and the large files are not in the index. */
  readonly failed: boolean;
  /** Stored as they are. */
  readonly raw: readonly string[];
}

/** `large` is too much for git itself and goes through the filter or not at all. */
async function stageFiltered(
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

const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface Changes {
  readonly others: readonly string[];
  readonly tracked: readonly string[];
  readonly nested: readonly string[];
  /** Folders of which only the upper part can be reached. */
  readonly tooDeep: readonly string[];
}

export const skip = (path: string, reason: Skipped["reason"], size: number): Skipped => ({
  path: text(path),
  reason,
  bytes: size,
});

interface Storable {
  readonly paths: readonly string[];
  /** Too big for git itself; LFS may take them. */
  readonly big: readonly string[];
  readonly left: readonly Skipped[];
}

/** The changed paths git can take, and those it cannot, with the reason. */
export async function storable(
  root: string,
  changes: Pick<Changes, "others" | "tracked">,
  maxFileBytes = MAX_FILE_BYTES,
): Promise<Storable> {
  const paths: string[] = [];
  const big: string[] = [];
  const left: Skipped[] = [];
  const others = new Set(changes.others);
  let looked = 0;
  for (const path of [...changes.tracked, ...changes.others]) {
    if (!others.has(path) && hasAncestorIn(path, others)) continue; // replaced with it
    if ((looked += 1) % 512 === 0) await breathe();
    const found = lookAt(root, path);
    if (found?.isDirectory() && existsSync(below(root, `${path}/.git`))) continue; // submodule
    const symlink = found?.isSymbolicLink() ?? false;
    if (!storableName(path, symlink)) left.push(skip(path, "unstorable-name", found?.size ?? 0));
    else if (!found?.isFile()) paths.push(path);
    else if (!readable(root, path)) left.push(skip(path, "unreadable", found.size));
    else (found.size > maxFileBytes ? big : paths).push(path);
  }
  return { paths, big, left };
}

export const tooBig = (root: string, path: string): Skipped =>
  skip(path, "too-big", lookAt(root, path)?.size ?? 0);

function hasAncestorIn(path: string, set: ReadonlySet<string>): boolean {
  for (let cut = path.lastIndexOf("/"); cut > 0; cut = path.lastIndexOf("/", cut - 1))
    if (set.has(path.slice(0, cut))) return true;
  return false;
}

function storableName(path: string, symlink: boolean): boolean {
  const parts = path.toLowerCase().split("/");
  return !parts.includes(".git") && !(symlink && parts.at(-1) === ".gitmodules");
}

function readable(root: string, path: string): boolean {
  try {
    accessSync(below(root, path), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
