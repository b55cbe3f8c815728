/**
 * Brings a slot onto the result's new tip together with the work that could not be merged, so that whoever goes on
 * sees both. Invariants: the tree is snapshotted first; files that do not fit hold both sides between git's
 * markers; later commits of the slot start from the tip.
 */
import { joinedTree } from "./merge.ts";
import { settled } from "./refusal.ts";
import { bringTo, takeRescue } from "./restore.ts";
import { replaceSlotGit } from "./slot-git.ts";
import type { Control, Result, Run, Worktree } from "./types.ts";
import { loadState, saveState } from "./view.ts";

export interface RebasePlan {
  readonly id: string;
  readonly at: number;
  /** The work, as a commit. */
  readonly commit: string;
  readonly tip: string;
}

export const rebase = (
  run: Run,
  worktree: Worktree,
  plan: RebasePlan,
  control: Control = {},
): Promise<Result<void>> =>
  settled(async () => {
    const { tip, commit, id } = plan;
    const tree = await joinedTree(run, { into: tip, commit }, control);
    const rescue = await takeRescue(run, worktree, plan, control);
    await bringTo(run, worktree, { id, tree, rescue }, control);
    await replaceSlotGit(run, worktree, { id, commit: tip }, control);
    const state = await loadState(run, worktree, control);
    if (state.lease === undefined || state.lease === null) return;
    await saveState(run, worktree.key, { ...state, lease: { ...state.lease, commit: tip } });
  });
