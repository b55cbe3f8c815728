/**
 * What the ports share: the run and what its plan says about working trees; an attempt's labels and its work as a
 * commit (one attempt, one commit, whenever it is asked for); and how a refusal becomes the port's answer, a failure
 * of origin workspace. What is no refusal, and what the caller's own work throws, goes through.
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
  /** Attempts at a time: as many check trees stay when they are not used. */
  readonly concurrency: number;
  readonly carry: readonly string[];
  /** Build caches that check trees keep. */
  readonly caches: readonly string[];
  /** What every process in the tree at this path is given beside the tree's own variables. */
  readonly environment: (path: string) => Readonly<Record<string, string>>;
  readonly now: () => number;
  /** What set-up amounts to for a commit or tree; a tree that was made ready for the same is not set up again. */
  readonly readyMark: (commit: string) => Promise<string>;
  /** Runs the set-up of this commit in its tree; a problem is why it cannot be used. */
  readonly setUp: (tree: OpenTree, commit: string) => Promise<SetUpProblem | undefined>;
  /** Whether the run has a set-up that installs what lock files ask for. */
  readonly installs: boolean;
  /** What a subtask was asked to do, for the subjects of its commits. */
  readonly promptOf: (subtask: string) => string;
  /** Tells a person what the trees lack. */
  readonly tell: (words: string) => void;
  readonly isProtected: (path: string) => boolean;
  /** Ends what a check of an earlier owner left behind; settles once it is dead. */
  readonly untilDead: (attemptId: string) => Promise<void>;
  /** Agents work in the user's own checkout: one tree, one line of commits, nothing to set up or publish. */
  readonly inPlace: boolean;
}

/** A repository that is gone makes git fail in many ways; the reason is what a person needs. */
export async function answered<T>(run: Run, work: () => Promise<T>): Promise<TreeAnswer<T>> {
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

/** Runs what the caller of a port wants done in a tree: a disk that fails there is not the workspace's. */
export async function callersWork<T>(work: () => Promise<T>): Promise<T> {
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

/** Whether its tree stands: not where it was given back, or only another machine had it. */
export async function standsHere({ run, inPlace }: GitTrees, place: AttemptTree): Promise<boolean> {
  if (inPlace) return true;
  const { lease, givenBack } = (await readState(run, place.slot)) ?? { lease: null };
  return lease?.id === leaseOf(place) && givenBack === undefined;
}

/** What the commit of an attempt, or its merge into the result, says. */
export const messageOf = (
  { run, promptOf }: GitTrees,
  { subtask, attempt }: AttemptTree,
  merge = false,
): string => commitMessage({ run: run.id, subtask, attempt, prompt: promptOf(subtask) }, merge);

/** On what the attempt started from; the same one whenever it is asked for. */
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

/** The commit the subtask's tree was leased at: what its work is to be merged from. */
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
