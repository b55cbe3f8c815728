/**
 * The user's own clean and smudge filters: which ones are LFS, which path has one, and the LFS objects they need.
 * Drivers come from the user's config at the time the run was opened, never from a tree or from a git dir that an agent
 * can write; a tree only names drivers.
 */
import { createHash } from "node:crypto";
import { constants, createReadStream, statSync } from "node:fs";
import { copyFile, link, mkdir, rename, rm } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { syncPath } from "../base/files.ts";
import { type ActiveRun } from "../base/operation.ts";
import { refuse } from "../base/refusal.ts";
import { programLimit } from "../base/programs.ts";
import type { Run } from "../base/run-folder.ts";
import { pathList } from "./edit-index.ts";
import { git, type GitEnv, records, text } from "./git.ts";
import { placeOf, ownObjects, type Pointer, type LfsCopy } from "./lfs.ts";
import { driverNames, commands } from "./filter-settings.ts";

/** Whether the driver is git-lfs: what it cleans comes back byte for byte, whatever its size. */
export const isLfs = (run: Pick<Run, "filters">, driver: string): boolean =>
  /\bgit[- ]lfs\b/.test(commands(run).get(driver) ?? "");

/** Whether any filter can apply in a tree, given whether it has attribute files. */
export const mayFilter = (run: Run, attributeFiles: boolean): boolean =>
  driverNames(run).size > 0 && (attributeFiles || run.attributeLines.includes("filter"));

/** The time limit for a git that runs filter programs. */
export const filterLimit = (
  run: Pick<ActiveRun, "filters" | "control">,
): { readonly filterLimitMs?: number } =>
  driverNames(run).size === 0 ? {} : { filterLimitMs: run.control.filterLimitMs ?? programLimit() };

/**
 * The defined driver of each path, if any, except for the paths in `without`; read from the attribute files in the
 * index.
 */
export async function driversOf(
  run: ActiveRun,
  env: GitEnv,
  paths: readonly string[],
  without: readonly string[] = [],
): Promise<Map<string, string>> {
  const drivers = new Map<string, string>();
  const known = driverNames(run);
  if (paths.length === 0 || known.size === 0) return drivers;
  const args = ["check-attr", "-z", "--cached", "--stdin", "filter"];
  const fields = records((await git({ args, env, input: pathList(paths) }, run.control)).stdout);
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const driver = text(fields[at + 2] ?? "");
    if (known.has(driver)) drivers.set(fields[at] ?? "", driver);
  }
  for (const path of without) drivers.delete(path);
  return drivers;
}

/** Where git-lfs keeps the objects of a repository; `storage` is the user's `lfs.storage`. */
export function userLfsObjects(commonDir: string, storage: string | undefined): string {
  if (storage === undefined || storage === "") return join(commonDir, "lfs", "objects");
  return join(isAbsolute(storage) ? storage : join(commonDir, storage), "objects");
}

/** Brings an object of the user's into the run's store; true if it is there afterwards. */
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

/** Copies an object to the user's store, verifying its hash. */
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
