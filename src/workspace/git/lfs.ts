/**
 * LFS objects: read from the user's store into the run's, and copied to the user's store before a branch that needs
 * them appears. Invariants: an object is complete or absent; it is verified against its name on the way to the user;
 * nothing is ever downloaded.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ActiveRun } from "../base/operation.ts";
import { layout, type Run } from "../base/run-folder.ts";
import { readBlobs } from "./blobs.ts";

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

export const placeOf = (objects: string, oid: string): string =>
  join(objects, oid.slice(0, 2), oid.slice(2, 4), oid);

export const ownObjects = (run: Run): string => join(layout(run.runDir).lfs, "objects");

/** Those of the objects that are LFS pointers. */
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

export interface LfsCopy extends Pointer {
  readonly from: string;
  readonly to: string;
}

/** The LFS objects that these blobs refer to, which the run has but the user's store lacks. */
export async function missingLfsObjects(
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
