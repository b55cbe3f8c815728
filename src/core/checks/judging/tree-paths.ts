/**
 * Paths of a tree: `/` between names, the empty path is its root. Invariant: a joined path never leaves the tree;
 * what would is undefined.
 */

/** Longer paths than git's own limits are never looked up. */
const CHARS_MAX = 4096;

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export function joined(folder: string, word: string): string | undefined {
  if (word.startsWith("/") || folder.length + word.length > CHARS_MAX) return undefined;
  const parts: string[] = [];
  for (const part of `${folder}/${word}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** The folder and those above it, nearest first, the root last. */
export function foldersUp(folder: string): readonly string[] {
  const up = [folder];
  for (let at = folder; at !== "" && up.length < 100; up.push(at)) at = folderOf(at);
  return up;
}
