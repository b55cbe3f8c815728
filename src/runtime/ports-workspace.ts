/**
 * The Workspace and Checker ports: the trees attempts work in, and what verifies them.
 * Types only; imports core types. Every operation is named by what it is for (subtask, attempt, branch), so that repeating it
 * after a crash goes on from what is there and changes nothing that is done.
 */
import type { Failure } from "../core/failure.ts";
import type { CheckPlan } from "../core/plan/run-plan.ts";
import type { StartTree } from "../core/run/attempt.ts";
import type { CheckResult } from "../core/run/input.ts";

export interface TreePlace {
  readonly subtask: string;
  readonly attempt: number;
  readonly slot: string;
  readonly branch?: string;
  /** Of a read-only subtask: whatever was changed in it is discarded when the attempt is finished. */
  readonly discard?: boolean;
}

/** A refusal of the workspace is a failure like any other: disk full, repository gone, objects missing. */
export type TreeAnswer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export interface OpenTree {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface FinishedTree {
  readonly treeBefore: string;
  readonly treeAfter: string;
  /** Lines added and removed since the attempt began, over commits, staged, unstaged and untracked. */
  readonly changedLines: number;
  readonly files: readonly string[];
  /** Changed files the plan protects, and those that judge the work: tests, what the checks run (U13). */
  readonly protectedFiles: readonly string[];
  readonly judges: readonly string[];
}

export type MergeAnswer =
  | { readonly kind: "merged"; readonly commit: string }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  | {
      readonly kind: "red";
      readonly result: Extract<CheckResult, { readonly kind: "failed" | "could-not-run" }>;
    };

export interface Workspace {
  /** The tree this attempt starts from, ready to work in, with a snapshot taken. */
  begin(place: TreePlace, tree: StartTree): Promise<TreeAnswer<OpenTree>>;
  /** The tree as it stands, for checks. */
  open(place: TreePlace): Promise<TreeAnswer<OpenTree>>;
  /** The snapshot of what the attempt left; also for one that a crash cut off. What is to be discarded is gone after it. */
  finish(place: TreePlace): Promise<TreeAnswer<FinishedTree>>;
  /** Anything that changes when the tree does; cheap. */
  mark(place: TreePlace): Promise<string>;
  /** Commits the attempt's tree, merges it, lets `verify` judge the merged tree, and only then moves the result. */
  merge(
    place: TreePlace,
    verify: (tree: OpenTree) => Promise<CheckResult>,
  ): Promise<TreeAnswer<MergeAnswer>>;
  /** Puts the result where the user finds it. */
  publish(): Promise<TreeAnswer<{ readonly branch: string; readonly commit: string }>>;
}

export interface CheckAsk {
  readonly place: TreePlace;
  readonly tree: OpenTree;
  readonly checks: readonly CheckPlan[];
  readonly stop: AbortSignal;
}

export interface Checker {
  check(ask: CheckAsk): Promise<CheckResult>;
}
