/** The git workspace of a run: what other layers may use of this folder. */
export * from "../../src/workspace/result/apply.ts";
export { keepCarried, layCarried, type Carried } from "../../src/workspace/carry/carried.ts";
export { fillCheckTree } from "../../src/workspace/trees/check-tree.ts";
export { cleanUp, diskUse, type DiskUse } from "../../src/workspace/result/clean-up.ts";
export { lossOf, type Loss } from "../../src/workspace/result/clean-up.ts";
export {
  changedFiles,
  diffText,
  lineStat,
  type LineStat,
  type Range,
} from "../../src/workspace/git/read-objects.ts";
export { differsFrom, fillTree, type Filled } from "../../src/workspace/trees/fill-tree.ts";
export {
  goodCommit,
  lastGood,
  type GoodCommitPlan,
} from "../../src/workspace/result/good-commit.ts";
export { inspect } from "../../src/workspace/repository/inspect.ts";
export { leftOutOf } from "../../src/workspace/snapshots/snapshot.ts";
export {
  advance,
  merge,
  resultTip,
  type Merged,
  type MergePlan,
} from "../../src/workspace/git/commits.ts";
export { publish, type Published } from "../../src/workspace/result/publish.ts";
export { restore, rollback } from "../../src/workspace/trees/restore.ts";
export type { Restored, RestorePlan, RollbackPlan } from "../../src/workspace/trees/restore.ts";
export { loadRun, openRun, type OpenPlan } from "../../src/workspace/repository/open-run.ts";
export { bringSlotBack, releaseSlot } from "../../src/workspace/trees/slots.ts";
export {
  leaseSlot,
  markReady,
  type Lease,
  type LeasePlan,
} from "../../src/workspace/trees/slots.ts";
export { slotEnvironment } from "../../src/workspace/git/agent-git.ts";
export {
  readSnapshot,
  sameTree,
  snapshot,
  snapshots,
  treeHash,
} from "../../src/workspace/snapshots/snapshot.ts";
export type { Snapshot, SnapshotPlan } from "../../src/workspace/snapshots/snapshot.ts";
export { undoApply, type Undone, type UndoPlan } from "../../src/workspace/result/apply.ts";
export { checkoutWorktree, slotWorktree } from "../../src/workspace/git/worktree.ts";
export { POINTS, type Control, type Point } from "../../src/workspace/base/operation.ts";
export type { Refusal, RefusalKind, Result } from "../../src/workspace/base/operation.ts";
export type { Identity, Run, Skipped, Worktree } from "../../src/workspace/base/run-folder.ts";
export type { Inspection } from "../../src/workspace/repository/inspect.ts";
