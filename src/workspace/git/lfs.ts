/**
 * LFS objects: taken from the user's store into the run's, and from there to the user's before a branch that needs
 * them appears. Nothing is downloaded; an object is complete or not there; what goes to the user is a copy that was
 * checked against its name; what comes from them is a hard link where it can be, as git-lfs itself does it.
 */
import { createHash } from "node:crypto";
import { constants, createReadStream, existsSync, statSync } from "node:fs";
import { copyFile, link, mkdir, rename, rm } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncPath } from "../base/files.ts";
import type { ActiveRun } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { layout, type Run } from "../base/run-folder.ts";
import { readBlobs } from "./read-objects.ts";

export interface Pointer {
  readonly oid: string;
  readonly size: number;
}

const LARGEST_POINTER = 1024;
const FIRST_LINE = /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\/v1\n/;

export function parsePointer(content: string): Pointer | null {
  if (content.length > LARGEST_POINTER || !FIRST_LINE.test(content)) return null;
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(content)?.[1];
  const size = /^size (\d{1,15})$/m.exec(content)?.[1];
  return oid === undefined || size === undefined ? null : { oid, size: Number(size) };
}

/** Where git-lfs keeps the objects of a repository; `storage` is the user's `lfs.storage`. */
export function userLfsObjects(commonDir: string, storage: string | undefined): string {
  if (storage === undefined || storage === "") return join(commonDir, "lfs", "objects");
  return join(isAbsolute(storage) ? storage : join(commonDir, storage), "objects");
}

const placeOf = (objects: string, oid: string): string =>
  join(objects, oid.slice(0, 2), oid.slice(2, 4), oid);
const ownObjects = (run: Run): string => join(layout(run.runDir).lfs, "objects");

/** Which of these objects are pointers. */
export async function pointersOf(
  run: ActiveRun,
  ids: readonly string[],
): Promise<Map<string, Pointer>> {
  const found = new Map<string, Pointer>();
  for (const [id, content] of await readBlobs(run, ids, LARGEST_POINTER)) {
    const pointer = parsePointer(content);
    if (pointer !== null) found.set(id, pointer);
  }
  return found;
}

/** Brings objects of the user's into the run's store; true when the object is there afterwards. */
export async function importObject(run: Run, { oid, size }: Pointer): Promise<boolean> {
  const to = placeOf(ownObjects(run), oid);
  if (sizeOf(to) === size || size === 0) return true;
  const from = placeOf(run.filters?.lfsObjects ?? "", oid);
  if (run.filters === undefined || sizeOf(from) !== size) return false;
  await mkdir(dirname(to), { recursive: true });
  await rm(to, { force: true });
  try {
    await link(from, to);
  } catch {
    const aside = `${to}.${process.pid}.tmp`;
    await copyFile(from, aside, constants.COPYFILE_FICLONE);
    await rename(aside, to);
  }
  return true;
}

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : -1;
}

export interface LfsCopy {
  readonly from: string;
  readonly to: string;
  readonly oid: string;
  readonly size: number;
}

/** What these objects refer to, the run has and the user's store lacks. */
export async function lackingLfs(
  run: ActiveRun,
  ids: readonly string[],
): Promise<readonly LfsCopy[]> {
  const { filters } = run;
  if (filters === undefined || !existsSync(ownObjects(run))) return [];
  return [...(await pointersOf(run, ids)).values()]
    .map(({ oid, size }) => ({
      ...{ oid, size },
      from: placeOf(ownObjects(run), oid),
      to: placeOf(filters.lfsObjects, oid),
    }))
    .filter(({ from, to }) => existsSync(from) && !existsSync(to));
}

/** Copies an object to the user's store, checked against its name. */
export async function sendLfsObject({ from, to, oid }: LfsCopy): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const aside = `${to}.${process.pid}.tmp`;
  try {
    await copyFile(from, aside, constants.COPYFILE_FICLONE);
    const hash = createHash("sha256");
    await pipeline(createReadStream(aside), hash);
    if (hash.digest("hex") !== oid) refuse("damaged-run", `the LFS object ${oid} is damaged`);
    await syncPath(aside);
    await rename(aside, to);
  } finally {
    await rm(aside, { force: true });
  }
}
