/**
 * Helpers for files and folders, including those an agent may have filled. Symlinks are never followed; read-only
 * folders can still be removed; a durable write is either complete and on disk, or absent.
 */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { chmod, lstat, mkdir, open, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Gives the owner all rights on every folder below, which `rm` and `git clean` need. */
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

/** Writes all or nothing: writes a temporary file, syncs and renames it, and syncs the folder. */
export async function writeDurably(path: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const aside = `${path}.${process.pid}.tmp`;
  await writeFile(aside, content, { flush: true });
  await rename(aside, path);
  await syncPath(dirname(path));
}

/** Flushes a file or folder to disk. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, "r");
  await file.sync().finally(() => file.close());
}

/** Writes a record that could be computed again: all or nothing, but a power loss may lose it. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(value));
  await rename(`${path}.new`, path);
}

/** Null if the file does not exist or was cut short by a power loss. */
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

/** The names in a folder; empty if it does not exist or cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A path from git below a folder, as the bytes that the file system expects. */
export const pathBelow = (root: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);

/** What exists at a path, without following links; undefined if nothing does. */
export function lstatOrUndefined(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(pathBelow(root, path));
  } catch {
    return undefined;
  }
}

/** A read-only folder cannot be renamed into another one, so it is made writable for the move. */
export async function moveIn(aside: string, to: string): Promise<void> {
  const found = await lstat(aside);
  const mode = found.mode & 0o7777;
  const locked = found.isDirectory() && (mode & 0o200) === 0;
  if (locked) await chmod(aside, mode | 0o200);
  await rename(aside, to);
  if (locked) await chmod(to, mode);
}
