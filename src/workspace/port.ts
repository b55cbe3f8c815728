/**
 * The runtime's Workspace port on git: where attempts work, every tree and snapshot named by subtask and attempt. A label
 * is taken once, so a repeated call gives what it made before; nothing destructive without a snapshot.
 */
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
import { type ActiveRun, refuse, valueOf } from "./base/operation.ts";
import type { Worktree } from "./base/run-folder.ts";
import { slotEnvironment } from "./git/agent-git.ts";
import { changedFiles, lineStat, treeOf } from "./git/read-objects.ts";
import { advance, filesWithMarkers, merge, resultTip } from "./git/commits.ts";
import { checkoutWorktree, slotWorktree } from "./git/worktree.ts";
import {
  activeRun,
  answered,
  commitOfAttempt,
  labelOf,
  leaseOf,
  messageOf,
  startOf,
  type GitTrees,
} from "./port-context.ts";
import { publish } from "./result/publish.ts";
import { readSnapshot, sameTree, snapshot, treeHash } from "./snapshots/snapshot.ts";
import {
  bringSlotBack,
  givenBackAs,
  leaseSlot,
  markReady,
  releaseAllSlots,
  releaseSlot,
  standingSlots,
} from "./trees/slots.ts";
import { rebase, restore, rollback } from "./trees/restore.ts";

const FILES_NAMED = 50;

export function gitWorkspace(trees: GitTrees): Workspace {
  const { run, control } = trees;
  return {
    begin: (place, tree) => answered(run, () => begin(trees, place, tree)),
    finish: (place) => answered(run, () => finish(trees, place)),
    mark: async ({ slot }) => {
      const hash = await treeHash(run, worktreeOf(trees, slot), control);
      return hash.ok ? hash.value : "";
    },
    publish: () =>
      answered(run, async () =>
        trees.inPlace
          ? { branch: "", commit: await resultTip(run) }
          : valueOf(await publish(run, control)),
      ),
  };
}

export function gitStandingTrees({ run, control, now }: GitTrees): StandingTrees {
  return {
    slots: () => standingSlots(run),
    giveBack: (slot) =>
      answered(run, async () => valueOf(await releaseSlot(run, { slot, at: now() }, control))),
    giveAllBack: () =>
      answered(run, async () => valueOf(await releaseAllSlots(run, now(), control))),
  };
}

export const worktreeOf = ({ run, inPlace }: GitTrees, slot: string): Worktree =>
  inPlace ? checkoutWorktree(run) : slotWorktree(run, slot);

async function begin(trees: GitTrees, place: AttemptTree, tree: StartTree): Promise<OpenTree> {
  const { run, control, now } = trees;
  const worktree = trees.inPlace ? checkoutWorktree(run) : await readySlot(trees, place);
  const opened = openTree(trees, worktree);
  await bringTo(trees, worktree, place, tree);
  const plan = { label: labelOf(place, "before"), at: now(), start: true };
  valueOf(await snapshot(run, worktree, plan, control));
  return opened;
}

/** The slot, leased and set up, with what it was given back with. */
export async function readySlot(trees: GitTrees, place: AttemptTree): Promise<Worktree> {
  const { run, control, carry, now } = trees;
  const plan = { slot: place.slot, commit: await resultTip(run), id: leaseOf(place) };
  const lease = valueOf(await leaseSlot(run, { ...plan, at: now(), carry }, control));
  const { worktree, ready, commit } = lease;
  const mark = await trees.readyMark(commit);
  if (ready !== mark) await setUp(trees, worktree, commit, mark);
  valueOf(await bringSlotBack(run, worktree, control));
  return worktree;
}

async function setUp(
  trees: GitTrees,
  worktree: Worktree,
  commit: string,
  mark: string,
): Promise<void> {
  const problem = await trees.setUp(openTree(trees, worktree), commit);
  if (problem !== undefined) {
    const said = (problem.run.stderr || problem.run.stdout).slice(-400);
    refuse("file-system", `set-up ${problem.command} failed: ${said}`);
  }
  valueOf(await markReady(trees.run, worktree, mark, trees.control));
}

async function bringTo(
  trees: GitTrees,
  worktree: Worktree,
  place: AttemptTree,
  tree: StartTree,
): Promise<void> {
  const { run, control, now } = trees;
  const id = `${place.subtask}/${place.attempt}`;
  if (tree.kind === "good") {
    const tip = await resultTip(run);
    valueOf(await rollback(run, worktree, { id, at: now(), commit: tree.commit, tip }, control));
  } else if (tree.kind === "rebased") {
    const commit = await commitOfAttempt(trees, { ...place, attempt: tree.attempt });
    const tip = await resultTip(run);
    valueOf(await rebase(run, worktree, { id, at: now(), commit, tip }, control));
  } else if (tree.kind === "attempt") {
    const label = labelOf({ ...place, attempt: tree.attempt }, "after");
    valueOf(await restore(run, worktree, { id, at: now(), snapshot: label }, control));
  }
}

async function finish(trees: GitTrees, place: AttemptTree): Promise<FinishedTree> {
  const { run, control, now } = trees;
  const isGone = !trees.inPlace && (await givenBackAs(run, place.slot)) !== undefined;
  const worktree = isGone ? await readySlot(trees, place) : worktreeOf(trees, place.slot);
  const after = valueOf(
    await snapshot(run, worktree, { label: labelOf(place, "after"), at: now() }, control),
  );
  const found = await readSnapshot(run, labelOf(place, "before"));
  const before = found.ok ? found.value : after;
  if (place.discard === true && !sameTree(before, after)) await discard(trees, place, worktree);
  const stat = valueOf(await lineStat(run, { from: before.tree, to: after.tree }, control));
  const isJudged = stat.files.length > 0 && place.discard !== true;
  return {
    treeBefore: before.tree,
    treeAfter: after.tree,
    changedLines: stat.added + stat.removed,
    files: stat.files.slice(0, FILES_NAMED),
    protectedFiles: isJudged ? await protectedIn(trees, place, after.tree) : [],
  };
}

/** Brings the tree back to what the attempt began with; what it left stays in its snapshot. */
async function discard(
  { run, control, now }: GitTrees,
  place: AttemptTree,
  worktree: Worktree,
): Promise<void> {
  const id = `${place.subtask}/${place.attempt}/discard`;
  const plan = { id, at: now(), snapshot: labelOf(place, "before") };
  valueOf(await restore(run, worktree, plan, control));
}

/** Over all attempts of the subtask: what one changed and the next put back is not changed. */
async function protectedIn(
  trees: GitTrees,
  place: AttemptTree,
  to: string,
): Promise<readonly string[]> {
  const from = await startOf(trees, place);
  const changed = valueOf(await changedFiles(trees.run, { from, to }, trees.control));
  const touched = changed.map(({ path }) => path).filter((path) => trees.isProtected(path));
  return touched.slice(0, FILES_NAMED);
}

export const openTree = (trees: GitTrees, worktree: Worktree): OpenTree => ({
  cwd: worktree.path,
  env: { ...trees.environment(worktree.path), ...slotEnvironment(trees.run, worktree) },
});

export function gitCommits(trees: GitTrees): Commits {
  const run = activeRun(trees);
  return {
    ofAttempt: (place) => answered(run, () => ofAttempt(trees, place)),
    join: (place) => answered(run, () => join(trees, place)),
    advance: ({ commit, onto }) =>
      answered(run, async () =>
        valueOf(await advance(run, { commit, expected: onto }, run.control)),
      ),
    base: () => answered(run, () => withTree(run, run.base)),
    tip: () => answered(run, async () => withTree(run, await resultTip(run))),
  };
}

async function ofAttempt(trees: GitTrees, place: AttemptTree): Promise<AttemptCommit> {
  const run = activeRun(trees);
  const commit = await commitOfAttempt(trees, place);
  const start = await startOf(trees, place);
  const markers = valueOf(await filesWithMarkers(run, commit, run.control));
  return { ...(await withTree(run, commit)), start, markers };
}

async function join(trees: GitTrees, place: AttemptTree): Promise<Joined> {
  const run = activeRun(trees);
  const onto = await resultTip(run);
  const commit = await commitOfAttempt(trees, place);
  const message = messageOf(trees, place, true);
  const plan = { into: onto, commit, message, at: trees.now() };
  const joined = valueOf(await merge(run, plan, run.control));
  if (!joined.clean) return { kind: "conflict", files: joined.conflicts };
  const made = await withTree(run, joined.commit);
  return { kind: "joined", ...made, onto, there: joined.commit === onto };
}

const withTree = async (run: ActiveRun, commit: string): Promise<Commit> => ({
  commit,
  tree: await treeOf(run, commit),
});
