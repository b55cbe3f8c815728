/**
 * Brings a working tree to a snapshot, to a good commit, or onto the new tip of the result. Invariants: the current
 * state is snapshotted first, and what a snapshot cannot hold is moved aside; ignored files and carried paths stay, and
 * in the user's own checkout so do submodules; a rollback goes only to an existing commit between the run's base and
 * the given tip.
 */
import { join } from "node:path";
import { exists } from "../base/files.ts";
import { moveAcross } from "../base/remove.ts";
import { type ActiveRun, reachPoint, treeOperation } from "../base/operation.ts";
import { CHECKOUT, type Worktree } from "../base/run-folder.ts";
import { replaceSlotGit } from "../git/agent-git.ts";
import { joinedTree, requireAncestor } from "../git/commits.ts";
import { indexChecksum, requireWorktree, saveState } from "../git/worktree.ts";
import { loadState, surveyIndex } from "../git/tree-state.ts";
import { takeSnapshot } from "../snapshots/snapshot.ts";
import { loadSnapshot, type Snapshot } from "../snapshots/read-snapshot.ts";
import { writeTreeFiles } from "./write-tree.ts";
import { asideFolder, moveAside } from "./move-aside.ts";

interface RestorePlan {
  /** Identifies this restore: repeating it with the same id finishes it. */
  readonly id: string;
  readonly at: number;
  readonly snapshot: string;
}

export interface Restored {
  readonly rescue: Snapshot;
  /** Files that no snapshot could hold, at their new location. */
  readonly aside: readonly string[];
}

export const restore = treeOperation(restoreSnapshot);

export async function restoreSnapshot(
  run: ActiveRun,
  worktree: Worktree,
  plan: RestorePlan,
): Promise<Restored> {
  const to = await loadSnapshot(run, plan.snapshot);
  const rescue = await takeRescueSnapshot(run, worktree, plan);
  return restoreTree(run, worktree, { id: plan.id, to, rescue });
}

export interface RollbackPlan extends Omit<RestorePlan, "snapshot"> {
  readonly commit: string;
  /** The commit or ref that the subtask is at now. */
  readonly tip: string;
}

export async function rollback(
  run: ActiveRun,
  worktree: Worktree,
  plan: RollbackPlan,
): Promise<Restored> {
  await requireAncestor(run, run.base, plan.commit);
  await requireAncestor(run, plan.commit, plan.tip);
  const rescue = await takeRescueSnapshot(run, worktree, plan);
  const restored = await restoreTree(run, worktree, { ...plan, to: { tree: plan.commit }, rescue });
  if (worktree.key !== CHECKOUT) await replaceSlotGit(run, worktree, plan);
  return restored;
}

/** Named after the operation, so that a repeated one keeps the state from before the first try. */
export async function takeRescueSnapshot(
  run: ActiveRun,
  worktree: Worktree,
  plan: { readonly id: string; readonly at: number },
): Promise<Snapshot> {
  const rescue = await takeSnapshot(run, worktree, { label: `${plan.id}.rescue`, at: plan.at });
  await reachPoint(run.control, "restore:rescued");
  return rescue;
}

interface Move {
  readonly id: string;
  readonly to: Snapshot | { readonly tree: string };
  readonly rescue: Snapshot;
}

export async function restoreTree(
  run: ActiveRun,
  worktree: Worktree,
  { id, to, rescue }: Move,
): Promise<Restored> {
  await requireWorktree(run, worktree);
  await moveAside(run, worktree, id, rescue.skipped);
  await reachPoint(run.control, "restore:aside");
  const kept = worktree.key === CHECKOUT ? rescue.inside : [];
  const written = await writeTreeFiles(run, worktree, { inside: kept, ...to });
  const state = await loadState(run, worktree);
  Object.assign(state, await surveyIndex(run, worktree));
  const target = "label" in to ? to : null;
  state.nested = [...(target?.inner ?? [])];
  const index = await indexChecksum(run, worktree.key);
  state.tree = target === null ? null : { index, id: written.tree };
  await saveState(run, worktree.key, state);
  const aside = (path: string): string => join(asideFolder(run, id), path);
  for (const { path, reason } of target?.skipped ?? []) {
    const place = join(worktree.path, path);
    // The upper part of a folder that is too deep may already have been written again.
    const isTaken = reason === "too-deep" && (await exists(place));
    if ((await exists(aside(path))) && !isTaken) await moveAcross(Buffer.from(aside(path)), place);
  }
  await reachPoint(run.control, "restore:written");
  const stayed = new Set(target?.skipped.map(({ path }) => path));
  const gone = rescue.skipped.map(({ path }) => path).filter((path) => !stayed.has(path));
  return { rescue, aside: gone.map(aside) };
}

/**
 * Brings a slot onto the new tip of the result together with work (a commit) that could not be merged, so that the next
 * attempt sees both: conflicting files contain both sides between git's markers. Later commits start from the tip.
 */
export async function rebase(
  run: ActiveRun,
  worktree: Worktree,
  plan: RollbackPlan,
): Promise<void> {
  const { tip, commit, id } = plan;
  const tree = await joinedTree(run, { into: tip, commit });
  const rescue = await takeRescueSnapshot(run, worktree, plan);
  await restoreTree(run, worktree, { id, to: { tree }, rescue });
  await replaceSlotGit(run, worktree, { id, commit: tip });
  const state = await loadState(run, worktree);
  if (state.lease === null) return;
  await saveState(run, worktree.key, { ...state, lease: { ...state.lease, commit: tip } });
}
