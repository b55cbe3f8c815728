/**
 * Worktrees pooled by slot: made once, reset between subtasks, at the same path as long as the run lives; and released,
 * where the folder goes and can be made anew. Nothing is reset or goes before its snapshot is taken; carried paths and
 * what the setup made stay through later leases; a lease or a release that was cut off is finished by the same call. What
 * a released slot was leased for and at stays known; the git dir an agent had waits for it, and is kept where nobody
 * comes back.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { below, exists, forceRemove } from "../base/files.ts";
import { type ActiveRun, pass } from "../base/operation.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";
import { copyCarried, placeCarried } from "../carry/carried.ts";
import { putGitAway, replaceSlotGit } from "../git/agent-git.ts";
import { rawView } from "../git/git-dir.ts";
import { bytes, git, text } from "../git/git.ts";
import {
  frozenRules,
  ignoredPaths,
  loadState,
  readNotes,
  readState,
  requireWorktree,
  saveState,
  slotWorktree,
  surveyIndex,
  type TreeState,
} from "../git/worktree.ts";
import { freeze } from "../snapshots/scan.ts";
import { loadSnapshot } from "../snapshots/snapshot.ts";
import { isCheckTree } from "./check-tree.ts";
import { cleanAround, writeTarget } from "./fill-tree.ts";
import { bringTo, moveAside, takeRescue } from "./restore.ts";

export interface LeasePlan {
  readonly slot: string;
  readonly commit: string;
  readonly id: string;
  readonly at: number;
  /** Paths of the user's checkout, as the run keeps them: ignored ones such as `node_modules` or `.env`. */
  readonly carry?: readonly string[];
}

/** A repeated lease keeps the commit of the first one. */
export interface Lease extends NonNullable<TreeState["lease"]> {
  readonly worktree: Worktree;
  /** What `markReady` was last told; the caller runs its setup when it is not what it expects. */
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
    const rescue = await takeRescue(run, worktree, plan);
    await moveAside(run, worktree, plan.id, rescue.skipped);
    state = await loadState(run, worktree);
  }
  await pass(run.control, "lease:rescued");
  await cleanAround(run, worktree, [...state.carry, ...state.keep]);
  await pass(run.control, "lease:cleaned");
  const { id, carry: asked = [] } = plan;
  const commit = own?.commit ?? plan.commit;
  await writeTarget(run, worktree, { tree: commit });
  await pass(run.control, "lease:written");
  const carried = await carry(run, worktree, asked);
  const notCarried = asked.filter((path) => !carried.includes(path));
  Object.assign(state, await surveyIndex(run, worktree), { nested: [], tree: null });
  state.carry = [...new Set([...state.carry, ...carried.map(bytes)])];
  await saveState(run, plan.slot, state);
  await replaceSlotGit(run, worktree, { id, commit });
  await freeze(run, worktree, state);
  if (own === null) {
    await putAgentGitAway(run, worktree, back ?? id);
    delete state.givenBack;
  }
  const lease = { id, commit, carried, notCarried };
  await saveState(run, plan.slot, { ...state, lease });
  return { worktree, ready: state.ready, ...lease };
}

/** Remembers that the slot's setup ran, and keeps the ignored files it made through later leases. */
export async function markReady(run: ActiveRun, worktree: Worktree, ready: string): Promise<void> {
  const state = await loadState(run, worktree);
  state.keep = (await ignoredPaths(run, worktree)).map((path) => path.replace(/\/$/, ""));
  state.ready = ready;
  await freeze(run, worktree, state);
  await saveState(run, worktree.key, state);
}

/** Places the run's copies; what is there already stays. Gives those that are there and not the repository's own. */
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

/** Slots whose tree is on the disk. */
export const standingSlots = (run: Run): Promise<readonly string[]> =>
  readdir(layout(run.runDir).slots).catch(() => []);

/** What the slot was given back as, while it is. */
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
  const { skipped } = await takeRescue(run, worktree, { id, at });
  await moveAside(run, worktree, id, skipped);
  const { gits } = await readNotes(run, worktree.key);
  for (const path of [...gits].sort().reverse())
    await putGitAway(run, worktree, id, below(worktree.path, `${path}/.git`), text(path));
  const own = join(worktree.path, ".git");
  if (await exists(own)) {
    await putAgentGitAway(run, worktree, id);
    await rename(own, agentGit(run, worktree));
  }
  await pass(run.control, "back:kept");
  const state = await loadState(run, worktree);
  const gone = { ready: null, carry: [], keep: [], nested: [], tree: null, frozenAt: "0" };
  await saveState(run, worktree.key, { ...state, ...gone, givenBack: id });
  await pass(run.control, "back:marked");
}

/** The folder and our view of it go; what is known of the slot stays. */
async function clearSlot(run: Run, worktree: Worktree): Promise<void> {
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

/** Brings files and git dir back into a slot that was leased anew; nothing where it was not given back. */
export async function bringSlotBack(run: ActiveRun, worktree: Worktree): Promise<void> {
  const { givenBack: id } = await loadState(run, worktree);
  if (id !== undefined) {
    // What stands there was made just now, by the lease and its set-up: there is nothing to keep of it.
    const to = await loadSnapshot(run, `${id}.rescue`);
    await bringTo(run, worktree, { id, to, rescue: { ...to, skipped: [] } });
    const { givenBack: _, ...state } = await loadState(run, worktree);
    await saveState(run, worktree.key, state);
    await pass(run.control, "back:restored");
  }
  const kept = agentGit(run, worktree);
  if (!(await exists(kept))) return;
  await forceRemove(join(worktree.path, ".git"));
  await rename(kept, join(worktree.path, ".git"));
}

/** Once nobody comes back for it. */
const putAgentGitAway = (run: Run, worktree: Worktree, id: string): Promise<void> =>
  putGitAway(run, worktree, id, Buffer.from(agentGit(run, worktree)), "");

const agentGit = (run: Run, { key }: Worktree): string =>
  join(layout(run.runDir).private(key), "agent-git");

/** The run has ended: every slot, check tree and carried copy goes. Snapshots stay, and what agents left in their git dirs. */
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
