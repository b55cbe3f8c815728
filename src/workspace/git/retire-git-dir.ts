/** Removes the git dir that an agent worked with, keeping it if it contains objects of its own. */
import { mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exists } from "../base/files.ts";
import { forceRemove, moveAcross } from "../base/remove.ts";
import { layout, type Run, type Worktree } from "../base/run-folder.ts";

/** Takes a git dir out of a worktree; a repeated call completes an interrupted one. */
export async function retireGitDir(
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
