/**
 * The commit that the user's branch is to stand on after an apply. Made in the run's own store, nothing moves;
 * conflicts are refused with their files; what later commits took back is said and never brought again unasked;
 * uncommitted changes of the user's are in no commit.
 */
import type { ActiveRun } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { changedEntries } from "../git/diff.ts";
import { cloneGit } from "../git/git-dir.ts";
import { text } from "../git/git.ts";
import { isAncestor, merged, mergeTrees, type TreeMerge } from "../git/merge.ts";
import { writeCommit } from "../git/object-store.ts";
import { treeOf } from "../git/read-objects.ts";
import type { CheckoutNow } from "../repository/checkout.ts";
import { applyMessage } from "./commit-message.ts";

export interface HeadPlan {
  readonly now: CheckoutNow;
  /** The result, or what else is to be applied, and its tree. */
  readonly result: string;
  readonly resultTree: string;
  readonly baseTree: string;
  readonly at: number;
  readonly squash: boolean;
  readonly again: boolean;
}

export interface NextHead extends TreeMerge {
  /** Null where no commit can be made and none is asked for. */
  readonly commit: string | null;
}

export function nextHead(run: ActiveRun, plan: HeadPlan): Promise<NextHead> {
  if (run.withChanges) return plan.squash ? joined(run, plan) : replayed(run, plan);
  return overHistory(run, plan);
}

const joined = async (run: ActiveRun, plan: HeadPlan): Promise<NextHead> => ({
  ...(await ontoHead(run, plan)),
  commit: null,
});

const ontoHead = (run: ActiveRun, plan: HeadPlan): Promise<TreeMerge> => {
  const { baseTree: base, resultTree: theirs, now } = plan;
  return mergeTrees(run, { base, ours: now.headTree, theirs });
};

/** As `git merge` would, but for changes that later commits took back: history alone calls those merged. */
async function overHistory(run: ActiveRun, plan: HeadPlan): Promise<NextHead> {
  const { now, result, at } = plan;
  const { head } = now;
  if (head === null) return { commit: result, tree: plan.resultTree, conflicts: [] };
  const isIn = await isAncestor(run, result, head);
  if (isIn && !plan.again) {
    await refuseTakenBack(run, plan);
    return { commit: head, tree: now.headTree, conflicts: [] };
  }
  if (plan.again) {
    const both = await ontoHead(run, plan);
    refuseConflicts(both.conflicts);
    if (both.tree === now.headTree) return { ...both, commit: head };
    const parents = isIn ? [head] : [head, result];
    const message = applyMessage(run.id, "Bring back");
    return { ...both, commit: await writeCommit(run, { tree: both.tree, parents, message, at }) };
  }
  const message = applyMessage(run.id, "Merge");
  const made = await merged(run, { into: head, commit: result, message, at });
  if (!made.clean) return refuse("conflict", CONFLICT, made.conflicts);
  return { commit: made.commit, tree: await treeOf(run, made.commit), conflicts: [] };
}

const CONFLICT = "the result and the present branch change the same lines";

function refuseConflicts(conflicts: readonly string[]): void {
  if (conflicts.length > 0) refuse("conflict", CONFLICT, conflicts.map(text));
}

async function refuseTakenBack(run: ActiveRun, plan: HeadPlan): Promise<void> {
  const files = await takenBack(run, plan, plan.now.headTree);
  if (files.length > 0)
    refuse(
      "taken-back",
      `${plan.now.branch ?? "HEAD"} of ${run.root} holds the commits of the run, but later commits took its changes of ${files.length} files back; to bring them again: unstuck apply ${run.id} --again`,
      files,
    );
}

/** Files of the result's whose changes are not in `tree`, though nobody wrote anything else there. */
export async function takenBack(
  run: ActiveRun,
  { baseTree: base, resultTree: theirs }: Pick<HeadPlan, "baseTree" | "resultTree">,
  tree: string,
): Promise<readonly string[]> {
  const whole = await mergeTrees(run, { base, ours: tree, theirs });
  const conflicts = new Set(whole.conflicts);
  const missing = await changedEntries(run, { from: tree, to: whole.tree });
  return missing.filter(({ path }) => !conflicts.has(path)).map(({ path }) => text(path));
}

/** The result's commits once more, without the uncommitted changes that the run started from. */
async function replayed(run: ActiveRun, plan: HeadPlan): Promise<NextHead> {
  const args = ["rev-list", "--reverse", "--first-parent", `${run.base}..${plan.result}`];
  const { stdout } = await cloneGit(run, args);
  let { head: commit, headTree: tree } = plan.now;
  let base = plan.baseTree;
  for (const each of stdout.split("\n").filter((id) => id !== "")) {
    const theirs = await treeOf(run, each);
    const step = await mergeTrees(run, { base, ours: tree, theirs });
    if (step.conflicts.length > 0) refuseUncommitted(step.conflicts);
    base = theirs;
    if (step.tree === tree) continue;
    tree = step.tree;
    const parents = commit === null ? [] : [commit];
    const { message, at } = await wordsOf(run, each);
    commit = await writeCommit(run, { tree, parents, message, at });
  }
  return { commit, tree, conflicts: [] };
}

export const refuseUncommitted = (conflicts: readonly string[]): never =>
  refuse(
    "conflict",
    "the result changes lines that only your uncommitted changes have, or that changed since, so they cannot be commits of their own; with --squash it comes uncommitted",
    conflicts.map(text),
  );

async function wordsOf(
  run: ActiveRun,
  commit: string,
): Promise<{ readonly message: string; readonly at: number }> {
  const args = ["show", "-s", "--format=%ct%n%B", commit];
  const [seconds = "0", ...lines] = text((await cloneGit(run, args)).stdout).split("\n");
  return { message: lines.join("\n").trim(), at: Number(seconds) * 1000 };
}
