/**
 * What every operation of the workspace is handed: who may stop it, who watches it. Every operation can be repeated:
 * what is done is recognised, what was cut off is finished.
 */
import type { Run, Worktree } from "./run-folder.ts";
import { refuse, settled, type Result } from "./refusal.ts";

/** Every place where a process may die, by operation; a repeated call goes on from what is there. */
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

/** Handed to every operation: stop it, watch it, or (in tests) die inside it. */
export interface Control {
  readonly signal?: AbortSignal;
  readonly onPoint?: (name: Point) => void | Promise<void>;
  readonly onGit?: (args: readonly string[]) => void;
  /** How long one git may run while filter programs of the user's are at work. */
  readonly filterLimitMs?: number;
}

/** A run with the control of the operation at hand. */
export interface ActiveRun extends Run {
  readonly control: Control;
}

/** Marks a named place between two effects. */
export async function pass(control: Control, point: Point): Promise<void> {
  if (control.signal?.aborted) refuse("aborted", `stopped before ${point}`);
  await control.onPoint?.(point);
}

/** A function as other folders call it. */
export const offered =
  <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
  (...args: Args): Promise<Result<T>> =>
    settled(() => work(...args));

/** An operation on a run with a plan for it, as other folders call it. */
export const operation =
  <Plan, T>(work: (run: ActiveRun, plan: Plan) => Promise<T>) =>
  (run: Run, plan: Plan, control: Control = {}): Promise<Result<T>> =>
    settled(() => work({ ...run, control }, plan));

/** An operation on one of its working trees, as other folders call it. */
export const treeOperation =
  <Plan, T>(work: (run: ActiveRun, worktree: Worktree, plan: Plan) => Promise<T>) =>
  (run: Run, worktree: Worktree, plan: Plan, control: Control = {}): Promise<Result<T>> =>
    settled(() => work({ ...run, control }, worktree, plan));
