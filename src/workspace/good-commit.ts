/**
 * Good commits: made by the caller's word that checks passed, from a snapshot, on the subtask's ref. Invariants:
 * the same input gives the same commit; line endings and filters are as the repository's attributes say; files
 * that the snapshot's own ignore rules hide are left out; a submodule keeps its recorded commit; the ref moves
 * only from the parent.
 */
import { cleanTree } from "./clean-tree.ts";
import { changedEntries, type Entry } from "./diff.ts";
import { git } from "./git.ts";
import { cloneView, refs } from "./git-dir.ts";
import { isIgnoreFile } from "./ignore.ts";
import { requireAncestor } from "./merge.ts";
import { pass, refuse, settled } from "./refusal.ts";
import { loadSnapshot } from "./snapshot.ts";
import type { FullSnapshot } from "./snapshot-record.ts";
import { keepObjects, readRef, writeCommit } from "./store.ts";
import type { Control, Result, Run } from "./types.ts";

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
