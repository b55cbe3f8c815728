/**
 * What the ports share: the run and its plan for working trees; the labels of an attempt and its work as a commit (one
 * attempt, one commit, however often it is requested); and how a refusal becomes the port's answer, a failure of origin
 * workspace. Other errors, and errors from the caller's own work, are thrown on.
 */
import { makeFailure } from "../core/failure.ts";
import { existsSync } from "node:fs";
import { cleanLine } from "../core/foreign-text.ts";
import type { FailureKind } from "../core/kinds.ts";
import type { AttemptTree, CheckRun, OpenTree, TreeAnswer } from "../runtime/ports-workspace.ts";
import type { ActiveRun } from "./base/operation.ts";
import { type RefusalKind, refusalOf } from "./base/refusal.ts";
import type { Run, Worktree } from "./base/run-folder.ts";
import { slotEnvironment } from "./git/agent-git.ts";
import { resultTip } from "./git/commits.ts";
import { checkoutWorktree, slotWorktree } from "./git/worktree.ts";
import { readState } from "./git/tree-state.ts";
import { commitMessage, commitSnapshot, lastGood } from "./result/good-commit.ts";
import { leaseSlot } from "./trees/slots.ts";

export interface SetUpProblem {
  readonly command: string;
  readonly run: CheckRun;
}

export interface GitTrees {
  readonly run: ActiveRun;
  /** Concurrent attempts: this many check trees are kept when unused. */
  readonly concurrency: number;
  readonly carry: readonly string[];
  /** Build caches that check trees keep. */
  readonly caches: readonly string[];
  /** The variables of every process in the tree at this path, in addition to the tree's own. */
  readonly environment: (path: string) => Readonly<Record<string, string>>;
  readonly now: () => number;
  /**
   * A mark for the set-up that a commit or tree needs; a tree already prepared with the same mark is not set up again.
   */
  readonly readyMark: (commit: string) => Promise<string>;
  /** Runs the set-up of this commit in its tree; a problem says why the tree cannot be used. */
  readonly setUp: (tree: OpenTree, commit: string) => Promise<SetUpProblem | undefined>;
  /** Whether the run has a set-up that installs what lock files require. */
  readonly installs: boolean;
  /** The prompt of a subtask, for the subjects of its commits. */
  readonly promptOf: (subtask: string) => string;
  /** Reports what the trees lack. */
  readonly tell: (words: string) => void;
  readonly isProtected: (path: string) => boolean;
  /** Ends a check that an earlier owner left running; settles once it is dead. */
  readonly untilDead: (attemptId: string) => Promise<void>;
  /** Agents work in the user's own checkout: one tree, one line of commits, no set-up and nothing to publish. */
  readonly inPlace: boolean;
}

/** A missing repository makes git fail in many ways; this reports the actual reason. */
export async function asTreeAnswer<T>(run: Run, work: () => Promise<T>): Promise<TreeAnswer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null || callerErrors.has(error as Error)) throw error;
    const { kind, detail } = existsSync(run.gitDir)
      ? refusal
      : { kind: "repository-gone" as const, detail: `${run.root} is gone` };
    const failure = makeFailure({
      kind: KIND_OF[kind] ?? "unknown",
      origin: "workspace",
      because: [cleanLine(`${kind}: ${detail}`, 300)],
      ...(kind === "repository-gone" && { category: "fatal" }),
    });
    return { ok: false, failure };
  }
}

const KIND_OF: { readonly [kind in RefusalKind]?: FailureKind } = {
  "disk-full": "disk_full",
  "repository-gone": "file_not_found",
  conflict: "merge_conflict",
  "too-slow": "timeout",
  aborted: "interrupted",
};

const callerErrors = new WeakSet<Error>();

/** Runs the caller's work in a tree: a disk error there is not a failure of the workspace. */
export async function runCallersWork<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) callerErrors.add(error);
    throw error;
  }
}

export const worktreeOf = ({ run, inPlace }: GitTrees, slot: string): Worktree =>
  inPlace ? checkoutWorktree(run) : slotWorktree(run, slot);

export const openTree = (trees: GitTrees, worktree: Worktree): OpenTree => ({
  cwd: worktree.path,
  env: { ...trees.environment(worktree.path), ...slotEnvironment(trees.run, worktree) },
});

export const labelOf = ({ subtask, attempt }: AttemptTree, when: "before" | "after"): string =>
  `${subtask}/${attempt}/${when}`;
export const leaseOf = ({ subtask, branch }: AttemptTree): string => `${subtask}/${branch ?? ""}`;

/** Whether the attempt's tree exists here: not if it was given back, or if only another machine had it. */
export async function treeExistsHere(
  { run, inPlace }: GitTrees,
  place: AttemptTree,
): Promise<boolean> {
  if (inPlace) return true;
  const { lease, givenBack } = (await readState(run, place.slot)) ?? { lease: null };
  return lease?.id === leaseOf(place) && givenBack === undefined;
}

/** The message of an attempt's commit, or of its merge into the result. */
export const messageOf = (
  { run, promptOf }: GitTrees,
  { subtask, attempt }: AttemptTree,
  merge = false,
): string => commitMessage({ run: run.id, subtask, attempt, prompt: promptOf(subtask) }, merge);

/** The attempt's commit, on top of its starting point; the same one whenever it is requested. */
export async function commitOfAttempt(trees: GitTrees, place: AttemptTree): Promise<string> {
  const { run, now } = trees;
  const subtask = `${leaseOf(place)}/${place.attempt}`;
  const known = await lastGood(run, subtask);
  if (known !== null) return known;
  const parent = await startOf(trees, place);
  const snapshot = labelOf(place, "after");
  const plan = { subtask, snapshot, parent, message: messageOf(trees, place), at: now() };
  return (await commitSnapshot(run, plan)).commit;
}

/** The commit at which the subtask's tree was leased: the base for merging its work. */
export async function startOf(
  { run, inPlace, now }: GitTrees,
  place: AttemptTree,
): Promise<string> {
  const tip = await resultTip(run);
  if (inPlace) return tip;
  const id = leaseOf(place);
  const known = (await readState(run, place.slot))?.lease;
  if (known?.id === id) return known.commit;
  return (await leaseSlot(run, { slot: place.slot, commit: tip, id, at: now() })).commit;
}
