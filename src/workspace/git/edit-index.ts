/**
 * Changes to an index, and trees made through one. Paths are latin1 bytes and are passed on standard input, so no name
 * and no number of names is a problem.
 */
import { copyFile, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ActiveRun, Control } from "../base/operation.ts";
import { cloneGit, cloneView } from "./git-dir.ts";
import { git, type GitEnv } from "./git.ts";

/** Paths in the format of `-z --stdin`. */
export const pathList = (paths: readonly string[]): Buffer =>
  Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");

/** Stages files as they are on disk, and unstages those that no longer exist. */
export async function stagePaths(
  env: GitEnv,
  paths: readonly string[],
  control: Control,
  limit: { readonly filterLimitMs?: number } = {},
): Promise<void> {
  if (paths.length === 0) return;
  const args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
  await git({ args, env, input: pathList(paths), flush: "later", ...limit }, control);
}

/** Removes paths from the index but leaves the files. */
export async function unstagePaths(
  env: GitEnv,
  paths: readonly string[],
  control: Control,
): Promise<void> {
  if (paths.length === 0) return;
  const args = ["update-index", "-z", "--force-remove", "--stdin"];
  await git({ args, env, input: pathList(paths) }, control);
}

/** Works even if the entry looks up to date because it was staged in another form. */
export async function restagePaths(
  env: GitEnv,
  paths: readonly string[],
  control: Control,
): Promise<void> {
  await unstagePaths(env, paths, control);
  await stagePaths(env, paths, control);
}

/** Puts entries (mode and id by path) into an index, deletions first; an empty entry removes its path. */
export async function putEntries(
  { objectFormat, control }: Pick<ActiveRun, "objectFormat" | "control">,
  env: GitEnv,
  entries: Iterable<readonly [path: string, entry: string]>,
  config: "none" | "user" = "none",
): Promise<void> {
  const none = `0 ${"0".repeat(objectFormat === "sha256" ? 64 : 40)}`;
  const lines = [...entries]
    .sort(([, a], [, b]) => Number(a !== "") - Number(b !== ""))
    .map(([path, entry]) => `${entry === "" ? none : entry}\t${path}\0`);
  if (lines.length === 0) return;
  const args = ["update-index", "-z", "--add", "--replace", "--index-info"];
  await git({ args, env, config, input: Buffer.from(lines.join(""), "latin1") }, control);
}

/**
 * `tree` with some entries replaced, made through an index at the given path; the new tree is in the run's own store.
 */
export async function treeWith(
  run: ActiveRun,
  index: string,
  tree: string,
  entries: ReadonlyMap<string, string>,
): Promise<string> {
  if (entries.size === 0) return tree;
  await rm(`${index}.lock`, { force: true });
  const env = { ...cloneView(run), GIT_INDEX_FILE: index };
  await cloneGit(run, ["read-tree", tree], { env });
  await putEntries(run, env, entries);
  const own = { ...cloneView(run, "own"), GIT_INDEX_FILE: index };
  const args = ["write-tree", "--missing-ok"];
  const { stdout } = await cloneGit(run, args, { env: own, flush: "later" });
  await rm(index, { force: true });
  return stdout.trim();
}

/** Copies the user's index into one of our git dirs, including the shared files of a split index. */
export async function copyIndex(gitDir: string, to: string): Promise<void> {
  for (const name of await readdir(gitDir)) {
    if (name === "index") await copyFile(join(gitDir, name), to);
    if (name.startsWith("sharedindex."))
      await copyFile(join(gitDir, name), join(dirname(to), name));
  }
}
