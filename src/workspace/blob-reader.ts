/**
 * Lets pure code read files of a commit: what it asks for and is not there yet is fetched in one batch, and the
 * code is asked again. Invariants: bounded in files, bytes and rounds; a file that is too big, binary or gone
 * reads as nothing.
 */
import { git, text } from "./git.ts";
import { cloneView } from "./git-dir.ts";
import { allEntries } from "./trees.ts";
import type { Control, Run } from "./types.ts";

/** Mode and blob by path, of all files of a tree. */
export type TreeEntries = ReadonlyMap<string, { readonly mode: string; readonly blob: string }>;

const FOLDER = "040000";
const MOST_ROUNDS = 12;
const MOST_BYTES = 1_000_000;
const MOST_FILES = 2000;

export async function treeEntries(run: Run, tree: string, control: Control): Promise<TreeEntries> {
  const found = new Map<string, { readonly mode: string; readonly blob: string }>();
  for (const [path, entry] of await allEntries(run, tree, control)) {
    const [mode = "", blob = ""] = entry.split(" ");
    if (mode !== FOLDER) found.set(text(path), { mode, blob });
  }
  return found;
}

/** Runs `work` until it asks for no blob that has not been read. */
export async function withBlobs<T>(
  run: Run,
  control: Control,
  work: (read: (blob: string) => string | undefined) => T,
): Promise<T> {
  const known = new Map<string, string | undefined>();
  for (let round = 1; ; round += 1) {
    const missing = new Set<string>();
    const value = work((blob) => {
      if (!known.has(blob)) missing.add(blob);
      return known.get(blob);
    });
    if (missing.size === 0 || round === MOST_ROUNDS || known.size > MOST_FILES) return value;
    for (const [blob, content] of await fetched(run, [...missing], control))
      known.set(blob, content);
    for (const blob of missing) if (!known.has(blob)) known.set(blob, undefined);
  }
}

async function fetched(
  run: Run,
  blobs: readonly string[],
  control: Control,
): Promise<Map<string, string | undefined>> {
  const sizes = await git(
    { args: ["cat-file", "--batch-check"], env: cloneView(run), input: `${blobs.join("\n")}\n` },
    control,
  );
  const small = sizes.stdout.split("\n").flatMap((line) => {
    const [blob = "", type, size] = line.split(" ");
    return type === "blob" && Number(size) <= MOST_BYTES ? [blob] : [];
  });
  const found = new Map<string, string | undefined>();
  if (small.length === 0) return found;
  const call = {
    args: ["cat-file", "--batch"],
    env: cloneView(run),
    input: `${small.join("\n")}\n`,
  };
  const { stdout } = await git(call, control);
  for (let at = 0; at < stdout.length;) {
    const line = stdout.indexOf("\n", at);
    const [blob = "", , size = "0"] = stdout.slice(at, line).split(" ");
    const content = stdout.slice(line + 1, line + 1 + Number(size));
    found.set(blob, content.includes("\0") ? undefined : text(content));
    at = line + 1 + Number(size) + 1;
  }
  return found;
}
