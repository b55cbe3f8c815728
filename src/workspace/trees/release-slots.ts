/**
 * Releases worktrees: the folder is removed and can be recreated. Nothing is removed before its snapshot is taken; a
 * repeated call finishes an interrupted release. A released slot keeps its lease; the agent's git dir is saved for its
 * return, and kept if the slot is never used again.
 */
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { pathBelow, exists } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import { type ActiveRun, reachPoint } from "../base/operation.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";
import { retireGitDir } from "../git/retire-git-dir.ts";
import { text } from "../git/git.ts";
import { frozenRules, requireWorktree, saveState, slotWorktree } from "../git/worktree.ts";
import { loadState, readState } from "../git/tree-state.ts";
import { readNotes } from "../git/index-notes.ts";
import { isCheckTree } from "./check-tree.ts";
import { takeRescueSnapshot } from "./restore.ts";
import { moveAside } from "./move-aside.ts";

/** Slots whose tree is on disk. */
export const standingSlots = (run: Run): Promise<readonly string[]> =>
  readdir(layout(run.runDir).slots).catch(() => []);

/** The id under which the slot was given back; undefined if it is in use. */
export const releasedAs = async (run: Run, slot: string): Promise<string | undefined> =>
  (await readState(run, slot))?.givenBack;

export async function releaseSlot(
  run: ActiveRun,
  { slot, at }: { readonly slot: string; readonly at: number },
): Promise<void> {
  const worktree = slotWorktree(run, slot);
  if ((await releasedAs(run, slot)) === undefined) await keepAll(run, worktree, at);
  await clearSlot(run, worktree);
}

async function keepAll(run: ActiveRun, worktree: Worktree, at: number): Promise<void> {
  if (!(await exists(worktree.path))) return;
  await requireWorktree(run, worktree);
  const { lease } = await loadState(run, worktree);
  const id = `${lease?.id ?? worktree.key}/given-back-${at}`;
  const { skipped, label } = await takeRescueSnapshot(run, worktree, { id, at });
  await moveAside(run, worktree, id, skipped);
  const { gits } = await readNotes(run, worktree.key);
  for (const path of [...gits].sort().reverse())
    await retireGitDir(run, worktree, id, pathBelow(worktree.path, `${path}/.git`), text(path));
  const own = join(worktree.path, ".git");
  if (await exists(own)) {
    await putAgentGitAway(run, worktree, id);
    await rename(own, agentGit(run, worktree));
  }
  await reachPoint(run.control, "back:kept");
  const state = await loadState(run, worktree);
  const gone = { ready: null, carry: [], keep: [], nested: [], tree: null, frozenAt: "0" };
  await saveState(run, worktree.key, { ...state, ...gone, givenBack: id, stands: label });
  await reachPoint(run.control, "back:marked");
}

/** Removes the folder and our view of it; the slot's state stays. */
export async function clearSlot(run: Run, worktree: Worktree): Promise<void> {
  const places = layout(run.runDir);
  const gone = join(places.private(worktree.key), "gone");
  await forceRemove(gone);
  if (await exists(worktree.path)) await rename(worktree.path, gone);
  await forceRemove(gone);
  await forceRemove(places.rawGit(worktree.key));
  await forceRemove(places.filterGit(worktree.key));
  await forceRemove(places.forms(worktree.key));
  await forceRemove(frozenRules(run, worktree.key));
}

/** Puts the saved git dir away once the slot will not be continued. */
export const putAgentGitAway = (run: Run, worktree: Worktree, id: string): Promise<void> =>
  retireGitDir(run, worktree, id, Buffer.from(agentGit(run, worktree)), "");

export const agentGit = (run: Run, { key }: Worktree): string =>
  join(layout(run.runDir).private(key), "agent-git");

/**
 * The run has ended: removes every slot, check tree and carried copy. Snapshots stay, and so do objects that agents
 * left in their git dirs.
 */
export async function releaseAllSlots(run: ActiveRun, at: number): Promise<void> {
  const places = layout(run.runDir);
  const known = await readdir(places.private("")).catch(() => []);
  const isSlot = (key: string): boolean => !key.startsWith("_") && !isCheckTree(key);
  for (const slot of new Set([...known.filter(isSlot), ...(await standingSlots(run))])) {
    await releaseSlot(run, { slot, at });
    const worktree = slotWorktree(run, slot);
    await putAgentGitAway(run, worktree, (await releasedAs(run, slot)) ?? slot);
  }
  await forceRemove(places.checks);
  for (const key of known.filter(isCheckTree)) await forceRemove(places.private(key));
  await forceRemove(places.carried);
}
