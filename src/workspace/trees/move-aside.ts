/** Moves files that no snapshot could hold aside, to a folder where they can be found. */
import { join } from "node:path";
import { pathBelow, exists } from "../base/files.ts";
import { moveAcross } from "../base/remove.ts";
import { layout, type Run, type Skipped, type Worktree } from "../base/run-folder.ts";
import { bytes } from "../git/git.ts";

export const asideFolder = (run: Run, id: string): string =>
  join(layout(run.runDir).kept, encodeURIComponent(id));

export async function moveAside(
  run: Run,
  worktree: Worktree,
  id: string,
  skipped: readonly Skipped[],
): Promise<void> {
  for (const { path } of skipped) {
    const from = pathBelow(worktree.path, bytes(path));
    if (await exists(from)) await moveAcross(from, join(asideFolder(run, id), path));
  }
}
