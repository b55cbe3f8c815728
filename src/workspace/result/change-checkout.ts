/**
 * Brings the user's checkout from one side of a recorded apply to the other (files, index, branch), rolls back if that
 * fails, and finishes what a crash interrupted. Only the paths in the record change, whatever the user does meanwhile;
 * git writes the files as in `git switch`, with the user's own filters. After a failure the checkout is verified to be
 * as before, or the refusal names the command that repairs it; before an interrupted change is finished, the current
 * state is snapshotted. Paths are latin1 bytes.
 */
import { createHash } from "node:crypto";
import { link, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readOrNull } from "../base/files.ts";
import { type ActiveRun, reachPoint } from "../base/operation.ts";
import { refusalOf, refuse } from "../base/refusal.ts";
import { layout, type Run } from "../base/run-folder.ts";
import { putEntries, treeWith } from "../git/edit-index.ts";
import { filterLimit } from "../git/filters.ts";
import { checkoutView, WHOLE_INDEX } from "../git/git-dir.ts";
import { git } from "../git/git.ts";
import { changedAt } from "../git/read-objects.ts";
import { checkoutWorktree } from "../git/worktree.ts";
import { type CheckoutNow, checkoutNow, indexOfCheckout } from "../repository/checkout.ts";
import { takeSnapshot } from "../snapshots/snapshot.ts";
import { rethrowExplained } from "./disk-space.ts";
import { sendMissing } from "./publish.ts";
import { saveRecord, folder, readRecords, type ApplyRecord } from "./apply-record.ts";

/** The copy of the user's index from before. */
export const indexCopy = (run: Run, id: string): string => join(folder(run), `${id}.index`);

/** A tree of the checkout with some entries replaced; an empty entry removes its path. */
export const checkoutTreeWith = (
  run: ActiveRun,
  tree: string,
  targets: ReadonlyMap<string, string>,
): Promise<string> => treeWith(run, join(layout(run.runDir).clean, "index-apply"), tree, targets);

type To = "before" | "after";

interface ChangeOptions {
  readonly to: To;
  /** Removes the files before writing any, to free the disk space that rolling back needs. */
  readonly clearFirst?: boolean;
}

async function changeCheckout(
  run: ActiveRun,
  record: ApplyRecord,
  now: CheckoutNow,
  { to, clearFirst = false }: ChangeOptions,
): Promise<void> {
  const target = record[to];
  const other = record[otherSide(to)];
  try {
    let { files } = now;
    if (clearFirst) {
      const gone = record.paths.map((path) => [path, ""] as const);
      const cleared = await checkoutTreeWith(run, files, new Map(gone));
      await writeFiles(run, files, cleared);
      files = cleared;
    }
    const wanted = await filesAt(run, record, to, files);
    await writeFiles(run, files, wanted);
    await reachPoint(run.control, to === "after" ? "apply:written" : "undo:files");
    await writeIndex(run, record, now, { to, clearFirst });
    await reachPoint(run.control, to === "after" ? "apply:staged" : "undo:staged");
    if (target.head !== other.head && now.head === other.head)
      await moveHead(run, target.head, other.head);
  } catch (error) {
    rethrowExplained(error, [run.root, run.gitDir]);
  }
}

const otherSide = (to: To): To => (to === "after" ? "before" : "after");

/** The current files (`tree`) with the record's content on that side at its paths. */
export async function filesAt(
  run: ActiveRun,
  record: ApplyRecord,
  to: To,
  tree: string,
): Promise<string> {
  const changes = await changedAt(run, { from: tree, to: record[to].files }, record.paths);
  return checkoutTreeWith(run, tree, new Map(changes.map(({ path, after }) => [path, after])));
}

/** A two-tree read-tree on our own index, which represents the current files. */
async function writeFiles(run: ActiveRun, from: string, to: string): Promise<void> {
  if (from === to) return;
  const env = { ...checkoutView(run), ...WHOLE_INDEX, GIT_INDEX_FILE: indexOfCheckout(run) };
  const call = { env, config: "user", ...filterLimit(run) } as const;
  await git({ ...call, args: ["update-index", "-q", "--refresh"], okCodes: [0, 1] }, run.control);
  const { stderr } = await git({ ...call, args: ["read-tree", "-m", "-u", from, to] }, run.control);
  const unwritten = /^.{0,20}unable to (?:unlink|create|write).{0,300}/m.exec(stderr);
  if (unwritten !== null) refuse("file-system", unwritten[0]);
}

/**
 * Restores the exact previous index if nothing can have touched it since the apply; otherwise only the entries in the
 * record.
 */
async function writeIndex(
  run: ActiveRun,
  record: ApplyRecord,
  { staged }: CheckoutNow,
  { to, clearFirst = false }: ChangeOptions,
): Promise<void> {
  const index = join(run.gitDir, "index");
  const copy = to === "before" ? await readOrNull(indexCopy(run, record.id)) : null;
  const mark = await indexMark(run);
  if (copy !== null && (record.indexAfter === mark || clearFirst)) {
    if (markOf(copy) !== mark) await replaceIndex(index, copy);
    return;
  }
  const range = { from: staged, to: record[to].staged };
  const changes = await changedAt(run, range, record.stagedPaths);
  const entries = changes.map(({ path, after }) => [path, after] as const);
  const env = checkoutView(run);
  await putEntries(run, env, entries, "user");
  const args = ["update-index", "-q", "--refresh"];
  if (record.paths.length > 0)
    await git({ args, env, config: "user", okCodes: [0, 1] }, run.control);
}

/** Moves HEAD's branch (or a detached HEAD) from the expected value. */
async function moveHead(run: ActiveRun, to: string | null, from: string | null): Promise<void> {
  const none = "0".repeat(run.base.length);
  const args = ["update-ref", "-m", `unstuck: run ${run.id}`, "HEAD", to ?? none, from ?? none];
  await git({ args, env: checkoutView(run), config: "user" }, run.control);
}

const indexMark = async (run: Run): Promise<string> =>
  markOf((await readOrNull(join(run.gitDir, "index"))) ?? Buffer.alloc(0));

const markOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/** Replaces the index under git's own lock; the lock file appears with its full content. */
async function replaceIndex(index: string, content: Buffer): Promise<void> {
  const aside = `${index}.unstuck`;
  try {
    await writeFile(aside, content, { flush: true });
    await link(aside, `${index}.lock`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const held = await readOrNull(`${index}.lock`);
    if (held?.equals(content) !== true)
      refuse("locked", `${index}.lock exists: another git is at work there`);
  } finally {
    await rm(aside, { force: true });
  }
  await rename(`${index}.lock`, index);
}

/** Whether every path of the record is as on this side. */
async function isAt(run: ActiveRun, record: ApplyRecord, side: To): Promise<boolean> {
  const { files, head } = await checkoutNow(run);
  return (await filesAt(run, record, side, files)) === files && head === record[side].head;
}

/** Brings the checkout to that side of the record; if it fails, `first` is rolled back too. */
export async function bringCheckoutTo(
  run: ActiveRun,
  record: ApplyRecord,
  now: CheckoutNow,
  to: To,
  first: () => Promise<void> = async () => undefined,
): Promise<ApplyRecord> {
  try {
    await first();
    await changeCheckout(run, record, now, { to });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null || refusal.kind === "aborted") throw error;
    await rollBackChange({ ...run, control: {} }, record, otherSide(to), refusal.detail);
    refuse(refusal.kind, `${refusal.detail}; everything is as it was`, refusal.files);
  }
  return saveRecord(run, await settledAs(run, record, to));
}

/** The objects that the user's repository needs for the side after the apply. */
export const objectsOf = ({ after }: Pick<ApplyRecord, "after">): readonly string[] => [
  ...(after.head === null ? [] : [after.head]),
  after.staged,
];

async function settledAs(run: Run, record: ApplyRecord, at: To): Promise<ApplyRecord> {
  if (at === "before") return { ...record, state: "undone" };
  return { ...record, state: "applied", indexAfter: await indexMark(run) };
}

/** Runs without the caller's control: whatever stopped the change must not stop the rollback. */
async function rollBackChange(
  run: ActiveRun,
  record: ApplyRecord,
  to: To,
  why: string,
): Promise<void> {
  try {
    if (!(await isAt(run, record, to))) {
      const now = await checkoutNow(run);
      await changeCheckout(run, record, now, { to, clearFirst: true });
      if (!(await isAt(run, record, to))) throw new Error("not as it was");
    }
    await saveRecord(run, await settledAs(run, record, to));
  } catch {
    refuse(
      "half-changed",
      `${why}; files of ${run.root} are half changed. See to that, then bring them back with: unstuck undo ${run.id}`,
    );
  }
}

interface Finished {
  readonly record: ApplyRecord;
  /** The checkout as it was found, and the label of its snapshot. */
  readonly found: CheckoutNow;
  readonly rescue: string;
}

/** Finishes what a crash interrupted: an apply towards `to`, an undo always backwards. */
export async function finishInterrupted(
  run: ActiveRun,
  to: To,
  at: number,
): Promise<readonly Finished[]> {
  const records = await readRecords(run);
  const finished: Finished[] = [];
  for (const open of records.filter(({ state }) => state === "applying" || state === "undoing")) {
    const now = await checkoutNow(run);
    const stays = now.head === open.before.head || now.head === open.after.head;
    if (!stays || now.branch !== open.branch) {
      await saveRecord(run, { ...open, state: "left" });
      continue;
    }
    const tries = open.tries + 1;
    const label = `${open.rescue}.${tries}`;
    await takeSnapshot(run, checkoutWorktree(run), { label, at, start: true });
    const towards = open.state === "undoing" ? "before" : to;
    const state = towards === "before" ? "undoing" : "applying";
    const record = await saveRecord(run, { ...open, tries, state });
    const known = now.head === null ? [] : [now.head];
    await bringCheckoutTo(run, record, now, towards, async () => {
      if (towards !== "after") return;
      await sendMissing(run, objectsOf(record), known);
      await reachPoint(run.control, "apply:packed");
    });
    finished.push({ record, found: now, rescue: label });
  }
  return finished;
}
