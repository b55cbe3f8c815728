/**
 * Trees that are given back: a slot's folder goes and a snapshot of all that stood in it stays, so that it can be
 * made anew at the same path. Invariants: nothing goes before its snapshot is taken; what the slot was leased for
 * and at stays known; the git dir an agent had waits for it, and is kept where nobody comes back; a making anew
 * that was cut off begins again from nothing.
 */
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { exists, forceRemove } from "./files.ts";
import { loadForms } from "./forms.ts";
import { text } from "./git.ts";
import { layout } from "./git-dir.ts";
import { putGitAway } from "./old-git.ts";
import { pass, settled, valueOf } from "./refusal.ts";
import { bringTo, moveAside, takeRescue } from "./restore.ts";
import { loadSnapshot } from "./snapshot.ts";
import type { Control, Result, Run, Worktree } from "./types.ts";
import {
  below,
  ensureRawGit,
  frozenRules,
  loadState,
  readState,
  requireRealFolder,
  saveState,
  slotWorktree,
} from "./view.ts";

/** Slots whose tree is on the disk. */
export async function standingSlots(run: Run): Promise<readonly string[]> {
  return readdir(layout(run.runDir).slots).catch(() => []);
}

/** What the slot was given back as, while it is. */
export const givenBackAs = async (run: Run, slot: string): Promise<string | undefined> =>
  (await readState(run, slot))?.givenBack;

export const giveBack = (
  run: Run,
  { slot, at }: { readonly slot: string; readonly at: number },
  control: Control = {},
): Promise<Result<void>> =>
  settled(async () => {
    const worktree = slotWorktree(run, slot);
    if ((await givenBackAs(run, slot)) === undefined) await keepAll(run, worktree, at, control);
    await clearSlot(run, worktree);
  });

async function keepAll(run: Run, worktree: Worktree, at: number, control: Control): Promise<void> {
  if (!(await exists(worktree.path))) return;
  await requireRealFolder(run, worktree);
  await ensureRawGit(run, worktree.key);
  const { lease } = await loadState(run, worktree, control);
  const id = `${lease?.id ?? worktree.key}/given-back-${at}`;
  const { skipped } = await takeRescue(run, worktree, { id, at }, control);
  await moveAside(run, worktree, id, skipped);
  const { gits } = await loadForms(run, worktree.key);
  for (const path of [...gits].sort().reverse())
    await putGitAway(run, worktree, id, below(worktree.path, `${path}/.git`), text(path));
  const own = join(worktree.path, ".git");
  if (await exists(own)) {
    await putAgentGitAway(run, worktree, id);
    await rename(own, agentGit(run, worktree));
  }
  await pass(control, "back:kept");
  const state = await loadState(run, worktree, control);
  const gone = { ready: null, carry: [], keep: [], nested: [], tree: null, frozenAt: "0" };
  await saveState(run, worktree.key, { ...state, ...gone, givenBack: id });
  await pass(control, "back:marked");
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
export const bringBack = (
  run: Run,
  worktree: Worktree,
  control: Control = {},
): Promise<Result<void>> =>
  settled(async () => {
    const { givenBack } = await loadState(run, worktree, control);
    if (givenBack !== undefined) await bringFilesBack(run, worktree, givenBack, control);
    const kept = agentGit(run, worktree);
    if (!(await exists(kept))) return;
    await forceRemove(join(worktree.path, ".git"));
    await rename(kept, join(worktree.path, ".git"));
  });

/** What stands there was made just now, by the lease and its set-up: there is nothing to keep of it. */
async function bringFilesBack(
  run: Run,
  worktree: Worktree,
  id: string,
  control: Control,
): Promise<void> {
  const target = await loadSnapshot(run, `${id}.rescue`);
  const { tree, raw, inside } = target;
  const rescue = { ...target, skipped: [] };
  await bringTo(run, worktree, { id, tree, raw, inside, rescue, target }, control);
  const { givenBack: _, ...state } = await loadState(run, worktree, control);
  await saveState(run, worktree.key, state);
  await pass(control, "back:restored");
}

/** Once nobody comes back for it. */
export const putAgentGitAway = (run: Run, worktree: Worktree, id: string): Promise<void> =>
  putGitAway(run, worktree, id, Buffer.from(agentGit(run, worktree)), "");

const agentGit = (run: Run, { key }: Worktree): string =>
  join(layout(run.runDir).private(key), "agent-git");

/** The run has ended: every slot, check tree and carried copy goes. Snapshots stay, and what agents left in their git dirs. */
export const giveAllBack = (run: Run, at: number, control: Control = {}): Promise<Result<void>> =>
  settled(async () => {
    const places = layout(run.runDir);
    const known = await readdir(places.private("")).catch(() => []);
    const isSlot = (key: string): boolean => !key.startsWith("_") && !key.startsWith("check-");
    for (const slot of new Set([...known.filter(isSlot), ...(await standingSlots(run))])) {
      valueOf(await giveBack(run, { slot, at }, control));
      const worktree = slotWorktree(run, slot);
      await putAgentGitAway(run, worktree, (await givenBackAs(run, slot)) ?? slot);
    }
    await forceRemove(places.checks);
    for (const key of known.filter((name) => name.startsWith("check-")))
      await forceRemove(places.private(key));
    await forceRemove(places.carried);
  });
