/**
 * Takes an `apply` back: the files it changed, the branch and the index. Imports `apply`, `inspect`,
 * `restore`, `git`, `git-dir`, `store`, `view`. Invariants: the present state is snapshotted first; a
 * branch that moved on since is left alone and said so; files the apply did not change stay as they are.
 * Any other snapshot comes back with `restore`.
 */
import { link, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { indexCopy, indexMark, moveHead, readRecord, type ApplyRecord } from "./apply.ts";
import { git } from "./git.ts";
import { userView } from "./git-dir.ts";
import { inspected } from "./inspect.ts";
import { pass, refuse, settled } from "./refusal.ts";
import { restoreTo, takeRescue, type Restored } from "./restore.ts";
import { readOrNull } from "./store.ts";
import type { Control, Result, Run } from "./types.ts";
import { checkoutWorktree } from "./view.ts";

export interface UndoPlan {
  readonly id: string;
  readonly at: number;
  /** The id of the apply to take back. */
  readonly apply: string;
}

export const undoApply = (
  run: Run,
  plan: UndoPlan,
  control: Control = {},
): Promise<Result<Restored>> =>
  settled(async () => {
    const record = await readRecord(run, plan.apply);
    if (record === null) return refuse("no-such-snapshot", `there was no apply ${plan.apply}`);
    const { head } = await inspected(run.root, control);
    const worktree = checkoutWorktree(run);
    await takeRescue(run, worktree, plan, control);
    await pass(control, "undo:rescued");
    const committed = !record.squash && head.commit === record.next;
    if (!committed && head.commit !== record.head)
      refuse("ref-moved", "commits were made since the apply; the branch is left as it is");
    if (committed) await moveHead(run, record.head, record.next, control);
    await pass(control, "undo:head");
    const back = { ...plan, snapshot: record.rescue };
    const restored = await restoreTo(run, worktree, back, record.paths, control);
    await pass(control, "undo:files");
    await putIndexBack(run, plan.apply, record, control);
    return restored;
  });

/** The index of before if nothing touched it since the apply, else only the entries of its files. */
async function putIndexBack(
  run: Run,
  id: string,
  record: ApplyRecord,
  control: Control,
): Promise<void> {
  const copy = await readOrNull(indexCopy(run, id));
  const index = join(run.gitDir, "index");
  if (copy !== null && record.indexAfter === (await indexMark(run))) return putFile(index, copy);
  const args = ["reset", "-q", "--pathspec-from-file=-", "--pathspec-file-nul"];
  const input = Buffer.from(record.paths.join("\0"), "latin1");
  await git({ args, input, env: userView(run), config: "user" }, control);
}

/** Under git's own lock, which appears complete: one that a killed undo left is known by its content. */
async function putFile(index: string, content: Buffer): Promise<void> {
  const aside = `${index}.unstuck`;
  await writeFile(aside, content);
  try {
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
