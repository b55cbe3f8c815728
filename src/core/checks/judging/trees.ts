/**
 * The trees that are walked: the judged one, and the base's files with the new ones beside them. Imports types only. Invariants:
 * each file is read at most once a tree; folders are found without reading anything.
 */
import type { TreeFiles } from "./contract.ts";
import { folderOf, foldersUp } from "./tree-paths.ts";
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
  return {
    paths,
    has: (path) => files.has(path),
    isNew: () => false,
    isFolder: (path) => folders.has(path),
    read: (path) => {
      if (!files.has(path)) return undefined;
      if (!texts.has(path)) texts.set(path, read(path));
      return texts.get(path);
    },
  };
}

/** What the checks would run with the base's own judging files: the base's versions, and new files that may stand before them. */
export const mixedTree = (base: KnownTree, now: KnownTree): IndexedTree => ({
  paths: [...base.paths, ...now.paths.filter((path) => !base.has(path))],
  has: (path) => base.has(path) || now.has(path),
  isNew: (path) => !base.has(path),
  read: (path) => (base.has(path) ? base.read(path) : now.read(path)),
});
