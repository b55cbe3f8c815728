/**
 * Copies folders with the system's own `cp`, which is many times faster than Node for small files: copy-on-write if the
 * file system supports it, and never as links to the original. Files that could not be copied are returned.
 */
import { constants } from "node:fs";
import { cp, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Control } from "./operation.ts";
import { refuse } from "./refusal.ts";
import { startProgram } from "./program.ts";
import { programLimit, durationText, watched } from "./programs.ts";

export const copyTree = (from: string, to: string): Promise<void> =>
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

/** Tried in order: a `cp` that rejects an option has not copied anything. */
const WAYS: readonly (readonly string[])[] =
  process.platform === "darwin" ? [["-cRp"], ["-Rp"]] : [["-a", "--reflink=auto"], ["-a"]];

/** `to` must not exist. Returns what could not be read, as paths below `from` (`""` is `from` itself). */
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

/** What exists below `from` but not below `to`. */
async function missingIn(from: string, to: string): Promise<readonly string[]> {
  const missing: string[] = [];
  const open = [""];
  for (let path = open.pop(); path !== undefined && missing.length < 50; path = open.pop()) {
    const found = await lstat(join(from, path)).catch(() => null);
    if (found === null) continue;
    const names = found.isDirectory() ? await readdir(join(from, path)).catch(() => null) : [];
    const there = (await lstat(join(to, path)).catch(() => null)) !== null;
    if (!there || names === null) missing.push(path);
    else open.push(...names.map((name) => join(path, name)).reverse());
  }
  return missing;
}

/** Undefined if this system has no `cp`. */
async function systemCopy(
  args: readonly string[],
  control: Control,
): Promise<{ readonly code: number; readonly said: string } | undefined> {
  if (control.signal?.aborted === true) refuse("aborted", "the copy was stopped");
  const { PATH = "" } = process.env;
  let said = "";
  const limitMs = programLimit();
  const folder = args.at(-1) ?? "";
  try {
    const child = await startProgram({
      ...{ file: "cp", args, cwd: process.cwd(), env: { PATH, LC_ALL: "C" } },
      onOutput: () => undefined,
      onErrors(chunk) {
        if (said.length < 64 * 1024) said += chunk.toString("utf8");
      },
    });
    const { code, by } = await watched(child, { name: "cp", folder, limitMs }, control.signal);
    if (by === undefined) return { code, said };
    if (by !== "limit") refuse("aborted", "the copy was stopped");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
  return refuse("too-slow", `a copy was ended, it took longer than ${durationText(limitMs)}`);
}
