/**
 * A working tree as we see it: a private git dir with its own index, what we know about the tree, and notes on how our
 * index differs from git's (submodules are expanded into their files, and some filtered files are stored as raw bytes).
 * Invariants: we never read a git dir that an agent can write; a worktree is used only while its path is the real
 * folder that was created, so a link in its place leads nowhere. Paths are latin1 bytes.
 */
import { existsSync } from "node:fs";
import { lstat, mkdir, open, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert } from "../../core/assert.ts";
import { writeJson } from "../base/files.ts";
import { type ActiveRun } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { awaitOrphans } from "../base/orphans.ts";
import { CHECKOUT, layout, type Run, type Worktree } from "../base/run-folder.ts";
import { RAW_ATTRIBUTES, rawView } from "./git-dir.ts";
import { makeGitDir } from "./make-git-dir.ts";
import { git, records } from "./git.ts";
import type { Submodule } from "./index-notes.ts";
import { readState, statePath, type TreeState } from "./tree-state.ts";

export function slotWorktree(run: Run, slot: string): Worktree {
  assert(/^[A-Za-z0-9][A-Za-z0-9_-]{0,60}$/.test(slot), `slot name ${slot}`);
  return { key: slot, path: join(layout(run.runDir).slots, slot) };
}

/** The user's own checkout, for `--in-place`, `apply` and `undo`. */
export const checkoutWorktree = (run: Run): Worktree => ({ key: CHECKOUT, path: run.root });

/** Refuses a worktree that is missing or was replaced by something else. */
export async function requireRealFolder(run: Run, worktree: Worktree): Promise<void> {
  const parent =
    worktree.key === CHECKOUT ? null : join(await realpath(layout(run.runDir).slots), worktree.key);
  const found = await lstat(worktree.path).catch(() => null);
  if (found === null) refuse("worktree-missing", `${worktree.path} is gone`);
  const real = await realpath(worktree.path);
  if (!found.isDirectory() || real !== (parent ?? worktree.path))
    refuse("worktree-replaced", `${worktree.path} is no longer the folder it was made as`);
}

/** Requires the original folder, and ensures its private git dir. */
export async function requireWorktree(run: Run, worktree: Worktree): Promise<void> {
  await requireRealFolder(run, worktree);
  await ensureRawGit(run, worktree.key);
}

/** Creates the private git dir if it is missing, once no git of a killed owner is using it. */
export async function ensureRawGit(run: Run, key: string): Promise<void> {
  const places = layout(run.runDir);
  await awaitOrphans(places.rawGit(key));
  await mkdir(places.private(key), { recursive: true });
  await makeGitDir(places.rawGit(key), run, { files: { "info/attributes": RAW_ATTRIBUTES } });
  await rm(join(places.rawGit(key), "index.lock"), { force: true });
  if (!existsSync(frozenRules(run, key)))
    await writeFile(frozenRules(run, key), run.ignoreLines, "latin1");
}

/** Ignored files and folders (with a trailing slash) by the current rules. */
export async function ignoredPaths(run: ActiveRun, worktree: Worktree): Promise<string[]> {
  const args = ["ls-files", "-o", "-i", "--directory", "-z"];
  args.push(`--exclude-from=${layout(run.runDir).outsideRules}`);
  args.push("--exclude-per-directory=.gitignore");
  return records((await git({ args, env: rawView(run, worktree, "own") }, run.control)).stdout);
}

export const saveState = (run: Run, key: string, state: TreeState): Promise<void> =>
  writeJson(statePath(run, key), state);

/** Records which snapshot holds the tree's current content. */
export async function recordTreeContent(run: Run, { key }: Worktree, label: string): Promise<void> {
  const state = await readState(run, key);
  if (state !== null && state.stands !== label)
    await saveState(run, key, { ...state, stands: label });
}

export const frozenRules = (run: Run, key: string): string =>
  join(layout(run.runDir).private(key), "frozen-ignore");

/** The checksum that git writes at the end of an index; equal checksums mean equal indexes. */
export async function indexChecksum(run: Run, key: string): Promise<string> {
  const path = join(layout(run.runDir).rawGit(key), "index");
  if (!existsSync(path)) return "none";
  const length = run.objectFormat === "sha256" ? 32 : 20;
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, Math.max(0, size - length));
    return buffer.toString("hex");
  } finally {
    await file.close();
  }
}

/** Submodules of the tree itself, not those inside another one. */
export const topLevelSubmodules = (submodules: readonly Submodule[]): Submodule[] =>
  submodules.filter(({ path }) => !submodules.some((outer) => path.startsWith(`${outer.path}/`)));

export const topmostPaths = (submodules: readonly Submodule[]): string[] =>
  topLevelSubmodules(submodules).map(({ path }) => path);
