/**
 * What every operation of the workspace is handed (who may stop it, who watches it), and refusals. An operation that
 * cannot go on throws a refusal, and what is offered to other folders gives it as a value: whatever a repository, a disk
 * or a person can cause ends as one, anything else (a broken invariant, a test's crash) passes through. Every operation
 * can be repeated: what is done is recognised, what was cut off is finished.
 */
import { systemFault } from "../../core/system-faults.ts";
import type { Run, Worktree } from "./run-folder.ts";

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

export type RefusalKind =
  | "git-missing"
  | "git-too-old"
  | "not-a-repository"
  | "not-owned"
  | "bare-repository"
  | "busy-repository"
  | "unmerged-files"
  | "sparse-checkout"
  | "objects-missing"
  | "run-inside-repository"
  | "repository-gone"
  | "damaged-run"
  | "no-such-commit"
  | "no-such-snapshot"
  | "not-an-ancestor"
  | "ref-moved"
  | "branch-checked-out"
  | "branch-in-the-way"
  | "conflict"
  | "overlap"
  | "taken-back"
  | "not-applied"
  | "changed-since"
  | "half-changed"
  | "locked"
  | "worktree-missing"
  | "worktree-replaced"
  | "unsafe-path"
  | "filter-failed"
  | "disk-full"
  | "file-system"
  | "git-failed"
  | "too-slow"
  | "aborted";

export interface Refusal {
  readonly kind: RefusalKind;
  /** One plain sentence for a person; may hold foreign text, so tame it before a terminal. */
  readonly detail: string;
  readonly files?: readonly string[];
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

const refused = new WeakMap<Error, Refusal>();

export function refuse(kind: RefusalKind, detail: string, files?: readonly string[]): never {
  const error = new Error(`${kind}: ${detail}`);
  const named = files === undefined ? {} : { files: files.slice(0, 200) };
  refused.set(error, { kind, detail, ...named });
  throw error;
}

/** What `refuse` threw, or what the file system had to say. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  const refusal = refused.get(error);
  if (refusal !== undefined) return refusal;
  const { code, path = "" } = error as NodeJS.ErrnoException;
  if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) return null;
  if (code === "ENOSPC" || code === "EDQUOT")
    return { kind: "disk-full", detail: `no space left for ${path}` };
  const fault = systemFault(code);
  const place = `${code} at ${path}`;
  const detail = fault === undefined ? place : `${fault.words} (${place}); ${fault.next}`;
  return { kind: "file-system", detail };
}

/** Runs an operation and gives its value or its refusal. */
export async function settled<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return { ok: false, refusal };
  }
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
