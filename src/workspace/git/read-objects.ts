/**
 * Reads trees, indexes and blobs of a run without a working tree. Paths are latin1 bytes unless said otherwise;
 * an entry is mode and id, as in `100644 0f3a...`.
 */
import type { ActiveRun, Control } from "../base/operation.ts";
import { cloneGit, cloneView, cloneWord } from "./git-dir.ts";
import { git, type GitEnv, records, text } from "./git.ts";

export const FOLDER_MODE = "040000";
export const GITLINK_MODE = "160000";

export const treeOf = (run: ActiveRun, commit: string): Promise<string> =>
  cloneWord(run, "rev-parse", "-q", "--verify", `${commit}^{tree}`);

export async function emptyTree(run: ActiveRun): Promise<string> {
  const call = { args: ["mktree"], env: cloneView(run, "own"), input: "" };
  return (await git(call, run.control)).stdout.trim();
}

/** Everything in a tree by path, folders too. */
export async function allEntries(
  run: ActiveRun,
  tree: string,
): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await cloneGit(run, ["ls-tree", "-r", "-t", "-z", tree]);
  return new Map(
    records(stdout).map((record) => {
      const [mode = "", , id = ""] = record.split(/[ \t]/, 3);
      return [record.slice(record.indexOf("\t") + 1), `${mode} ${id}`];
    }),
  );
}

/** Everything in an index by path. */
export async function indexEntries(
  env: GitEnv,
  control: Control,
): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await git({ args: ["ls-files", "-s", "-z"], env }, control);
  return new Map(
    records(stdout).map((record) => {
      const [mode = "", id = ""] = record.split(" ", 2);
      return [record.slice(record.indexOf("\t") + 1), `${mode} ${id}`];
    }),
  );
}

export const idIn = (entry = ""): string => entry.split(" ")[1] ?? "";

/** Mode and blob of all files of a tree, by path as text. */
export type TreeEntries = ReadonlyMap<string, { readonly mode: string; readonly blob: string }>;

export async function treeEntries(run: ActiveRun, tree: string): Promise<TreeEntries> {
  const found = new Map<string, { readonly mode: string; readonly blob: string }>();
  for (const [path, entry] of await allEntries(run, tree)) {
    const [mode = "", blob = ""] = entry.split(" ");
    if (mode !== FOLDER_MODE) found.set(text(path), { mode, blob });
  }
  return found;
}

/** The content (latin1 bytes) of those of these objects that are blobs of at most so many bytes. */
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

const MOST_ROUNDS = 12;
const MOST_BYTES = 1_000_000;
const MOST_FILES = 2000;

/**
 * Lets pure code read blobs: runs `work` until it asks for none that has not been read. Bounded in files, bytes and
 * rounds; a blob that is too big, binary or gone reads as nothing.
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
    if (missing.size === 0 || round === MOST_ROUNDS || known.size > MOST_FILES) return value;
    const found = await readBlobs(run, [...missing], MOST_BYTES);
    for (const blob of missing) {
      const content = found.get(blob);
      known.set(blob, content?.includes("\0") === false ? text(content) : undefined);
    }
  }
}
