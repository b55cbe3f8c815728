/**
 * Submodules: a tree with gitlinks is expanded into one with their files, at every depth, so that no comparison sees a
 * submodule as one entry. Names in `.gitmodules` are the tree's and hostile: only a module below the user's own
 * `modules` folder that holds the recorded commit is read, its files are copied into the run's store, and nothing is
 * fetched.
 */
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { ActiveRun } from "../base/operation.ts";
import { CHECKOUT, layout, type Run, type Worktree } from "../base/run-folder.ts";
import { treeWith } from "./edit-index.ts";
import { cloneView } from "./git-dir.ts";
import { git, idOf } from "./git.ts";
import { allEntries, GITLINK_MODE, idIn, isFolder } from "./read-objects.ts";
import { topmost } from "./worktree.ts";
import { type ChangedSubmodule, type Submodule } from "./index-notes.ts";
import { moduleNames } from "./collapse-submodules.ts";

const MOST_DEPTH = 5;

const MOST_SUBMODULES = 500;

const MOST_REMEMBERED = 20;

interface Expanded {
  readonly tree: string;
  /** At every depth, the outer before the inner. */
  readonly submodules: readonly Submodule[];
}

/** Only what is filled for good: its files lie in the run's store. */
const remembered = new Map<string, Expanded>();

/**
 * What the user's modules do not hold stays a gitlink, and in the user's own checkout all of them do. `inside` says
 * what stands in a submodule instead of its recorded files.
 */
export async function expandSubmodules(
  run: ActiveRun,
  worktree: Worktree,
  tree: string,
  inside: readonly ChangedSubmodule[],
): Promise<Expanded> {
  const own = worktree.key === CHECKOUT;
  const key = inside.length === 0 && !own ? `${run.runDir}\0${tree}` : "";
  const before = remembered.get(key);
  if (before !== undefined) return before;
  const folders = own ? [] : moduleFolders(run);
  if (folders.length === 0 && inside.length === 0) return { tree, submodules: [] };
  const walk: Walk = { run, entries: new Map(), found: [], inside };
  await descend(walk, { tree, prefix: "", folders, depth: 1 });
  if (walk.found.length === 0) return { tree, submodules: [] };
  const index = join(layout(run.runDir).private(worktree.key), "index-unfold");
  const whole = await treeWith(run, index, tree, walk.entries);
  const expanded = { tree: whole, submodules: await withTrees(walk, whole) };
  if (key !== "" && walk.found.every((each) => each.tree !== null)) {
    remembered.set(key, expanded);
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  }
  return expanded;
}

interface Walk {
  readonly run: ActiveRun;
  /** What the expanded tree has instead of gitlinks. */
  readonly entries: Map<string, string>;
  readonly found: Submodule[];
  readonly inside: readonly ChangedSubmodule[];
}

interface Level {
  readonly tree: string;
  readonly prefix: string;
  readonly folders: readonly string[];
  readonly depth: number;
}

async function descend(walk: Walk, level: Level): Promise<void> {
  const { run, entries, found } = walk;
  const own = await allEntries(run, level.tree);
  const files = [...own].filter(([, entry]) => !isFolder(entry));
  if (level.depth > 1) for (const [path, entry] of files) entries.set(level.prefix + path, entry);
  const links = files.filter(([, entry]) => entry.startsWith(GITLINK_MODE));
  if (links.length === 0 || level.depth > MOST_DEPTH) return;
  const names = await moduleNames(run, level.tree);
  for (const [inner, link] of links) {
    if (found.length >= MOST_SUBMODULES) return;
    const path = level.prefix + inner;
    const commit = idIn(link);
    const name = names.get(inner) ?? null;
    const other = level.depth === 1 ? walk.inside.find((each) => each.path === path) : undefined;
    const module = name === null ? null : moduleOf(level.folders, name);
    const recorded = module === null ? null : () => keptTree(run, module, commit);
    const tree = other === undefined ? ((await recorded?.()) ?? null) : idIn(other.entry) || null;
    found.push({ path, name, commit, tree });
    if (tree === null && other === undefined) continue;
    const isFile = other !== undefined && !isFolder(other.entry);
    entries.set(path, isFile ? other.entry : "");
    if (isFile) continue;
    const folders = module === null || other !== undefined ? [] : [join(module, "modules")];
    await descend(walk, {
      ...{ tree: tree ?? "", prefix: `${path}/`, folders, depth: level.depth + 1 },
    });
  }
}

/** Those of the tree itself get the tree of all that was expanded in them; a changed one has none. */
async function withTrees({ run, found, inside }: Walk, tree: string): Promise<Submodule[]> {
  const top = new Set(topmost(found));
  const entries = await allEntries(run, tree);
  return found.map((each) => {
    if (!top.has(each)) return each;
    const entry = entries.get(each.path);
    const asRecorded = isFolder(entry) && !inside.some(({ path }) => path === each.path);
    return { ...each, tree: asRecorded ? idIn(entry) : null };
  });
}

/** The user's modules; a linked worktree has its own. */
const moduleFolders = (run: Run): string[] =>
  [...new Set([run.gitDir, run.commonDir])].map((path) => join(path, "modules")).filter(existsSync);

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
async function keptTree(run: ActiveRun, module: string, commit: string): Promise<string | null> {
  const ask = (): Promise<string | null> =>
    idOf(cloneView(run, "own"), `${commit}^{tree}`, run.control);
  const there = await ask();
  if (there !== null) return there;
  const env = { GIT_DIR: layout(run.runDir).clone, GIT_OBJECT_DIRECTORY: join(module, "objects") };
  const prefix = join(layout(run.runDir).store, "pack", "pack");
  const args = ["pack-objects", "-q", "--revs", "--non-empty", prefix];
  const input = `--shallow ${commit}\n${commit}\n`;
  await git({ args, env, input, okCodes: [0, 1, 128] }, run.control);
  return ask();
}
