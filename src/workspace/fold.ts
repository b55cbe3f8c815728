/**
 * Folds submodules back: a tree that holds their files becomes one with their gitlinks, so that no commit and no
 * comparison ever sees a submodule as files. Invariants: a gitlink goes only when its folder and its entry in
 * `.gitmodules` both went; what stands in a changed submodule is named in `inside`, with objects in the run's
 * store, so a restore has it.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { changeForms, loadForms, topmost, type Inside, type Submodule } from "./forms.ts";
import { git, records } from "./git.ts";
import { layout, rawView } from "./git-dir.ts";
import { namesIn } from "./modules.ts";
import { allEntries, withLines } from "./trees.ts";
import type { Control, Run, Worktree } from "./types.ts";

export interface Folded {
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
