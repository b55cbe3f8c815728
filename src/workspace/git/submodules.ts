/**
 * Fills submodules: a tree with gitlinks becomes one with their files, at every depth. Invariants: what the user's
 * modules do not hold stays a gitlink; in the user's own checkout nothing is filled; depth and number are bounded.
 */
import { existsSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { Control, Run, Worktree } from "../base/types.ts";
import { CHECKOUT } from "../trees/worktree.ts";
import { cloneView, layout, rawView } from "./git-dir.ts";
import { git, records, text } from "./git.ts";
import { changeForms, type Inside, loadForms, type Submodule, topmost } from "./index-notes.ts";
import { allEntries, withLines } from "./read-objects.ts";

interface Unfolded {
  readonly tree: string;
  /** At every depth, the outer before the inner. */
  readonly submodules: readonly Submodule[];
}

const MOST_DEPTH = 5;
const MOST_SUBMODULES = 500;
const MOST_REMEMBERED = 20;
const remembered = new Map<string, Unfolded>();

/** `inside` says what stands in a submodule instead of its recorded files. */
export async function unfold(
  run: Run,
  worktree: Worktree,
  tree: string,
  inside: readonly Inside[],
  control: Control,
): Promise<Unfolded> {
  const own = worktree.key === CHECKOUT;
  const key = inside.length === 0 && !own ? `${run.runDir}\0${tree}` : "";
  const before = remembered.get(key);
  if (before !== undefined) return before;
  const folders = own ? [] : moduleFolders(run);
  if (folders.length === 0 && inside.length === 0) return { tree, submodules: [] };
  const walk: Walk = { run, control, lines: [], found: [], inside };
  await descend(walk, { tree, prefix: "", folders, depth: 1 });
  if (walk.found.length === 0) return { tree, submodules: [] };
  const index = join(layout(run.runDir).private(worktree.key), "index-unfold");
  const whole = await withLines(run, index, tree, walk.lines, control);
  const unfolded = { tree: whole, submodules: await withTrees(walk, whole) };
  if (key !== "" && walk.found.every((each) => each.tree !== null)) remember(key, unfolded);
  return unfolded;
}

/** Only what is filled for good: its files lie in the run's store. */
function remember(key: string, unfolded: Unfolded): void {
  remembered.set(key, unfolded);
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

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

const MOST_NAMES_BYTES = 1_000_000;

/** The user's modules; a linked worktree has its own. */
const moduleFolders = (run: Run): string[] =>
  [...new Set([run.gitDir, run.commonDir])].map((path) => join(path, "modules")).filter(existsSync);

/** Paths to names as a tree's `.gitmodules` has them; none when it cannot be read. */
async function namesIn(
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

interface Folded {
  readonly tree: string;
  readonly inside: readonly Inside[];
}

export async function fold(
  run: Run,
  worktree: Worktree,
  tree: string,
  control: Control,
): Promise<Folded> {
  const forms = await loadForms(run, worktree.key);
  const top = topmost(forms.submodules);
  if (top.length === 0) return { tree, inside: [] };
  if (forms.fold?.from === tree) return forms.fold;
  const entries = await allEntries(run, tree, control);
  const gone = top.some(({ path }) => !isTree(entries.get(path)));
  const names = gone ? await namesIn(run, tree, control) : new Map<string, string>();
  const lines: string[] = [];
  const inside: Inside[] = [];
  for (const each of top) {
    const entry = entries.get(each.path) ?? "";
    if (entry.startsWith("160000") || givenUp(each, entry, entries, names)) continue;
    lines.push(gitlinkLine(each));
    if (entry !== `040000 ${each.tree}`) inside.push({ path: each.path, entry });
  }
  const index = join(layout(run.runDir).private(worktree.key), "index-fold");
  const folded = lines.length === 0 ? tree : await withLines(run, index, tree, lines, control);
  await changeForms(run, worktree.key, { fold: { from: tree, tree: folded, inside } });
  return { tree: folded, inside };
}

const isTree = (entry = ""): boolean => entry.startsWith("040000");

/** Taken out on purpose: no folder, and `.gitmodules` does not name it any more; or a file lies above it. */
function givenUp(
  { path, name }: Submodule,
  entry: string,
  entries: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): boolean {
  if (isTree(entry)) return false;
  for (let cut = path.lastIndexOf("/"); cut > 0; cut = path.lastIndexOf("/", cut - 1)) {
    const above = entries.get(path.slice(0, cut));
    if (above !== undefined && !isTree(above)) return true;
  }
  return name !== null && !names.has(path);
}

const gitlinkLine = ({ path, commit }: Submodule): string => `160000 ${commit}\t${path}\0`;

/** Puts gitlinks in the place of submodule files in an index that an agent will see. */
export async function foldIndex(
  run: Run,
  worktree: Worktree,
  index: string,
  control: Control,
): Promise<void> {
  const lines = topmost((await loadForms(run, worktree.key)).submodules).map(gitlinkLine);
  if (lines.length === 0) return;
  await rm(`${index}.lock`, { force: true });
  const env = { ...rawView(run, worktree, "all"), GIT_INDEX_FILE: index };
  const args = ["update-index", "-z", "--add", "--replace", "--index-info"];
  await git({ args, env, input: Buffer.from(lines.join(""), "latin1") }, control);
}

/** Writes down submodules that were empty until now, before their gitlinks leave the index. */
export async function rememberGitlinks(
  run: Run,
  worktree: Worktree,
  paths: readonly string[],
  control: Control,
): Promise<void> {
  const { submodules } = await loadForms(run, worktree.key);
  const wanted = new Set(paths.filter((path) => !submodules.some((each) => each.path === path)));
  if (wanted.size === 0) return;
  const env = rawView(run, worktree, "own");
  const { stdout } = await git({ args: ["ls-files", "-s", "-z"], env }, control);
  const links = records(stdout).filter((record) => record.startsWith("160000"));
  const tree = (await git({ args: ["write-tree", "--missing-ok"], env }, control)).stdout.trim();
  const names = await namesIn(run, tree, control);
  const found = links.flatMap((record): Submodule[] => {
    const path = record.slice(record.indexOf("\t") + 1);
    const commit = record.split(" ")[1] ?? "";
    return wanted.has(path) ? [{ path, name: names.get(path) ?? null, commit, tree: null }] : [];
  });
  await changeForms(run, worktree.key, { submodules: [...submodules, ...found], fold: null });
}
