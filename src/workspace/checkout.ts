/**
 * The user's own checkout, seen without touching it: as git would commit it (for `--with-changes` and `apply`),
 * and the first index for raw snapshots of it. Invariants: only copies of the user's index are used; an index
 * entry is trusted for raw bytes only where no line-ending rule, filter or flag can have made file and blob
 * differ.
 */
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { driversOf, filterLimit, isLfs } from "./filters.ts";
import { git, records, text } from "./git.ts";
import { cleanView, layout, rawView, WHOLE_INDEX } from "./git-dir.ts";
import { isAttributeFile } from "./ignore.ts";
import { copyIndex } from "./inspect.ts";
import { stagePaths } from "./index-paths.ts";
import { listChanges } from "./scan.ts";
import { storable, tooBig } from "./storable.ts";
import type { Control, Run, Skipped } from "./types.ts";
import { checkoutWorktree } from "./view.ts";

/** Stands for the tree that `cleanTreeOfCheckout` gave last. */
export const indexOfCheckout = (run: Run): string =>
  join(layout(run.runDir).clean, "index-of-checkout");

/** What is staged, as a tree in the run's store; files only meant to be added are not in it. */
export async function stagedTree(run: Run, control: Control): Promise<string | null> {
  const index = join(layout(run.runDir).clean, "index-of-staged");
  await rm(`${index}.lock`, { force: true });
  await rm(index, { force: true });
  await copyIndex(run.gitDir, index);
  if (!existsSync(index)) return null;
  const env = cleanView(run, run.root, index);
  const { stdout } = await git({ args: ["write-tree", "--missing-ok"], env }, control);
  return stdout.trim();
}

/** The working tree as git would commit it on top of `head`. */
export async function cleanTreeOfCheckout(
  run: Run,
  head: string | null,
  control: Control,
): Promise<{ tree: string; skipped: Skipped[] }> {
  const places = layout(run.runDir);
  const index = indexOfCheckout(run);
  await rm(`${index}.lock`, { force: true });
  await rm(index, { force: true });
  const env = { ...cleanView(run, run.root, index), ...WHOLE_INDEX };
  if (head !== null) {
    await copyIndex(run.gitDir, index);
    await git({ args: ["read-tree", "--reset", head], env }, control);
  }
  const rules = { live: true, file: places.outsideRules, carry: [] };
  const changes = await listChanges(env, rules, control, filterLimit(run, control));
  const { paths, big, left } = await storable(run.root, changes);
  const drivers = await driversOf(run, env, big, control);
  const isLarge = (path: string): boolean => isLfs(run, drivers.get(path) ?? "");
  await stagePaths(env, [...paths, ...big.filter(isLarge)], control, filterLimit(run, control));
  const heavy = big.filter((path) => !isLarge(path)).map((path) => tooBig(run.root, path));
  const { stdout } = await git({ args: ["write-tree"], env }, control);
  const nested = changes.nested.map((path): Skipped => ({
    path: text(path),
    reason: "nested-repository",
    bytes: 0,
  }));
  return { tree: stdout.trim(), skipped: [...left, ...heavy, ...nested] };
}

/** A copy of the user's index saves hashing every file; where it could lie, all are hashed once. */
export async function seedCheckoutIndex(run: Run, control: Control): Promise<void> {
  const worktree = checkoutWorktree(run);
  const folder = layout(run.runDir).rawGit(worktree.key);
  const index = join(folder, "index");
  if (existsSync(index) || run.pinned === null || convertsByRule(run)) return;
  const copy = join(folder, "index-copy");
  await rm(`${copy}.lock`, { force: true });
  await copyIndex(run.gitDir, copy);
  if (!existsSync(copy)) return;
  const env = { ...rawView(run, worktree, "all"), GIT_INDEX_FILE: copy };
  const trusted = (await plainEntries(env, control)) && !(await newAttributes(run, env, control));
  if (!trusted) return rm(copy);
  await git({ args: ["read-tree", "--reset", run.pinned], env }, control);
  await rename(copy, index);
}

/** Line-ending settings or attributes outside the tree. */
const convertsByRule = (run: Run): boolean =>
  !["false", undefined].includes(run.settings["core.autocrlf"]) || /\S/.test(run.attributeLines);

/** No attribute file, no "assume unchanged", no skipped or unmerged entry. */
async function plainEntries(
  env: Readonly<Record<string, string>>,
  control: Control,
): Promise<boolean> {
  const { stdout } = await git({ args: ["ls-files", "-v", "-z"], env }, control);
  return records(stdout).every(
    (record) => record.startsWith("H ") && !isAttributeFile(record.slice(2)),
  );
}

async function newAttributes(
  run: Run,
  env: Readonly<Record<string, string>>,
  control: Control,
): Promise<boolean> {
  const rules = { live: true, file: layout(run.runDir).outsideRules, carry: [] };
  return (await listChanges(env, rules, control)).others.some(isAttributeFile);
}
