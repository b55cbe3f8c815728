/**
 * The runtime's workspace ports on git: where attempts work (Workspace), which trees take up space (StandingTrees), and
 * what an attempt would publish, alone and merged with the result (Commits). Invariants: every tree and snapshot is
 * named by subtask and attempt, and a label is used once, so a repeated call returns what it made before; nothing
 * destructive happens without a snapshot; only `advance` moves the result, and only from the commit that was merged
 * onto.
 */
import { installExcerpt } from "../core/excerpt/install-output.ts";
import type { StartTree } from "../core/run/attempt.ts";
import type {
  AttemptCommit,
  AttemptTree,
  Commit,
  Commits,
  FinishedTree,
  Joined,
  OpenTree,
  StandingTrees,
  Workspace,
} from "../runtime/ports-workspace.ts";
import { type ActiveRun } from "./base/operation.ts";
import { refuse, asResult } from "./base/refusal.ts";
import type { Worktree } from "./base/run-folder.ts";
import { advance, filesWithMarkers, merge, resultTip } from "./git/commits.ts";
import { text } from "./git/git.ts";
import { recordTreeContent } from "./git/worktree.ts";
import { countLines, treeOf } from "./git/read-objects.ts";
import { changedEntries } from "./git/changed-entries.ts";
import {
  asTreeAnswer,
  commitOfAttempt,
  type GitTrees,
  labelOf,
  leaseOf,
  messageOf,
  openTree,
  treeExistsHere,
  startOf,
  worktreeOf,
} from "./port-context.ts";
import { publish } from "./result/publish.ts";
import { sameTree, takeSnapshot, treeHash } from "./snapshots/snapshot.ts";
import { readSnapshot } from "./snapshots/read-snapshot.ts";
import { rebase, restoreSnapshot, rollback } from "./trees/restore.ts";
import { restoreReleasedSlot, leaseSlot, markReady } from "./trees/slots.ts";
import { releaseAllSlots, releaseSlot, standingSlots } from "./trees/release-slots.ts";

const FILES_NAMED = 50;

export function gitWorkspace(trees: GitTrees): Workspace {
  const { run } = trees;
  return {
    begin: (place, tree) => asTreeAnswer(run, () => begin(trees, place, tree)),
    finish: (place) => asTreeAnswer(run, () => finish(trees, place)),
    mark: async ({ slot }) => {
      const hash = await asResult(() => treeHash(run, worktreeOf(trees, slot)));
      return hash.ok ? hash.value : "";
    },
    publish: () =>
      asTreeAnswer(run, async () =>
        trees.inPlace ? { branch: "", commit: await resultTip(run) } : publish(run),
      ),
  };
}

export const gitStandingTrees = ({ run, now }: GitTrees): StandingTrees => ({
  slots: () => standingSlots(run),
  release: (slot) => asTreeAnswer(run, () => releaseSlot(run, { slot, at: now() })),
  releaseAll: () => asTreeAnswer(run, () => releaseAllSlots(run, now())),
});

async function begin(trees: GitTrees, place: AttemptTree, tree: StartTree): Promise<OpenTree> {
  const { run, now } = trees;
  const worktree = trees.inPlace ? worktreeOf(trees, place.slot) : await readySlot(trees, place);
  const opened = openTree(trees, worktree);
  await bringTo(trees, worktree, place, tree);
  const label = labelOf(place, "before");
  await takeSnapshot(run, worktree, { label, at: now(), start: true });
  await recordTreeContent(run, worktree, label);
  return opened;
}

/** The slot, leased, set up, and with the content it was given back with. */
export async function readySlot(trees: GitTrees, place: AttemptTree): Promise<Worktree> {
  const { run, carry, now } = trees;
  const plan = { slot: place.slot, commit: await resultTip(run), id: leaseOf(place) };
  const { worktree, ready, commit } = await leaseSlot(run, { ...plan, at: now(), carry });
  const mark = await trees.readyMark(commit);
  if (ready !== mark) {
    const problem = await trees.setUp(openTree(trees, worktree), commit);
    if (problem !== undefined) {
      const { headline, text } = installExcerpt(problem.run, 400);
      const said = text.includes(headline) ? text : `${headline}\n${text}`;
      refuse("set-up-failed", `${problem.command}: ${said}`);
    }
    await markReady(run, worktree, { ready: mark, hasSetUp: trees.installs });
  }
  await restoreReleasedSlot(run, worktree);
  return worktree;
}

async function bringTo(
  trees: GitTrees,
  worktree: Worktree,
  place: AttemptTree,
  tree: StartTree,
): Promise<void> {
  const { run, now } = trees;
  const id = `${place.subtask}/${place.attempt}`;
  if (tree.kind === "good") {
    const tip = await resultTip(run);
    await rollback(run, worktree, { id, at: now(), commit: tree.commit, tip });
  } else if (tree.kind === "rebased") {
    const commit = await commitOfAttempt(trees, { ...place, attempt: tree.attempt });
    await rebase(run, worktree, { id, at: now(), commit, tip: await resultTip(run) });
  } else if (tree.kind === "attempt" || tree.kind === "start") {
    const when = tree.kind === "start" ? "before" : "after";
    const snapshot = labelOf({ ...place, attempt: tree.attempt }, when);
    await restoreSnapshot(run, worktree, { id, at: now(), snapshot });
  }
}

async function finish(trees: GitTrees, place: AttemptTree): Promise<FinishedTree> {
  const { run, now } = trees;
  const isGone = !(await treeExistsHere(trees, place));
  const worktree = isGone ? await readySlot(trees, place) : worktreeOf(trees, place.slot);
  const after = await takeSnapshot(run, worktree, { label: labelOf(place, "after"), at: now() });
  const snapshot = labelOf(place, "before");
  const found = await readSnapshot(run, snapshot);
  const before = found.ok ? found.value : after;
  const isDiscarded = place.discard === true && !sameTree(before, after);
  if (isDiscarded) {
    // The attempt's changes stay in its snapshot.
    const id = `${place.subtask}/${place.attempt}/discard`;
    await restoreSnapshot(run, worktree, { id, at: now(), snapshot });
  }
  await recordTreeContent(run, worktree, isDiscarded ? snapshot : labelOf(place, "after"));
  const stat = await countLines(run, { from: before.tree, to: after.tree });
  const isJudged = stat.files.length > 0 && place.discard !== true;
  return {
    treeBefore: before.tree,
    treeAfter: after.tree,
    changedLines: stat.added + stat.removed,
    files: stat.files.slice(0, FILES_NAMED),
    protectedFiles: isJudged ? await protectedIn(trees, place, after.tree) : [],
  };
}

/** Over all attempts of the subtask: a change that a later attempt reverted does not count. */
async function protectedIn(
  trees: GitTrees,
  place: AttemptTree,
  to: string,
): Promise<readonly string[]> {
  const changed = await changedEntries(trees.run, { from: await startOf(trees, place), to });
  const touched = changed.map(({ path }) => text(path)).filter(trees.isProtected);
  return touched.slice(0, FILES_NAMED);
}

export function gitCommits(trees: GitTrees): Commits {
  const { run } = trees;
  return {
    ofAttempt: (place) => asTreeAnswer(run, () => ofAttempt(trees, place)),
    join: (place) => asTreeAnswer(run, () => join(trees, place)),
    advance: ({ commit, onto }) =>
      asTreeAnswer(run, () => advance(run, { commit, expected: onto })),
    base: () => asTreeAnswer(run, () => withTree(run, run.base)),
    tip: () => asTreeAnswer(run, async () => withTree(run, await resultTip(run))),
  };
}

async function ofAttempt(trees: GitTrees, place: AttemptTree): Promise<AttemptCommit> {
  const { run } = trees;
  const commit = await commitOfAttempt(trees, place);
  const start = await startOf(trees, place);
  const markers = await filesWithMarkers(run, commit);
  return { ...(await withTree(run, commit)), start, markers };
}

async function join(trees: GitTrees, place: AttemptTree): Promise<Joined> {
  const { run, now } = trees;
  const onto = await resultTip(run);
  const commit = await commitOfAttempt(trees, place);
  const message = messageOf(trees, place, true);
  const joined = await merge(run, { into: onto, commit, message, at: now() });
  if (!joined.clean) return { kind: "conflict", files: joined.conflicts };
  const made = await withTree(run, joined.commit);
  return { kind: "joined", ...made, onto, there: joined.commit === onto };
}

const withTree = async (run: ActiveRun, commit: string): Promise<Commit> => ({
  commit,
  tree: await treeOf(run, commit),
});
