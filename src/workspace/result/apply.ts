/**
 * Puts a run's result into the user's own checkout (files, index and, unless squashed, the branch), and undoes the
 * latest apply on the current branch. An apply is compared with the current state, so it adds exactly what is missing.
 * Both refuse before changing anything if they would have to guess, if what they would change was modified since, or if
 * the disk lacks space. The checkout is snapshotted first; a failure on the way is rolled back.
 */
import { join } from "node:path";
import { readOrNull, writeDurably } from "../base/files.ts";
import { forceRemove } from "../base/remove.ts";
import { type ActiveRun, operation, reachPoint } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import type { Run } from "../base/run-folder.ts";
import { isAncestor, resultTip } from "../git/commits.ts";
import { keepObjects, writeCommit } from "../git/objects.ts";
import { text } from "../git/git.ts";
import { changedAt, countLines, type LineStat } from "../git/read-objects.ts";
import { changedEntries } from "../git/changed-entries.ts";
import { checkoutWorktree } from "../git/worktree.ts";
import { checkoutNow, type CheckoutNow } from "../repository/checkout.ts";
import { refuseOverwrites } from "../repository/refuse-overwrites.ts";
import { resultBranch } from "../repository/user-refs.ts";
import { takeSnapshot } from "../snapshots/snapshot.ts";
import {
  bringCheckoutTo,
  filesAt,
  finishInterrupted,
  indexCopy,
  objectsOf,
} from "./change-checkout.ts";
import { type ApplyRecord, nextId, readRecords, saveRecord } from "./apply-record.ts";
import { requireDiskSpace, spaceForFiles } from "./disk-space.ts";
import { type ApplyOptions, type NeededChange, neededChange } from "./needed-change.ts";
import { deliverParcel, packMissing } from "./publish.ts";

interface ApplyPlan extends ApplyOptions {
  readonly dryRun?: boolean;
  /** Applies the work of this attempt, as a commit on the base, instead of the run's result. */
  readonly attempt?: { readonly name: string; readonly commit: string };
}

export interface Applied {
  /** `there`: nothing was missing; `nothing`: the run has no changes. */
  readonly outcome: "applied" | "there" | "nothing";
  readonly repository: string;
  /** Null if HEAD is detached. */
  readonly branch: string | null;
  /** For `there`: it is in commits, not only in the checkout. */
  readonly committed: boolean;
  /** Files and lines of the checkout that this call changed (or would change). */
  readonly stat: LineStat;
  /** The branch's commit after this call. */
  readonly head: string | null;
  /** The branch's commit before. */
  readonly headBefore: string | null;
  /** Snapshot of the checkout from before; null if nothing was done. */
  readonly rescue: string | null;
  /** Files whose changes later commits reverted; these stay reverted. */
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
    return appliedResult(run, { ...tell, rescue: finished?.rescue ?? null });
  const { rescue } = await carryOut(run, plan, now, needed, nextId(records));
  return appliedResult(run, { ...tell, rescue: finished?.rescue ?? rescue });
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
    const files = await spaceForFiles(run, { from: now.files, to: after.files });
    requireDiskSpace([...parcel.needs, files]);
    const snapshot = { label: record.rescue, at: plan.at, start: true };
    await takeSnapshot(run, checkoutWorktree(run), snapshot);
    await keepStaged(run, record);
    await saveRecord(run, record);
    await reachPoint(run.control, "apply:rescued");
    return await bringCheckoutTo(run, record, now, "after", async () => {
      await deliverParcel(run, parcel);
      await reachPoint(run.control, "apply:packed");
    });
  } finally {
    await forceRemove(parcel.folder);
  }
}

/** Staged content may exist nowhere else: it is kept as commits, like a stash, and the index is copied as a file. */
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
  /** The checkout when this call began, and after any interrupted apply was finished. */
  readonly found: CheckoutNow;
  readonly now: CheckoutNow;
  readonly needed: NeededChange;
  readonly rescue: string | null;
}

/** Describes what this call did, from the trees before and after it. */
async function appliedResult(
  run: ActiveRun,
  { found, now, needed, rescue }: Telling,
): Promise<Applied> {
  const after = needed.kind === "change" ? needed.after : now;
  const range = { from: found.files, to: after.files };
  const { length } = await changedEntries(run, range);
  const isDone = needed.kind === "change" || length > 0 || found.head !== now.head;
  return {
    ...{ repository: run.root, branch: now.branch, head: after.head, headBefore: found.head },
    outcome: isDone ? "applied" : needed.kind,
    committed: isDone ? after.head !== found.head : needed.kind === "there" && needed.committed,
    stat: await countLines(run, range),
    rescue: isDone ? rescue : null,
    takenBack: needed.kind === "change" ? needed.takenBack : [],
  };
}

interface UndoPlan {
  readonly at: number;
  /** Only an apply of this attempt. */
  readonly attempt?: string;
}

interface Undone extends Pick<Applied, "repository" | "branch" | "stat" | "head"> {
  /** Snapshot of the checkout from before the undo. */
  readonly rescue: string;
}

export const undoApply = operation(async (run, plan: UndoPlan): Promise<Undone> => {
  const [mended] = await finishInterrupted(run, "before", plan.at);
  if (mended !== undefined) return undone(run, mended.record, mended.found.files, mended.rescue);
  const now = await checkoutNow(run);
  const record = await latest(run, plan, now);
  await refuseChanged(run, record, now);
  const range = { from: record.after.files, to: record.before.files };
  requireDiskSpace([await spaceForFiles(run, range)]);
  const rescue = `undo-${record.id}.rescue${record.tries > 1 ? `.${record.tries}` : ""}`;
  await takeSnapshot(run, checkoutWorktree(run), { label: rescue, at: plan.at });
  await reachPoint(run.control, "undo:rescued");
  const tries = record.tries + 1;
  const undoing = await saveRecord(run, { ...record, tries, state: "undoing" });
  await bringCheckoutTo(run, undoing, now, "before");
  return undone(run, record, now.files, rescue);
});

export const hasApplied = async (run: Run): Promise<boolean> =>
  (await readRecords(run)).some(({ state }) => state !== "undone" && state !== "left");

async function undone(
  run: ActiveRun,
  record: ApplyRecord,
  from: string,
  rescue: string,
): Promise<Undone> {
  const to = await filesAt(run, record, "before", from);
  const stat = await countLines(run, { from, to });
  return { repository: run.root, branch: record.branch, head: record.before.head, stat, rescue };
}

/** The apply to undo: on this branch, which must still be at the commit it left. */
async function latest(
  run: ActiveRun,
  { attempt }: UndoPlan,
  now: CheckoutNow,
): Promise<ApplyRecord> {
  const live = (await readRecords(run)).filter(
    (each) => each.state === "applied" && (attempt === undefined || each.attempt === attempt),
  );
  const record = live.find(({ branch }) => branch === now.branch);
  if (record === undefined) {
    const [other] = live;
    if (other === undefined)
      return refuse("not-applied", `nothing of it was applied in ${run.root} that is still there`);
    const place = other.branch ?? `--detach ${short(other.after.head)}`;
    return refuse(
      "not-applied",
      `it was applied to ${other.branch ?? "a detached HEAD"}, not to ${now.branch ?? "this detached HEAD"}: git switch ${place}, then undo`,
    );
  }
  if (now.head !== record.after.head) await refuseMoved(run, record, now);
  return record;
}

async function refuseMoved(
  run: ActiveRun,
  { before, after }: ApplyRecord,
  now: CheckoutNow,
): Promise<never> {
  const place = `${now.branch ?? "HEAD"} of ${run.root}`;
  const isOn =
    now.head !== null && after.head !== null && (await isAncestor(run, after.head, now.head));
  if (!isOn)
    refuse(
      "ref-moved",
      `${place} was moved since and does not hold the apply any more: nothing is taken back`,
    );
  if (after.head === before.head)
    refuse(
      "ref-moved",
      `commits were made on ${place} since the apply: take it back with git revert of the commit that has it`,
    );
  const range =
    before.head === null ? short(after.head) : `${short(before.head)}..${short(after.head)}`;
  return refuse(
    "ref-moved",
    `commits were made on ${place} since the apply: git revert --no-edit ${range} takes it back on top of them (-m 1 for a merge commit)`,
  );
}

const short = (commit: string | null): string => (commit ?? "").slice(0, 12);

/** Anything that differs from what the apply left belongs to the user. */
async function refuseChanged(run: ActiveRun, record: ApplyRecord, now: CheckoutNow): Promise<void> {
  const { after, paths, stagedPaths } = record;
  const differing = async (from: string, to: string, of: readonly string[]): Promise<string[]> =>
    (await changedAt(run, { from, to }, of)).map(({ path }) => path);
  const edited = await differing(after.files, now.files, paths);
  const staged = await differing(after.staged, now.staged, stagedPaths);
  const restaged = new Set(await differing(now.files, now.staged, staged));
  const changed = [...new Set([...edited, ...staged.filter((path) => restaged.has(path))])];
  if (changed.length > 0)
    refuse(
      "changed-since",
      `nothing is taken back, because files that the apply wrote were changed since (git stash, then undo): changed since`,
      changed.map(text),
    );
  const target = await filesAt(run, record, "before", now.files);
  refuseOverwrites(run, await changedEntries(run, { from: now.files, to: target }));
}
