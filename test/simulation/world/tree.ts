/** File trees in memory: text by name. Invariant: trees are values; a change gives another tree. */
import { hashText } from "../../../src/core/hash.ts";

export type Tree = Readonly<Record<string, string>>;

export const EMPTY_TREE: Tree = {};

/** The file that mends a base that was broken from the start. */
export const MENDED = "base.mended";

export function treeHash(tree: Tree): string {
  return hashText(JSON.stringify(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Files that are not the same in both. */
export function changedFiles(from: Tree, to: Tree): readonly string[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names].filter((name) => from[name] !== to[name]).sort();
}

export type Joined =
  | { readonly clean: true; readonly tree: Tree }
  | { readonly clean: false; readonly conflicts: readonly string[] };

/** Three-way: a file changed on both sides in different ways is a conflict. */
export function joined(base: Tree, ours: Tree, theirs: Tree): Joined {
  const tree: Record<string, string> = { ...ours };
  const conflicts: string[] = [];
  for (const name of changedFiles(base, theirs)) {
    if (ours[name] !== base[name] && ours[name] !== theirs[name]) conflicts.push(name);
    const text = theirs[name];
    if (text === undefined) delete tree[name];
    else tree[name] = text;
  }
  return conflicts.length > 0 ? { clean: false, conflicts } : { clean: true, tree };
}
