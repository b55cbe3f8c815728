/**
 * The runtime's Workspace port on git: every tree, snapshot and merge is named by run, subtask and attempt.
 * Imports the workspace's own operations and the port. Invariants: a label is taken once, so a repeated call gives what it
 * made before; nothing destructive without a snapshot; a refusal becomes a failure of origin workspace.
 */
import type { StartTree } from "../core/run/attempt.ts";
import type {
  FinishedTree,
  MergeAnswer,
  OpenTree,
  TreePlace,
  Workspace,
} from "../runtime/ports-workspace.ts";
import { changedFiles, lineStat, type ChangedFile } from "./diff.ts";
import { goodCommit, lastGood } from "./good-commit.ts";
import { advance, merge, resultTip } from "./merge.ts";
import { publish } from "./publish.ts";
import { rebase } from "./rebase.ts";
import { restore, rollback } from "./restore.ts";
import { leaseSlot, markReady } from "./slot.ts";
import { slotEnvironment } from "./slot-git.ts";
import { readSnapshot, sameTree, snapshot, treeHash } from "./snapshot.ts";
import { answered, Refused, valueOf } from "./port-answer.ts";
import type { Control, Run, Worktree } from "./types.ts";
import { checkoutWorktree, slotWorktree } from "./view.ts";

export interface GitWorkspaceOptions {
  readonly run: Run;
  readonly carry: readonly string[];
  /** What every process in a tree is given beside the tree's own variables: the user's environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly now: () => number;
  /** Runs the plan's setup commands in a new tree; a problem is why the tree cannot be used. */
  readonly setup: (tree: OpenTree) => Promise<string | undefined>;
  /** What `setup` amounts to: a tree that was made ready for the same is not set up again. */
  readonly setupMark: string;
  /** Whether a changed file is one the plan protects, or one that judges the work. */
  readonly watch: (path: string) => "protected" | "judge" | undefined;
  /** Agents work in the user's own checkout: one tree, one line of commits, nothing to set up or publish. */
  readonly inPlace: boolean;
  readonly control?: Control;
}

const MERGE_SLOT = "merge";
const FILES_NAMED = 50;

export function gitWorkspace(options: GitWorkspaceOptions): Workspace {
  return {
    begin: (place, tree) => answered(options.run, () => begin(options, place, tree)),
    open: async (place) => ({
      ok: true,
      value: openTree(options, worktreeOf(options, place.slot)),
    }),
    finish: (place) => answered(options.run, () => finish(options, place)),
    mark: async ({ slot }) => {
      const { run, control } = options;
      const hash = await treeHash(run, worktreeOf(options, slot), control);
      return hash.ok ? hash.value : "";
    },
    merge: (place, verify) => answered(options.run, () => merged(options, place, verify)),
    publish: () =>
      answered(options.run, async () =>
        options.inPlace
          ? { branch: "", commit: await resultTip(options.run) }
          : valueOf(await publish(options.run, options.control)),
      ),
  };
}

const worktreeOf = ({ run, inPlace }: GitWorkspaceOptions, slot: string): Worktree =>
  inPlace ? checkoutWorktree(run) : slotWorktree(run, slot);

const labelOf = ({ subtask, attempt }: TreePlace, when: "before" | "after"): string =>
  `${subtask}/${attempt}/${when}`;
const leaseOf = ({ subtask, branch }: TreePlace): string => `${subtask}/${branch ?? ""}`;

async function begin(
  options: GitWorkspaceOptions,
  place: TreePlace,
  tree: StartTree,
): Promise<OpenTree> {
  const { run, control, now } = options;
  const id = leaseOf(place);
  const worktree = options.inPlace
    ? checkoutWorktree(run)
    : await readySlot(options, { slot: place.slot, commit: await resultTip(run), id });
  const opened = openTree(options, worktree);
  await bringTo(options, worktree, place, tree);
  valueOf(
    await snapshot(
      run,
      worktree,
      { label: labelOf(place, "before"), at: now(), start: true },
      control,
    ),
  );
  return opened;
}

/** The slot, leased and set up. */
async function readySlot(
  options: GitWorkspaceOptions,
  plan: { readonly slot: string; readonly commit: string; readonly id: string },
): Promise<Worktree> {
  const { run, control, carry, now } = options;
  const { worktree, ready } = valueOf(await leaseSlot(run, { ...plan, at: now(), carry }, control));
  if (ready === options.setupMark) return worktree;
  const problem = await options.setup(openTree(options, worktree));
  if (problem !== undefined) throw new Refused({ kind: "file-system", detail: problem });
  valueOf(await markReady(run, worktree, options.setupMark, control));
  return worktree;
}

async function bringTo(
  options: GitWorkspaceOptions,
  worktree: Worktree,
  place: TreePlace,
  tree: StartTree,
): Promise<void> {
  const { run, control, now } = options;
  const id = `${place.subtask}/${place.attempt}`;
  if (tree.kind === "good") {
    const tip = await resultTip(run);
    valueOf(await rollback(run, worktree, { id, at: now(), commit: tree.commit, tip }, control));
  } else if (tree.kind === "rebased") {
    const commit = await committed(options, { ...place, attempt: tree.attempt });
    const tip = await resultTip(run);
    valueOf(await rebase(run, worktree, { id, at: now(), commit, tip }, control));
  } else if (tree.kind === "attempt") {
    const label = labelOf({ ...place, attempt: tree.attempt }, "after");
    valueOf(await restore(run, worktree, { id, at: now(), snapshot: label }, control));
  }
}

async function finish(options: GitWorkspaceOptions, place: TreePlace): Promise<FinishedTree> {
  const { run, control, now } = options;
  const worktree = worktreeOf(options, place.slot);
  const after = valueOf(
    await snapshot(run, worktree, { label: labelOf(place, "after"), at: now() }, control),
  );
  const found = await readSnapshot(run, labelOf(place, "before"));
  const before = found.ok ? found.value : after;
  if (place.discard === true && !sameTree(before, after)) await discard(options, place, worktree);
  const range = { from: before.tree, to: after.tree };
  const stat = valueOf(await lineStat(run, range, control));
  const isJudged = stat.files.length > 0 && place.discard !== true;
  const touched = isJudged ? await changedInAll(options, place, after.tree) : [];
  const watched = (as: "protected" | "judge"): string[] =>
    touched
      .filter(({ path, isNew }) => options.watch(path) === as && !(as === "judge" && isNew))
      .map(({ path }) => path)
      .slice(0, FILES_NAMED);
  return {
    treeBefore: before.tree,
    treeAfter: after.tree,
    changedLines: stat.added + stat.removed,
    files: stat.files.slice(0, FILES_NAMED),
    protectedFiles: watched("protected"),
    judges: watched("judge"),
  };
}

/** Brings the tree back to what the attempt began with; what it left stays in its snapshot. */
async function discard(
  { run, control, now }: GitWorkspaceOptions,
  place: TreePlace,
  worktree: Worktree,
): Promise<void> {
  const plan = {
    id: `${place.subtask}/${place.attempt}/discard`,
    at: now(),
    snapshot: labelOf(place, "before"),
  };
  valueOf(await restore(run, worktree, plan, control));
}

/** Over all attempts of the subtask: what one changed and the next put back is not changed. A new test judges nobody yet. */
async function changedInAll(
  options: GitWorkspaceOptions,
  place: TreePlace,
  to: string,
): Promise<readonly ChangedFile[]> {
  const from = await startOf(options, place);
  return valueOf(await changedFiles(options.run, { from, to }, options.control));
}

async function merged(
  options: GitWorkspaceOptions,
  place: TreePlace,
  verify: Parameters<Workspace["merge"]>[1],
): Promise<MergeAnswer> {
  const { run, control, now } = options;
  const tip = await resultTip(run);
  const commit = await committed(options, place);
  const message = `Merge ${messageOf(place)}`;
  const joined = valueOf(await merge(run, { into: tip, commit, message, at: now() }, control));
  if (!joined.clean) return { kind: "conflict", files: joined.conflicts };
  if (joined.commit !== commit && joined.commit !== tip) {
    const red = await redTogether(options, place, joined.commit, verify);
    if (red !== undefined) return red;
  }
  valueOf(await advance(run, { commit: joined.commit, expected: tip }, control));
  return { kind: "merged", commit: joined.commit };
}

const messageOf = ({ subtask, attempt }: TreePlace): string => `${subtask}: attempt ${attempt}`;

/** The attempt's work as a commit on what it started from; the same one whenever it is asked for. */
async function committed(options: GitWorkspaceOptions, place: TreePlace): Promise<string> {
  const { run, control, now } = options;
  const subtask = `${leaseOf(place)}/${place.attempt}`;
  const known = await lastGood(run, subtask);
  if (known !== null) return known;
  const parent = await startOf(options, place);
  const snapshot = labelOf(place, "after");
  const plan = { subtask, snapshot, parent, message: messageOf(place), at: now() };
  return valueOf(await goodCommit(run, plan, control)).commit;
}

/** Two that are green alone may be red together: the merged tree is checked before the result moves. */
async function redTogether(
  options: GitWorkspaceOptions,
  place: TreePlace,
  commit: string,
  verify: Parameters<Workspace["merge"]>[1],
): Promise<MergeAnswer | undefined> {
  const id = `merge/${place.subtask}/${place.attempt}`;
  const worktree = await readySlot(options, { slot: MERGE_SLOT, commit, id });
  const result = await verify(openTree(options, worktree));
  return result.kind === "passed" ? undefined : { kind: "red", result };
}

/** The commit the subtask's tree was leased at: what its work is to be merged from. */
async function startOf(options: GitWorkspaceOptions, place: TreePlace): Promise<string> {
  const { run, control, now } = options;
  const { slot } = place;
  const tip = await resultTip(run);
  if (options.inPlace) return tip;
  const plan = { slot, commit: tip, id: leaseOf(place), at: now() };
  return valueOf(await leaseSlot(run, plan, control)).commit;
}

const openTree = ({ run, environment }: GitWorkspaceOptions, worktree: Worktree): OpenTree => ({
  cwd: worktree.path,
  env: { ...environment, ...slotEnvironment(run, worktree) },
});
