/**
 * Puts a run's result into the user's own checkout: files, index and, unless squashed, the branch. Invariants:
 * compared with what is there now, so that it brings what is missing and nothing else; refused before anything
 * changes where it would have to guess or the disk has no room; snapshotted first; a failure on the way is taken
 * back.
 */
import { join } from "node:path";
import { pass, settled, valueOf } from "../base/refusal.ts";
import type { Control, LineStat, Result, Run } from "../base/types.ts";
import { changedEntries, lineStat } from "../git/diff.ts";
import { keepObjects, readOrNull, writeCommit, writeDurably } from "../git/object-store.ts";
import { checkoutNow, type CheckoutNow } from "../repository/checkout.ts";
import { resultBranch } from "../repository/user-refs.ts";
import { takeSnapshot } from "../snapshots/snapshot.ts";
import { checkoutWorktree } from "../trees/worktree.ts";
import { type Aim, aimOf, type AimPlan } from "./apply-plan.ts";
import { type ApplyRecord, indexCopy, nextId, readRecords, saveRecord } from "./apply-record.ts";
import { carriedOut, finishCutOff, objectsOf } from "./change-checkout.ts";
import { filesNeed, requireRoom } from "./disk-space.ts";
import { resultTip } from "./merge.ts";
import { deliverParcel, discardParcel, packMissing } from "./publish.ts";

export interface ApplyPlan extends AimPlan {
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

export const apply = (run: Run, plan: ApplyPlan, control: Control = {}): Promise<Result<Applied>> =>
  settled(async () => {
    const [finished] =
      plan.dryRun === true ? [] : await finishCutOff(run, "after", plan.at, control);
    const now = await checkoutNow(run, control);
    const records = await readRecords(run);
    const earlier = records.find(
      ({ state, branch }) => state === "applied" && branch === now.branch,
    );
    const result = plan.attempt?.commit ?? (await resultTip(run));
    const aim = await aimOf(run, { ...plan, result }, now, earlier, control);
    const tell = { now, aim, found: finished?.found ?? now };
    if (aim.kind !== "change" || plan.dryRun === true)
      return said(run, { ...tell, rescue: finished?.rescue ?? null }, control);
    const { rescue } = await begin(run, plan, now, aim, nextId(records), control);
    return said(run, { ...tell, rescue: finished?.rescue ?? rescue }, control);
  });

type Change = Extract<Aim, { readonly kind: "change" }>;

async function begin(
  run: Run,
  plan: ApplyPlan,
  now: CheckoutNow,
  aim: Change,
  id: string,
  control: Control,
): Promise<ApplyRecord> {
  const { after, paths, stagedPaths } = aim;
  const record: ApplyRecord = {
    ...{ id, at: plan.at, branch: now.branch, squash: plan.squash === true },
    ...(plan.attempt === undefined ? {} : { attempt: plan.attempt.name }),
    before: { head: now.head, staged: now.staged, files: now.files },
    ...{ after, paths, stagedPaths, rescue: `${id}.rescue`, tries: 1, state: "applying" },
  };
  const published = (await resultBranch(run, control))?.commit ?? null;
  const known = [now.head, published].filter((tip) => tip !== null);
  const parcel = await packMissing(run, objectsOf(record), known, control);
  try {
    requireRoom([...parcel.needs, await filesNeed(run, record, "after", control)]);
    await takeSnapshot(
      run,
      checkoutWorktree(run),
      { label: record.rescue, at: plan.at, start: true },
      control,
    );
    await keepStaged(run, record, control);
    await saveRecord(run, record);
    await pass(control, "apply:rescued");
    return await carriedOut(run, record, now, "after", control, async () => {
      await deliverParcel(run, parcel);
      await pass(control, "apply:packed");
    });
  } finally {
    await discardParcel(parcel);
  }
}

/** What is staged may be nowhere else: kept as commits, like a stash, and the index as the file it is. */
async function keepStaged(run: Run, record: ApplyRecord, control: Control): Promise<void> {
  const { id, at, before } = record;
  const index = await readOrNull(join(run.gitDir, "index"));
  if (index !== null) await writeDurably(indexCopy(run, id), index);
  const message = `${id}: the checkout before`;
  const staged = await writeCommit(run, { tree: before.staged, parents: [], message, at });
  const plan = { tree: before.files, parents: [staged], message, at };
  const known = before.head === null ? [] : [before.head];
  await keepObjects(run, await writeCommit(run, plan), known, control);
}

interface Telling {
  /** The checkout when this call began, and once what had been cut off was finished. */
  readonly found: CheckoutNow;
  readonly now: CheckoutNow;
  readonly aim: Aim;
  readonly rescue: string | null;
}

/** What this call did, from the trees before and after it. */
async function said(run: Run, telling: Telling, control: Control): Promise<Applied> {
  const { found, now, aim, rescue } = telling;
  const after = aim.kind === "change" ? aim.after : now;
  const range = { from: found.files, to: after.files };
  const { length } = await changedEntries(run, range, control);
  const isDone = aim.kind === "change" || length > 0 || found.head !== now.head;
  return {
    ...{ repository: run.root, branch: now.branch, head: after.head },
    outcome: isDone ? "applied" : aim.kind,
    committed: isDone ? after.head !== found.head : aim.kind === "there" && aim.committed,
    stat: valueOf(await lineStat(run, range, control)),
    rescue: isDone ? rescue : null,
    takenBack: aim.kind === "change" ? aim.takenBack : [],
  };
}
