/**
 * What an apply has to change in the user's checkout as it is now, and the commit that the branch is to stand on after it.
 * Nothing of the user's is touched, the commit lies in the run's own store; a file that is neither committed, nor as the run
 * or an earlier apply knew it, nor already as the result wants it, is a refusal, and so are conflicts; what later commits
 * took back is said and never brought again unasked; what is staged stays staged and what is not does not; uncommitted
 * changes of the user's are in no commit.
 */
import { join } from "node:path";
import { type ActiveRun, refuse } from "../base/operation.ts";
import { layout, type Run } from "../base/run-folder.ts";
import { changedEntries, treeOf } from "../git/read-objects.ts";
import { treeWith } from "../git/edit-index.ts";
import { text } from "../git/git.ts";
import { isAncestor, mergeTrees, merge, type TreeMerge, writeCommit } from "../git/commits.ts";
import { type CheckoutNow, refuseInTheWay } from "../repository/checkout.ts";
import type { ApplyRecord, Side } from "./apply-record.ts";
import { cloneGit } from "../git/git-dir.ts";
import { applyMessage } from "./commit-message.ts";

export interface ApplyOptions {
  readonly at: number;
  /** Leave the changes staged and uncommitted; HEAD does not move. */
  readonly squash?: boolean;
  /** Also what later commits took back. */
  readonly again?: boolean;
}

export type NeededChange =
  /** The result has no changes at all. */
  | { readonly kind: "nothing" }
  /** All of it is in HEAD, or else in the checkout, not committed. */
  | { readonly kind: "there"; readonly committed: boolean }
  | {
      readonly kind: "change";
      readonly after: Side;
      readonly paths: readonly string[];
      readonly stagedPaths: readonly string[];
      /** Files whose changes later commits took back; they stay so. */
      readonly takenBack: readonly string[];
    };

export async function neededChange(
  run: ActiveRun,
  plan: ApplyOptions & { readonly result: string },
  now: CheckoutNow,
  earlier: ApplyRecord | undefined,
): Promise<NeededChange> {
  const { result, at, squash = false, again = false } = plan;
  const trees = { baseTree: await treeOf(run, run.base), resultTree: await treeOf(run, result) };
  if (trees.baseTree === trees.resultTree) return { kind: "nothing" };
  const next = await nextHead(run, { now, result, ...trees, at, squash, again });
  const isIn = next.tree === now.headTree && next.conflicts.length === 0;
  if (!isIn && !run.withChanges && (await isStaged(run, trees, now)))
    return { kind: "there", committed: false };
  const seen = await viewsOf(run, now, { ...trees, next: next.tree }, earlier);
  const targets = fileTargets(run, seen, next);
  const files = await checkoutTreeWith(run, now.files, targets);
  const staged = await stagedAfter(run, now, next, seen, squash);
  const after = { head: squash ? now.head : (next.commit ?? now.head), staged, files };
  const changes = await changedEntries(run, { from: now.files, to: files });
  const pushedOut = changes.filter(({ path }) => !targets.has(path)).map(({ path }) => text(path));
  if (pushedOut.length > 0) refuse("overlap", NOT_COMMITTED, pushedOut);
  refuseInTheWay(run, changes);
  const stagedChanges = await changedEntries(run, { from: now.staged, to: staged });
  if (changes.length + stagedChanges.length === 0 && after.head === now.head)
    return { kind: "there", committed: isIn };
  return {
    kind: "change",
    after,
    paths: changes.map(({ path }) => path),
    stagedPaths: stagedChanges.map(({ path }) => path),
    takenBack: run.withChanges || again ? [] : await takenBack(run, trees, next.tree),
  };
}

/** Applied with squash before, and not committed yet. */
async function isStaged(
  run: ActiveRun,
  { baseTree, resultTree }: { readonly baseTree: string; readonly resultTree: string },
  { staged, headTree }: CheckoutNow,
): Promise<boolean> {
  if (staged === headTree) return false;
  const trees = { base: baseTree, ours: staged, theirs: resultTree };
  const both = await mergeTrees(run, trees);
  return both.conflicts.length === 0 && both.tree === staged;
}

/** All trees in question, seen from HEAD's. */
interface Views {
  readonly files: TreeView;
  readonly staged: TreeView;
  readonly next: TreeView;
  readonly base: TreeView;
  readonly result: TreeView;
  /** As the last apply left files and index, where it was not committed. */
  readonly left: { readonly files: TreeView; readonly staged: TreeView } | null;
  /** Paths that the result or the new HEAD change. */
  readonly paths: readonly string[];
}

async function viewsOf(
  run: ActiveRun,
  now: CheckoutNow,
  trees: { readonly baseTree: string; readonly resultTree: string; readonly next: string },
  earlier: ApplyRecord | undefined,
): Promise<Views> {
  const see = (tree: string): Promise<TreeView> => viewFrom(run, now.headTree, tree);
  const next = await see(trees.next);
  const range = { from: trees.baseTree, to: trees.resultTree };
  const own = run.withChanges ? await changedEntries(run, range) : [];
  return {
    files: await see(now.files),
    staged: await see(now.staged),
    next,
    base: await see(trees.baseTree),
    result: await see(trees.resultTree),
    left:
      earlier?.squash === true && earlier.state === "applied"
        ? { files: await see(earlier.after.files), staged: await see(earlier.after.staged) }
        : null,
    paths: [...new Set([...next.paths, ...own.map(({ path }) => path)])],
  };
}

/** A tree as it differs from another one, the same for all that are compared. */
interface TreeView {
  /** What it holds at a path: equal words, equal entries. */
  at(path: string): string;
  readonly paths: readonly string[];
  /** The entry itself, in this tree or in the one it is seen from. */
  entry(path: string, of: "seen" | "from"): string | undefined;
}

async function viewFrom(run: ActiveRun, from: string, tree: string): Promise<TreeView> {
  const entries = await changedEntries(run, { from, to: tree });
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return {
    at: (path) => byPath.get(path)?.after ?? SAME,
    paths: [...byPath.keys()],
    entry: (path, of) => byPath.get(path)?.[of === "seen" ? "after" : "before"],
  };
}

const SAME = "as seen from";

const NOT_COMMITTED = "the result changes files that are not committed";

/** What the files at the paths in question become; only those that change. */
function fileTargets(run: Run, views: Views, { conflicts }: NextHead): Map<string, string> {
  const { files, next, base, result, left, paths } = views;
  const unfit = new Set(conflicts);
  const lost: string[] = [];
  const targets = new Map<string, string>();
  for (const path of paths) {
    const is = files.at(path);
    const asLeft = left !== null && is === left.files.at(path);
    const from =
      is !== SAME && run.withChanges && is === base.at(path)
        ? result
        : is === SAME || asLeft || is === next.at(path)
          ? next
          : is === result.at(path)
            ? files
            : null;
    if (from === null) lost.push(path);
    else if (from === next && unfit.has(path) && is !== next.at(path)) lost.push(path);
    else if (from.at(path) !== is)
      targets.set(path, from.entry(path, "seen") ?? files.entry(path, "from") ?? "");
  }
  if (lost.length > 0) refuse("overlap", NOT_COMMITTED, lost.map(text));
  return targets;
}

/** The index: where the user staged nothing, as the new HEAD; what they staged stays, with the result's changes below it. */
async function stagedAfter(
  run: ActiveRun,
  now: CheckoutNow,
  next: NextHead,
  { files, staged, next: head, left, paths }: Views,
  squash: boolean,
): Promise<string> {
  if (run.withChanges && !squash) {
    const trees = { base: now.headTree, ours: now.staged, theirs: next.tree };
    const both = await mergeTrees(run, trees);
    return both.conflicts.length > 0 ? refuseUncommitted(both.conflicts) : both.tree;
  }
  const lost: string[] = [];
  const targets = new Map<string, string>();
  for (const path of paths) {
    const is = staged.at(path);
    const mine = files.at(path) !== SAME || is !== SAME;
    if (run.withChanges && mine) continue;
    if (is !== SAME && is !== head.at(path) && is !== left?.staged.at(path)) lost.push(path);
    else if (is !== head.at(path))
      targets.set(path, head.entry(path, "seen") ?? staged.entry(path, "from") ?? "");
  }
  if (lost.length > 0)
    refuse("overlap", "the result changes files that are staged", lost.map(text));
  return checkoutTreeWith(run, now.staged, targets);
}

export const indexForApply = (run: Run): string => join(layout(run.runDir).clean, "index-apply");

/** A tree of the checkout with other entries at some paths; an empty entry takes the path out. */
export const checkoutTreeWith = (
  run: ActiveRun,
  tree: string,
  targets: ReadonlyMap<string, string>,
): Promise<string> => treeWith(run, indexForApply(run), tree, targets);

interface HeadPlan {
  readonly now: CheckoutNow;
  /** The result, or what else is to be applied, and its tree. */
  readonly result: string;
  readonly resultTree: string;
  readonly baseTree: string;
  readonly at: number;
  readonly squash: boolean;
  readonly again: boolean;
}

interface NextHead extends TreeMerge {
  /** Null where no commit can be made and none is asked for. */
  readonly commit: string | null;
}

function nextHead(run: ActiveRun, plan: HeadPlan): Promise<NextHead> {
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
  const made = await merge(run, { into: head, commit: result, message, at });
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
async function takenBack(
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

const refuseUncommitted = (conflicts: readonly string[]): never =>
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
