/**
 * Brings the user's checkout from one side of an apply to the other: files, index, branch. Invariants: only the
 * paths of the record change, whatever else the user does meanwhile; repeating it goes on from what is there;
 * files are written by git as in `git switch`, with the user's own filters.
 */
import { createHash } from "node:crypto";
import { link, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pass, refusalOf, refuse } from "../base/refusal.ts";
import type { Control, Run } from "../base/types.ts";
import { changedEntries } from "../git/diff.ts";
import { filterLimit } from "../git/filters.ts";
import { checkoutView, WHOLE_INDEX } from "../git/git-dir.ts";
import { git } from "../git/git.ts";
import { readOrNull } from "../git/object-store.ts";
import { checkoutNow, type CheckoutNow, indexOfCheckout } from "../repository/checkout.ts";
import { takeSnapshot } from "../snapshots/snapshot.ts";
import { checkoutWorktree } from "../trees/worktree.ts";
import { withEntries } from "./apply-plan.ts";
import { type ApplyRecord, indexCopy, readRecords, saveRecord, type Side } from "./apply-record.ts";
import { explained } from "./disk-space.ts";
import { sendMissing } from "./publish.ts";

interface ChangeOptions {
  readonly to: "before" | "after";
  /** Takes the files away before it writes any, so that what is to be undone makes room for what was there. */
  readonly clearFirst?: boolean;
}

async function changeCheckout(
  run: Run,
  record: ApplyRecord,
  now: CheckoutNow,
  { to, clearFirst = false }: ChangeOptions,
  control: Control,
): Promise<void> {
  const [target, other]: readonly Side[] =
    to === "after" ? [record.after, record.before] : [record.before, record.after];
  if (target === undefined || other === undefined) return;
  try {
    let { files } = now;
    if (clearFirst) {
      const cleared = await withEntries(run, "files", files, gone(record.paths), control);
      await writeFiles(run, files, cleared, control);
      files = cleared;
    }
    const wanted = await overlay(run, files, target.files, record.paths, control);
    await writeFiles(run, files, wanted, control);
    await pass(control, to === "after" ? "apply:written" : "undo:files");
    await writeIndex(run, record, now, { to, clearFirst }, control);
    await pass(control, to === "after" ? "apply:staged" : "undo:staged");
    if (target.head !== other.head && now.head === other.head)
      await moveHead(run, target.head, other.head, control);
  } catch (error) {
    explained(error, [run.root, run.gitDir]);
  }
}

const gone = (paths: readonly string[]): ReadonlyMap<string, string> =>
  new Map(paths.map((path) => [path, ""]));

/** The tree with what `source` has at these paths. */
export async function overlay(
  run: Run,
  tree: string,
  source: string,
  paths: readonly string[],
  control: Control,
): Promise<string> {
  const wanted = new Set(paths);
  const entries = await changedEntries(run, { from: tree, to: source }, control);
  const targets = entries.filter(({ path }) => wanted.has(path));
  const lines = new Map(targets.map(({ path, after }) => [path, after]));
  return withEntries(run, "overlay", tree, lines, control);
}

/** Two-tree read-tree on an index of ours, which stands for the files as they are. */
async function writeFiles(run: Run, from: string, to: string, control: Control): Promise<void> {
  if (from === to) return;
  const env = { ...checkoutView(run), ...WHOLE_INDEX, GIT_INDEX_FILE: indexOfCheckout(run) };
  const call = { env, config: "user", ...filterLimit(run, control) } as const;
  await git({ ...call, args: ["update-index", "-q", "--refresh"], okCodes: [0, 1] }, control);
  const { stderr } = await git({ ...call, args: ["read-tree", "-m", "-u", from, to] }, control);
  const unwritten = /^.{0,20}unable to (?:unlink|create|write).{0,300}/m.exec(stderr);
  if (unwritten !== null) refuse("file-system", unwritten[0]);
}

/** The very index of before if nothing can have touched it since the apply, else only the entries in question. */
async function writeIndex(
  run: Run,
  record: ApplyRecord,
  { staged }: CheckoutNow,
  { to, clearFirst = false }: ChangeOptions,
  control: Control,
): Promise<void> {
  const index = join(run.gitDir, "index");
  const copy = to === "before" ? await readOrNull(indexCopy(run, record.id)) : null;
  const mark = await indexMark(run);
  if (copy !== null && (record.indexAfter === mark || clearFirst)) {
    if (markOf(copy) !== mark) await putFile(index, copy);
    return;
  }
  const wanted = new Set(record.stagedPaths);
  const range = { from: staged, to: record[to].staged };
  const entries = await changedEntries(run, range, control);
  const none = `0 ${"0".repeat(staged.length)}`;
  const lines = entries
    .filter(({ path }) => wanted.has(path))
    .sort((a, b) => Number(a.after !== "") - Number(b.after !== ""))
    .map(({ path, after }) => `${after === "" ? none : after}\t${path}\0`);
  const call = { env: checkoutView(run), config: "user" } as const;
  if (lines.length > 0) {
    const args = ["update-index", "-z", "--add", "--replace", "--index-info"];
    await git({ ...call, args, input: Buffer.from(lines.join(""), "latin1") }, control);
  }
  const refresh = ["update-index", "-q", "--refresh"];
  if (record.paths.length > 0) await git({ ...call, args: refresh, okCodes: [0, 1] }, control);
}

/** Moves the branch HEAD is on (or a detached HEAD), from the value expected. */
async function moveHead(
  run: Run,
  to: string | null,
  from: string | null,
  control: Control,
): Promise<void> {
  const none = "0".repeat(run.base.length);
  const args = ["update-ref", "-m", `unstuck: run ${run.id}`, "HEAD", to ?? none, from ?? none];
  await git({ args, env: checkoutView(run), config: "user" }, control);
}

const indexMark = async (run: Run): Promise<string> =>
  markOf((await readOrNull(join(run.gitDir, "index"))) ?? Buffer.alloc(0));
const markOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/** Under git's own lock, which appears complete. */
async function putFile(index: string, content: Buffer): Promise<void> {
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

/** Every path of the record is as on this side. */
async function isAt(
  run: Run,
  record: ApplyRecord,
  side: ChangeOptions["to"],
  control: Control,
): Promise<boolean> {
  const { files, head } = await checkoutNow(run, control);
  const wanted = await overlay(run, files, record[side].files, record.paths, control);
  return wanted === files && head === record[side].head;
}

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

interface Finished {
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
