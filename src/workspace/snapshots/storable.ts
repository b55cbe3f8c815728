/** Which files can be stored: readable, with a name that git accepts, and not too big. */
import { accessSync, constants, existsSync } from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import { pathBelow, lstatOrUndefined } from "../base/files.ts";
import type { Skipped } from "../base/run-folder.ts";
import { text } from "../git/git.ts";

export interface Changes {
  readonly others: readonly string[];
  readonly tracked: readonly string[];
  readonly nested: readonly string[];
  /** Folders of which only the upper part is accessible. */
  readonly tooDeep: readonly string[];
}

export const skip = (path: string, reason: Skipped["reason"], size: number): Skipped => ({
  path: text(path),
  reason,
  bytes: size,
});

interface StorableSplit {
  readonly paths: readonly string[];
  /** Too big for git itself; LFS may take them. */
  readonly big: readonly string[];
  readonly left: readonly Skipped[];
}

/** The changed paths that git can store, and those that it cannot, with the reason. */
export async function splitStorable(
  root: string,
  changes: Pick<Changes, "others" | "tracked">,
  maxFileBytes = 64 * 1024 * 1024,
): Promise<StorableSplit> {
  const paths: string[] = [];
  const big: string[] = [];
  const left: Skipped[] = [];
  const others = new Set(changes.others);
  let looked = 0;
  for (const path of [...changes.tracked, ...changes.others]) {
    if (!others.has(path) && hasAncestorIn(path, others)) continue; // replaced together with its parent
    if ((looked += 1) % 512 === 0) await breathe();
    const found = lstatOrUndefined(root, path);
    if (found?.isDirectory() && existsSync(pathBelow(root, `${path}/.git`))) continue; // submodule
    const symlink = found?.isSymbolicLink() ?? false;
    if (!storableName(path, symlink)) left.push(skip(path, "unstorable-name", found?.size ?? 0));
    else if (!found?.isFile()) paths.push(path);
    else if (!readable(root, path)) left.push(skip(path, "unreadable", found.size));
    else (found.size > maxFileBytes ? big : paths).push(path);
  }
  return { paths, big, left };
}

function hasAncestorIn(path: string, set: ReadonlySet<string>): boolean {
  for (let cut = path.lastIndexOf("/"); cut > 0; cut = path.lastIndexOf("/", cut - 1))
    if (set.has(path.slice(0, cut))) return true;
  return false;
}

function storableName(path: string, symlink: boolean): boolean {
  const parts = path.toLowerCase().split("/");
  return !parts.includes(".git") && !(symlink && parts.at(-1) === ".gitmodules");
}

function readable(root: string, path: string): boolean {
  try {
    accessSync(pathBelow(root, path), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
