/**
 * Finds the files of the tree that a word in a script may mean. Invariants: only paths of the tree come out; a
 * bounded number of places is tried.
 */
import { UNKNOWN } from "../../shell/variables.ts";
import { joined } from "./tree-paths.ts";
import type { IndexedTree, Step } from "./walk-state.ts";

export type Place = Pick<Step, "folder" | "own">;

const ENDINGS = [
  ...[
    ".js",
    ".mjs",
    ".cjs",
    ".ts",
    ".mts",
    ".cts",
    ".tsx",
    ".jsx",
    ".json",
    ".py",
    ".rb",
    ".sh",
    ".php",
  ],
  ...["/index.js", "/index.mjs", "/index.ts", "/__init__.py", "/__main__.py", "/main.go"],
];

/** The folder as far as it is known; a script that moves to its own folder is followed there. */
export function folderIn({ folder, own }: Place): string {
  if (!folder.startsWith(UNKNOWN)) return folder;
  return joined(own, folder.slice(1).replace(/^\/+/, "").replaceAll(UNKNOWN, "")) ?? "";
}

/** Paths that the word may mean, whether they are there or not. */
export function candidates(word: string, place: Place): readonly string[] {
  const known = word.slice(word.lastIndexOf(UNKNOWN) + 1);
  const isOpen = known.length < word.length || place.folder.startsWith(UNKNOWN);
  const bases = isOpen ? [place.own, folderIn(place), ""] : [place.folder];
  const relative = isOpen ? known.replace(/^\/+/, "") : known;
  if (relative === "" || relative.length > 500) return [];
  return [...new Set(bases.flatMap((base) => joined(base, relative) ?? []))];
}

/** Files that are there under the word, with any of the endings that interpreters add. */
export function filesAt(word: string, place: Place, tree: IndexedTree): readonly string[] {
  return candidates(word, place).flatMap((path) =>
    tree.has(path) ? [path] : ENDINGS.map((ending) => path + ending).filter((one) => tree.has(one)),
  );
}

/** Like an import: seen from the file itself, then from where the command runs and from the root. */
export function importsAt(word: string, place: Place, tree: IndexedTree): readonly string[] {
  const isModule = /^[A-Za-z_][\w.]{0,100}$/.test(word);
  const words = isModule ? [word, word.replaceAll(".", "/")] : [word];
  const bases = new Set([place.own, folderIn(place), ""]);
  return [...bases].flatMap((folder) =>
    words.flatMap((one) => filesAt(one, { folder, own: folder }, tree)),
  );
}
