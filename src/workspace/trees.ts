/** Trees without a working tree: what one holds, and one with other entries laid over it. Paths are latin1 bytes. */
import { rm } from "node:fs/promises";
import { git, records } from "./git.ts";
import { cloneView } from "./git-dir.ts";
import type { Control, Run } from "./types.ts";

/** Everything in a tree, folders too, by path: mode and id. */
export async function allEntries(
  run: Run,
  tree: string,
  control: Control,
): Promise<ReadonlyMap<string, string>> {
  const args = ["ls-tree", "-r", "-t", "-z", tree];
  const { stdout } = await git({ args, env: cloneView(run) }, control);
  return new Map(
    records(stdout).map((record) => {
      const [mode = "", , id = ""] = record.split(/[ \t]/, 3);
      return [record.slice(record.indexOf("\t") + 1), `${mode} ${id}`];
    }),
  );
}

/** `tree` with index lines laid over it; the new tree lies in the run's own store. */
export async function withLines(
  run: Run,
  index: string,
  tree: string,
  lines: readonly string[],
  control: Control,
): Promise<string> {
  await rm(`${index}.lock`, { force: true });
  const env = { ...cloneView(run), GIT_INDEX_FILE: index };
  await git({ args: ["read-tree", tree], env }, control);
  const input = Buffer.from(lines.join(""), "latin1");
  const args = ["update-index", "-z", "--add", "--replace", "--index-info"];
  await git({ args, env, input }, control);
  const own = { ...cloneView(run, "own"), GIT_INDEX_FILE: index };
  const write = { args: ["write-tree", "--missing-ok"], env: own, flush: "later" } as const;
  const { stdout } = await git(write, control);
  await rm(index, { force: true });
  return stdout.trim();
}
