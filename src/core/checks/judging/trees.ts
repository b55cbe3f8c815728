/**
 * The trees that are walked: the judged one, and the base's files with the new ones beside them. Invariants: each
 * file is read and parsed at most once a tree; folders are found without reading anything.
 */
import type { TreeFiles } from "./contract.ts";
import { readFields } from "./json-manifest.ts";
import type { Fields } from "./json-manifest.ts";
import { isTestData } from "./test-conventions.ts";
import { folderOf, foldersUp, nameOf } from "./tree-paths.ts";
import type { IndexedTree } from "./walk-state.ts";

export interface KnownTree extends IndexedTree {
  readonly isFolder: (path: string) => boolean;
}

export function knownTree({ paths, read }: TreeFiles): KnownTree {
  const files = new Set(paths);
  const folders = new Set<string>();
  const texts = new Map<string, string | undefined>();
  for (const path of paths)
    for (const folder of foldersUp(folderOf(path))) {
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  const text = (path: string): string | undefined => {
    if (!files.has(path)) return undefined;
    if (!texts.has(path)) texts.set(path, read(path));
    return texts.get(path);
  };
  return {
    ...indexed(paths, text),
    has: (path) => files.has(path),
    isNew: () => false,
    isFolder: (path) => folders.has(path),
  };
}

/** What the checks would run with the base's own judging files: the base's versions, and new files that may stand before them. */
export const mixedTree = (base: KnownTree, now: KnownTree): IndexedTree => ({
  ...indexed([...base.paths, ...now.paths.filter((path) => !base.has(path))], (path) =>
    base.has(path) ? base.read(path) : now.read(path),
  ),
  has: (path) => base.has(path) || now.has(path),
  isNew: (path) => !base.has(path),
});

function indexed(
  paths: readonly string[],
  read: TreeFiles["read"],
): Pick<IndexedTree, "paths" | "read" | "fields" | "packages"> {
  const parsed = new Map<string, Fields | undefined>();
  let packages: readonly string[] | undefined;
  return {
    paths,
    read,
    fields: (path) => {
      if (!parsed.has(path)) parsed.set(path, readFields(read(path) ?? ""));
      return parsed.get(path);
    },
    packages: () => (packages ??= paths.filter(isOwnPackage)),
  };
}

const isOwnPackage = (path: string): boolean =>
  nameOf(path) === "package.json" && !/(?:^|\/)node_modules\//.test(path) && !isTestData(path);
