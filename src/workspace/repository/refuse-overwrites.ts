/** Refuses changes that would overwrite files in the user's checkout that git ignores or does not know. */
import { readdirSync } from "node:fs";
import { pathBelow, lstatOrUndefined } from "../base/files.ts";
import { refuse } from "../base/refusal.ts";
import type { Run } from "../base/run-folder.ts";
import { text } from "../git/git.ts";
import type { Entry } from "../git/changed-entries.ts";

/** `changes` lead from the current tree of the files to the target tree. */
export function refuseOverwrites(run: Run, changes: readonly Entry[]): void {
  const gone = new Set(changes.filter(({ after }) => after === "").map(({ path }) => path));
  const added = changes.filter(({ before, after }) => before === "" && after !== "");
  const files = added.flatMap(({ path }) => [
    ...standing(run.root, path).filter((there) => !gone.has(there)),
    ...foldersOf(path).filter(
      (part) => !gone.has(part) && lstatOrUndefined(run.root, part)?.isDirectory() === false,
    ),
  ]);
  if (files.length > 0)
    refuse("overlap", "files that git ignores or does not know are in the way", files.map(text));
}

/** The file at a path, or all files below the folder there. */
function standing(root: string, path: string, found: string[] = []): string[] {
  const there = lstatOrUndefined(root, path);
  if (there === undefined || found.length > 1000) return found;
  if (!there.isDirectory()) found.push(path);
  else
    for (const name of readdirSync(pathBelow(root, path), { encoding: "buffer" }))
      standing(root, `${path}/${name.toString("latin1")}`, found);
  return found;
}

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
