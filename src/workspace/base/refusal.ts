/**
 * Refusals: how workspace operations fail. Inside the workspace they are thrown; functions offered to other folders
 * return them as values. Anything that a repository, a disk or a person can cause is a refusal. Anything else, such as
 * a broken invariant or a crash in a test, is thrown on.
 */
import { systemFault } from "../../core/system-faults.ts";

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
  | "unusable-address"
  | "remote-failed"
  | "filter-failed"
  | "disk-full"
  | "file-system"
  | "set-up-failed"
  | "git-failed"
  | "too-slow"
  | "aborted";

export interface Refusal {
  readonly kind: RefusalKind;
  /** One plain sentence for a person. It may contain foreign text, so sanitise it before printing. */
  readonly detail: string;
  readonly files?: readonly string[];
}

export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

const refused = new WeakMap<Error, Refusal>();

/** The refusal behind an error: thrown by `refuse`, or derived from a file system error. */
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

/** Runs an operation and returns its value or its refusal. */
export async function asResult<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return { ok: false, refusal };
  }
}

export function refuse(kind: RefusalKind, detail: string, files?: readonly string[]): never {
  const error = new Error(`${kind}: ${detail}`);
  const named = files === undefined ? {} : { files: files.slice(0, 200) };
  refused.set(error, { kind, detail, ...named });
  throw error;
}
