/**
 * What changed between two trees of a run: as text, as lines, as names. Output is bounded and says when it was
 * cut; no driver or filter runs. The text is foreign: make it harmless before a terminal, log or prompt.
 */
import { type ActiveRun, operation } from "../base/operation.ts";
import { cloneGit } from "./git-dir.ts";
import { records, text } from "./git.ts";

/** Two trees, commits or snapshots (their `tree` or `commit`). */
export interface Range {
  readonly from: string;
  readonly to: string;
}

export interface LineStat {
  readonly files: readonly string[];
  readonly added: number;
  readonly removed: number;
}

const MOST_TEXT = 1_000_000;

export const diffText = operation(
  async (run, { from, to, maxBytes = MOST_TEXT }: Range & { readonly maxBytes?: number }) => {
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

export const lineStat = operation(countLines);

/** Which files changed; `isNew`: it was not there before. */
export const changedFiles = operation(async (run, range: Range) =>
  (await changedEntries(run, range)).map(({ path, before }) => ({
    path: text(path),
    isNew: before === "",
  })),
);

/** The path is latin1 bytes; `before` and `after` are mode and id, empty where it is not there. */
export interface Entry {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export async function changedEntries(run: ActiveRun, { from, to }: Range): Promise<Entry[]> {
  if (from === to) return [];
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to];
  const fields = records((await cloneGit(run, args)).stdout);
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", oldId = "", newId = ""] = (fields[at] ?? "")
      .slice(1)
      .split(" ");
    const side = (mode: string, id: string): string =>
      /^0+$/.test(id) && /^0+$/.test(mode) ? "" : `${mode} ${id}`;
    entries.push({
      path: fields[at + 1] ?? "",
      before: side(oldMode, oldId),
      after: side(newMode, newId),
    });
  }
  return entries;
}
