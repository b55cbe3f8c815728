/**
 * The user's checkout as it is now, in three trees: HEAD, what is staged, the files. Invariants: nothing of the
 * user's is touched; a repository that something else is at work in is refused with what a person can do about it.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { cleanTreeOfCheckout, stagedTree } from "./checkout.ts";
import { layout } from "./git-dir.ts";
import { inspected } from "./inspect.ts";
import { awaitOrphans } from "./orphans.ts";
import { emptyTree } from "./overlap.ts";
import { refuse } from "./refusal.ts";
import { treeOf } from "./tree-merge.ts";
import type { Control, Run } from "./types.ts";
import { CHECKOUT } from "./view.ts";

export interface CheckoutNow {
  /** Null when there is no commit yet. */
  readonly head: string | null;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  readonly headTree: string;
  readonly staged: string;
  /** The files as git would commit them, untracked ones too. */
  readonly files: string;
}

export async function checkoutNow(run: Run, control: Control): Promise<CheckoutNow> {
  await awaitOrphans(layout(run.runDir).rawGit(CHECKOUT));
  const { head, operation, dirty } = await inspected(run.root, control);
  await refuseLocked(run, head.branch);
  if (operation !== null)
    refuse(
      "busy-repository",
      `a ${operation} is under way in ${run.root}: finish it (git ${operation} --continue) or end it (git ${operation} --abort) first`,
    );
  if (dirty.unmerged.length > 0)
    refuse("unmerged-files", "there are unmerged files", dirty.unmerged);
  const empty = await emptyTree(run, control);
  const { tree: files } = await cleanTreeOfCheckout(run, head.commit, control);
  return {
    head: head.commit,
    branch: head.branch,
    headTree: head.commit === null ? empty : await treeOf(run, head.commit, control),
    staged: (await stagedTree(run, control)) ?? empty,
    files,
  };
}

/** A lock that no git is behind is only a file; whether one is, a person has to say. */
async function refuseLocked(run: Run, branch: string | null): Promise<void> {
  const locks = [
    join(run.gitDir, "index.lock"),
    join(run.gitDir, "HEAD.lock"),
    ...(branch === null ? [] : [join(run.commonDir, "refs", "heads", `${branch}.lock`)]),
  ];
  for (const lock of locks) {
    const found = await stat(lock).catch(() => null);
    if (found !== null)
      refuse(
        "locked",
        `${lock} is there (${age(Date.now() - found.mtimeMs)} old): another git is at work, or one was killed; if none runs, remove it`,
      );
  }
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
