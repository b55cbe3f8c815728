/**
 * Puts a run's result into the user's own checkout, as their git would: files, index and, unless
 * squashed, the branch. Imports `overlap`, `diff`, `inspect`, `merge`, `publish`, `snapshot`, `git`,
 * `git-dir`, `store`, `view`. Invariants: refused before anything changes when a file to be written is
 * dirty, ignored or untracked there, or when the merge conflicts; snapshotted first; the record of what
 * is being done is on disk before it is done, so a cut-off apply is finished by the same call.
 */
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { lineStat, type Entry } from "./diff.ts";
import { git, text } from "./git.ts";
import { layout, userView } from "./git-dir.ts";
import { inspected } from "./inspect.ts";
import { merged, resultTip } from "./merge.ts";
import { changesOf, emptyTree, overlapping } from "./overlap.ts";
import { sendObjects } from "./publish.ts";
import { pass, refusalOf, refuse, settled } from "./refusal.ts";
import { takeSnapshot } from "./snapshot.ts";
import { readOrNull, writeDurably } from "./store.ts";
import type { Control, LineStat, Result, Run } from "./types.ts";
import { below, checkoutWorktree } from "./view.ts";

export interface ApplyPlan {
  readonly id: string;
  readonly at: number;
  /** Leave the changes staged and uncommitted; HEAD does not move. */
  readonly squash?: boolean;
  readonly dryRun?: boolean;
  /** Instead of the run's result. */
  readonly commit?: string;
}

export interface Applied {
  readonly files: readonly string[];
  readonly stat: LineStat;
  /** Where the user's branch stands (or would stand) afterwards. */
  readonly head: string;
  /** Snapshot of the user's checkout from before; null when nothing was done. */
  readonly rescue: string | null;
}

/** What an apply set out to do; paths are latin1 bytes. */
export interface ApplyRecord {
  readonly head: string | null;
  readonly next: string;
  readonly squash: boolean;
  readonly paths: readonly string[];
  readonly rescue: string;
  readonly tries: number;
  readonly done: boolean;
  /** Hash of the user's index as the apply left it. */
  readonly indexAfter?: string;
}

export const apply = (run: Run, plan: ApplyPlan, control: Control = {}): Promise<Result<Applied>> =>
  settled(() => applied(run, plan, control));

async function applied(run: Run, plan: ApplyPlan, control: Control): Promise<Applied> {
  const earlier = await readRecord(run, plan.id);
  if (earlier?.done) return outcome(run, earlier, control);
  const found = await inspected(run.root, control);
  if (found.operation !== null) refuse("busy-repository", `a ${found.operation} is under way`);
  if (found.dirty.unmerged.length > 0)
    refuse("unmerged-files", "there are unmerged files", found.dirty.unmerged);
  const head = found.head.commit;
  const aim = earlier ?? (await newAim(run, plan, head, control));
  const finished = !aim.squash && head === aim.next;
  if (!finished && head !== aim.head) refuse("ref-moved", "HEAD moved since this apply began");
  const changes = await changesOf(run, aim, control);
  const resumed = earlier !== null;
  const dirty = finished ? [] : await overlapping(run, aim.head, changes, resumed, control);
  if (plan.dryRun === true || changes.length === 0) return outcome(run, aim, control, null);
  const record = { ...aim, tries: aim.tries + 1 };
  await rescueFirst(run, plan, record, control);
  await writeRecord(run, plan.id, record);
  await pass(control, "apply:rescued");
  if (!finished) {
    await sendObjects(run, aim.next, head === null ? [] : [head], control);
    await pass(control, "apply:packed");
    await clearPaths(run, aim, dirty, control);
    await pass(control, "apply:cleared");
    await writeFiles(run, aim, control);
    await pass(control, "apply:written");
    if (!aim.squash) await moveHead(run, aim.next, aim.head, control);
  }
  const indexAfter = await indexMark(run);
  await writeRecord(run, plan.id, { ...record, done: true, indexAfter });
  return outcome(run, record, control);
}

async function newAim(
  run: Run,
  plan: ApplyPlan,
  head: string | null,
  control: Control,
): Promise<ApplyRecord> {
  const tip = plan.commit ?? (await resultTip(run));
  const message = `Merge the result of Unstuck run ${run.id}`;
  const merging = { into: head ?? tip, commit: tip, message, at: plan.at };
  const result = head === null ? null : await merged(run, merging, control);
  if (result?.clean === false)
    refuse("conflict", "the result and the present branch change the same lines", result.conflicts);
  const next = result?.clean === true ? result.commit : tip;
  const aim = { head, next, squash: plan.squash === true, rescue: `${plan.id}.rescue` };
  const changes = await changesOf(run, { ...aim }, control);
  return { ...aim, paths: changes.map(({ path }) => path), tries: 0, done: false };
}

async function rescueFirst(
  run: Run,
  plan: ApplyPlan,
  record: ApplyRecord,
  control: Control,
): Promise<void> {
  const label = record.tries === 1 ? record.rescue : `${record.rescue}.${record.tries}`;
  await takeSnapshot(run, checkoutWorktree(run), { label, at: plan.at, start: true }, control);
  const index = await readOrNull(join(run.gitDir, "index"));
  if (record.tries === 1 && index !== null) await writeDurably(indexCopy(run, plan.id), index);
}

/** Brings the dirty paths (all in the rescue snapshot) back to HEAD, so that git will write them. */
async function clearPaths(
  run: Run,
  aim: ApplyRecord,
  dirty: readonly Entry[],
  control: Control,
): Promise<void> {
  const call = { env: userView(run), config: "user" } as const;
  const list = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const input = (entries: readonly Entry[]): Buffer =>
    Buffer.from(entries.map(({ path }) => path).join("\0"), "latin1");
  const added = dirty.filter(({ before }) => before === "");
  const known = dirty.filter(({ before }) => before !== "");
  if (added.length > 0) {
    const args = ["rm", "-q", "--cached", "--ignore-unmatch", ...list];
    await git({ ...call, args, input: input(added) }, control);
    for (const { path } of added) await rm(below(run.root, path), { force: true });
  }
  if (known.length > 0 && aim.head !== null) {
    const args = ["restore", "-q", `--source=${aim.head}`, "--staged", "--worktree", ...list];
    await git({ ...call, args, input: input(known) }, control);
  }
}

/** Two-tree read-tree: what `git switch` does; it keeps every other change of the user's. */
async function writeFiles(run: Run, aim: ApplyRecord, control: Control): Promise<void> {
  const call = { env: userView(run), config: "user" } as const;
  const start = aim.head ?? (await emptyTree(run, control));
  await git({ ...call, args: ["update-index", "-q", "--refresh"], okCodes: [0, 1] }, control);
  try {
    await git({ ...call, args: ["read-tree", "-m", "-u", start, aim.next] }, control);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.kind !== "git-failed") throw error;
    refuse("overlap", refusal.detail);
  }
}

/** Moves the branch HEAD is on (or a detached HEAD), from the value expected. */
export async function moveHead(
  run: Run,
  to: string | null,
  from: string | null,
  control: Control,
): Promise<void> {
  const none = "0".repeat(run.base.length);
  const args = ["update-ref", "-m", `unstuck: run ${run.id}`, "HEAD", to ?? none, from ?? none];
  await git({ args, env: userView(run), config: "user" }, control);
}

async function outcome(
  run: Run,
  record: ApplyRecord,
  control: Control,
  rescue: string | null = record.rescue,
): Promise<Applied> {
  const from = record.head ?? (await emptyTree(run, control));
  const stat = await lineStat(run, { from, to: record.next }, control);
  if (!stat.ok) return refuse(stat.refusal.kind, stat.refusal.detail);
  const head = record.squash ? (record.head ?? record.next) : record.next;
  return { files: record.paths.map(text), stat: stat.value, head, rescue };
}

export async function indexMark(run: Run): Promise<string> {
  const content = (await readOrNull(join(run.gitDir, "index"))) ?? "";
  return createHash("sha256").update(content).digest("hex");
}

const recordPath = (run: Run, id: string): string =>
  join(layout(run.runDir).private("_applied"), `${encodeURIComponent(id)}.json`);
export const indexCopy = (run: Run, id: string): string =>
  join(layout(run.runDir).private("_applied"), `${encodeURIComponent(id)}.index`);

export async function readRecord(run: Run, id: string): Promise<ApplyRecord | null> {
  const content = await readOrNull(recordPath(run, id));
  return content === null ? null : (JSON.parse(content.toString("utf8")) as ApplyRecord);
}

const writeRecord = (run: Run, id: string, record: ApplyRecord): Promise<void> =>
  writeDurably(recordPath(run, id), JSON.stringify(record));
