/**
 * Submodules: a tree with gitlinks is expanded into one with their files, at every depth, and collapsed again, so that
 * commits and comparisons never contain a submodule as files. Names in `.gitmodules` come from the tree and are
 * hostile: only a module in the user's own `modules` folder that contains the recorded commit is read, its files are
 * copied into the run's store, and nothing is fetched. A gitlink is removed only if both its folder and its
 * `.gitmodules` entry are gone. The content of a changed submodule is recorded, with its objects in the run's store.
 */
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { ActiveRun } from "../base/operation.ts";
import { CHECKOUT, layout, type Run, type Worktree } from "../base/run-folder.ts";
import { putEntries, treeWith } from "./edit-index.ts";
import { cloneGit, cloneView, rawView } from "./git-dir.ts";
import { git, idOf, records, text } from "./git.ts";
import {
  FOLDER_MODE,
  GITLINK_MODE,
  allEntries,
  idIn,
  indexEntries,
  isFolder,
} from "./read-objects.ts";
import { topLevelSubmodules } from "./worktree.ts";
import { changeNotes, readNotes, type ChangedSubmodule, type Submodule } from "./index-notes.ts";
import { rm } from "node:fs/promises";

interface Expanded {
  readonly tree: string;
  /** At every depth, outer before inner. */
  readonly submodules: readonly Submodule[];
}

/** Holds only fully expanded trees: their files are in the run's store. */
const remembered = new Map<string, Expanded>();

/**
 * A submodule that the user's modules do not contain stays a gitlink; in the user's own checkout all of them do.
 * `inside` lists what a submodule contains instead of its recorded files.
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
    if (remembered.size > 20 && oldest !== undefined) remembered.delete(oldest);
  }
  return expanded;
}

interface Walk {
  readonly run: ActiveRun;
  /** The entries that replace gitlinks in the expanded tree. */
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
  if (links.length === 0 || level.depth > 5) return;
  const names = await moduleNames(run, level.tree);
  for (const [inner, link] of links) {
    if (found.length >= 500) return;
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
    await descend(walk, { tree: tree ?? "", prefix: `${path}/`, folders, depth: level.depth + 1 });
  }
}

/** Top-level submodules get the tree of everything expanded in them; a changed one has none. */
async function withTrees({ run, found, inside }: Walk, tree: string): Promise<Submodule[]> {
  const top = new Set(topLevelSubmodules(found));
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

/** The git dir of a module, if the name leads to one inside the folder and nowhere else. */
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

/** The tree of a module's commit, copied into the run's store; null if it is incomplete. */
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

/** Maps paths to names according to a tree's `.gitmodules`; empty if it cannot be read. */
async function moduleNames(run: ActiveRun, tree: string): Promise<ReadonlyMap<string, string>> {
  const args = ["config", `--blob=${tree}:.gitmodules`, "-z", "--get-regexp"];
  const { stdout } = await cloneGit(run, [...args, "^submodule\\..*\\.path$"], {
    ...{ okCodes: [0, 1, 3, 128, 129], maxBytes: 1_000_000, cut: true },
  });
  return new Map(
    records(stdout).map((record) => {
      const cut = record.indexOf("\n");
      const name = record.slice("submodule.".length, cut - ".path".length);
      return [record.slice(cut + 1).replace(/\/$/, ""), text(name)];
    }),
  );
}

/** The tree with gitlinks in place of submodule files, and the submodules that differ from their record. */
export async function collapseSubmodules(
  run: ActiveRun,
  worktree: Worktree,
  tree: string,
): Promise<{ readonly tree: string; readonly inside: readonly ChangedSubmodule[] }> {
  const { submodules, fold } = await readNotes(run, worktree.key);
  const top = topLevelSubmodules(submodules);
  if (top.length === 0) return { tree, inside: [] };
  if (fold?.from === tree) return fold;
  const entries = await allEntries(run, tree);
  const gone = top.some(({ path }) => !isFolder(entries.get(path)));
  const names = gone ? await moduleNames(run, tree) : new Map<string, string>();
  const links = new Map<string, string>();
  const inside: ChangedSubmodule[] = [];
  for (const each of top) {
    const entry = entries.get(each.path) ?? "";
    if (entry.startsWith(GITLINK_MODE) || isRemoved(each, entries, names)) continue;
    links.set(each.path, gitlink(each));
    if (entry !== `${FOLDER_MODE} ${each.tree}`) inside.push({ path: each.path, entry });
  }
  const index = join(layout(run.runDir).private(worktree.key), "index-fold");
  const collapsed = await treeWith(run, index, tree, links);
  await changeNotes(run, worktree.key, { fold: { from: tree, tree: collapsed, inside } });
  return { tree: collapsed, inside };
}

/** Removed on purpose: the folder is gone and `.gitmodules` no longer names it, or a file replaced a parent folder. */
function isRemoved(
  { path, name }: Submodule,
  entries: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): boolean {
  if (isFolder(entries.get(path))) return false;
  for (let cut = path.lastIndexOf("/"); cut > 0; cut = path.lastIndexOf("/", cut - 1)) {
    const above = entries.get(path.slice(0, cut));
    if (above !== undefined && !isFolder(above)) return true;
  }
  return name !== null && !names.has(path);
}

const gitlink = ({ commit }: Submodule): string => `${GITLINK_MODE} ${commit}`;

/** Replaces submodule files by gitlinks in an index that an agent will see. */
export async function collapseIndex(
  run: ActiveRun,
  worktree: Worktree,
  index: string,
): Promise<void> {
  const top = topLevelSubmodules((await readNotes(run, worktree.key)).submodules);
  if (top.length === 0) return;
  await rm(`${index}.lock`, { force: true });
  const env = { ...rawView(run, worktree, "all"), GIT_INDEX_FILE: index };
  const links = top.map((each) => [each.path, gitlink(each)] as const);
  await putEntries(run, env, links);
}

/** Records submodules that were empty so far, before their gitlinks are removed from the index. */
export async function noteGitlinks(
  run: ActiveRun,
  worktree: Worktree,
  paths: readonly string[],
): Promise<void> {
  const { submodules } = await readNotes(run, worktree.key);
  const wanted = paths.filter((path) => !submodules.some((each) => each.path === path));
  if (wanted.length === 0) return;
  const env = rawView(run, worktree, "own");
  const entries = await indexEntries(env, run.control);
  const { stdout } = await git({ args: ["write-tree", "--missing-ok"], env }, run.control);
  const names = await moduleNames(run, stdout.trim());
  const found = [...new Set(wanted)].flatMap((path): Submodule[] => {
    const entry = entries.get(path) ?? "";
    if (!entry.startsWith(GITLINK_MODE)) return [];
    return [{ path, name: names.get(path) ?? null, commit: idIn(entry), tree: null }];
  });
  await changeNotes(run, worktree.key, { submodules: [...submodules, ...found], fold: null });
}
