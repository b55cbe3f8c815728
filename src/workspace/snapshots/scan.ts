/**
 * Finds what changed in a working tree since its index and stages it byte for byte. Ignore rules are those of the
 * attempt's start unless the current ones are requested; files of repositories inside the tree count as plain files; a
 * file that cannot be stored is reported, never silently left out. In the user's own checkout, an index entry is
 * trusted only if no line-ending rule, filter or flag can have made file and blob differ.
 */
import { existsSync } from "node:fs";
import { appendFile, lstat, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathBelow } from "../base/files.ts";
import { type ActiveRun, type Control, reachPoint } from "../base/operation.ts";
import { layout, type Run, type Skipped, type Worktree } from "../base/run-folder.ts";
import { copyIndex, putEntries } from "../git/edit-index.ts";
import { rawView } from "../git/git-dir.ts";
import { git, type GitEnv, records } from "../git/git.ts";
import { freezeRules, isAttributeFile, isIgnoreFile } from "../git/ignore-rules.ts";
import { noteGitlinks } from "../git/submodules.ts";
import { checkoutWorktree, frozenRules } from "../git/worktree.ts";
import type { TreeState } from "../git/tree-state.ts";
import { stageAll } from "./stage.ts";
import { type Changes, skip, splitStorable } from "./storable.ts";
import { listChanges } from "./list-changes.ts";

/** Updates the private index to the working tree; returns what was left out. `live`: by the current ignore rules. */
export async function stageChanges(
  run: ActiveRun,
  worktree: Worktree,
  state: TreeState,
  live: boolean,
  maxFileBytes?: number,
): Promise<Skipped[]> {
  const env = rawView(run, worktree, "own");
  const file = live ? layout(run.runDir).outsideRules : frozenRules(run, worktree.key);
  const skipped: Skipped[] = [];
  const isGitlink = (path: string): boolean => state.gitlinks.includes(path);
  let changes: Changes;
  for (let round = 1; ; round += 1) {
    changes = await listChanges(env, { live, file, carry: state.carry }, run.control);
    const inner = [...changes.nested, ...(await populated(worktree.path, state.gitlinks))];
    const late = live ? [] : await lateRules(run, worktree, state, changes.others);
    if (inner.length === 0 && late.length === 0) break;
    if (round === 16) {
      skipped.push(...inner.map((path) => skip(path, "nested-repository", 0)));
      break;
    }
    await noteGitlinks(run, worktree, inner.filter(isGitlink));
    if (inner.length > 0) await openNested(run, env, state, inner);
    if (late.length > 0) await freezeLate(run, worktree, state, late);
  }
  skipped.push(...changes.tooDeep.map((path) => skip(path, "too-deep", 0)));
  remember(state, changes);
  await noteGitlinks(run, worktree, changes.tracked.filter(isGitlink));
  const found = await splitStorable(worktree.path, changes, maxFileBytes);
  await reachPoint(run.control, "snapshot:scanned");
  const { attributes } = state;
  return [...skipped, ...found.left, ...(await stageAll(run, worktree, { ...found, attributes }))];
}

/** Writes the rules that apply until the next freeze, from all known ignore files. */
export async function freeze(run: Run, worktree: Worktree, state: TreeState): Promise<void> {
  const rules = await freezeRules(worktree.path, state.ignoreFiles, run.ignoreLines);
  const file = frozenRules(run, worktree.key);
  await writeFile(file, rules, "latin1");
  state.frozenAt = String((await stat(file, { bigint: true })).ctimeNs);
}

/** Adds the rules of files that existed at the freeze; other files are not read again. */
async function freezeLate(
  run: Run,
  worktree: Worktree,
  state: TreeState,
  late: readonly string[],
): Promise<void> {
  state.ignoreFiles.push(...late);
  const rules = await freezeRules(worktree.path, late, "");
  await appendFile(frozenRules(run, worktree.key), rules, "latin1");
}

/** Makes git descend into inner repositories: with an entry below it, a folder is just a folder. */
async function openNested(
  run: ActiveRun,
  env: GitEnv,
  state: TreeState,
  found: readonly string[],
): Promise<void> {
  const seed = `100644 ${"1".repeat(run.objectFormat === "sha256" ? 64 : 40)}`;
  await putEntries(run, env, [
    ...found.map((path) => [path, ""] as const),
    ...found.map((path) => [`${path}/.unstuck-seed`, seed] as const),
  ]);
  state.gitlinks = state.gitlinks.filter((path) => !found.includes(path));
  state.nested = [...new Set([...state.nested, ...found])];
}

/** Submodule folders that contain files; git itself would not look inside. */
async function populated(root: string, gitlinks: readonly string[]): Promise<string[]> {
  const full: string[] = [];
  for (const path of gitlinks) {
    const names = await readdir(pathBelow(root, path)).catch(() => []);
    if (names.some((name) => name !== ".git")) full.push(path);
  }
  return full;
}

/** New ignore files older than the freeze: made by the set-up, hidden by their own rules. */
async function lateRules(
  run: Run,
  worktree: Worktree,
  state: TreeState,
  others: readonly string[],
): Promise<string[]> {
  const candidates = others.filter(
    (path) => isIgnoreFile(path) && !state.ignoreFiles.includes(path),
  );
  if (candidates.length === 0) return [];
  const ours = await stat(frozenRules(run, worktree.key), { bigint: true });
  const late: string[] = [];
  for (const path of candidates) {
    const found = await lstat(pathBelow(worktree.path, path), { bigint: true });
    if (found.dev === ours.dev && found.ctimeNs < BigInt(state.frozenAt)) late.push(path);
  }
  return late;
}

function remember(state: TreeState, changes: Changes): void {
  const seen = new Set(state.ignoreFiles);
  for (const path of changes.others) {
    if (isIgnoreFile(path)) seen.add(path);
    if (isAttributeFile(path)) state.attributes = true;
  }
  state.ignoreFiles = [...seen];
}

/** A copy of the user's index saves hashing every file; if it cannot be trusted, all files are hashed once. */
export async function seedCheckoutIndex(run: ActiveRun): Promise<void> {
  const worktree = checkoutWorktree(run);
  const folder = layout(run.runDir).rawGit(worktree.key);
  const index = join(folder, "index");
  if (existsSync(index) || run.pinned === null || convertsByRule(run)) return;
  const copy = join(folder, "index-copy");
  await rm(`${copy}.lock`, { force: true });
  await copyIndex(run.gitDir, copy);
  if (!existsSync(copy)) return;
  const env = { ...rawView(run, worktree, "all"), GIT_INDEX_FILE: copy };
  const rules = { live: true, file: layout(run.runDir).outsideRules, carry: [] };
  const isTrusted =
    (await plainEntries(env, run.control)) &&
    !(await listChanges(env, rules, run.control)).others.some(isAttributeFile);
  if (!isTrusted) return rm(copy);
  await git({ args: ["read-tree", "--reset", run.pinned], env }, run.control);
  await rename(copy, index);
}

/** Line-ending settings, or attributes from outside the tree. */
export const convertsByRule = (run: Run): boolean =>
  !["false", undefined].includes(run.settings["core.autocrlf"]) || /\S/.test(run.attributeLines);

/** No attribute file, no "assume unchanged", no skipped or unmerged entry. */
async function plainEntries(env: GitEnv, control: Control): Promise<boolean> {
  const { stdout } = await git({ args: ["ls-files", "-v", "-z"], env }, control);
  return records(stdout).every(
    (record) => record.startsWith("H ") && !isAttributeFile(record.slice(2)),
  );
}
