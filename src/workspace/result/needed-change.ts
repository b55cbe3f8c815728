/**
 * What an apply must change in the user's checkout as it is now, and the branch's next commit. Touches nothing of the
 * user's: the commit is created in the run's own store. Conflicts are refused, and so is a file that is not committed,
 * not as the run or an earlier apply knew it, and not already as the result wants it. Changes that later commits
 * reverted are reported and reapplied only on request. Staged content stays staged, unstaged content unstaged, and the
 * user's uncommitted changes enter no commit.
 */
import { count } from "../../core/amounts.ts";
import { type ActiveRun } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import type { Run } from "../base/run-folder.ts";
import { isAncestor, merge, mergeTrees, type TreeMerge } from "../git/commits.ts";
import { writeCommit } from "../git/objects.ts";
import { cloneGit } from "../git/git-dir.ts";
import { text } from "../git/git.ts";
import { treeOf } from "../git/read-objects.ts";
import { changedEntries, type Entry } from "../git/changed-entries.ts";
import type { CheckoutNow } from "../repository/checkout.ts";
import { refuseOverwrites } from "../repository/refuse-overwrites.ts";
import { checkoutTreeWith } from "./change-checkout.ts";
import type { ApplyRecord, Side } from "./apply-record.ts";
import { applyMessage } from "./good-commit.ts";

export interface ApplyOptions {
  readonly at: number;
  /** Leave the changes staged and uncommitted; HEAD does not move. */
  readonly squash?: boolean;
  /** Also reapply what later commits reverted. */
  readonly again?: boolean;
}

export type NeededChange =
  /** The result has no changes at all. */
  | { readonly kind: "nothing" }
  /** All of it is in HEAD, or else uncommitted in the checkout. */
  | { readonly kind: "there"; readonly committed: boolean }
  | {
      readonly kind: "change";
      readonly after: Side;
      readonly paths: readonly string[];
      readonly stagedPaths: readonly string[];
      /** Files whose changes later commits reverted; they stay reverted. */
      readonly takenBack: readonly string[];
    };

/** What to apply, and to what. */
interface Wanted extends Required<ApplyOptions> {
  readonly now: CheckoutNow;
  /** The result, or the other commit to apply. */
  readonly result: string;
  readonly resultTree: string;
  readonly baseTree: string;
}

export async function neededChange(
  run: ActiveRun,
  { result, at, squash = false, again = false }: ApplyOptions & { readonly result: string },
  now: CheckoutNow,
  earlier: ApplyRecord | undefined,
): Promise<NeededChange> {
  const trees = { baseTree: await treeOf(run, run.base), resultTree: await treeOf(run, result) };
  if (trees.baseTree === trees.resultTree) return { kind: "nothing" };
  const wanted: Wanted = { now, result, ...trees, at, squash, again };
  const next = await nextHead(run, wanted);
  const isIn = next.tree === now.headTree && next.conflicts.length === 0;
  if (!isIn && !run.withChanges && (await isStaged(run, wanted)))
    return { kind: "there", committed: false };
  const seen = await viewsOf(run, wanted, next.tree, earlier);
  const targets = fileTargets(run, seen, next);
  const files = await checkoutTreeWith(run, now.files, targets);
  const staged = await stagedAfter(run, wanted, next, seen);
  const after = { head: squash ? now.head : (next.commit ?? now.head), staged, files };
  const changes = await changedEntries(run, { from: now.files, to: files });
  const pushedOut = changes.filter(({ path }) => !targets.has(path)).map(({ path }) => text(path));
  if (pushedOut.length > 0) refuse("overlap", NOT_COMMITTED, pushedOut);
  refuseOverwrites(run, changes);
  const stagedChanges = await changedEntries(run, { from: now.staged, to: staged });
  if (changes.length + stagedChanges.length === 0 && after.head === now.head)
    return { kind: "there", committed: isIn };
  return {
    kind: "change",
    after,
    paths: changes.map(({ path }) => path),
    stagedPaths: stagedChanges.map(({ path }) => path),
    takenBack: run.withChanges || again ? [] : await takenBack(run, wanted, next.tree),
  };
}

/** The result's changes merged into another tree. */
const resultInto = (
  run: ActiveRun,
  { baseTree: base, resultTree: theirs }: Wanted,
  ours: string,
): Promise<TreeMerge> => mergeTrees(run, { base, ours, theirs });

/** Already applied with squash, but not committed yet. */
async function isStaged(run: ActiveRun, wanted: Wanted): Promise<boolean> {
  const { staged, headTree } = wanted.now;
  if (staged === headTree) return false;
  const both = await resultInto(run, wanted, staged);
  return both.conflicts.length === 0 && both.tree === staged;
}

interface NextHead extends TreeMerge {
  /** Null if no commit can be made and none is requested. */
  readonly commit: string | null;
}

async function nextHead(run: ActiveRun, wanted: Wanted): Promise<NextHead> {
  if (!run.withChanges) return overHistory(run, wanted);
  if (!wanted.squash) return replayed(run, wanted);
  return { ...(await resultInto(run, wanted, wanted.now.headTree)), commit: null };
}

const CONFLICT = "the result and the present branch change the same lines";

/** Like `git merge`, except for changes that later commits reverted: going by history alone, those count as merged. */
async function overHistory(run: ActiveRun, wanted: Wanted): Promise<NextHead> {
  const { now, result, at, again } = wanted;
  const { head, headTree } = now;
  if (head === null) return { commit: result, tree: wanted.resultTree, conflicts: [] };
  const isIn = await isAncestor(run, result, head);
  if (again) {
    const both = await resultInto(run, wanted, headTree);
    if (both.conflicts.length > 0) refuse("conflict", CONFLICT, both.conflicts.map(text));
    if (both.tree === headTree) return { ...both, commit: head };
    const parents = isIn ? [head] : [head, result];
    const message = applyMessage(run.id, "Bring back");
    return { ...both, commit: await writeCommit(run, { tree: both.tree, parents, message, at }) };
  }
  if (isIn) {
    const files = await takenBack(run, wanted, headTree);
    if (files.length === 0) return { commit: head, tree: headTree, conflicts: [] };
    return refuse(
      "taken-back",
      `${now.branch ?? "HEAD"} of ${run.root} holds the commits of the run, but later commits took its changes of ${count(files.length, "file")} back; to bring them again: unstuck apply ${run.id} --again`,
      files,
    );
  }
  const message = applyMessage(run.id, "Merge");
  const made = await merge(run, { into: head, commit: result, message, at });
  if (!made.clean) return refuse("conflict", CONFLICT, made.conflicts);
  return { commit: made.commit, tree: await treeOf(run, made.commit), conflicts: [] };
}

/** Files of the result whose changes are missing from `tree` although nothing else was written there. */
async function takenBack(run: ActiveRun, wanted: Wanted, tree: string): Promise<string[]> {
  const whole = await resultInto(run, wanted, tree);
  const conflicts = new Set(whole.conflicts);
  const missing = await changedEntries(run, { from: tree, to: whole.tree });
  return missing.filter(({ path }) => !conflicts.has(path)).map(({ path }) => text(path));
}

/** The result's commits again, without the uncommitted changes that the run started from. */
async function replayed(run: ActiveRun, { now, result, baseTree }: Wanted): Promise<NextHead> {
  const args = ["rev-list", "--reverse", "--first-parent", `${run.base}..${result}`];
  const { stdout } = await cloneGit(run, args);
  let { head: commit, headTree: tree } = now;
  let base = baseTree;
  for (const each of stdout.split("\n").filter((id) => id !== "")) {
    const theirs = await treeOf(run, each);
    const step = await mergeTrees(run, { base, ours: tree, theirs });
    if (step.conflicts.length > 0) refuseUncommitted(step.conflicts);
    base = theirs;
    if (step.tree === tree) continue;
    tree = step.tree;
    const parents = commit === null ? [] : [commit];
    const show = await cloneGit(run, ["show", "-s", "--format=%ct%n%B", each]);
    const [seconds = "0", ...lines] = text(show.stdout).split("\n");
    const message = lines.join("\n").trim();
    commit = await writeCommit(run, { tree, parents, message, at: Number(seconds) * 1000 });
  }
  return { commit, tree, conflicts: [] };
}

const refuseUncommitted = (conflicts: readonly string[]): never =>
  refuse(
    "conflict",
    "the result changes lines that only your uncommitted changes have, or that changed since, so they cannot be commits of their own; with --squash it comes uncommitted",
    conflicts.map(text),
  );

/** A tree, as its differences from HEAD's. */
type TreeView = ReadonlyMap<string, Entry>;

/** What a tree contains at a path: equal strings mean equal entries. */
const entryAt = (view: TreeView, path: string): string => view.get(path)?.after ?? SAME;

const SAME = "as in HEAD";

interface Views {
  readonly files: TreeView;
  readonly staged: TreeView;
  readonly next: TreeView;
  readonly base: TreeView;
  readonly result: TreeView;
  /** Files and index as the last apply left them, if that was not committed. */
  readonly left: { readonly files: TreeView; readonly staged: TreeView } | null;
  /** Paths that the result or the new HEAD changes. */
  readonly paths: readonly string[];
}

async function viewsOf(
  run: ActiveRun,
  { now, baseTree, resultTree }: Wanted,
  nextTree: string,
  earlier: ApplyRecord | undefined,
): Promise<Views> {
  const see = async (to: string): Promise<TreeView> => {
    const entries = await changedEntries(run, { from: now.headTree, to });
    return new Map(entries.map((entry) => [entry.path, entry]));
  };
  const next = await see(nextTree);
  const own = run.withChanges ? await changedEntries(run, { from: baseTree, to: resultTree }) : [];
  return {
    files: await see(now.files),
    staged: await see(now.staged),
    next,
    base: await see(baseTree),
    result: await see(resultTree),
    left:
      earlier?.squash === true && earlier.state === "applied"
        ? { files: await see(earlier.after.files), staged: await see(earlier.after.staged) }
        : null,
    paths: [...new Set([...next.keys(), ...own.map(({ path }) => path)])],
  };
}

const NOT_COMMITTED = "the result changes files that are not committed";

/** The target of each file that has to change. */
function fileTargets(run: Run, views: Views, { conflicts }: NextHead): Map<string, string> {
  const { files, next, base, result, left, paths } = views;
  const unfit = new Set(conflicts);
  const lost: string[] = [];
  const targets = new Map<string, string>();
  for (const path of paths) {
    const is = entryAt(files, path);
    const asLeft = left !== null && is === entryAt(left.files, path);
    const from =
      is !== SAME && run.withChanges && is === entryAt(base, path)
        ? result
        : is === SAME || asLeft || is === entryAt(next, path)
          ? next
          : is === entryAt(result, path)
            ? files
            : null;
    if (from === null) lost.push(path);
    else if (from === next && unfit.has(path) && is !== entryAt(next, path)) lost.push(path);
    else if (entryAt(from, path) !== is)
      targets.set(path, from.get(path)?.after ?? files.get(path)?.before ?? "");
  }
  if (lost.length > 0) refuse("overlap", NOT_COMMITTED, lost.map(text));
  return targets;
}

/**
 * The new index: as the new HEAD where the user staged nothing; staged content stays, on top of the result's changes.
 */
async function stagedAfter(
  run: ActiveRun,
  { now, squash }: Wanted,
  { tree }: NextHead,
  { files, staged, next, left, paths }: Views,
): Promise<string> {
  if (run.withChanges && !squash) {
    const both = await mergeTrees(run, { base: now.headTree, ours: now.staged, theirs: tree });
    return both.conflicts.length > 0 ? refuseUncommitted(both.conflicts) : both.tree;
  }
  const lost: string[] = [];
  const targets = new Map<string, string>();
  for (const path of paths) {
    const is = entryAt(staged, path);
    if (run.withChanges && (entryAt(files, path) !== SAME || is !== SAME)) continue;
    if (is === entryAt(next, path)) continue;
    if (is === SAME || (left !== null && is === entryAt(left.staged, path)))
      targets.set(path, next.get(path)?.after ?? staged.get(path)?.before ?? "");
    else lost.push(path);
  }
  if (lost.length > 0)
    refuse("overlap", "the result changes files that are staged", lost.map(text));
  return checkoutTreeWith(run, now.staged, targets);
}
