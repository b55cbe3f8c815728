/**
 * Brings the result into the user's repository: LFS objects, one pack, then branch `unstuck/<run>`. Invariants: no
 * hook, gc or fetch machinery runs there; nothing but these changes; a branch that moved or is checked out is
 * refused.
 */
import { existsSync } from "node:fs";
import { git } from "./git.ts";
import { refs, userView } from "./git-dir.ts";
import { isAncestor, resultTip } from "./merge.ts";
import { pass, refuse, settled } from "./refusal.ts";
import { explained } from "./room.ts";
import { isCheckedOut, refuseBranchInTheWay, resultBranch } from "./run-refs.ts";
import { sendMissing } from "./send-objects.ts";
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
    await sendMissing(run, [commit], present === null ? [] : [present], control);
    await pass(control, "publish:packed");
    const old = present ?? "0".repeat(commit.length);
    try {
      await git({ args: ["update-ref", ref, commit, old], env: userView(run) }, control);
    } catch (error) {
      explained(error, [run.commonDir]);
    }
    return { branch, commit };
  });
