/**
 * Files and folders, also those an agent may have filled. Symlinks are never followed; folders made read-only, or deeper
 * than the system's longest path, do not stop a removal; a copy is made by the system's own `cp`, which is many times
 * faster than node's for small files, copy-on-write where the file system can, and never a link to what is copied; what is
 * written durably is whole and on disk, or not there.
 */
import { spawn } from "node:child_process";
import { constants, lstatSync, readdirSync, type Stats } from "node:fs";
import {
  chmod,
  cp,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Control, refuse } from "./operation.ts";
import { programLimit, spokenTime, watched } from "./programs.ts";

export async function forceRemove(path: string | Buffer): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await makeRemovable(Buffer.from(path));
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Folders whose path has grown by more than this are moved up, so that none gets too long to be named. */
const GROWTH = 1000;
const SLASH = Buffer.from("/");
const under = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, SLASH, name]);

/**
 * Gives its owner all rights on every folder below `top`, and brings those that lie too deep up to it. The removal that failed
 * may still be taking others away: what is gone meanwhile is fine.
 */
async function makeRemovable(top: Buffer): Promise<void> {
  let moved = 0;
  const toSee = [top];
  for (let folder = toSee.pop(); folder !== undefined; folder = toSee.pop()) {
    const found = await lstat(folder).catch(() => null);
    if (!found?.isDirectory()) continue;
    await chmod(folder, found.mode | 0o700).catch(() => undefined);
    const read = readdir(folder, { withFileTypes: true, encoding: "buffer" });
    for (const entry of (await read.catch(() => [])).filter((each) => each.isDirectory())) {
      const inner = under(folder, entry.name);
      if (inner.length - top.length <= GROWTH) toSee.push(inner);
      else {
        const upper = under(top, Buffer.from(`${Date.now()}-too-deep-${(moved += 1)}`));
        await chmod(inner, 0o700).catch(() => undefined);
        await rename(inner, upper).catch(() => undefined);
        toSee.push(upper);
      }
    }
  }
}

/** Gives its owner all rights on every folder below, as `rm` and `git clean` need them. */
export async function makeWritable(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isDirectory()) return;
  await chmod(path, found.mode | 0o700).catch(() => undefined);
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await makeWritable(join(path, entry.name));
}

/** Moves a file or folder, also to another file system. */
export async function moveAcross(from: Buffer, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await copyTree(from.toString(), to);
    await forceRemove(from);
  }
}

const copyTree = (from: string, to: string): Promise<void> =>
  cp(from, to, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: async (source) => {
      const found = await lstat(source);
      return found.isFile() || found.isDirectory() || found.isSymbolicLink();
    },
  });

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

/** Tried in turn: a `cp` that does not know an option did nothing. */
const WAYS: readonly (readonly string[])[] =
  process.platform === "darwin" ? [["-cRp"], ["-Rp"]] : [["-a", "--reflink=auto"], ["-a"]];
const MOST_SAID = 64 * 1024;
const MOST_NAMED = 50;

/** `to` must not be there. Gives what could not be read, as paths below `from` (`""` is itself). */
export async function copyWhole(
  from: string,
  to: string,
  control: Control,
): Promise<readonly string[]> {
  for (const way of WAYS) {
    const ended = await systemCopy([...way, "--", from, to], control);
    if (ended === undefined) break;
    if (ended.code === 0) return [];
    if (/(?:unrecognized|illegal|invalid|unknown) option/i.test(ended.said)) continue;
    return leftOut(from, to, ended.said);
  }
  await copyTree(from, to);
  return [];
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

async function leftOut(from: string, to: string, said: string): Promise<readonly string[]> {
  const lines = said.split("\n").filter((line) => line !== "");
  const first = (lines[0] ?? "cp failed").slice(0, 300);
  if (/No space left on device|Disk quota exceeded/.test(said)) refuse("disk-full", first);
  const other = lines.find(
    (line) => !/: (?:Permission denied|No such file or directory)$/.test(line),
  );
  if (lines.length === 0 || other !== undefined)
    refuse("file-system", (other ?? first).slice(0, 300));
  return missingIn(from, to);
}

/** What stands below `from` and not below `to`. */
async function missingIn(from: string, to: string): Promise<readonly string[]> {
  const missing: string[] = [];
  const open = [""];
  for (
    let path = open.pop();
    path !== undefined && missing.length < MOST_NAMED;
    path = open.pop()
  ) {
    const found = await lstat(join(from, path)).catch(() => null);
    if (found === null) continue;
    const names = found.isDirectory() ? await readdir(join(from, path)).catch(() => null) : [];
    const there = (await lstat(join(to, path)).catch(() => null)) !== null;
    if (!there || names === null) missing.push(path);
    else open.push(...names.map((name) => join(path, name)).reverse());
  }
  return missing;
}

/** Undefined: there is no `cp` here. */
async function systemCopy(
  args: readonly string[],
  control: Control,
): Promise<{ readonly code: number; readonly said: string } | undefined> {
  if (control.signal?.aborted === true) refuse("aborted", "the copy was stopped");
  const { PATH = "" } = process.env;
  const child = spawn("cp", args, {
    ...{ env: { PATH, LC_ALL: "C" }, stdio: ["ignore", "ignore", "pipe"], detached: true },
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    if (said.length < MOST_SAID) said += chunk.toString("utf8");
  });
  const limitMs = programLimit();
  const folder = args.at(-1) ?? "";
  try {
    const { code, by } = await watched(child, { name: "cp", folder, limitMs }, control.signal);
    if (by === undefined) return { code, said };
    if (by !== "limit") refuse("aborted", "the copy was stopped");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
  return refuse("too-slow", `a copy was ended, it took longer than ${spokenTime(limitMs)}`);
}
