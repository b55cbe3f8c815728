/**
 * Room on the user's disks before anything is written there, and why a write there failed. Invariants: the last of
 * the space is never taken; a full, read-only or forbidden disk is told as that, whatever git said.
 */
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { refusalOf, refuse } from "../base/refusal.ts";
import type { Control, Run } from "../base/types.ts";
import { changedEntries } from "../git/diff.ts";
import { cloneView } from "../git/git-dir.ts";
import { git } from "../git/git.ts";
import { pointersOf } from "../git/lfs.ts";
import type { ApplyRecord } from "./apply-record.ts";

export interface Need {
  /** A folder on the disk in question. */
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
}

const MARGIN_MOST = 16 * 1024 * 1024;
const MARGIN_PART = 20;
const MARGIN_FILES = 16;

/** Refused unless it may be written, what is needed fits and a margin stays free. */
export function requireRoom(needs: readonly Need[]): void {
  for (const { path } of needs) refuseDenied(path);
  const byDisk = new Map<number, Need>();
  for (const need of needs) {
    const { dev } = statSync(need.path);
    const other = byDisk.get(dev) ?? { path: need.path, bytes: 0, files: 0 };
    byDisk.set(dev, {
      path: other.path,
      bytes: other.bytes + need.bytes,
      files: other.files + need.files,
    });
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

/** Files take whole blocks. */
const BLOCK = 4096;
export const onDisk = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

const FULL_BYTES = 256 * 1024;

/** The failure again, with what is the matter with these folders where git only said that it could not write. */
export function explained(error: unknown, folders: readonly string[]): never {
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  if (!["git-failed", "file-system", "disk-full", "overlap"].includes(refusal.kind)) throw error;
  for (const path of folders) {
    refuseDenied(path);
    const { bavail, bsize, ffree, files } = statfsSync(path);
    if (bavail * bsize < FULL_BYTES || (files > 0 && ffree === 0))
      refuse("disk-full", `the disk of ${path} is full`);
  }
  throw error;
}

function refuseDenied(path: string): void {
  const denied = accessCode(path);
  if (denied === "EROFS") refuse("file-system", `${path} is on a disk that is read-only`);
  if (denied !== undefined) refuse("file-system", `${path} may not be written (${denied})`);
}

function accessCode(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

export async function filesNeed(
  run: Run,
  { before, after }: ApplyRecord,
  to: "before" | "after",
  control: Control,
): Promise<Need> {
  const [from, target] = to === "after" ? [before, after] : [after, before];
  const changes = await changedEntries(run, { from: from.files, to: target.files }, control);
  const ids = changes.flatMap(({ after: entry }) => entry.split(" ")[1] ?? []);
  const pointers = run.filters === undefined ? new Map() : await pointersOf(run, ids, control);
  const call = { args: ["cat-file", "--batch-check=%(objectsize)"], env: cloneView(run) };
  const { stdout } = await git({ ...call, input: ids.map((id) => `${id}\n`).join("") }, control);
  const sizes = stdout.split("\n").map((line) => Number(line) || 0);
  const contents = ids.reduce((sum, id, at) => {
    const pointed = (pointers.get(id) as { readonly size: number } | undefined)?.size;
    return sum + onDisk(pointed ?? sizes[at] ?? 0);
  }, 0);
  const index = statSync(join(run.gitDir, "index"), { throwIfNoEntry: false })?.size ?? 0;
  const added = changes.filter(({ before: entry }) => entry === "").length;
  return { path: run.root, bytes: contents + 2 * onDisk(index) + BLOCK, files: added + 2 };
}
