/**
 * Worktrees pooled by slot: created once, reset between subtasks, at the same path for the whole run. Nothing is reset
 * before its snapshot is taken; carried paths and files made by the set-up survive later leases; a repeated call
 * finishes an interrupted lease.
 */
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import { type ActiveRun, reachPoint } from "../base/operation.ts";
import { layout, refs, type Worktree } from "../base/run-folder.ts";
import { copyCarried } from "../carry/carried.ts";
import { placeCarried } from "../carry/place-carried.ts";
import { replaceSlotGit } from "../git/agent-git.ts";
import { rawView } from "../git/git-dir.ts";
import { bytes, git } from "../git/git.ts";
import { treeOf } from "../git/read-objects.ts";
import {
  ignoredPaths,
  indexChecksum,
  requireWorktree,
  saveState,
  slotWorktree,
} from "../git/worktree.ts";
import { loadState, surveyIndex, type TreeState } from "../git/tree-state.ts";
import { freeze } from "../snapshots/scan.ts";
import { loadSnapshot, snapshotAt } from "../snapshots/read-snapshot.ts";
import { cleanAround } from "./fill-tree.ts";
import { writeTreeFiles } from "./write-tree.ts";
import { restoreTree, takeRescueSnapshot } from "./restore.ts";
import { moveAside } from "./move-aside.ts";
import { releasedAs, putAgentGitAway, agentGit, clearSlot } from "./release-slots.ts";

export interface LeasePlan {
  readonly slot: string;
  readonly commit: string;
  readonly id: string;
  readonly at: number;
  /** Paths of the user's checkout that the run has copies of: ignored ones such as `node_modules` or `.env`. */
  readonly carry?: readonly string[];
}

/** A repeated lease keeps the commit of the first one. */
export interface Lease extends NonNullable<TreeState["lease"]> {
  readonly worktree: Worktree;
  /** The mark last passed to `markReady`; if it is not the expected one, the caller runs its set-up. */
  readonly ready: string | null;
}

export async function leaseSlot(run: ActiveRun, plan: LeasePlan): Promise<Lease> {
  const worktree = slotWorktree(run, plan.slot);
  const back = await releasedAs(run, plan.slot);
  if (back !== undefined) await clearSlot(run, worktree);
  const known = existsSync(layout(run.runDir).rawGit(plan.slot));
  await mkdir(worktree.path, { recursive: true });
  await requireWorktree(run, worktree);
  let state = await loadState(run, worktree);
  const own = state.lease?.id === plan.id ? state.lease : null;
  if (own !== null && back === undefined) return { worktree, ready: state.ready, ...own };
  if (known) {
    const rescue = await takeRescueSnapshot(run, worktree, plan);
    await moveAside(run, worktree, plan.id, rescue.skipped);
    state = await loadState(run, worktree);
  }
  await reachPoint(run.control, "lease:rescued");
  await cleanAround(run, worktree, [...state.carry, ...state.keep]);
  await reachPoint(run.control, "lease:cleaned");
  const { id, carry: asked = [] } = plan;
  const commit = own?.commit ?? plan.commit;
  const written = await writeTreeFiles(run, worktree, { tree: commit });
  await reachPoint(run.control, "lease:written");
  const carried = await carry(run, worktree, asked);
  const notCarried = asked.filter((path) => !carried.includes(path));
  const tree = { index: await indexChecksum(run, plan.slot), id: await treeOf(run, written.tree) };
  Object.assign(state, await surveyIndex(run, worktree), { nested: [], tree });
  state.carry = [...new Set([...state.carry, ...carried.map(bytes)])];
  await saveState(run, plan.slot, state);
  await replaceSlotGit(run, worktree, { id, commit });
  await freeze(run, worktree, state);
  if (own === null) {
    await putAgentGitAway(run, worktree, back ?? id);
    delete state.givenBack;
    delete state.stands;
  }
  const lease = { id, commit, carried, notCarried };
  await saveState(run, plan.slot, { ...state, lease });
  return { worktree, ready: state.ready, ...lease };
}

/** Records that the slot's set-up ran, if there is one, and keeps the ignored files it made through later leases. */
export async function markReady(
  run: ActiveRun,
  worktree: Worktree,
  { ready, hasSetUp }: { readonly ready: string; readonly hasSetUp: boolean },
): Promise<void> {
  const state = await loadState(run, worktree);
  if (hasSetUp)
    state.keep = (await ignoredPaths(run, worktree)).map((path) => path.replace(/\/$/, ""));
  state.ready = ready;
  await freeze(run, worktree, state);
  await saveState(run, worktree.key, state);
}

/** Places the run's copies, leaving existing files. Returns those that exist and are not tracked by the repository. */
async function carry(
  run: ActiveRun,
  worktree: Worktree,
  paths: readonly string[],
): Promise<string[]> {
  if (paths.length === 0) return [];
  const carried = await copyCarried(run, paths);
  await placeCarried(run, carried, worktree);
  const there: string[] = [];
  for (const path of carried.kept) {
    const call = { args: ["ls-files", "-z", "--", path], env: rawView(run, worktree, "own") };
    const { stdout } = await git({ ...call, cwd: worktree.path }, run.control);
    if (stdout === "") there.push(path);
  }
  return there;
}

/** Restores files and git dir of a slot that was given back and leased anew; otherwise does nothing. */
export async function restoreReleasedSlot(run: ActiveRun, worktree: Worktree): Promise<void> {
  const { givenBack: id, stands } = await loadState(run, worktree);
  if (id !== undefined) {
    // The current content was just created by the lease and its set-up, so nothing needs to be kept. If another machine
    // gave the slot back, that machine named the snapshot.
    const rescue = await snapshotAt(run, refs.snapshot(`${id}.rescue`));
    const to = rescue ?? (await loadSnapshot(run, stands ?? `${id}.rescue`));
    await restoreTree(run, worktree, { id, to, rescue: { ...to, skipped: [] } });
    const { givenBack: _, ...state } = await loadState(run, worktree);
    await saveState(run, worktree.key, state);
    await reachPoint(run.control, "back:restored");
  }
  const kept = agentGit(run, worktree);
  if (!(await exists(kept))) return;
  await forceRemove(join(worktree.path, ".git"));
  await rename(kept, join(worktree.path, ".git"));
}
