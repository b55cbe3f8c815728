/** How much disk space is left for runs. */
import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";

const MEGABYTE = 1024 * 1024;

/** With less than this, a run would stop before it has made its first working tree. */
export const FREE_MIN: number = 50 * MEGABYTE;

export const megabytes = (bytes: number): string => `${Math.floor(bytes / MEGABYTE)} MB`;

/** The folder itself if it exists, otherwise its nearest existing parent. */
export function nearestThere(folder: string): string {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** Bytes that this user may still write there; unlimited if the system does not say. */
export function freeAt(folder: string): number {
  try {
    const { blocks, bavail, bsize } = statfsSync(nearestThere(folder));
    return blocks === 0 ? Infinity : bavail * bsize;
  } catch {
    return Infinity;
  }
}
