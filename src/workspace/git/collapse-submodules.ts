/**
 * Puts gitlinks back where submodules were expanded into files, so that no commit holds a submodule as files. A
 * gitlink goes only when its folder and its entry in `.gitmodules` both went; what stands in a changed submodule is
 * named, with objects in the run's store.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ActiveRun } from "../base/operation.ts";
import { layout, type Worktree } from "../base/run-folder.ts";
import { putEntries, treeWith } from "./edit-index.ts";
import { cloneGit, rawView } from "./git-dir.ts";
import { git, records, text } from "./git.ts";
import {
  allEntries,
  FOLDER_MODE,
  GITLINK_MODE,
  idIn,
  indexEntries,
  isFolder,
} from "./read-objects.ts";
import { topmost } from "./worktree.ts";
import { type ChangedSubmodule, changeNotes, readNotes, type Submodule } from "./index-notes.ts";

const MOST_NAMES_BYTES = 1_000_000;

/** Paths to names as a tree's `.gitmodules` has them; none when it cannot be read. */
export async function moduleNames(
  run: ActiveRun,
  tree: string,
): Promise<ReadonlyMap<string, string>> {
  const args = ["config", `--blob=${tree}:.gitmodules`, "-z", "--get-regexp"];
  const { stdout } = await cloneGit(run, [...args, "^submodule\\..*\\.path$"], {
    ...{ okCodes: [0, 1, 3, 128, 129], maxBytes: MOST_NAMES_BYTES, cut: true },
  });
  return new Map(
    records(stdout).map((record) => {
      const cut = record.indexOf("\n");
      const name = record.slice("submodule.".length, cut - ".path".length);
      return [record.slice(cut + 1).replace(/\/$/, ""), text(name)];
    }),
  );
}

/** The tree with gitlinks in the place of submodule files, and which submodules are not as recorded. */
export async function collapseSubmodules(
  run: ActiveRun,
  worktree: Worktree,
  tree: string,
): Promise<{ readonly tree: string; readonly inside: readonly ChangedSubmodule[] }> {
  const { submodules, fold } = await readNotes(run, worktree.key);
  const top = topmost(submodules);
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

/** Taken out on purpose: no folder, and `.gitmodules` does not name it any more; or a file lies above it. */
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

/** Puts gitlinks in the place of submodule files in an index that an agent will see. */
export async function collapseIndex(
  run: ActiveRun,
  worktree: Worktree,
  index: string,
): Promise<void> {
  const top = topmost((await readNotes(run, worktree.key)).submodules);
  if (top.length === 0) return;
  await rm(`${index}.lock`, { force: true });
  const env = { ...rawView(run, worktree, "all"), GIT_INDEX_FILE: index };
  await putEntries(
    run,
    env,
    top.map((each) => [each.path, gitlink(each)]),
  );
}

/** Notes submodules that were empty until now, before their gitlinks leave the index. */
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
