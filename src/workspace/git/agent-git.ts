/**
 * The git dirs that agents and checks see. A slot gets its own small clone on top of the run's store, so a stash, a
 * branch, a setting or a gc in one slot affects no other slot, no snapshot and not the user; each filled submodule
 * folder gets a smaller one. Invariants: built aside and renamed into place, never reached through a link, never read
 * or obeyed after an agent had it; one that contains objects (a stash, a commit) is kept, not deleted.
 */
import { existsSync } from "node:fs";
import { copyFile, realpath, rename, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { pathBelow, readOrNull } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import { type ActiveRun, reachPoint } from "../base/operation.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";
import { filterLines } from "./filter-settings.ts";
import { configValue, type GitDirPlan, makeGitDir } from "./make-git-dir.ts";
import { bytes, git, IDENTITY, text } from "./git.ts";
import { anchored } from "./ignore-rules.ts";
import { collapseIndex } from "./submodules.ts";
import { loadState } from "./tree-state.ts";
import { changeNotes, readNotes, type Submodule } from "./index-notes.ts";
import { retireGitDir } from "./retire-git-dir.ts";

/** Puts a fresh git dir at `commit` into the slot. */
export async function replaceSlotGit(
  run: ActiveRun,
  worktree: Worktree,
  plan: { readonly id: string; readonly commit: string },
): Promise<void> {
  await retireGitDir(run, worktree, plan.id, Buffer.from(join(worktree.path, ".git")), "");
  await reachPoint(run.control, "lease:git-moved");
  const built = join(layout(run.runDir).private(worktree.key), "slot-git");
  await forceRemove(built);
  const { carry } = await loadState(run, worktree);
  await makeGitDir(built, run, await slotPlan(run, plan.commit, carry));
  const index = join(layout(run.runDir).rawGit(worktree.key), "index");
  if (existsSync(index)) await copyFile(index, join(built, "index"));
  await collapseIndex(run, worktree, join(built, "index"));
  await replaceSubmoduleGits(run, worktree, plan.id);
  await rename(built, join(worktree.path, ".git"));
  await reachPoint(run.control, "lease:git-made");
}

/** Puts a fresh git dir at `head` into a check tree, replacing whatever a check did to the old one. */
export async function makeCheckGit(run: Run, worktree: Worktree, head: string): Promise<void> {
  const places = layout(run.runDir);
  const built = join(places.private(worktree.key), "check-git");
  await forceRemove(built);
  await makeGitDir(built, run, { ...(await slotPlan(run, head, [])), passing: true });
  await copyFile(join(places.rawGit(worktree.key), "index"), join(built, "index"));
  await forceRemove(join(worktree.path, ".git"));
  await rename(built, join(worktree.path, ".git"));
}

/** Variables that agents and checks get in addition to their environment. */
export const slotEnvironment = (run: Run, worktree: Worktree): Record<string, string> => ({
  UNSTUCK_SLOT: worktree.key,
  GIT_CEILING_DIRECTORIES: layout(run.runDir).slots,
});

async function slotPlan(run: Run, commit: string, carry: readonly string[]): Promise<GitDirPlan> {
  const { store, clone, shallow, tags } = layout(run.runDir);
  const branch = `refs/heads/unstuck/${run.id}`;
  const origin = `refs/remotes/origin/${run.branch ?? "base"}`;
  const cut = await readOrNull(shallow);
  const tagged = await readOrNull(tags);
  return {
    head: `ref: ${branch}`,
    lines: [
      "[user]",
      `name = ${configValue(IDENTITY.name)}`,
      `email = ${configValue(IDENTITY.email)}`,
      "[commit]",
      "gpgSign = false",
      '[remote "origin"]',
      `url = ${configValue(clone)}`,
      "pushurl = push-is-off-in-unstuck-slots",
      "fetch = +refs/heads/*:refs/remotes/origin/*",
      ...filterLines(run.filters),
    ],
    files: {
      [branch]: `${commit}\n`,
      [origin]: `${run.base}\n`,
      "objects/info/alternates": bytes(`${store}\n${run.objects}\n`),
      "info/exclude": run.ignoreLines + carry.map((path) => `${anchored(path)}\n`).join(""),
      ...(cut === null ? {} : { shallow: cut.toString("latin1") }),
      ...(tagged === null ? {} : { "packed-refs": tagged.toString("latin1") }),
    },
  };
}

async function replaceSubmoduleGits(run: ActiveRun, worktree: Worktree, id: string): Promise<void> {
  const { gits, submodules } = await readNotes(run, worktree.key);
  const paths = submodules.map(({ path }) => path);
  for (const path of [...new Set([...gits, ...paths])].sort().reverse()) {
    if (!(await isReal(worktree, path))) continue;
    await retireGitDir(run, worktree, id, pathBelow(worktree.path, `${path}/.git`), text(path));
    if (!paths.includes(path)) await rmdir(pathBelow(worktree.path, path)).catch(() => undefined);
  }
  const filled = submodules.filter(({ tree }) => tree !== null);
  for (const each of filled)
    if (await isReal(worktree, each.path)) await placeGit(run, worktree, each);
  await changeNotes(run, worktree.key, { gits: filled.map(({ path }) => path) });
}

async function placeGit(
  run: ActiveRun,
  worktree: Worktree,
  { path, commit }: Submodule,
): Promise<void> {
  const built = join(layout(run.runDir).private(worktree.key), "submodule-git");
  await forceRemove(built);
  const alternates = bytes(`${layout(run.runDir).store}\n`);
  await makeGitDir(built, run, {
    head: commit,
    files: { shallow: `${commit}\n`, "objects/info/alternates": alternates },
  });
  await git({ args: ["read-tree", commit], env: { GIT_DIR: built } }, run.control);
  await rename(built, pathBelow(worktree.path, `${path}/.git`));
}

/** Whether the path is the folder itself, with no link in its place or above it. */
async function isReal(worktree: Worktree, path: string): Promise<boolean> {
  const wanted = pathBelow(await realpath(worktree.path), path);
  const found = await realpath(wanted, { encoding: "buffer" }).catch(() => null);
  return found?.equals(wanted) === true;
}
