/**
 * Brings a working tree to a snapshot, to a good commit, or onto the result's new tip. The present state is
 * snapshotted first, and what a snapshot could not hold is moved aside; ignored files and carried paths stay, and in
 * the user's own checkout submodules do; a rollback goes only to a commit that exists, on the line from the run's
 * base to the tip the caller names.
 */
import { join } from "node:path";
import { below, exists, moveAcross } from "../base/files.ts";
import { type ActiveRun, pass, treeOperation } from "../base/operation.ts";
import { CHECKOUT, layout, type Run, type Skipped, type Worktree } from "../base/run-folder.ts";
import { replaceSlotGit } from "../git/agent-git.ts";
import { treeWithPathsOf } from "../git/edit-index.ts";
import { bytes } from "../git/git.ts";
import { joinedTree, requireAncestor } from "../git/merge.ts";
import {
  ensureRawGit,
  indexChecksum,
  loadState,
  requireRealFolder,
  saveState,
  surveyIndex,
} from "../git/worktree.ts";
import {
  type FullSnapshot,
  loadSnapshot,
  type Snapshot,
  takeSnapshot,
} from "../snapshots/snapshot.ts";
import { type Target, writeTarget } from "./fill-tree.ts";

export interface RestorePlan {
  /** Names this restore: repeating it with the same id finishes it. */
  readonly id: string;
  readonly at: number;
  readonly snapshot: string;
  /** Only these files; all by default. */
  readonly paths?: readonly string[];
}

export interface Restored {
  readonly rescue: Snapshot;
  /** Files no snapshot could hold, and where they lie now. */
  readonly aside: readonly string[];
}

export const restore = treeOperation(
  async (run, worktree, plan: RestorePlan): Promise<Restored> => {
    const target = await loadSnapshot(run, plan.snapshot);
    const rescue = await takeRescue(run, worktree, plan);
    const { id } = plan;
    const { tree, raw, inside } =
      plan.paths === undefined
        ? target
        : await overlay(run, worktree, rescue, target, plan.paths.map(bytes));
    return bringTo(run, worktree, { id, tree, raw, inside, rescue, target });
  },
);

export interface RollbackPlan {
  readonly id: string;
  readonly at: number;
  readonly commit: string;
  /** The commit or ref the subtask stands on now. */
  readonly tip: string;
}

export const rollback = treeOperation(
  async (run, worktree, plan: RollbackPlan): Promise<Restored> => {
    await requireAncestor(run, run.base, plan.commit);
    await requireAncestor(run, plan.commit, plan.tip);
    const rescue = await takeRescue(run, worktree, plan);
    const restored = await bringTo(run, worktree, { ...plan, tree: plan.commit, rescue });
    if (worktree.key !== CHECKOUT) await replaceSlotGit(run, worktree, plan);
    return restored;
  },
);

/** Named after the operation, so that a repeated one keeps the state from before the first try. */
export async function takeRescue(
  run: ActiveRun,
  worktree: Worktree,
  plan: { readonly id: string; readonly at: number },
): Promise<FullSnapshot> {
  const rescue = await takeSnapshot(run, worktree, { label: `${plan.id}.rescue`, at: plan.at });
  await pass(run.control, "restore:rescued");
  return rescue;
}

interface Move extends Target {
  readonly id: string;
  readonly rescue: FullSnapshot;
  readonly target?: FullSnapshot;
}

export async function bringTo(run: ActiveRun, worktree: Worktree, move: Move): Promise<Restored> {
  await requireRealFolder(run, worktree);
  await ensureRawGit(run, worktree.key);
  await moveAside(run, worktree, move.id, move.rescue.skipped);
  await pass(run.control, "restore:aside");
  const kept = worktree.key === CHECKOUT ? move.rescue.inside : [];
  const written = await writeTarget(run, worktree, { inside: kept, ...move });
  const state = await loadState(run, worktree);
  Object.assign(state, await surveyIndex(run, worktree));
  state.nested = [...(move.target?.inner ?? [])];
  state.tree =
    move.target?.tree === move.tree
      ? { index: await indexChecksum(run, worktree.key), id: written.tree }
      : null;
  await saveState(run, worktree.key, state);
  const stayed = new Set((move.target?.skipped ?? []).map(({ path }) => path));
  for (const { path, reason } of move.target?.skipped ?? []) {
    const [kept, place] = [join(asideFolder(run, move.id), path), join(worktree.path, path)];
    // The upper part of a folder that is too deep may have been written again.
    const isTaken = reason === "too-deep" && (await exists(place));
    if ((await exists(kept)) && !isTaken) await moveAcross(Buffer.from(kept), place);
  }
  await pass(run.control, "restore:written");
  const gone = move.rescue.skipped.filter(({ path }) => !stayed.has(path));
  return {
    rescue: move.rescue,
    aside: gone.map(({ path }) => join(asideFolder(run, move.id), path)),
  };
}

const asideFolder = (run: Run, id: string): string =>
  join(layout(run.runDir).kept, encodeURIComponent(id));

export async function moveAside(
  run: Run,
  worktree: Worktree,
  id: string,
  skipped: readonly Skipped[],
): Promise<void> {
  for (const { path } of skipped) {
    const from = below(worktree.path, bytes(path));
    if (await exists(from)) await moveAcross(from, join(asideFolder(run, id), path));
  }
}

/** The tree before the restore with only `paths` taken from the snapshot; submodules stay. */
async function overlay(
  run: ActiveRun,
  worktree: Worktree,
  rescue: FullSnapshot,
  target: FullSnapshot,
  paths: readonly string[],
): Promise<Required<Target>> {
  const wanted = new Set(paths);
  const index = join(layout(run.runDir).rawGit(worktree.key), "index-overlay");
  return {
    tree: await treeWithPathsOf(run, index, rescue.tree, target.tree, paths),
    raw: [
      ...rescue.raw.filter((path) => !wanted.has(path)),
      ...target.raw.filter((path) => wanted.has(path)),
    ],
    inside: rescue.inside,
  };
}

/**
 * Brings a slot onto the result's new tip together with the work (a commit) that could not be merged, so that whoever
 * goes on sees both: files that do not fit hold both sides between git's markers. Later commits start from the tip.
 */
export const rebase = treeOperation(async (run, worktree, plan: RollbackPlan): Promise<void> => {
  const { tip, commit, id } = plan;
  const tree = await joinedTree(run, { into: tip, commit });
  const rescue = await takeRescue(run, worktree, plan);
  await bringTo(run, worktree, { id, tree, rescue });
  await replaceSlotGit(run, worktree, { id, commit: tip });
  const state = await loadState(run, worktree);
  if (state.lease === null) return;
  await saveState(run, worktree.key, { ...state, lease: { ...state.lease, commit: tip } });
});
