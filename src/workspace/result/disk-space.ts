/**
 * Checks space on the user's disks before anything is written there, and explains failed writes. A margin always stays
 * free; a full, read-only or forbidden disk is reported as such, whatever git printed. LFS files count with their
 * content; what other filters make of a file is not known in advance.
 */
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ActiveRun } from "../base/operation.ts";
import { refusalOf, refuse } from "../base/refusal.ts";
import { pointersOf } from "../git/lfs.ts";
import { cloneGit } from "../git/git-dir.ts";
import { idIn } from "../git/read-objects.ts";
import { changedEntries, type Range } from "../git/changed-entries.ts";

export interface SpaceNeed {
  /** A folder on the disk in question. */
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
}

const MARGIN_MOST = 16 * 1024 * 1024;
const MARGIN_PART = 20;
const MARGIN_FILES = 16;

/** Refuses unless the folder is writable, the need fits and a margin stays free. */
export function requireDiskSpace(needs: readonly SpaceNeed[]): void {
  for (const { path } of needs) refuseDenied(path);
  const byDisk = new Map<number, SpaceNeed>();
  for (const need of needs) {
    const { dev } = statSync(need.path);
    const { path, bytes, files } = byDisk.get(dev) ?? { ...need, bytes: 0, files: 0 };
    byDisk.set(dev, { path, bytes: bytes + need.bytes, files: files + need.files });
  }
  for (const { path, bytes, files } of byDisk.values()) {
    const { bavail, bsize, blocks, ffree, files: inodes } = statfsSync(path);
    const margin = Math.min(MARGIN_MOST, (blocks * bsize) / MARGIN_PART);
    const free = bavail * bsize;
    if (bytes > 0 && free < bytes + margin)
      refuse(
        "disk-full",
        `the disk of ${path} is too full: ${kilobytes(bytes)} are needed, ${kilobytes(free)} are free, and ${kilobytes(margin)} should stay free`,
      );
    if (inodes > 0 && ffree < files + MARGIN_FILES)
      refuse("disk-full", `the disk of ${path} has no room for ${files} more files`);
  }
}

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1024)} KB`;

/** Files occupy whole blocks. */
const BLOCK = 4096;
export const onDisk = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

/**
 * Rethrows the failure, or a refusal that says what is wrong with these folders if git only said that it could not
 * write.
 */
export function rethrowExplained(error: unknown, folders: readonly string[]): never {
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  if (!["git-failed", "file-system", "disk-full", "overlap"].includes(refusal.kind)) throw error;
  for (const path of folders) {
    refuseDenied(path);
    const { bavail, bsize, ffree, files } = statfsSync(path);
    if (bavail * bsize < 256 * 1024 || (files > 0 && ffree === 0))
      refuse("disk-full", `the disk of ${path} is full`);
  }
  throw error;
}

function refuseDenied(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EROFS") refuse("file-system", `${path} is on a disk that is read-only`);
    if (code !== undefined) refuse("file-system", `${path} may not be written (${code})`);
  }
}

/** Space for files and index when the checkout's files change from one tree to another. */
export async function spaceForFiles(run: ActiveRun, range: Range): Promise<SpaceNeed> {
  const changes = await changedEntries(run, range);
  const ids = changes.filter((each) => each.after !== "").map((each) => idIn(each.after));
  const pointers = await pointersOf(run, run.filters === undefined ? [] : ids);
  const { stdout } = await cloneGit(run, ["cat-file", "--batch-check=%(objectsize)"], {
    input: ids.map((id) => `${id}\n`).join(""),
  });
  const sizes = stdout.split("\n").map((line) => Number(line) || 0);
  const contents = ids.reduce(
    (sum, id, at) => sum + onDisk(pointers.get(id)?.size ?? sizes[at] ?? 0),
    0,
  );
  const index = statSync(join(run.gitDir, "index"), { throwIfNoEntry: false })?.size ?? 0;
  const added = changes.filter(({ before: entry }) => entry === "").length;
  return { path: run.root, bytes: contents + 2 * onDisk(index) + BLOCK, files: added + 2 };
}
