/**
 * Slots as replicas describe them to each other. A slot that another machine worked in is taken over like one that was
 * given back: its content here is snapshotted first, and the next use recreates its tree, leased at the same commit and
 * restored from the other machine's snapshot. Only what a snapshot contains is exported.
 */
import { readdir } from "node:fs/promises";
import { writeDurably } from "../base/files.ts";
import type { ActiveRun } from "../base/operation.ts";
import { layout, refs, type Run } from "../base/run-folder.ts";
import { readRef } from "../git/commits.ts";
import { readState, statePath, type TreeState } from "../git/tree-state.ts";
import { slotWorktree } from "../git/worktree.ts";
import { isCheckTree } from "../trees/check-tree.ts";
import { putAgentGitAway, releaseSlot } from "../trees/release-slots.ts";
import type { SlotFacts } from "./change.ts";

export async function allSlotFacts(run: Run): Promise<Readonly<Record<string, SlotFacts>>> {
  const keys = await readdir(layout(run.runDir).private("")).catch(() => []);
  const found: Record<string, SlotFacts> = {};
  for (const key of keys.sort()) {
    const facts = key.startsWith("_") || isCheckTree(key) ? undefined : await factsOf(run, key);
    if (facts !== undefined) found[key] = facts;
  }
  return found;
}

/** Undefined until it was leased and a command has finished with it. */
async function factsOf(run: Run, slot: string): Promise<SlotFacts | undefined> {
  const { lease, stands } = (await readState(run, slot)) ?? { lease: null };
  if (lease === null || stands === undefined) return undefined;
  if ((await readRef(run, refs.snapshot(stands))) === null) return undefined;
  return { lease: lease.id, commit: lease.commit, stands };
}

export const sameSlot = (one: SlotFacts | undefined, other: SlotFacts | undefined): boolean =>
  one?.lease === other?.lease && one?.commit === other?.commit && one?.stands === other?.stands;

/** False if the slot is already in that state. */
export async function takeSlotOver(
  run: ActiveRun,
  slot: string,
  facts: SlotFacts,
  at: number,
): Promise<boolean> {
  if (sameSlot(await factsOf(run, slot), facts)) return false;
  const worktree = slotWorktree(run, slot);
  await releaseSlot(run, { slot, at });
  await putAgentGitAway(run, worktree, `${facts.lease}/elsewhere-${at}`);
  const { lease: id, commit, stands } = facts;
  const state: TreeState = {
    ...{
      lease: { id, commit, carried: [], notCarried: [] },
      givenBack: `elsewhere/${slot}`,
      stands,
    },
    ...{ ready: null, carry: [], keep: [], gitlinks: [], nested: [], ignoreFiles: [] },
    ...{ attributes: false, frozenAt: "0", tree: null },
  };
  await writeDurably(statePath(run, slot), JSON.stringify(state));
  return true;
}
