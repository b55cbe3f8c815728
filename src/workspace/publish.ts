/**
 * Brings the result into the user's repository: LFS objects, one pack, then branch `unstuck/<run>`.
 * Imports `lfs`, `merge`, `run-refs`, `git`, `git-dir`, `refusal`, `types`. Invariants: no hook, gc or fetch machinery
 * runs there; nothing but these changes; a branch that moved or is checked out is refused.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { forceRemove } from "./files.ts";
import { git } from "./git.ts";
import { cloneView, layout, refs, userView } from "./git-dir.ts";
import { exportObjects } from "./lfs.ts";
import { isAncestor, resultTip } from "./merge.ts";
import { pass, refuse, settled } from "./refusal.ts";
import { isCheckedOut, refuseBranchInTheWay, resultBranch } from "./run-refs.ts";
import type { Control, Result, Run } from "./types.ts";

export interface Published {
  readonly branch: string;
  readonly commit: string;
}

export const publish = (run: Run, control: Control = {}): Promise<Result<Published>> =>
  settled(async () => {
    const commit = await resultTip(run);
    const ref = refs.result(run.id);
    const branch = ref.slice("refs/heads/".length);
    if (!existsSync(run.gitDir)) refuse("repository-gone", `${run.root} is gone`);
    const present = (await resultBranch(run, control))?.commit ?? null;
    if (present === commit) return { branch, commit };
    if (present !== null && !(await isAncestor(run, present, commit, control)))
      refuse("ref-moved", `${branch} holds commits that are not from this run`);
    if (await isCheckedOut(run, ref, control))
      refuse("branch-checked-out", `${ref} is checked out in the repository`);
    if (present === null) await refuseBranchInTheWay(run, run.id, control);
    await sendObjects(run, commit, present === null ? [] : [present], control);
    await pass(control, "publish:packed");
    const old = present ?? "0".repeat(commit.length);
    await git({ args: ["update-ref", ref, commit, old], env: userView(run) }, control);
    return { branch, commit };
  });

/** Copies what `commit` needs beyond the pin and `known` to the user: LFS objects, then one pack. */
export async function sendObjects(
  run: Run,
  commit: string,
  known: readonly string[],
  control: Control,
): Promise<void> {
  const without = [...known, ...(run.pinned === null ? [] : [run.pinned])];
  await exportObjects(run, commit, without, control);
  const folder = layout(run.runDir).private("_publish");
  await forceRemove(folder);
  await mkdir(folder, { recursive: true });
  const input = [commit, ...without.map((id) => `^${id}`), ""].join("\n");
  const args = ["pack-objects", "-q", "--revs", "--non-empty", join(folder, "pack")];
  await git({ args, env: cloneView(run), input }, control);
  const pack = (await readdir(folder)).find((name) => name.endsWith(".pack"));
  if (pack !== undefined) {
    const call = { args: ["index-pack", "--stdin"], env: userView(run) };
    await git({ ...call, inputFile: join(folder, pack) }, control);
  }
  await forceRemove(folder);
}
