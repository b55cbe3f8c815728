/**
 * Brings a working tree to a snapshot or a good commit. Invariants: the present state is snapshotted first, and
 * what a snapshot could not hold is moved aside; ignored files and carried paths stay, and in the user's own
 * checkout submodules do; a rollback goes only to a commit that exists, on the line from the run's base to the tip
 * the caller names.
 */
import { join } from "node:path";
import { changedEntries } from "./diff.ts";
import { exists, moveAcross } from "./files.ts";
import { writeTarget, type Target } from "./fill-tree.ts";
import { bytes } from "./git.ts";
import { layout } from "./git-dir.ts";
import { requireAncestor } from "./merge.ts";
import { pass, settled } from "./refusal.ts";
import { loadSnapshot, takeSnapshot } from "./snapshot.ts";
import type { FullSnapshot } from "./snapshot-record.ts";
import { replaceSlotGit } from "./slot-git.ts";
import { withLines } from "./trees.ts";
import type { Control, Result, Run, Skipped, Snapshot, Worktree } from "./types.ts";
import {
  CHECKOUT,
  below,
  ensureRawGit,
  indexChecksum,
  loadState,
  requireRealFolder,
  saveState,
  surveyIndex,
} from "./view.ts";

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

export const restore = (
  run: Run,
  worktree: Worktree,
  plan: RestorePlan,
  control: Control = {},
): Promise<Result<Restored>> =>
  settled(async () => {
    const target = await loadSnapshot(run, plan.snapshot);
    const rescue = await takeRescue(run, worktree, plan, control);
    const { id } = plan;
    const { tree, raw, inside } =
      plan.paths === undefined
        ? target
        : await overlay(run, worktree, rescue, target, plan.paths.map(bytes), control);
    return bringTo(run, worktree, { id, tree, raw, inside, rescue, target }, control);
  });

export interface RollbackPlan {
  readonly id: string;
  readonly at: number;
  readonly commit: string;
  /** The commit or ref the subtask stands on now. */
  readonly tip: string;
}

export const rollback = (
  run: Run,
  worktree: Worktree,
  plan: RollbackPlan,
  control: Control = {},
): Promise<Result<Restored>> =>
  settled(async () => {
    await requireAncestor(run, run.base, plan.commit, control);
    await requireAncestor(run, plan.commit, plan.tip, control);
    const rescue = await takeRescue(run, worktree, plan, control);
    const restored = await bringTo(run, worktree, { ...plan, tree: plan.commit, rescue }, control);
    if (worktree.key !== CHECKOUT) await replaceSlotGit(run, worktree, plan, control);
    return restored;
  });

/** Named after the operation, so that a repeated one keeps the state from before the first try. */
export async function takeRescue(
  run: Run,
  worktree: Worktree,
  plan: { readonly id: string; readonly at: number },
  control: Control,
): Promise<FullSnapshot> {
  const rescue = await takeSnapshot(
    run,
    worktree,
    { label: `${plan.id}.rescue`, at: plan.at },
    control,
  );
  await pass(control, "restore:rescued");
  return rescue;
}

interface Move extends Target {
  readonly id: string;
  readonly rescue: FullSnapshot;
  readonly target?: FullSnapshot;
}

export async function bringTo(
  run: Run,
  worktree: Worktree,
  move: Move,
  control: Control,
): Promise<Restored> {
  await requireRealFolder(run, worktree);
  await ensureRawGit(run, worktree.key);
  await moveAside(run, worktree, move.id, move.rescue.skipped);
  await pass(control, "restore:aside");
  const kept = worktree.key === CHECKOUT ? move.rescue.inside : [];
  const written = await writeTarget(run, worktree, { inside: kept, ...move }, control);
  const state = await loadState(run, worktree, control);
  Object.assign(state, await surveyIndex(run, worktree, control));
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
  await pass(control, "restore:written");
  const gone = move.rescue.skipped.filter(({ path }) => !stayed.has(path));
  return {
    rescue: move.rescue,
    aside: gone.map(({ path }) => join(asideFolder(run, move.id), path)),
  };
}

/** Files and index become those of a commit. */
export async function writeTree(
  run: Run,
  worktree: Worktree,
  tree: string,
  control: Control,
): Promise<void> {
  await writeTarget(run, worktree, { tree }, control);
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
  run: Run,
  worktree: Worktree,
  rescue: FullSnapshot,
  target: FullSnapshot,
  paths: readonly string[],
  control: Control,
): Promise<Required<Target>> {
  const wanted = new Set(paths);
  const range = { from: rescue.tree, to: target.tree };
  const entries = (await changedEntries(run, range, control)).filter(({ path }) =>
    wanted.has(path),
  );
  const none = `0 ${"0".repeat(rescue.tree.length)}`;
  const lines = [
    ...entries.filter(({ after }) => after === "").map(({ path }) => `${none}\t${path}\0`),
    ...entries
      .filter(({ after }) => after !== "")
      .map((entry) => `${entry.after}\t${entry.path}\0`),
  ];
  const index = join(layout(run.runDir).rawGit(worktree.key), "index-overlay");
  return {
    tree: await withLines(run, index, rescue.tree, lines, control),
    raw: [
      ...rescue.raw.filter((path) => !wanted.has(path)),
      ...target.raw.filter((path) => wanted.has(path)),
    ],
    inside: rescue.inside,
  };
}
