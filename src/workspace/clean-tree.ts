/**
 * A snapshot's changes as git would commit them: the repository's line endings and the user's filters. Invariant:
 * a file the snapshot holds cleaned is never cleaned again; a required filter that fails is a refusal, so nothing
 * is committed raw in its stead.
 */
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { Entry } from "./diff.ts";
import { forceRemove } from "./files.ts";
import { driversOf, filterLimit } from "./filters.ts";
import { git, records } from "./git.ts";
import { cleanView, layout, rawView } from "./git-dir.ts";
import { isAttributeFile, isIgnoreFile } from "./ignore.ts";
import { listed, stagePaths } from "./index-paths.ts";
import type { FullSnapshot } from "./snapshot-record.ts";
import { storable } from "./storable.ts";
import type { Control, Run } from "./types.ts";
import { ensureRawGit } from "./view.ts";

const KEY = "_commits";

/**
 * Checks the changed files out of the snapshot and adds them again as git would on the parent. Those that
 * the snapshot holds cleaned are taken as they are.
 */
export async function cleanTree(
  run: Run,
  taken: FullSnapshot,
  parent: string,
  changes: readonly Entry[],
  control: Control,
): Promise<string> {
  await ensureRawGit(run, KEY);
  const folder = await mkdtemp(join(layout(run.runDir).private(KEY), "tree-"));
  try {
    const path = join(folder, "files");
    await mkdir(path);
    const index = { GIT_INDEX_FILE: join(folder, "raw-index") };
    const raw = { ...rawView(run, { key: KEY, path }, "all"), ...index };
    await git({ args: ["read-tree", taken.tree], env: raw }, control);
    const names = records((await git({ args: ["ls-files", "-z"], env: raw }, control)).stdout);
    const rules = names.filter((name) => isIgnoreFile(name) || isAttributeFile(name));
    const there = changes.filter(({ after }) => after !== "" && !after.startsWith("160000"));
    const input = listed([...new Set([...rules, ...there.map((entry) => entry.path)])]);
    await git({ args: ["checkout-index", "-z", "-f", "-q", "--stdin"], env: raw, input }, control);
    const env = cleanView(run, path, join(folder, "index"));
    const cleaned = await cleanedIn(run, taken, { ...env, ...index }, there, control);
    await git({ args: ["read-tree", parent], env }, control);
    const ignored = await ignoredOf(env, changes, control);
    const wanted = changes.filter((entry) => !ignored.has(entry.path));
    const toAdd = wanted.filter((entry) => !cleaned.has(entry.path));
    const others = toAdd.filter(({ before }) => before === "").map((entry) => entry.path);
    const tracked = toAdd.filter(({ before }) => before !== "").map((entry) => entry.path);
    const { paths } = await storable(path, { others, tracked }, Infinity);
    await stagePaths(env, paths, control, filterLimit(run, control));
    await addEntries(
      env,
      wanted.filter((entry) => cleaned.has(entry.path)),
      control,
    );
    return (await git({ args: ["write-tree"], env }, control)).stdout.trim();
  } finally {
    await forceRemove(folder);
  }
}

/** Files that have a filter and are in the snapshot as it cleaned them. */
async function cleanedIn(
  run: Run,
  taken: FullSnapshot,
  env: Readonly<Record<string, string>>,
  entries: readonly Entry[],
  control: Control,
): Promise<ReadonlySet<string>> {
  const paths = entries.filter(({ after }) => after.startsWith("100")).map(({ path }) => path);
  const drivers = await driversOf(run, env, paths, control);
  for (const path of taken.raw) drivers.delete(path);
  return new Set(drivers.keys());
}

async function addEntries(
  env: Readonly<Record<string, string>>,
  entries: readonly Entry[],
  control: Control,
): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.map(({ path, after }) => `${after}\t${path}\0`);
  const args = ["update-index", "-z", "--add", "--replace", "--index-info"];
  await git({ args, env, input: Buffer.from(lines.join(""), "latin1") }, control);
}

/** New files the tree's own rules ignore. The `./` keeps a name from being read as a pattern. */
async function ignoredOf(
  view: Readonly<Record<string, string>>,
  changes: readonly Entry[],
  control: Control,
): Promise<Set<string>> {
  const added = changes.filter(({ before }) => before === "").map(({ path }) => `./${path}\0`);
  const input = Buffer.from(added.join(""), "latin1");
  const env = { ...view, GIT_LITERAL_PATHSPECS: "0" };
  const call = { args: ["check-ignore", "-z", "--stdin"], env, input, okCodes: [0, 1] };
  return new Set(records((await git(call, control)).stdout).map((path) => path.slice(2)));
}
