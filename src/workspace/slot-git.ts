/**
 * The git dir an agent sees in its slot: a small clone of its own over the run's store, so that a stash, a branch,
 * a setting or a gc in one slot reaches no other slot, no snapshot and not the user. Invariants: built aside and
 * renamed in, never read or written once an agent had it; its index has gitlinks for submodules.
 */
import { existsSync } from "node:fs";
import { copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { forceRemove } from "./files.ts";
import { filterLines } from "./filters.ts";
import { foldIndex } from "./fold.ts";
import { IDENTITY } from "./git.ts";
import { configValue, layout, makeGitDir } from "./git-dir.ts";
import { anchored } from "./ignore.ts";
import { putGitAway } from "./old-git.ts";
import { pass } from "./refusal.ts";
import { readOrNull } from "./store.ts";
import { replaceSubmoduleGits } from "./submodule-git.ts";
import type { Control, Run, Worktree } from "./types.ts";
import { loadState } from "./view.ts";

const NOWHERE = "push-is-off-in-unstuck-slots";

/** Puts a fresh git dir at `commit` into the slot. */
export async function replaceSlotGit(
  run: Run,
  worktree: Worktree,
  plan: { readonly id: string; readonly commit: string },
  control: Control,
): Promise<void> {
  await putGitAway(run, worktree, plan.id, Buffer.from(join(worktree.path, ".git")), "");
  await pass(control, "lease:git-moved");
  const built = join(layout(run.runDir).private(worktree.key), "slot-git");
  await forceRemove(built);
  const { carry } = await loadState(run, worktree, control);
  await makeGitDir(built, await slotPlan(run, plan.commit, carry));
  const index = join(layout(run.runDir).rawGit(worktree.key), "index");
  if (existsSync(index)) await copyFile(index, join(built, "index"));
  await foldIndex(run, worktree, join(built, "index"), control);
  await replaceSubmoduleGits(run, worktree, plan.id, control);
  await rename(built, join(worktree.path, ".git"));
  await pass(control, "lease:git-made");
}

/** Puts a fresh git dir at `head` into a check tree; whatever a check did to the old one goes with it. */
export async function makeCheckGit(run: Run, worktree: Worktree, head: string): Promise<void> {
  const places = layout(run.runDir);
  const built = join(places.private(worktree.key), "check-git");
  await forceRemove(built);
  await makeGitDir(built, { ...(await slotPlan(run, head, [])), passing: true });
  await copyFile(join(places.rawGit(worktree.key), "index"), join(built, "index"));
  await forceRemove(join(worktree.path, ".git"));
  await rename(built, join(worktree.path, ".git"));
}

/** What agents and checks get beside their own environment. */
export const slotEnvironment = (run: Run, worktree: Worktree): Record<string, string> => ({
  UNSTUCK_SLOT: worktree.key,
  GIT_CEILING_DIRECTORIES: layout(run.runDir).slots,
});

async function slotPlan(
  run: Run,
  commit: string,
  carry: readonly string[],
): Promise<Parameters<typeof makeGitDir>[1]> {
  const { store, clone, shallow, tags } = layout(run.runDir);
  const branch = `refs/heads/unstuck/${run.id}`;
  const origin = `refs/remotes/origin/${run.branch ?? "base"}`;
  const asBytes = (value: string): string => Buffer.from(value).toString("latin1");
  const cut = await readOrNull(shallow);
  const tagged = await readOrNull(tags);
  return {
    objectFormat: run.objectFormat,
    settings: run.settings,
    conversions: false,
    bare: false,
    head: `ref: ${branch}`,
    lines: [
      "[user]",
      `name = ${configValue(IDENTITY.name)}`,
      `email = ${configValue(IDENTITY.email)}`,
      "[commit]",
      "gpgSign = false",
      '[remote "origin"]',
      `url = ${configValue(clone)}`,
      `pushurl = ${NOWHERE}`,
      "fetch = +refs/heads/*:refs/remotes/origin/*",
      ...filterLines(run.filters),
    ],
    files: {
      [branch]: `${commit}\n`,
      [origin]: `${run.base}\n`,
      "objects/info/alternates": asBytes(`${store}\n${run.objects}\n`),
      "info/exclude": run.ignoreLines + carry.map((path) => `${anchored(path)}\n`).join(""),
      ...(cut === null ? {} : { shallow: cut.toString("latin1") }),
      ...(tagged === null ? {} : { "packed-refs": tagged.toString("latin1") }),
    },
  };
}
