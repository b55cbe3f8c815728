/** The workspace as tests call it: every operation with its own control, and refusals as values. */
import {
  type Control,
  operation,
  type Point,
  POINTS as POINTS_BY_OPERATION,
  treeOperation,
} from "../../src/workspace/base/operation.ts";
import { type Result, asResult } from "../../src/workspace/base/refusal.ts";
import type { Run } from "../../src/workspace/base/run-folder.ts";
import * as placing from "../../src/workspace/carry/place-carried.ts";
import * as reading from "../../src/workspace/snapshots/read-snapshot.ts";
import * as commits from "../../src/workspace/git/commits.ts";
import { countLines } from "../../src/workspace/git/read-objects.ts";
import * as publishing from "../../src/workspace/result/publish.ts";
import * as snapshotting from "../../src/workspace/snapshots/snapshot.ts";
import * as checks from "../../src/workspace/trees/check-tree.ts";
import * as restoring from "../../src/workspace/trees/restore.ts";
import * as releaseSlots from "../../src/workspace/trees/release-slots.ts";
import * as slots from "../../src/workspace/trees/slots.ts";

export * from "../../src/workspace/result/apply.ts";
export { keepCarried } from "../../src/workspace/carry/carried.ts";
export { cleanUp, lossOf } from "../../src/workspace/result/clean-up.ts";
export { changedFiles, diffText } from "../../src/workspace/git/read-objects.ts";
export { differsFrom, fillTree } from "../../src/workspace/trees/fill-tree.ts";
export { goodCommit, lastGood } from "../../src/workspace/result/good-commit.ts";
export { inspect } from "../../src/workspace/repository/inspect.ts";
export { resultTip } from "../../src/workspace/git/commits.ts";
export { restore } from "../../src/workspace/trees/restore.ts";
export { loadRun, openRun } from "../../src/workspace/repository/open-run.ts";
export { slotEnvironment } from "../../src/workspace/git/agent-git.ts";
export { sameTree, snapshot } from "../../src/workspace/snapshots/snapshot.ts";
export { readSnapshot } from "../../src/workspace/snapshots/read-snapshot.ts";
export type { Snapshot } from "../../src/workspace/snapshots/read-snapshot.ts";
export type { Lease } from "../../src/workspace/trees/slots.ts";
export type { Loss } from "../../src/workspace/result/clean-up.ts";
export { checkoutWorktree, slotWorktree } from "../../src/workspace/git/worktree.ts";
export type { Control, Point } from "../../src/workspace/base/operation.ts";
export type { RefusalKind, Result } from "../../src/workspace/base/refusal.ts";
export type { Run, Worktree } from "../../src/workspace/base/run-folder.ts";

export const POINTS: readonly Point[] = Object.entries(POINTS_BY_OPERATION).flatMap(
  ([of, points]) => points.map((point) => `${of}:${point}` as Point),
);

export const placeCarried = (
  run: Run,
  of: placing.Carried,
  worktree: { readonly path: string },
  control: Control = {},
): Promise<Result<readonly string[]>> =>
  asResult(() => placing.placeCarried({ ...run, control }, of, worktree));

export const advance = operation(commits.advance);
export const merge = operation(commits.merge);
export const lineStat = operation(countLines);
export const snapshots = (run: Run): Promise<Result<readonly reading.Snapshot[]>> =>
  asResult(() => reading.listSnapshots(run));
export const treeHash = operation(snapshotting.treeHash);
export const leaseSlot = operation(slots.leaseSlot);
export const releaseSlot = operation(releaseSlots.releaseSlot);
export const bringSlotBack = operation(slots.restoreReleasedSlot);
export const markReady = treeOperation(slots.markReady);
export const rollback = treeOperation(restoring.rollback);
export const fillCheckTree = operation(checks.fillCheckTree);
export const changedInCheckTree = operation(checks.changedInCheckTree);

export const publish = (
  run: Run,
  control: Control = {},
): Promise<Result<{ branch: string; commit: string }>> =>
  asResult(() => publishing.publish({ ...run, control }));

/** Submodules that changed inside between two snapshots, by label. */
export const leftOutOf = operation(
  async (run, { before, after }: { readonly before: string; readonly after: string }) => ({
    submodules: snapshotting.changedSubmodules(
      await reading.loadSnapshot(run, before),
      await reading.loadSnapshot(run, after),
    ),
  }),
);
