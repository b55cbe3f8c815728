/**
 * Removes and moves folders that an agent may have filled, even if they are read-only or deeper than the system's
 * longest path.
 */
import { chmod, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { copyTree } from "./copy.ts";

export async function forceRemove(path: string | Buffer): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await makeRemovable(Buffer.from(path));
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Longer than any process uses its own folder outside a run. */
const LEFT_AFTER_MS = 24 * 3_600_000;

/** Removes what killed processes left in a folder, selected by name prefix. */
export async function removeLeftovers(folder: string, prefix = ""): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = name.startsWith(prefix) ? await lstat(path).catch(() => null) : null;
    if (found !== null && Date.now() - found.mtimeMs > LEFT_AFTER_MS) await forceRemove(path);
  }
}

/** Folders whose path has grown by more than this are moved up, so that no path becomes too long. */
const GROWTH = 1000;

const under = (folder: Buffer, name: Buffer): Buffer =>
  Buffer.concat([folder, Buffer.from("/"), name]);

/**
 * Gives the owner all rights on every folder below `top` and moves those that are too deep up to it. Folders may
 * disappear meanwhile.
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

/** Moves a file or folder, even to another file system. */
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
