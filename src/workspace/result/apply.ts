/**
 * Puts a run's result into the user's own checkout: files, index and, unless squashed, the branch. Compared with what
 * is there now, so that it brings what is missing and nothing else; refused before anything changes where it would
 * have to guess or the disk has no room; snapshotted first; a failure on the way is taken back.
 */
import { join } from "node:path";
import { readOrNull, writeDurably } from "../base/files.ts";
import { type ActiveRun, operation, pass } from "../base/operation.ts";
import { changedEntries, countLines, type LineStat } from "../git/diff.ts";
import { resultTip } from "../git/merge.ts";
import { keepObjects, writeCommit } from "../git/object-store.ts";
import { checkoutWorktree } from "../git/worktree.ts";
import { checkoutNow, type CheckoutNow } from "../repository/checkout.ts";
import { resultBranch } from "../repository/user-refs.ts";
import { takeSnapshot } from "../snapshots/snapshot.ts";
import { type ApplyRecord, indexCopy, nextId, readRecords, saveRecord } from "./apply-record.ts";
import { bringCheckoutTo, finishInterrupted, objectsOf } from "./change-checkout.ts";
import { requireDiskSpace, spaceForFiles } from "./disk-space.ts";
import { type ApplyOptions, type NeededChange, neededChange } from "./needed-change.ts";
import { deliverParcel, discardParcel, packMissing } from "./publish.ts";

export interface ApplyPlan extends ApplyOptions {
  readonly dryRun?: boolean;
  /** Instead of the run's result: what this attempt came to, as a commit on the base. */
  readonly attempt?: { readonly name: string; readonly commit: string };
}

export interface Applied {
  /** `there`: nothing was missing; `nothing`: the run has no changes. */
  readonly outcome: "applied" | "there" | "nothing";
  readonly repository: string;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** Of `there`: in commits, not only in the checkout. */
  readonly committed: boolean;
  /** Files and lines of the checkout that this call changed (or would). */
  readonly stat: LineStat;
  /** Where the branch stands (or would stand) afterwards. */
  readonly head: string | null;
  /** Snapshot of the checkout from before; null when nothing was done. */
  readonly rescue: string | null;
  /** Files whose changes later commits took back and which stayed so. */
  readonly takenBack: readonly string[];
}

export const apply = operation(async (run, plan: ApplyPlan): Promise<Applied> => {
  const [finished] = plan.dryRun === true ? [] : await finishInterrupted(run, "after", plan.at);
  const now = await checkoutNow(run);
  const records = await readRecords(run);
  const earlier = records.find(({ state, branch }) => state === "applied" && branch === now.branch);
  const result = plan.attempt?.commit ?? (await resultTip(run));
  const needed = await neededChange(run, { ...plan, result }, now, earlier);
  const tell = { now, needed, found: finished?.found ?? now };
  if (needed.kind !== "change" || plan.dryRun === true)
    return said(run, { ...tell, rescue: finished?.rescue ?? null });
  const { rescue } = await carryOut(run, plan, now, needed, nextId(records));
  return said(run, { ...tell, rescue: finished?.rescue ?? rescue });
});

async function carryOut(
  run: ActiveRun,
  plan: ApplyPlan,
  now: CheckoutNow,
  needed: Extract<NeededChange, { readonly kind: "change" }>,
  id: string,
): Promise<ApplyRecord> {
  const { after, paths, stagedPaths } = needed;
  const record: ApplyRecord = {
    ...{ id, at: plan.at, branch: now.branch, squash: plan.squash === true },
    ...(plan.attempt === undefined ? {} : { attempt: plan.attempt.name }),
    before: { head: now.head, staged: now.staged, files: now.files },
    ...{ after, paths, stagedPaths, rescue: `${id}.rescue`, tries: 1, state: "applying" },
  };
  const published = (await resultBranch(run))?.commit ?? null;
  const known = [now.head, published].filter((tip) => tip !== null);
  const parcel = await packMissing(run, objectsOf(record), known);
  try {
    requireDiskSpace([...parcel.needs, await spaceForFiles(run, record, "after")]);
    const snapshot = { label: record.rescue, at: plan.at, start: true };
    await takeSnapshot(run, checkoutWorktree(run), snapshot);
    await keepStaged(run, record);
    await saveRecord(run, record);
    await pass(run.control, "apply:rescued");
    return await bringCheckoutTo(run, record, now, "after", async () => {
      await deliverParcel(run, parcel);
      await pass(run.control, "apply:packed");
    });
  } finally {
    await discardParcel(parcel);
  }
}

/** What is staged may be nowhere else: kept as commits, like a stash, and the index as the file it is. */
async function keepStaged(run: ActiveRun, record: ApplyRecord): Promise<void> {
  const { id, at, before } = record;
  const index = await readOrNull(join(run.gitDir, "index"));
  if (index !== null) await writeDurably(indexCopy(run, id), index);
  const message = `${id}: the checkout before`;
  const staged = await writeCommit(run, { tree: before.staged, parents: [], message, at });
  const plan = { tree: before.files, parents: [staged], message, at };
  const known = before.head === null ? [] : [before.head];
  await keepObjects(run, await writeCommit(run, plan), known);
}

interface Telling {
  /** The checkout when this call began, and once what had been cut off was finished. */
  readonly found: CheckoutNow;
  readonly now: CheckoutNow;
  readonly needed: NeededChange;
  readonly rescue: string | null;
}

/** What this call did, from the trees before and after it. */
async function said(run: ActiveRun, telling: Telling): Promise<Applied> {
  const { found, now, needed, rescue } = telling;
  const after = needed.kind === "change" ? needed.after : now;
  const range = { from: found.files, to: after.files };
  const { length } = await changedEntries(run, range);
  const isDone = needed.kind === "change" || length > 0 || found.head !== now.head;
  return {
    ...{ repository: run.root, branch: now.branch, head: after.head },
    outcome: isDone ? "applied" : needed.kind,
    committed: isDone ? after.head !== found.head : needed.kind === "there" && needed.committed,
    stat: await countLines(run, range),
    rescue: isDone ? rescue : null,
    takenBack: needed.kind === "change" ? needed.takenBack : [],
  };
}
