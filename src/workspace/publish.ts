/**
 * Brings the result into the user's repository: LFS objects, one pack, then branch `unstuck/<run>`.
 * Imports `merge`, `room`, `send-objects`, `git`, `git-dir`, `refusal`, `types`. Invariants: no hook, gc or fetch machinery
 * runs there; nothing but these changes; a branch that moved or is checked out is refused.
 */
import { existsSync } from "node:fs";
import { git, text } from "./git.ts";
import { refs, userView } from "./git-dir.ts";
import { isAncestor, resultTip } from "./merge.ts";
import { pass, refuse, settled } from "./refusal.ts";
import { explained } from "./room.ts";
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
    const present = await publishedTip(run, control);
    if (present === commit) return { branch, commit };
    if (present !== null && !(await isAncestor(run, present, commit, control)))
      refuse("ref-moved", `${branch} holds commits that are not from this run`);
    await refuseCheckedOut(run, ref, control);
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

/** Where `unstuck/<run>` stands in the user's repository, or null. */
export async function publishedTip(run: Run, control: Control): Promise<string | null> {
  if (!existsSync(run.gitDir)) refuse("repository-gone", `${run.root} is gone`);
  const args = ["rev-parse", "-q", "--verify", refs.result(run.id)];
  const output = await git({ args, env: userView(run), okCodes: [0, 1, 128] }, control);
  return output.code === 0 ? output.stdout.trim() : null;
}

async function refuseCheckedOut(run: Run, ref: string, control: Control): Promise<void> {
  const args = ["worktree", "list", "--porcelain", "-z"];
  const { stdout } = await git({ args, env: userView(run) }, control);
  if (text(stdout).split("\0").includes(`branch ${ref}`))
    refuse("branch-checked-out", `${ref} is checked out in the repository`);
}
