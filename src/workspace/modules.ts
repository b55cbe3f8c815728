/**
 * The user's own modules: which one a name in `.gitmodules` means, and its files. Invariants: names and paths in
 * `.gitmodules` are the tree's and hostile: only a module that lies below the user's `modules` folder and holds
 * the recorded commit is read; its files are copied into the run's store, so nothing leans on the module or leads
 * an agent to it; nothing is fetched.
 */
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { git, records, text } from "./git.ts";
import { cloneView, layout } from "./git-dir.ts";
import type { Control, Run } from "./types.ts";

const MOST_NAMES_BYTES = 1_000_000;

/** The user's modules; a linked worktree has its own. */
export const moduleFolders = (run: Run): string[] =>
  [...new Set([run.gitDir, run.commonDir])].map((path) => join(path, "modules")).filter(existsSync);

/** Paths to names as a tree's `.gitmodules` has them; none when it cannot be read. */
export async function namesIn(
  run: Run,
  tree: string,
  control: Control,
): Promise<ReadonlyMap<string, string>> {
  const args = [
    "config",
    `--blob=${tree}:.gitmodules`,
    "-z",
    "--get-regexp",
    "^submodule\\..*\\.path$",
  ];
  const call = { args, env: cloneView(run), okCodes: [0, 1, 3, 128, 129] };
  const { stdout } = await git({ ...call, maxBytes: MOST_NAMES_BYTES, cut: true }, control);
  return new Map(
    records(stdout).map((record) => {
      const cut = record.indexOf("\n");
      const name = record.slice("submodule.".length, cut - ".path".length);
      return [record.slice(cut + 1).replace(/\/$/, ""), text(name)];
    }),
  );
}

/** The git dir of a module, if the name leads to one below the folder and nowhere else. */
export function moduleOf(folders: readonly string[], name: string): string | null {
  const parts = name.split("/");
  const odd = parts.some((part) => part === "" || part === "." || part === "..");
  if (odd || isAbsolute(name) || name.length > 500 || /[\0\n\\]/.test(name)) return null;
  for (const folder of folders) {
    const path = join(folder, name);
    if (!existsSync(join(path, "HEAD")) || !existsSync(join(path, "objects"))) continue;
    if (realpathSync(path) === join(realpathSync(folder), name)) return path;
  }
  return null;
}

/** The tree of a module's commit, copied into the run's store; null when it is not all there. */
export async function keptTree(
  run: Run,
  module: string,
  commit: string,
  control: Control,
): Promise<string | null> {
  const args = ["rev-parse", "-q", "--verify", `${commit}^{tree}`];
  const ask = { args, env: cloneView(run, "own"), okCodes: [0, 1, 128] };
  const there = await git(ask, control);
  if (there.code === 0) return there.stdout.trim();
  const env = {
    GIT_DIR: layout(run.runDir).clone,
    GIT_OBJECT_DIRECTORY: join(module, "objects"),
  };
  const prefix = join(layout(run.runDir).store, "pack", "pack");
  const pack = ["pack-objects", "-q", "--revs", "--non-empty", prefix];
  const input = `--shallow ${commit}\n${commit}\n`;
  await git({ args: pack, env, input, okCodes: [0, 1, 128] }, control);
  const now = await git(ask, control);
  return now.code === 0 ? now.stdout.trim() : null;
}
