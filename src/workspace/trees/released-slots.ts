/**
 * Slots whose tree was given back: the folder goes and a snapshot of all that stood in it stays, so that it can be
 * made anew at the same path. Nothing goes before its snapshot is taken; what the slot was leased for and at stays
 * known; the git dir an agent had waits for it, and is kept where nobody comes back; a making anew that was cut off
 * begins again from nothing.
 */
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { below, exists, forceRemove } from "../base/files.ts";
import { type ActiveRun, operation, pass } from "../base/operation.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";
import { putGitAway } from "../git/agent-git.ts";
import { text } from "../git/git.ts";
import { readNotes } from "../git/index-notes.ts";
import {
  ensureRawGit,
  frozenRules,
  loadState,
  readState,
  requireRealFolder,
  saveState,
  slotWorktree,
} from "../git/worktree.ts";
import { loadSnapshot } from "../snapshots/snapshot.ts";
import { bringTo, moveAside, takeRescue } from "./restore.ts";

/** Slots whose tree is on the disk. */
export const standingSlots = (run: Run): Promise<readonly string[]> =>
  readdir(layout(run.runDir).slots).catch(() => []);

/** What the slot was given back as, while it is. */
export const givenBackAs = async (run: Run, slot: string): Promise<string | undefined> =>
  (await readState(run, slot))?.givenBack;

interface ReleasePlan {
  readonly slot: string;
  readonly at: number;
}

async function release(run: ActiveRun, { slot, at }: ReleasePlan): Promise<void> {
  const worktree = slotWorktree(run, slot);
  if ((await givenBackAs(run, slot)) === undefined) await keepAll(run, worktree, at);
  await clearSlot(run, worktree);
}

export const releaseSlot = operation(release);

async function keepAll(run: ActiveRun, worktree: Worktree, at: number): Promise<void> {
  if (!(await exists(worktree.path))) return;
  await requireRealFolder(run, worktree);
  await ensureRawGit(run, worktree.key);
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

/** Brings files and git dir back into a slot that was leased anew; nothing where it was not given back. */
export const bringSlotBack = operation(async (run, worktree: Worktree): Promise<void> => {
  const { givenBack } = await loadState(run, worktree);
  if (givenBack !== undefined) await bringFilesBack(run, worktree, givenBack);
  const kept = agentGit(run, worktree);
  if (!(await exists(kept))) return;
  await forceRemove(join(worktree.path, ".git"));
  await rename(kept, join(worktree.path, ".git"));
});

/** What stands there was made just now, by the lease and its set-up: there is nothing to keep of it. */
async function bringFilesBack(run: ActiveRun, worktree: Worktree, id: string): Promise<void> {
  const to = await loadSnapshot(run, `${id}.rescue`);
  await bringTo(run, worktree, { id, to, rescue: { ...to, skipped: [] } });
  const { givenBack: _, ...state } = await loadState(run, worktree);
  await saveState(run, worktree.key, state);
  await pass(run.control, "back:restored");
}

/** Once nobody comes back for it. */
export const putAgentGitAway = (run: Run, worktree: Worktree, id: string): Promise<void> =>
  putGitAway(run, worktree, id, Buffer.from(agentGit(run, worktree)), "");

const agentGit = (run: Run, { key }: Worktree): string =>
  join(layout(run.runDir).private(key), "agent-git");

/** The run has ended: every slot, check tree and carried copy goes. Snapshots stay, and what agents left in their git dirs. */
export const releaseAllSlots = operation(async (run, at: number): Promise<void> => {
  const places = layout(run.runDir);
  const known = await readdir(places.private("")).catch(() => []);
  const isSlot = (key: string): boolean => !key.startsWith("_") && !key.startsWith("check-");
  for (const slot of new Set([...known.filter(isSlot), ...(await standingSlots(run))])) {
    await release(run, { slot, at });
    const worktree = slotWorktree(run, slot);
    await putAgentGitAway(run, worktree, (await givenBackAs(run, slot)) ?? slot);
  }
  await forceRemove(places.checks);
  for (const key of known.filter((name) => name.startsWith("check-")))
    await forceRemove(places.private(key));
  await forceRemove(places.carried);
});
