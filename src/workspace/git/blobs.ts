/** Reads many blobs with few git processes, within bounds. */
import type { ActiveRun } from "../base/operation.ts";
import { cloneGit } from "./git-dir.ts";
import { text } from "./git.ts";

/** The content (latin1 bytes) of those objects that are blobs of at most `mostBytes`. */
export async function readBlobs(
  run: ActiveRun,
  ids: readonly string[],
  mostBytes: number,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (ids.length === 0) return found;
  const sizes = await cloneGit(run, ["cat-file", "--batch-check"], { input: lines(ids) });
  const small = sizes.stdout.split("\n").flatMap((line) => {
    const [id = "", type, size] = line.split(" ");
    return type === "blob" && Number(size) <= mostBytes ? [id] : [];
  });
  if (small.length === 0) return found;
  const { stdout } = await cloneGit(run, ["cat-file", "--batch"], { input: lines(small) });
  for (let at = 0; at < stdout.length;) {
    const start = stdout.indexOf("\n", at) + 1;
    const [id = "", , size = "0"] = stdout.slice(at, start - 1).split(" ");
    const end = start + Number(size);
    found.set(id, stdout.slice(start, end));
    at = end + 1;
  }
  return found;
}

const lines = (ids: readonly string[]): string => `${ids.join("\n")}\n`;

/**
 * Lets pure code read blobs: repeats `work` until every blob it asks for has been read. Blobs that are too big, binary
 * or missing read as undefined.
 */
export async function withBlobs<T>(
  run: ActiveRun,
  work: (read: (blob: string) => string | undefined) => T,
): Promise<T> {
  const known = new Map<string, string | undefined>();
  for (let round = 1; ; round += 1) {
    const missing = new Set<string>();
    const value = work((blob) => {
      if (!known.has(blob)) missing.add(blob);
      return known.get(blob);
    });
    if (missing.size === 0 || round === 12 || known.size > 2000) return value;
    const found = await readBlobs(run, [...missing], 1_000_000);
    for (const blob of missing) {
      const content = found.get(blob);
      known.set(blob, content?.includes("\0") === false ? text(content) : undefined);
    }
  }
}
