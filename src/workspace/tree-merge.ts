/**
 * Three-way merges and comparisons of trees, whatever history they have. Invariants: nothing but trees counts, so
 * what a later commit took back is seen as missing; nothing is written but objects in the run's own store.
 */
import { changedEntries, type Entry } from "./diff.ts";
import { git, records } from "./git.ts";
import { cloneView } from "./git-dir.ts";
import { mergeTree } from "./merge.ts";
import { writeCommit } from "./store.ts";
import type { Control, Run } from "./types.ts";

export interface ThreeTrees {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface TreeMerge {
  /** Where files conflict it holds git's markers. */
  readonly tree: string;
  /** Paths as latin1 bytes. */
  readonly conflicts: readonly string[];
}

/** Commits without history stand for the trees: git finds the base by itself, also where it takes no base as an option. */
export async function mergeTrees(
  run: Run,
  { base, ours, theirs }: ThreeTrees,
  control: Control,
): Promise<TreeMerge> {
  if (base === theirs || ours === theirs) return { tree: ours, conflicts: [] };
  if (base === ours) return { tree: theirs, conflicts: [] };
  const plan = { message: "tree", at: 0 };
  const root = await writeCommit(run, { ...plan, tree: base, parents: [] });
  const left = await writeCommit(run, { ...plan, tree: ours, parents: [root] });
  const right = await writeCommit(run, { ...plan, tree: theirs, parents: [root] });
  const [tree = "", ...conflicts] = records((await mergeTree(run, left, right, control)).stdout);
  return { tree, conflicts: [...new Set(conflicts)] };
}

export async function treeOf(run: Run, commit: string, control: Control): Promise<string> {
  const args = ["rev-parse", "-q", "--verify", `${commit}^{tree}`];
  return (await git({ args, env: cloneView(run) }, control)).stdout.trim();
}

/** What trees hold at a path, all seen from one of them: equal words, equal entries. */
export interface Seen {
  at(path: string): string;
  readonly paths: readonly string[];
  /** The entry itself, for the tree that is seen or the one it is seen from. */
  entry(path: string, of: "seen" | "from"): string | undefined;
}

export async function seenFrom(
  run: Run,
  from: string,
  tree: string,
  control: Control,
): Promise<Seen> {
  const entries = await changedEntries(run, { from, to: tree }, control);
  const byPath = new Map(entries.map((entry): [string, Entry] => [entry.path, entry]));
  return {
    at: (path) => byPath.get(path)?.after ?? SAME,
    paths: [...byPath.keys()],
    entry: (path, of) => byPath.get(path)?.[of === "seen" ? "after" : "before"],
  };
}

export const SAME = "as seen from";
