/**
 * What every workspace operation receives: a way to stop it and to observe it. Every operation can be repeated: work
 * already done is recognised, and interrupted work is completed.
 */
import type { Run, Worktree } from "./run-folder.ts";
import { refuse, asResult, type Result } from "./refusal.ts";

/** Every place where a process may die, by operation. A repeated call continues from what it finds. */
export const POINTS = {
  open: ["pinned", "cloned", "based"],
  lease: ["rescued", "cleaned", "written", "git-moved", "git-made"],
  back: ["kept", "marked", "restored"],
  carry: ["kept", "copied"],
  check: ["cleaned", "filled", "prepared"],
  snapshot: ["scanned", "staged", "tree", "commit"],
  restore: ["rescued", "aside", "written"],
  good: ["commit"],
  merge: ["commit"],
  publish: ["packed"],
  apply: ["rescued", "packed", "written", "staged"],
  undo: ["rescued", "files", "staged"],
  clean: ["marked", "slots", "branch", "unpinned", "clone"],
} as const;

type Points = typeof POINTS;

export type Point = { [of in keyof Points]: `${of}:${Points[of][number]}` }[keyof Points];

/** Passed to every operation: stops it, observes it, or (in tests) kills it midway. */
export interface Control {
  readonly signal?: AbortSignal;
  readonly onPoint?: (name: Point) => void | Promise<void>;
  readonly onGit?: (args: readonly string[]) => void;
  /** How long one git may run while the user's filter programs are active. */
  readonly filterLimitMs?: number;
}

/** A run together with the control of the current operation. */
export interface ActiveRun extends Run {
  readonly control: Control;
}

/** Marks a named point between two effects. */
export async function reachPoint(control: Control, point: Point): Promise<void> {
  if (control.signal?.aborted) refuse("aborted", `stopped before ${point}`);
  await control.onPoint?.(point);
}

/** Wraps a function for use by other folders: refusals become values. */
export const withResult =
  <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
  (...args: Args): Promise<Result<T>> =>
    asResult(() => work(...args));

/** Wraps an operation on a run, with its plan, for use by other folders. */
export const operation =
  <Plan, T>(work: (run: ActiveRun, plan: Plan) => Promise<T>) =>
  (run: Run, plan: Plan, control: Control = {}): Promise<Result<T>> =>
    asResult(() => work({ ...run, control }, plan));

/** Wraps an operation on a working tree, for use by other folders. */
export const treeOperation =
  <Plan, T>(work: (run: ActiveRun, worktree: Worktree, plan: Plan) => Promise<T>) =>
  (run: Run, worktree: Worktree, plan: Plan, control: Control = {}): Promise<Result<T>> =>
    asResult(() => work({ ...run, control }, worktree, plan));
