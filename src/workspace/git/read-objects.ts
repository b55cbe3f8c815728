/**
 * Reads trees, indexes and blobs of a run without a working tree, and what changed between two trees: as text, as lines,
 * as names. Paths are latin1 bytes unless said otherwise; an entry is mode and id, as in `100644 0f3a...`. Output is
 * bounded and says when it was cut; no driver or filter runs. Text is foreign: make it harmless before a terminal, log or
 * prompt.
 */
import { type ActiveRun, type Control, operation } from "../base/operation.ts";
import { cloneFact, cloneGit, cloneView } from "./git-dir.ts";
import { git, type GitEnv, records, text } from "./git.ts";
import { changedEntries, type Entry, type Range } from "./changed-entries.ts";

export const FOLDER_MODE = "040000";

export const GITLINK_MODE = "160000";

export const treeOf = async (run: ActiveRun, commit: string): Promise<string> =>
  (await cloneFact(run, ["rev-parse", "-q", "--verify"], [`${commit}^{tree}`])).stdout.trim();

export async function emptyTree(run: ActiveRun): Promise<string> {
  const call = { args: ["mktree"], env: cloneView(run, "own"), input: "" };
  return (await git(call, run.control)).stdout.trim();
}

/** Mode and id by path. */
type Entries = ReadonlyMap<string, string>;

/** Everything in a tree, folders too. */
export async function allEntries(run: ActiveRun, tree: string): Promise<Entries> {
  const { stdout } = await cloneGit(run, ["ls-tree", "-r", "-t", "-z", tree]);
  return entriesIn(stdout, 2);
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

/** Lines added and removed, and in which files; a binary file counts without lines. */
export async function countLines(run: ActiveRun, { from, to }: Range): Promise<LineStat> {
  if (from === to) return { files: [], added: 0, removed: 0 };
  const args = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", from, to];
  const files: string[] = [];
  let added = 0;
  let removed = 0;
  for (const record of records((await cloneGit(run, args)).stdout)) {
    const [plus = "-", minus = "-", ...path] = record.split("\t");
    files.push(text(path.join("\t")));
    added += plus === "-" ? 0 : Number(plus);
    removed += minus === "-" ? 0 : Number(minus);
  }
  return { files, added, removed };
}

/** Which files changed, as text. */
export const changedFiles = operation(async (run, range: Range) =>
  (await changedEntries(run, range)).map(({ path }) => text(path)),
);

/** The same at these paths alone. */
export async function changedAt(
  run: ActiveRun,
  range: Range,
  paths: readonly string[],
): Promise<Entry[]> {
  const wanted = new Set(paths);
  return (await changedEntries(run, range)).filter(({ path }) => wanted.has(path));
}
