/**
 * Where changes to the checkout would meet files that git does not show: ignored ones, which no snapshot holds,
 * and files where a folder is needed or the other way round. Invariant: reads only.
 */
import { readdirSync } from "node:fs";
import type { Entry } from "./diff.ts";
import { git, text } from "./git.ts";
import { cloneView } from "./git-dir.ts";
import { refuse } from "./refusal.ts";
import type { Control, Run } from "./types.ts";
import { below, lookAt } from "./view.ts";

export async function emptyTree(run: Run, control: Control): Promise<string> {
  const call = { args: ["mktree"], env: cloneView(run, "own"), input: "" };
  return (await git(call, control)).stdout.trim();
}

/** `changes` lead from the tree that the files are to the one they are to become. */
export function refuseInTheWay(run: Run, changes: readonly Entry[]): void {
  const gone = new Set(changes.filter(({ after }) => after === "").map(({ path }) => path));
  const added = changes.filter(({ before, after }) => before === "" && after !== "");
  const files = added.flatMap(({ path }) => [
    ...standing(run.root, path).filter((there) => !gone.has(there)),
    ...foldersOf(path).filter(
      (part) => !gone.has(part) && lookAt(run.root, part)?.isDirectory() === false,
    ),
  ]);
  if (files.length > 0)
    refuse("overlap", "files that git ignores or does not know are in the way", files.map(text));
}

const MOST_FILES = 1000;

/** The file at a path, or all files below the folder there. */
function standing(root: string, path: string, found: string[] = []): string[] {
  const there = lookAt(root, path);
  if (there === undefined || found.length > MOST_FILES) return found;
  if (!there.isDirectory()) found.push(path);
  else
    for (const name of readdirSync(below(root, path), { encoding: "buffer" }))
      standing(root, `${path}/${name.toString("latin1")}`, found);
  return found;
}

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
