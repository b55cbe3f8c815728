/**
 * Puts changed files into our index: byte for byte, or cleaned where they have a filter and come back the same.
 * Invariants: an entry that is a file's bytes although it has a filter is named in the forms; attribute files
 * count as they stand in the index, so a restore sees the same ones; without filters nothing but one git runs.
 */
import { driversOf, isLfs, mayFilter, prepareFilters } from "./filters.ts";
import { changeForms, loadForms, topmost } from "./forms.ts";
import { git, records } from "./git.ts";
import { filterView, rawView } from "./git-dir.ts";
import { isAttributeFile } from "./ignore.ts";
import { stageAnew, stagePaths } from "./index-paths.ts";
import { stageFiltered } from "./stage-filtered.ts";
import { tooBig } from "./storable.ts";
import type { Control, Run, Skipped, Worktree } from "./types.ts";
import { lookAt } from "./view.ts";

const LARGEST_LFS_BYTES = 2 * 1024 * 1024 * 1024;

export interface Changed {
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
