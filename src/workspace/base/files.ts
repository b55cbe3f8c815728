/**
 * Files and folders, also those an agent may have filled. Symlinks are never followed; folders made read-only, or
 * deeper than the system's longest path, do not stop a removal; what is written durably is whole and on disk, or not
 * there.
 */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { chmod, lstat, mkdir, open, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Gives its owner all rights on every folder below, as `rm` and `git clean` need them. */
export async function makeWritable(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isDirectory()) return;
  await chmod(path, found.mode | 0o700).catch(() => undefined);
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await makeWritable(join(path, entry.name));
}

export async function exists(path: string | Buffer): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

/** Bytes on disk below a folder; symlinks count as themselves. */
export async function diskBytes(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return 0;
  let sum = found.blocks * 512;
  if (!found.isDirectory()) return sum;
  for (const name of await readdir(path).catch(() => [])) sum += await diskBytes(join(path, name));
  return sum;
}

/** Whole or not at all: written aside, synced, renamed, and the folder synced. */
export async function writeDurably(path: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const aside = `${path}.${process.pid}.tmp`;
  await writeFile(aside, content, { flush: true });
  await rename(aside, path);
  await syncPath(dirname(path));
}

/** Brings a file or folder to the disk. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, "r");
  await file.sync().finally(() => file.close());
}

/** A record that can be worked out again: whole or not there, but a power loss may take it. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(value));
  await rename(`${path}.new`, path);
}

/** Null where there is none, or where a power loss cut it short. */
export async function readJson<T>(path: string): Promise<T | null> {
  const content = await readOrNull(path);
  try {
    return content === null ? null : (JSON.parse(content.toString("utf8")) as T);
  } catch {
    return null;
  }
}

export async function readOrNull(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return null;
  }
}

/** What is in a folder; nothing where it is none, or not to be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A path of git's below a folder, as the file system takes it. */
export const below = (root: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);

/** What stands at a path, itself and not what it links to; undefined when nothing does. */
export function lookAt(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(below(root, path));
  } catch {
    return undefined;
  }
}

/** A folder that nobody may write cannot be renamed into another one. */
export async function moveIn(aside: string, to: string): Promise<void> {
  const found = await lstat(aside);
  const mode = found.mode & 0o7777;
  const locked = found.isDirectory() && (mode & 0o200) === 0;
  if (locked) await chmod(aside, mode | 0o200);
  await rename(aside, to);
  if (locked) await chmod(to, mode);
}
