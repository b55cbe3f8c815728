/**
 * Reads trees, indexes and diffs of a run without a working tree: changes between two trees as text, line counts or
 * names. Paths are latin1 bytes unless stated otherwise; an entry is mode and id, as in `100644 0f3a...`. Output is
 * bounded and says if it was cut; no driver or filter runs. Text is foreign: sanitise it before printing, logging or
 * prompting.
 */
import { type ActiveRun, type Control, operation } from "../base/operation.ts";
import { cachedCloneGit, cloneGit, cloneView, WHOLE_ID } from "./git-dir.ts";
import { git, type GitEnv, records, text } from "./git.ts";
import { changedEntries, type Entry, type Range, treesOf } from "./changed-entries.ts";
import { knownTree, rememberTree } from "./objects.ts";

export const FOLDER_MODE = "040000";

export const GITLINK_MODE = "160000";

export async function treeOf(run: ActiveRun, commit: string): Promise<string> {
  const known = knownTree(commit);
  if (known !== undefined) return known;
  const args = ["rev-parse", "-q", "--verify"];
  const tree = (await cachedCloneGit(run, args, [`${commit}^{tree}`])).stdout.trim();
  if (WHOLE_ID.test(commit)) rememberTree(commit, tree);
  return tree;
}

export async function emptyTree(run: ActiveRun): Promise<string> {
  const call = { args: ["mktree"], env: cloneView(run, "own"), input: "" };
  return (await git(call, run.control)).stdout.trim();
}

/** Mode and id by path. */
type Entries = ReadonlyMap<string, string>;

/** Everything in a tree, including folders. */
export async function allEntries(run: ActiveRun, tree: string): Promise<Entries> {
  const args = ["ls-tree", "-r", "-t", "-z"];
  return entriesIn((await cachedCloneGit(run, args, [knownTree(tree) ?? tree])).stdout, 2);
}

export async function indexEntries(env: GitEnv, control: Control): Promise<Entries> {
  return entriesIn((await git({ args: ["ls-files", "-s", "-z"], env }, control)).stdout, 1);
}

const entriesIn = (stdout: string, idField: number): Entries =>
  new Map(
    records(stdout).map((record) => {
      const fields = record.split(/[ \t]/, 3);
      return [record.slice(record.indexOf("\t") + 1), `${fields[0]} ${fields[idField]}`];
    }),
  );

export const idIn = (entry = ""): string => entry.split(" ")[1] ?? "";

export const isFolder = (entry = ""): boolean => entry.startsWith(FOLDER_MODE);

/** All files of a tree, by path as text. */
export async function treeFiles(run: ActiveRun, tree: string): Promise<Entries> {
  const files = [...(await allEntries(run, tree))].filter(([, entry]) => !isFolder(entry));
  return new Map(files.map(([path, entry]) => [text(path), entry]));
}

export interface LineStat {
  readonly files: readonly string[];
  readonly added: number;
  readonly removed: number;
}

export const diffText = operation(
  async (run, { from, to, maxBytes = 1_000_000 }: Range & { readonly maxBytes?: number }) => {
    const args = ["diff-tree", "-r", "-p", "-M", "-l400", "--no-color", "--no-ext-diff"];
    args.push("--no-textconv", from, to);
    const output = await cloneGit(run, args, { maxBytes, cut: true });
    return { text: text(output.stdout), cut: output.cut };
  },
);

export interface FileLines {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** Lines added and removed, and in which files. */
export async function countLines(run: ActiveRun, range: Range): Promise<LineStat> {
  const files = await linesOf(run, range);
  return {
    files: files.map(({ path }) => path),
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
  };
}

/** `isNew`: the file did not exist before. */
export const linesByFile = operation(async (run, range: Range) => {
  const added = (await changedEntries(run, range)).filter(({ before }) => before === "");
  const fresh = new Set(added.map(({ path }) => text(path)));
  return (await linesOf(run, range)).map((file) => ({ ...file, isNew: fresh.has(file.path) }));
});

/** A binary file is listed with zero lines. */
async function linesOf(run: ActiveRun, range: Range): Promise<readonly FileLines[]> {
  const { from, to } = treesOf(range);
  if (from === to) return [];
  const args = ["diff-tree", "-r", "-z", "--numstat", "--no-renames"];
  return records((await cachedCloneGit(run, args, [from, to])).stdout).map((record) => {
    const [plus = "-", minus = "-", ...path] = record.split("\t");
    const lines = (number: string): number => (number === "-" ? 0 : Number(number));
    return { path: text(path.join("\t")), added: lines(plus), removed: lines(minus) };
  });
}

/** Names of the changed files, as text. */
export const changedFiles = operation(async (run, range: Range) =>
  (await changedEntries(run, range)).map(({ path }) => text(path)),
);

/** The changes at the given paths only. */
export async function changedAt(
  run: ActiveRun,
  range: Range,
  paths: readonly string[],
): Promise<Entry[]> {
  const wanted = new Set(paths);
  return (await changedEntries(run, range)).filter(({ path }) => wanted.has(path));
}
