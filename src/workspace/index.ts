/** The git workspace of a run: what other layers may use of this folder. */
export { apply, type Applied, type ApplyPlan } from "./apply.ts";
export { cleanUp, diskUse, type DiskUse } from "./clean-up.ts";
export { changedFiles, diffText, lineStat, type Range } from "./diff.ts";
export { goodCommit, lastGood, type GoodCommitPlan } from "./good-commit.ts";
export { inspect } from "./inspect.ts";
export { advance, merge, resultTip, type Merged, type MergePlan } from "./merge.ts";
export { publish, type Published } from "./publish.ts";
export { restore, rollback } from "./restore.ts";
export type { Restored, RestorePlan, RollbackPlan } from "./restore.ts";
export { loadRun, openRun, type OpenPlan } from "./run.ts";
export { leaseSlot, markReady, type Lease, type LeasePlan } from "./slot.ts";
export { slotEnvironment } from "./slot-git.ts";
export { readSnapshot, sameTree, snapshot, snapshots, treeHash } from "./snapshot.ts";
export type { SnapshotPlan } from "./snapshot.ts";
export { undoApply, type UndoPlan } from "./undo.ts";
export { checkoutWorktree, slotWorktree } from "./view.ts";
export { POINTS } from "./types.ts";
export type * from "./types.ts";
