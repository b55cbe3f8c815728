/**
 * What an apply has to change in the user's checkout as it is now. Invariants: nothing of the user's is touched; a
 * file that is neither committed, nor as the run or an earlier apply knew it, nor already as the result wants it,
 * is a refusal; what is staged stays staged and what is not does not.
 */
import { join } from "node:path";
import { refuse } from "../base/refusal.ts";
import type { Control, Run } from "../base/types.ts";
import { changedEntries } from "../git/diff.ts";
import { layout } from "../git/git-dir.ts";
import { text } from "../git/git.ts";
import { withLines } from "../git/read-objects.ts";
import { type CheckoutNow, refuseInTheWay } from "../repository/checkout.ts";
import type { ApplyRecord, Side } from "./apply-record.ts";
import { mergeTrees, SAME, type Seen, seenFrom, treeOf } from "./merge.ts";
import { nextHead, type NextHead, refuseUncommitted, takenBack } from "./next-head.ts";

export interface AimPlan {
  readonly at: number;
  /** Leave the changes staged and uncommitted; HEAD does not move. */
  readonly squash?: boolean;
  /** Also what later commits took back. */
  readonly again?: boolean;
}

export type Aim =
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

export async function aimOf(
  run: Run,
  plan: AimPlan & { readonly result: string },
  now: CheckoutNow,
  earlier: ApplyRecord | undefined,
  control: Control,
): Promise<Aim> {
  const { result, at, squash = false, again = false } = plan;
  const trees = {
    baseTree: await treeOf(run, run.base, control),
    resultTree: await treeOf(run, result, control),
  };
  if (trees.baseTree === trees.resultTree) return { kind: "nothing" };
  const next = await nextHead(run, { now, result, ...trees, at, squash, again }, control);
  const isIn = next.tree === now.headTree && next.conflicts.length === 0;
  if (!isIn && !run.withChanges && (await isStaged(run, trees, now, control)))
    return { kind: "there", committed: false };
  const seen = await viewsOf(run, now, { ...trees, next: next.tree }, earlier, control);
  const targets = fileTargets(run, seen, next);
  const files = await withEntries(run, "files", now.files, targets, control);
  const staged = await stagedAfter(run, now, next, seen, squash, control);
  const after = { head: squash ? now.head : (next.commit ?? now.head), staged, files };
  const changes = await changedEntries(run, { from: now.files, to: files }, control);
  const pushedOut = changes.filter(({ path }) => !targets.has(path)).map(({ path }) => text(path));
  if (pushedOut.length > 0) refuse("overlap", NOT_COMMITTED, pushedOut);
  refuseInTheWay(run, changes);
  const stagedChanges = await changedEntries(run, { from: now.staged, to: staged }, control);
  if (changes.length + stagedChanges.length === 0 && after.head === now.head)
    return { kind: "there", committed: isIn };
  return {
    kind: "change",
    after,
    paths: changes.map(({ path }) => path),
    stagedPaths: stagedChanges.map(({ path }) => path),
    takenBack: run.withChanges || again ? [] : await takenBack(run, trees, next.tree, control),
  };
}

/** Applied with squash before, and not committed yet. */
async function isStaged(
  run: Run,
  { baseTree, resultTree }: { readonly baseTree: string; readonly resultTree: string },
  { staged, headTree }: CheckoutNow,
  control: Control,
): Promise<boolean> {
  if (staged === headTree) return false;
  const trees = { base: baseTree, ours: staged, theirs: resultTree };
  const both = await mergeTrees(run, trees, control);
  return both.conflicts.length === 0 && both.tree === staged;
}

/** All trees in question, seen from HEAD's. */
interface Views {
  readonly files: Seen;
  readonly staged: Seen;
  readonly next: Seen;
  readonly base: Seen;
  readonly result: Seen;
  /** As the last apply left files and index, where it was not committed. */
  readonly left: { readonly files: Seen; readonly staged: Seen } | null;
  /** Paths that the result or the new HEAD change. */
  readonly paths: readonly string[];
}

async function viewsOf(
  run: Run,
  now: CheckoutNow,
  trees: { readonly baseTree: string; readonly resultTree: string; readonly next: string },
  earlier: ApplyRecord | undefined,
  control: Control,
): Promise<Views> {
  const see = (tree: string): Promise<Seen> => seenFrom(run, now.headTree, tree, control);
  const next = await see(trees.next);
  const range = { from: trees.baseTree, to: trees.resultTree };
  const own = run.withChanges ? await changedEntries(run, range, control) : [];
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

const NOT_COMMITTED = "the result changes files that are not committed";

type Targets = ReadonlyMap<string, string>;

/** What the files at the paths in question become; only those that change. */
function fileTargets(run: Run, views: Views, { conflicts }: NextHead): Targets {
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
  run: Run,
  now: CheckoutNow,
  next: NextHead,
  { files, staged, next: head, left, paths }: Views,
  squash: boolean,
  control: Control,
): Promise<string> {
  if (run.withChanges && !squash) {
    const trees = { base: now.headTree, ours: now.staged, theirs: next.tree };
    const both = await mergeTrees(run, trees, control);
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
  return withEntries(run, "staged", now.staged, targets, control);
}

/** The tree with other entries at some paths; an empty entry takes the path out. */
export async function withEntries(
  run: Run,
  name: string,
  tree: string,
  targets: Targets,
  control: Control,
): Promise<string> {
  if (targets.size === 0) return tree;
  const none = `0 ${"0".repeat(tree.length)}`;
  const lines = [...targets]
    .sort(([, a], [, b]) => Number(a !== "") - Number(b !== ""))
    .map(([path, entry]) => `${entry === "" ? none : entry}\t${path}\0`);
  const index = join(layout(run.runDir).clean, `index-apply-${name}`);
  return withLines(run, index, tree, lines, control);
}
