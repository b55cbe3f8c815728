/**
 * Fills submodules from the user's own modules: a tree with gitlinks becomes one with their files.
 * Imports `forms`, `git`, `git-dir`, `types`, `view`. Invariants: names and paths in `.gitmodules` are the
 * tree's and hostile: only a module that lies below the user's `modules` folder and holds the recorded
 * commit is read; its files are copied into the run's store first, so nothing leans on the module or leads
 * an agent to it; nothing is fetched.
 */
import { existsSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { topmost, type Inside, type Submodule } from "./forms.ts";
import { git, records, text } from "./git.ts";
import { cloneView, layout } from "./git-dir.ts";
import type { Control, Run, Worktree } from "./types.ts";
import { CHECKOUT } from "./view.ts";

export interface Unfolded {
  readonly tree: string;
  /** At every depth, the outer before the inner. */
  readonly submodules: readonly Submodule[];
}

const MOST_DEPTH = 5;
const MOST_SUBMODULES = 500;
const MOST_NAMES_BYTES = 1_000_000;

/** `inside` says what stands in a submodule instead of its recorded files. */
export async function unfold(
  run: Run,
  worktree: Worktree,
  tree: string,
  inside: readonly Inside[],
  control: Control,
): Promise<Unfolded> {
  const folders = worktree.key === CHECKOUT ? [] : moduleFolders(run);
  if (folders.length === 0 && inside.length === 0) return { tree, submodules: [] };
  const walk: Walk = { run, control, lines: [], found: [], inside };
  await descend(walk, { tree, prefix: "", folders, depth: 1 });
  if (walk.found.length === 0) return { tree, submodules: [] };
  const index = join(layout(run.runDir).private(worktree.key), "index-unfold");
  const whole = await withLines(run, index, tree, walk.lines, control);
  return { tree: whole, submodules: await withTrees(walk, whole) };
}

/** The user's modules; a linked worktree has its own. */
const moduleFolders = (run: Run): string[] =>
  [...new Set([run.gitDir, run.commonDir])].map((path) => join(path, "modules")).filter(existsSync);

interface Walk {
  readonly run: Run;
  readonly control: Control;
  /** For `update-index --index-info`. */
  readonly lines: string[];
  readonly found: Submodule[];
  readonly inside: readonly Inside[];
}

interface Level {
  readonly tree: string;
  readonly prefix: string;
  readonly folders: readonly string[];
  readonly depth: number;
}

async function descend(walk: Walk, level: Level): Promise<void> {
  const { run, control, lines, found } = walk;
  const args = ["ls-tree", "-r", "-z", level.tree];
  const entries = records((await git({ args, env: cloneView(run) }, control)).stdout);
  const links = entries.filter((entry) => entry.startsWith("160000"));
  if (level.depth > 1) lines.push(...entries.map((entry) => indexLine(entry, level.prefix)));
  if (links.length === 0 || level.depth > MOST_DEPTH) return;
  const names = await namesIn(run, level.tree, control);
  for (const link of links) {
    if (found.length >= MOST_SUBMODULES) return;
    const own = link.slice(link.indexOf("\t") + 1);
    const path = level.prefix + own;
    const commit = link.split(/[ \t]/)[2] ?? "";
    const name = names.get(own) ?? null;
    const other = level.depth === 1 ? walk.inside.find((each) => each.path === path) : undefined;
    const module = name === null ? null : moduleOf(level.folders, name);
    const filled = await fillable(walk, module, commit, other);
    found.push({ path, name, commit, tree: filled });
    if (filled === null && other === undefined) continue;
    lines.push(`0 ${"0".repeat(commit.length)}\t${path}\0`);
    if (other !== undefined && !other.entry.startsWith("040000")) {
      if (other.entry !== "") lines.push(`${other.entry}\t${path}\0`);
      continue;
    }
    const folders = module === null || other !== undefined ? [] : [join(module, "modules")];
    const inner = { tree: filled ?? "", prefix: `${path}/`, folders, depth: level.depth + 1 };
    await descend(walk, inner);
  }
}

async function fillable(
  walk: Walk,
  module: string | null,
  commit: string,
  other: Inside | undefined,
): Promise<string | null> {
  if (other !== undefined) return other.entry.split(" ")[1] ?? null;
  return module === null ? null : keptTree(walk.run, module, commit, walk.control);
}

const indexLine = (entry: string, prefix: string): string => {
  const [mode = "", , id = ""] = entry.split(/[ \t]/);
  return `${mode} ${id}\t${prefix}${entry.slice(entry.indexOf("\t") + 1)}\0`;
};

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
function moduleOf(folders: readonly string[], name: string): string | null {
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
async function keptTree(
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

/** Those of the tree itself get the tree of all that was unfolded in them; a changed one has none. */
async function withTrees(
  { run, found, inside, control }: Walk,
  tree: string,
): Promise<Submodule[]> {
  const top = new Set(topmost(found));
  const entries = await allEntries(run, tree, control);
  return found.map((each) => {
    if (!top.has(each)) return each;
    const [mode, id = null] = (entries.get(each.path) ?? "").split(" ");
    const asRecorded = mode === "040000" && !inside.some(({ path }) => path === each.path);
    return { ...each, tree: asRecorded ? id : null };
  });
}
