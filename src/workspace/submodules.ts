/**
 * Fills submodules: a tree with gitlinks becomes one with their files, at every depth. Invariants: what the user's
 * modules do not hold stays a gitlink; in the user's own checkout nothing is filled; depth and number are bounded.
 */
import { join } from "node:path";
import { topmost, type Inside, type Submodule } from "./forms.ts";
import { git, records } from "./git.ts";
import { cloneView, layout } from "./git-dir.ts";
import { keptTree, moduleFolders, moduleOf, namesIn } from "./modules.ts";
import { allEntries, withLines } from "./trees.ts";
import type { Control, Run, Worktree } from "./types.ts";
import { CHECKOUT } from "./view.ts";

export interface Unfolded {
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
