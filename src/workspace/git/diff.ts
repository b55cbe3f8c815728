/**
 * What changed between two trees of a run: as text, as lines, as names. Invariant: output is bounded and says when
 * it was cut; no driver or filter runs. The text is foreign: tame it before a terminal, log or prompt.
 */
import { settled } from "../base/refusal.ts";
import type { Control, LineStat, Result, Run } from "../base/types.ts";
import { cloneView } from "./git-dir.ts";
import { git, records, text } from "./git.ts";

/** Two trees, commits or snapshots (their `tree` or `commit`). */
export interface Range {
  readonly from: string;
  readonly to: string;
}

const MOST_TEXT = 1_000_000;

export const diffText = (
  run: Run,
  { from, to, maxBytes = MOST_TEXT }: Range & { readonly maxBytes?: number },
  control: Control = {},
): Promise<Result<{ readonly text: string; readonly cut: boolean }>> =>
  settled(async () => {
    const args = ["diff-tree", "-r", "-p", "-M", "-l400", "--no-color", "--no-ext-diff"];
    args.push("--no-textconv", from, to);
    const output = await git({ args, env: cloneView(run), maxBytes, cut: true }, control);
    return { text: text(output.stdout), cut: output.cut };
  });

/** Lines added and removed, and in which files; a binary file counts without lines. */
export const lineStat = (
  run: Run,
  { from, to }: Range,
  control: Control = {},
): Promise<Result<LineStat>> =>
  settled(async () => {
    if (from === to) return { files: [], added: 0, removed: 0 };
    const args = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", from, to];
    const { stdout } = await git({ args, env: cloneView(run) }, control);
    const files: string[] = [];
    let added = 0;
    let removed = 0;
    for (const record of records(stdout)) {
      const [plus = "-", minus = "-", ...path] = record.split("\t");
      files.push(text(path.join("\t")));
      added += plus === "-" ? 0 : Number(plus);
      removed += minus === "-" ? 0 : Number(minus);
    }
    return { files, added, removed };
  });

export interface ChangedFile {
  readonly path: string;
  /** It was not there before. */
  readonly isNew: boolean;
}

export const changedFiles = (
  run: Run,
  range: Range,
  control: Control = {},
): Promise<Result<readonly ChangedFile[]>> =>
  settled(async () =>
    (await changedEntries(run, range, control)).map(({ path, before }) => ({
      path: text(path),
      isNew: before === "",
    })),
  );

export interface Entry {
  readonly path: string;
  /** Empty mode and id mean: not there. */
  readonly before: string;
  readonly after: string;
}

/** Raw changes; paths are latin1 bytes, `before` and `after` are mode and id. */
export async function changedEntries(run: Run, range: Range, control: Control): Promise<Entry[]> {
  if (range.from === range.to) return [];
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", range.from, range.to];
  const fields = records((await git({ args, env: cloneView(run) }, control)).stdout);
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
