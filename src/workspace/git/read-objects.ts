/** Trees without a working tree: what one holds, and one with other entries laid over it. Paths are latin1 bytes. */
import { rm } from "node:fs/promises";
import type { Control, Run } from "../base/types.ts";
import { cloneView } from "./git-dir.ts";
import { git, records, text } from "./git.ts";

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

/** Mode and blob by path, of all files of a tree. */
export type TreeEntries = ReadonlyMap<string, { readonly mode: string; readonly blob: string }>;

const FOLDER = "040000";
const MOST_ROUNDS = 12;
const MOST_BYTES = 1_000_000;
const MOST_FILES = 2000;

export async function treeEntries(run: Run, tree: string, control: Control): Promise<TreeEntries> {
  const found = new Map<string, { readonly mode: string; readonly blob: string }>();
  for (const [path, entry] of await allEntries(run, tree, control)) {
    const [mode = "", blob = ""] = entry.split(" ");
    if (mode !== FOLDER) found.set(text(path), { mode, blob });
  }
  return found;
}

/** Runs `work` until it asks for no blob that has not been read. */
export async function withBlobs<T>(
  run: Run,
  control: Control,
  work: (read: (blob: string) => string | undefined) => T,
): Promise<T> {
  const known = new Map<string, string | undefined>();
  for (let round = 1; ; round += 1) {
    const missing = new Set<string>();
    const value = work((blob) => {
      if (!known.has(blob)) missing.add(blob);
      return known.get(blob);
    });
    if (missing.size === 0 || round === MOST_ROUNDS || known.size > MOST_FILES) return value;
    for (const [blob, content] of await fetched(run, [...missing], control))
      known.set(blob, content);
    for (const blob of missing) if (!known.has(blob)) known.set(blob, undefined);
  }
}

async function fetched(
  run: Run,
  blobs: readonly string[],
  control: Control,
): Promise<Map<string, string | undefined>> {
  const sizes = await git(
    { args: ["cat-file", "--batch-check"], env: cloneView(run), input: `${blobs.join("\n")}\n` },
    control,
  );
  const small = sizes.stdout.split("\n").flatMap((line) => {
    const [blob = "", type, size] = line.split(" ");
    return type === "blob" && Number(size) <= MOST_BYTES ? [blob] : [];
  });
  const found = new Map<string, string | undefined>();
  if (small.length === 0) return found;
  const call = {
    args: ["cat-file", "--batch"],
    env: cloneView(run),
    input: `${small.join("\n")}\n`,
  };
  const { stdout } = await git(call, control);
  for (let at = 0; at < stdout.length;) {
    const line = stdout.indexOf("\n", at);
    const [blob = "", , size = "0"] = stdout.slice(at, line).split(" ");
    const content = stdout.slice(line + 1, line + 1 + Number(size));
    found.set(blob, content.includes("\0") ? undefined : text(content));
    at = line + 1 + Number(size) + 1;
  }
  return found;
}
