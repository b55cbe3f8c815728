/**
 * Good commits: made by the caller's word that checks passed, from a snapshot, on the subtask's ref. Invariants:
 * the same input gives the same commit; line endings and filters are as the repository's attributes say; files
 * that the snapshot's own ignore rules hide are left out; a submodule keeps its recorded commit; the ref moves
 * only from the parent.
 */
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { forceRemove } from "../base/files.ts";
import { pass, refuse, settled } from "../base/refusal.ts";
import type { Control, Result, Run } from "../base/types.ts";
import { changedEntries, type Entry } from "../git/diff.ts";
import { listed, stagePaths } from "../git/edit-index.ts";
import { driversOf, filterLimit } from "../git/filters.ts";
import { cleanView, cloneView, layout, rawView, refs } from "../git/git-dir.ts";
import { git, records } from "../git/git.ts";
import { keepObjects, readRef, writeCommit } from "../git/object-store.ts";
import { isAttributeFile, isIgnoreFile } from "../snapshots/ignore-rules.ts";
import { type FullSnapshot, loadSnapshot } from "../snapshots/snapshot.ts";
import { storable } from "../snapshots/stage.ts";
import { ensureRawGit } from "../trees/worktree.ts";
import { requireAncestor } from "./merge.ts";

export interface GoodCommitPlan {
  readonly subtask: string;
  /** Label of the snapshot whose tree passed its checks. */
  readonly snapshot: string;
  readonly parent: string;
  readonly message: string;
  readonly at: number;
}

/** `changed` is false when the snapshot brings nothing new: then the commit is the parent. */
export const goodCommit = (
  run: Run,
  plan: GoodCommitPlan,
  control: Control = {},
): Promise<Result<{ readonly commit: string; readonly changed: boolean }>> =>
  settled(async () => {
    const taken = await loadSnapshot(run, plan.snapshot);
    await requireAncestor(run, run.base, plan.parent, control);
    const tree = await committable(run, taken, plan.parent, control);
    let commit = plan.parent;
    if (tree !== null) {
      const { message, at, parent } = plan;
      commit = await writeCommit(run, { tree, parents: [parent], message, at });
      if (tree !== taken.tree) await keepObjects(run, commit, [parent], control);
    }
    await pass(control, "good:commit");
    await advanceSubtask(run, plan, commit, control);
    return { commit, changed: tree !== null };
  });

/** The subtask's last good commit, or null. */
export const lastGood = (run: Run, subtask: string): Promise<string | null> =>
  readRef(run, refs.subtask(subtask));

async function advanceSubtask(
  run: Run,
  plan: GoodCommitPlan,
  commit: string,
  control: Control,
): Promise<void> {
  const ref = refs.subtask(plan.subtask);
  const present = await readRef(run, ref);
  if (present === commit) return;
  if (present !== null && present !== plan.parent)
    refuse("ref-moved", `subtask ${plan.subtask} stands on ${present}, not on ${plan.parent}`);
  const old = present ?? "0".repeat(commit.length);
  await git({ args: ["update-ref", ref, commit, old], env: cloneView(run) }, control);
}

/** The tree to commit, or null when it is the parent's. */
async function committable(
  run: Run,
  taken: FullSnapshot,
  parent: string,
  control: Control,
): Promise<string | null> {
  const range = { from: parent, to: taken.tree };
  const all = await changedEntries(run, range, control);
  const submodules = gitlinksWithFiles(all);
  const changes = all.filter(
    ({ path }) => !submodules.some((inner) => path === inner || path.startsWith(`${inner}/`)),
  );
  if (changes.length === 0) return null;
  const plain =
    submodules.length === 0 &&
    !taken.attributes &&
    !/\S/.test(run.attributeLines) &&
    ["false", undefined].includes(run.settings["core.autocrlf"]) &&
    !changes.some(({ path }) => isIgnoreFile(path));
  if (plain) return taken.tree;
  const tree = await cleanTree(run, taken, parent, changes, control);
  const same = await changedEntries(run, { from: parent, to: tree }, control);
  return same.length === 0 ? null : tree;
}

/** Gitlinks of the parent where the snapshot has files: these keep their commit, whatever is inside. */
function gitlinksWithFiles(all: readonly Entry[]): string[] {
  const paths = all.filter(({ after }) => after !== "").map(({ path }) => path);
  return all
    .filter(({ before, path }) => before.startsWith("160000") && hasBelow(paths, path))
    .map(({ path }) => path);
}

const hasBelow = (paths: readonly string[], folder: string): boolean =>
  paths.some((path) => path.startsWith(`${folder}/`));

const KEY = "_commits";

/**
 * Checks the changed files out of the snapshot and adds them again as git would on the parent. Those that
 * the snapshot holds cleaned are taken as they are.
 */
async function cleanTree(
  run: Run,
  taken: FullSnapshot,
  parent: string,
  changes: readonly Entry[],
  control: Control,
): Promise<string> {
  await ensureRawGit(run, KEY);
  const folder = await mkdtemp(join(layout(run.runDir).private(KEY), "tree-"));
  try {
    const path = join(folder, "files");
    await mkdir(path);
    const index = { GIT_INDEX_FILE: join(folder, "raw-index") };
    const raw = { ...rawView(run, { key: KEY, path }, "all"), ...index };
    await git({ args: ["read-tree", taken.tree], env: raw }, control);
    const names = records((await git({ args: ["ls-files", "-z"], env: raw }, control)).stdout);
    const rules = names.filter((name) => isIgnoreFile(name) || isAttributeFile(name));
    const there = changes.filter(({ after }) => after !== "" && !after.startsWith("160000"));
    const input = listed([...new Set([...rules, ...there.map((entry) => entry.path)])]);
    await git({ args: ["checkout-index", "-z", "-f", "-q", "--stdin"], env: raw, input }, control);
    const env = cleanView(run, path, join(folder, "index"));
    const cleaned = await cleanedIn(run, taken, { ...env, ...index }, there, control);
    await git({ args: ["read-tree", parent], env }, control);
    const ignored = await ignoredOf(env, changes, control);
    const wanted = changes.filter((entry) => !ignored.has(entry.path));
    const toAdd = wanted.filter((entry) => !cleaned.has(entry.path));
    const others = toAdd.filter(({ before }) => before === "").map((entry) => entry.path);
    const tracked = toAdd.filter(({ before }) => before !== "").map((entry) => entry.path);
    const { paths } = await storable(path, { others, tracked }, Infinity);
    await stagePaths(env, paths, control, filterLimit(run, control));
    await addEntries(
      env,
      wanted.filter((entry) => cleaned.has(entry.path)),
      control,
    );
    return (await git({ args: ["write-tree"], env }, control)).stdout.trim();
  } finally {
    await forceRemove(folder);
  }
}

/** Files that have a filter and are in the snapshot as it cleaned them. */
async function cleanedIn(
  run: Run,
  taken: FullSnapshot,
  env: Readonly<Record<string, string>>,
  entries: readonly Entry[],
  control: Control,
): Promise<ReadonlySet<string>> {
  const paths = entries.filter(({ after }) => after.startsWith("100")).map(({ path }) => path);
  const drivers = await driversOf(run, env, paths, control);
  for (const path of taken.raw) drivers.delete(path);
  return new Set(drivers.keys());
}

async function addEntries(
  env: Readonly<Record<string, string>>,
  entries: readonly Entry[],
  control: Control,
): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.map(({ path, after }) => `${after}\t${path}\0`);
  const args = ["update-index", "-z", "--add", "--replace", "--index-info"];
  await git({ args, env, input: Buffer.from(lines.join(""), "latin1") }, control);
}

/** New files the tree's own rules ignore. The `./` keeps a name from being read as a pattern. */
async function ignoredOf(
  view: Readonly<Record<string, string>>,
  changes: readonly Entry[],
  control: Control,
): Promise<Set<string>> {
  const added = changes.filter(({ before }) => before === "").map(({ path }) => `./${path}\0`);
  const input = Buffer.from(added.join(""), "latin1");
  const env = { ...view, GIT_LITERAL_PATHSPECS: "0" };
  const call = { args: ["check-ignore", "-z", "--stdin"], env, input, okCodes: [0, 1] };
  return new Set(records((await git(call, control)).stdout).map((path) => path.slice(2)));
}
