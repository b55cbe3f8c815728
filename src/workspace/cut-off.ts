/**
 * Carries a recorded change of the checkout out, takes it back by itself when it fails, and finishes one that a
 * crash cut off. Invariants: after a failure the checkout is as it was, which is looked at and not assumed, or the
 * refusal names the command that mends it; before something cut off is finished, what is there is snapshotted.
 */
import { readRecords, saveRecord, type ApplyRecord } from "./apply-record.ts";
import { changeCheckout, indexMark, isAt } from "./change-checkout.ts";
import { checkoutNow, type CheckoutNow } from "./checkout-now.ts";
import { pass, refusalOf, refuse } from "./refusal.ts";
import { sendMissing } from "./send-objects.ts";
import { takeSnapshot } from "./snapshot.ts";
import type { Control, Run } from "./types.ts";
import { checkoutWorktree } from "./view.ts";

type To = "before" | "after";

/** Brings the checkout to that side of the record; `first` is part of what is taken back if it fails. */
export async function carriedOut(
  run: Run,
  record: ApplyRecord,
  now: CheckoutNow,
  to: To,
  control: Control,
  first: () => Promise<void> = async () => undefined,
): Promise<ApplyRecord> {
  try {
    await first();
    await changeCheckout(run, record, now, { to }, control);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null || refusal.kind === "aborted") throw error;
    await broughtBack(run, record, to === "after" ? "before" : "after", refusal.detail);
    refuse(refusal.kind, `${refusal.detail}; everything is as it was`, refusal.files);
  }
  return saveRecord(run, await settledAs(run, record, to));
}

/** What the user's repository has to have for the side after the apply. */
export const objectsOf = ({ after }: Pick<ApplyRecord, "after">): readonly string[] => [
  ...(after.head === null ? [] : [after.head]),
  after.staged,
];

async function settledAs(run: Run, record: ApplyRecord, at: To): Promise<ApplyRecord> {
  if (at === "before") return { ...record, state: "undone" };
  return { ...record, state: "applied", indexAfter: await indexMark(run) };
}

/** Without the caller's control: what stopped or killed the change must not stop this. */
async function broughtBack(run: Run, record: ApplyRecord, to: To, why: string): Promise<void> {
  try {
    if (!(await isAt(run, record, to, {}))) {
      const now = await checkoutNow(run, {});
      await changeCheckout(run, record, now, { to, clearFirst: true }, {});
      if (!(await isAt(run, record, to, {}))) throw new Error("not as it was");
    }
    await saveRecord(run, await settledAs(run, record, to));
  } catch {
    refuse(
      "half-changed",
      `${why}; files of ${run.root} are half changed. See to that, then bring them back with: unstuck undo ${run.id}`,
    );
  }
}

export interface Finished {
  readonly record: ApplyRecord;
  /** The checkout as it was found, and the label of its snapshot. */
  readonly found: CheckoutNow;
  readonly rescue: string;
}

/** Finishes what a crash cut off: an apply in this direction, an undo always back. */
export async function finishCutOff(
  run: Run,
  to: To,
  at: number,
  control: Control,
): Promise<readonly Finished[]> {
  const records = await readRecords(run);
  const finished: Finished[] = [];
  for (const open of records.filter(({ state }) => state === "applying" || state === "undoing")) {
    const now = await checkoutNow(run, control);
    const stays = now.head === open.before.head || now.head === open.after.head;
    if (!stays || now.branch !== open.branch) {
      await saveRecord(run, { ...open, state: "left" });
      continue;
    }
    const tries = open.tries + 1;
    const label = `${open.rescue}.${tries}`;
    const worktree = checkoutWorktree(run);
    await takeSnapshot(run, worktree, { label, at, start: true }, control);
    const towards = open.state === "undoing" ? "before" : to;
    const state = towards === "before" ? "undoing" : "applying";
    const record = await saveRecord(run, { ...open, tries, state });
    const known = now.head === null ? [] : [now.head];
    await carriedOut(run, record, now, towards, control, async () => {
      if (towards !== "after") return;
      await sendMissing(run, objectsOf(record), known, control);
      await pass(control, "apply:packed");
    });
    finished.push({ record, found: now, rescue: label });
  }
  return finished;
}
