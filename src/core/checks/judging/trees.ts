/**
 * The trees being searched, and path helpers: names are separated by `/`, and the empty path is the root. Invariants: a
 * joined path never leaves the tree; each file is read and parsed at most once per tree; finding folders reads no
 * files.
 */
import type { TreeFiles } from "./contract.ts";
import { readFields, type Fields } from "./manifest-formats.ts";
import { isTestData } from "./test-conventions.ts";

/** A tree with fast look-ups. */
export interface IndexedTree extends TreeFiles {
  readonly has: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
  /** Not a file of the base. It may shadow one, so the shadowed file is followed too. */
  readonly isNew: (path: string) => boolean;
  /** The object in a JSON file. */
  readonly fields: (path: string) => Fields | undefined;
  /** Every `package.json` of the repository itself. */
  readonly packages: () => readonly string[];
}

export function indexedTree({ paths, read }: TreeFiles): IndexedTree {
  const files = new Set(paths);
  const folders = new Set<string>();
  for (const path of paths)
    for (const folder of folderAndParents(folderOf(path))) {
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  const text = once((path) => (files.has(path) ? read(path) : undefined));
  let packages: readonly string[] | undefined;
  return {
    paths,
    read: text,
    has: (path) => files.has(path),
    isFolder: (path) => folders.has(path),
    isNew: () => false,
    fields: once((path) => readFields(text(path) ?? "")),
    packages: () => (packages ??= paths.filter(isOwnPackage)),
  };
}

/**
 * What the checks would run with the base's judging files: the base's versions, plus new files that may shadow them.
 */
export function mixedTree(base: IndexedTree, now: IndexedTree): IndexedTree {
  const isNew = (path: string): boolean => !base.has(path);
  const paths = [...base.paths, ...now.paths.filter(isNew)];
  const read = (path: string): string | undefined => (isNew(path) ? now : base).read(path);
  return { ...indexedTree({ paths, read }), isNew };
}

function once<Value>(found: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>();
  return (path) => {
    if (!known.has(path)) known.set(path, found(path));
    return known.get(path)!;
  };
}

const isOwnPackage = (path: string): boolean =>
  nameOf(path) === "package.json" && !/(?:^|\/)node_modules\//.test(path) && !isTestData(path);

/** Paths longer than git allows are never looked up. */
const CHARS_MAX = 4096;

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export function joinPath(folder: string, word: string): string | undefined {
  if (word.startsWith("/") || folder.length + word.length > CHARS_MAX) return undefined;
  const parts: string[] = [];
  for (const part of `${folder}/${word}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** The folder and its parents, nearest first, ending with the root. */
export function folderAndParents(folder: string): readonly string[] {
  const up = [folder];
  for (let at = folder; at !== "" && up.length < 100; up.push(at)) at = folderOf(at);
  return up;
}
