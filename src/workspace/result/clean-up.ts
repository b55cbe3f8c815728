/**
 * What would be lost with a run, and removing it: its folder, its pin and its branch. Invariants: nothing here
 * decides to lose work, the caller does; the decision is written down first and that mark goes last, so a clean-up
 * that was cut off is finished and never argued again; a branch that holds anybody else's commit stays.
 */
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { diskBytes, forceRemove } from "../base/files.ts";
import { pass, settled } from "../base/refusal.ts";
import type { Control, Result, Run, Snapshot } from "../base/types.ts";
import { cloneView, layout } from "../git/git-dir.ts";
import { git } from "../git/git.ts";
import { type Branch, removeBranch, removePins, resultBranch } from "../repository/user-refs.ts";
import { listSnapshots } from "../snapshots/snapshot.ts";
import { resultTip } from "./merge.ts";
import { branchTips, holdsChanges, isApplied } from "./unapplied-work.ts";

export interface DiskUse {
  readonly bytes: number;
  readonly slots: number;
  readonly checks: number;
  readonly store: number;
  readonly kept: number;
}

export async function diskUse(runDir: string): Promise<DiskUse> {
  const places = layout(runDir);
  const [bytes, slots, checks, store, kept] = [
    await diskBytes(runDir),
    await diskBytes(places.slots),
    await diskBytes(places.checks),
    await diskBytes(places.store),
    await diskBytes(places.kept),
  ];
  return { bytes, slots, checks, store, kept };
}

/** What is nowhere but in the run; where its repository is gone, that is all of it. */
export interface Loss {
  /** Commits of the result that no branch of the user's has. */
  readonly commits: number;
  /** The branch of the user's repository that holds them, where they were published. */
  readonly branch: string | null;
  /** Attempts whose work is neither in the result nor in a branch. */
  readonly attempts: number;
  /** Other snapshots of such work. */
  readonly snapshots: number;
  /** Agents left files or commits that were moved aside. */
  readonly aside: boolean;
}

const NO_LOSS: Loss = { commits: 0, branch: null, attempts: 0, snapshots: 0, aside: false };

/** `done`: subtasks whose work is part of the result; what else they tried is not missed. */
export const lossOf = (
  run: Run,
  { done }: { readonly done: readonly string[] },
  control: Control = {},
): Promise<Result<Loss>> =>
  settled(async () => {
    if (isBeingRemoved(run.runDir)) return NO_LOSS;
    const tips = await branchTips(run, control);
    const tip = await resultTip(run);
    const isThere = tip === run.base || (await isApplied(run, tip, tips, control));
    const lost = await lostSnapshots(run, { done, tip, tips }, control);
    const attempts = lost.filter(({ label }) => label.endsWith("/after")).length;
    return {
      commits: isThere ? 0 : await countCommits(run, tip, control),
      branch: isThere ? null : ((await resultBranch(run, control))?.name ?? null),
      attempts,
      snapshots: lost.length - attempts,
      aside: tip === run.base && existsSync(layout(run.runDir).kept),
    };
  });

async function countCommits(run: Run, tip: string, control: Control): Promise<number> {
  const args = ["rev-list", "--count", "--no-merges", tip, `^${run.base}`];
  const { stdout } = await git({ args, env: cloneView(run), okCodes: [0, 128] }, control);
  return Math.max(1, Number(stdout));
}

/** Snapshots of the user's own checkout: what apply, undo and a run in place kept of it. */
const OF_CHECKOUT = /^(?:start$|apply[./]|apply$|undo-)/;

async function lostSnapshots(
  run: Run,
  known: {
    readonly done: readonly string[];
    readonly tip: string;
    readonly tips: readonly string[];
  },
  control: Control,
): Promise<readonly Snapshot[]> {
  const args = ["rev-parse", `${run.base}^{tree}`, `${known.tip}^{tree}`];
  const { stdout } = await git({ args, env: cloneView(run), okCodes: [0, 128] }, control);
  const seen = new Set(stdout.split("\n"));
  const lost: Snapshot[] = [];
  const ranked = (await listSnapshots(run)).toSorted(
    (a, b) => Number(b.label.endsWith("/after")) - Number(a.label.endsWith("/after")),
  );
  for (const each of ranked) {
    const { label, tree, changedSubmodules } = each;
    if (label.endsWith("/before") || known.done.some((id) => label.startsWith(`${id}/`))) continue;
    if (OF_CHECKOUT.test(label) && !label.endsWith("/after")) continue;
    const isKnown = seen.has(tree) || (await holdsChanges(run, tree, known.tips, control));
    seen.add(tree);
    if (!isKnown || changedSubmodules.length > 0) lost.push(each);
  }
  return lost;
}

const markOf = (runDir: string): string => join(runDir, "removing");

/** A clean-up of it was decided on and cut off. */
export const isBeingRemoved = (runDir: string): boolean => existsSync(markOf(runDir));

/** Says which branch stays, and why. */
export const cleanUp = (run: Run, control: Control = {}): Promise<Result<Branch | null>> =>
  settled(async () => {
    const places = layout(run.runDir);
    await writeFile(markOf(run.runDir), "", { flush: true });
    await pass(control, "clean:marked");
    await forceRemove(places.slots);
    await forceRemove(places.checks);
    await forceRemove(places.kept);
    await pass(control, "clean:slots");
    const stays = existsSync(places.clone) ? await removeBranch(run, control) : null;
    await pass(control, "clean:branch");
    await removePins(run.commonDir, run.id, control);
    await pass(control, "clean:unpinned");
    await forceRemove(places.clone);
    await pass(control, "clean:clone");
    await removeRunFolder(run.runDir);
    return stays;
  });

/** The mark goes last, so that what is left of a folder is known for what it is. */
export async function removeRunFolder(runDir: string): Promise<void> {
  for (const name of await readdir(runDir).catch(() => []))
    if (name !== "removing") await forceRemove(join(runDir, name));
  await forceRemove(runDir);
}
