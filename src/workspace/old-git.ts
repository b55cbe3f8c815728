/**
 * Git dirs that agents had. Invariants: one that holds objects (a stash, a commit) is kept, not deleted; nothing
 * in it is run or obeyed.
 */
import { mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exists, forceRemove, moveAcross } from "./files.ts";
import { layout } from "./git-dir.ts";
import type { Run, Worktree } from "./types.ts";

/** Takes a git dir out of a worktree; a repeated call finishes one that was cut off. */
export async function putGitAway(
  run: Run,
  worktree: Worktree,
  id: string,
  gitDir: Buffer,
  submodule: string,
): Promise<void> {
  const places = layout(run.runDir);
  const name = submodule === "" ? "" : `.${encodeURIComponent(submodule)}`;
  const moved = join(places.private(worktree.key), `old-git${name}`.slice(0, 200));
  if (!(await exists(moved)) && (await exists(gitDir))) await rename(gitDir, moved);
  if (!(await exists(moved))) return;
  if (await holdsObjects(moved)) {
    const kept = join(places.kept, encodeURIComponent(id), `${worktree.key}${name}`.slice(0, 200));
    await mkdir(dirname(kept), { recursive: true });
    if (!(await exists(`${kept}.git`))) await moveAcross(Buffer.from(moved), `${kept}.git`);
  }
  await forceRemove(moved);
}

/** An agent that staged, stashed or committed left objects of its own. */
async function holdsObjects(gitDir: string): Promise<boolean> {
  const objects = join(gitDir, "objects");
  const names = await readdir(objects).catch(() => []);
  const packs = await readdir(join(objects, "pack")).catch(() => []);
  return packs.length > 0 || names.some((name) => name !== "info" && name !== "pack");
}
