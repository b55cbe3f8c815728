/**
 * A small git dir in each filled submodule folder of a slot, so that git there, and `git submodule update` in a
 * setup, find what they expect. Invariants: it leans on the run's store alone and names no repository of the
 * user's; built aside and renamed in; never reached through a link; never read again.
 */
import { realpath, rename, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { forceRemove } from "./files.ts";
import { changeForms, loadForms, type Submodule } from "./forms.ts";
import { git, text } from "./git.ts";
import { layout, makeGitDir } from "./git-dir.ts";
import { putGitAway } from "./old-git.ts";
import type { Control, Run, Worktree } from "./types.ts";
import { below } from "./view.ts";

export async function replaceSubmoduleGits(
  run: Run,
  worktree: Worktree,
  id: string,
  control: Control,
): Promise<void> {
  const { gits, submodules } = await loadForms(run, worktree.key);
  const paths = submodules.map(({ path }) => path);
  for (const path of [...new Set([...gits, ...paths])].sort().reverse()) {
    if (!(await isReal(worktree, path))) continue;
    await putGitAway(run, worktree, id, below(worktree.path, `${path}/.git`), text(path));
    if (!paths.includes(path)) await rmdir(below(worktree.path, path)).catch(() => undefined);
  }
  const filled = submodules.filter(({ tree }) => tree !== null);
  for (const each of filled)
    if (await isReal(worktree, each.path)) await placeGit(run, worktree, each, control);
  await changeForms(run, worktree.key, { gits: filled.map(({ path }) => path) });
}

async function placeGit(
  run: Run,
  worktree: Worktree,
  { path, commit }: Submodule,
  control: Control,
): Promise<void> {
  const built = join(layout(run.runDir).private(worktree.key), "submodule-git");
  await forceRemove(built);
  const { store } = layout(run.runDir);
  await makeGitDir(built, {
    objectFormat: run.objectFormat,
    settings: run.settings,
    conversions: false,
    bare: false,
    head: commit,
    files: {
      shallow: `${commit}\n`,
      "objects/info/alternates": Buffer.from(`${store}\n`).toString("latin1"),
    },
  });
  await git({ args: ["read-tree", commit], env: { GIT_DIR: built } }, control);
  await rename(built, below(worktree.path, `${path}/.git`));
}

/** The folder itself, not what a link in its place or above it leads to. */
async function isReal(worktree: Worktree, path: string): Promise<boolean> {
  const wanted = below(await realpath(worktree.path), path);
  const found = await realpath(wanted, { encoding: "buffer" }).catch(() => null);
  return found?.equals(wanted) === true;
}
