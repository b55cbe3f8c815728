/**
 * What every operation of the workspace is handed (who may stop it, who watches it) and how it is offered to other
 * folders: with refusals as values. Every operation can be repeated: what is done is recognised, what was cut off
 * is finished.
 */
import { refuse, type Result, settled } from "./refusal.ts";
import type { Run, Worktree } from "./run-folder.ts";

/** Every place where a process may die; a repeated call goes on from what is there. */
export const POINTS = [
  "open:pinned",
  "open:cloned",
  "open:based",
  "lease:rescued",
  "lease:cleaned",
  "lease:written",
  "lease:git-moved",
  "lease:git-made",
  "back:kept",
  "back:marked",
  "back:restored",
  "carry:kept",
  "carry:copied",
  "check:cleaned",
  "check:filled",
  "check:prepared",
  "snapshot:scanned",
  "snapshot:staged",
  "snapshot:tree",
  "snapshot:commit",
  "restore:rescued",
  "restore:aside",
  "restore:written",
  "good:commit",
  "merge:commit",
  "publish:packed",
  "apply:rescued",
  "apply:packed",
  "apply:written",
  "apply:staged",
  "undo:rescued",
  "undo:files",
  "undo:staged",
  "clean:marked",
  "clean:slots",
  "clean:branch",
  "clean:unpinned",
  "clean:clone",
] as const;
export type Point = (typeof POINTS)[number];

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

/** An operation on a run alone, as other folders call it. */
export const runOperation =
  <T>(work: (run: ActiveRun) => Promise<T>) =>
  (run: Run, control: Control = {}): Promise<Result<T>> =>
    settled(() => work({ ...run, control }));

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

/** Marks a named place between two effects. */
export async function pass(control: Control, point: Point): Promise<void> {
  if (control.signal?.aborted) refuse("aborted", `stopped before ${point}`);
  await control.onPoint?.(point);
}
