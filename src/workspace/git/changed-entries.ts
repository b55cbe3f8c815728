/** The differences between two trees. */
import type { ActiveRun } from "../base/operation.ts";
import { cachedCloneGit } from "./git-dir.ts";
import { records } from "./git.ts";
import { knownTree } from "./objects.ts";

/** Two trees, commits or snapshots (their `tree` or `commit`). */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** The path is latin1 bytes; `before` and `after` are mode and id, empty if absent on that side. */
export interface Entry {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const side = (mode: string, id: string): string => (/^0+$/.test(mode) ? "" : `${mode} ${id}`);

/** The same range with commits replaced by their trees where known, so that cached answers serve both. */
export const treesOf = ({ from, to }: Range): Range => ({
  from: knownTree(from) ?? from,
  to: knownTree(to) ?? to,
});

export async function changedEntries(run: ActiveRun, range: Range): Promise<Entry[]> {
  const { from, to } = treesOf(range);
  if (from === to) return [];
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames"];
  const fields = records((await cachedCloneGit(run, args, [from, to])).stdout);
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [modesAndIds = "", path = ""] = fields.slice(at, at + 2);
    const [oldMode = "", newMode = "", oldId = "", newId = ""] = modesAndIds.slice(1).split(" ");
    entries.push({ path, before: side(oldMode, oldId), after: side(newMode, newId) });
  }
  return entries;
}
