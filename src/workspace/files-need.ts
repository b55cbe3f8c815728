/**
 * How much room the files and the index take that a change of the checkout writes. LFS files count with their
 * content; what other filters make of a file is not known before.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { ApplyRecord } from "./apply-record.ts";
import { changedEntries } from "./diff.ts";
import { git } from "./git.ts";
import { cloneView } from "./git-dir.ts";
import { pointersOf } from "./lfs.ts";
import { BLOCK, onDisk, type Need } from "./room.ts";
import type { Control, Run } from "./types.ts";

export async function filesNeed(
  run: Run,
  { before, after }: ApplyRecord,
  to: "before" | "after",
  control: Control,
): Promise<Need> {
  const [from, target] = to === "after" ? [before, after] : [after, before];
  const changes = await changedEntries(run, { from: from.files, to: target.files }, control);
  const ids = changes.flatMap(({ after: entry }) => entry.split(" ")[1] ?? []);
  const pointers = run.filters === undefined ? new Map() : await pointersOf(run, ids, control);
  const call = { args: ["cat-file", "--batch-check=%(objectsize)"], env: cloneView(run) };
  const { stdout } = await git({ ...call, input: ids.map((id) => `${id}\n`).join("") }, control);
  const sizes = stdout.split("\n").map((line) => Number(line) || 0);
  const contents = ids.reduce((sum, id, at) => {
    const pointed = (pointers.get(id) as { readonly size: number } | undefined)?.size;
    return sum + onDisk(pointed ?? sizes[at] ?? 0);
  }, 0);
  const index = statSync(join(run.gitDir, "index"), { throwIfNoEntry: false })?.size ?? 0;
  const added = changes.filter(({ before: entry }) => entry === "").length;
  return { path: run.root, bytes: contents + 2 * onDisk(index) + BLOCK, files: added + 2 };
}
