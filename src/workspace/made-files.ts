/**
 * What set-up made in a check tree, remembered by inode, size and change time, so that a change to it is seen
 * without reading a byte. Invariants: symlinks are never followed; files that came later are no change, they are
 * swept away; cache folders are not looked at.
 */
import { lstatSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";

/** By path below the tree. */
export type MadeFiles = Readonly<Record<string, string>>;

const BREATHE_AFTER = 2000;

/** `tops` and `caches` are paths below `root`. */
export async function madeFiles(
  root: string,
  tops: readonly string[],
  caches: readonly string[],
): Promise<MadeFiles> {
  const found: Record<string, string> = {};
  await walk(root, tops, caches, (path, mark) => {
    found[path] = mark;
  });
  return found;
}

/** Files that are not as set-up left them, or gone. What came later is removed and not named. */
export async function changedSince(
  root: string,
  tops: readonly string[],
  caches: readonly string[],
  made: MadeFiles,
): Promise<readonly string[]> {
  const changed: string[] = [];
  const late: string[] = [];
  const seen = new Set<string>();
  await walk(root, tops, caches, (path, mark) => {
    seen.add(path);
    if (!Object.hasOwn(made, path)) late.push(path);
    else if (made[path] !== mark) changed.push(path);
  });
  for (const path of Object.keys(made)) if (!seen.has(path)) changed.push(path);
  for (const path of late) await rm(join(root, path), { force: true });
  return changed;
}

async function walk(
  root: string,
  tops: readonly string[],
  caches: readonly string[],
  see: (path: string, mark: string) => void,
): Promise<void> {
  const skipped = new Set(caches);
  const open = [...tops];
  let looked = 0;
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (skipped.has(path)) continue;
    looked += 1;
    if (looked % BREATHE_AFTER === 0) await breathe();
    const found = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    if (found === undefined) continue;
    if (!found.isDirectory()) see(path, `${found.ino} ${found.size} ${found.ctimeNs}`);
    else for (const name of namesIn(join(root, path))) open.push(`${path}/${name}`);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
