/**
 * Takes the latest `apply` on the present branch back: the files it changed, the branch and the index. Refused, with
 * what to do instead, where anything it would change is not as the apply left it, or the branch went on; the present
 * state is snapshotted first; other files, staged or not, stay as they are. Any other snapshot comes back with
 * `restore`.
 */
import { type ActiveRun, operation, pass } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import type { Run } from "../base/run-folder.ts";
import { changedEntries, countLines, type LineStat } from "../git/diff.ts";
import { text } from "../git/git.ts";
import { isAncestor } from "../git/merge.ts";
import { checkoutWorktree } from "../git/worktree.ts";
import { checkoutNow, type CheckoutNow, refuseInTheWay } from "../repository/checkout.ts";
import { takeSnapshot } from "../snapshots/snapshot.ts";
import { type ApplyRecord, readRecords, saveRecord } from "./apply-record.ts";
import { bringCheckoutTo, filesAt, finishInterrupted } from "./change-checkout.ts";
import { requireDiskSpace, spaceForFiles } from "./disk-space.ts";

export interface UndoPlan {
  readonly at: number;
  /** Only an apply of this attempt. */
  readonly attempt?: string;
}

export interface Undone {
  readonly repository: string;
  readonly branch: string | null;
  readonly stat: LineStat;
  readonly head: string | null;
  /** Snapshot of the checkout from before the undo. */
  readonly rescue: string;
}

export const undoApply = operation(async (run, plan: UndoPlan): Promise<Undone> => {
  const [mended] = await finishInterrupted(run, "before", plan.at);
  if (mended !== undefined) {
    const { found, record, rescue } = mended;
    return said(run, record, found.files, rescue);
  }
  const now = await checkoutNow(run);
  const record = await latest(run, plan, now);
  await refuseChanged(run, record, now);
  requireDiskSpace([await spaceForFiles(run, record, "before")]);
  const rescue = `undo-${record.id}.rescue${record.tries > 1 ? `.${record.tries}` : ""}`;
  await takeSnapshot(run, checkoutWorktree(run), { label: rescue, at: plan.at });
  await pass(run.control, "undo:rescued");
  const tries = record.tries + 1;
  const undoing = await saveRecord(run, { ...record, tries, state: "undoing" });
  await bringCheckoutTo(run, undoing, now, "before");
  return said(run, record, now.files, rescue);
});

export const hasApplied = async (run: Run): Promise<boolean> =>
  (await readRecords(run)).some(({ state }) => state !== "undone" && state !== "left");

async function said(
  run: ActiveRun,
  record: ApplyRecord,
  from: string,
  rescue: string,
): Promise<Undone> {
  const to = await filesAt(run, record, "before", from);
  const stat = await countLines(run, { from, to });
  return { repository: run.root, branch: record.branch, head: record.before.head, stat, rescue };
}

/** The apply to take back: of this branch, which has to stand where it left it. */
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

/** Whatever is not as the apply left it is the user's. */
async function refuseChanged(run: ActiveRun, record: ApplyRecord, now: CheckoutNow): Promise<void> {
  const { after, paths, stagedPaths } = record;
  const differing = async (from: string, to: string, of: readonly string[]): Promise<string[]> => {
    const known = new Set(of);
    const entries = await changedEntries(run, { from, to });
    return entries.map(({ path }) => path).filter((path) => known.has(path));
  };
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
  refuseInTheWay(run, await changedEntries(run, { from: now.files, to: target }));
}
