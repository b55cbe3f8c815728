/**
 * Refusals: inside this folder an operation that cannot go on throws one, and the exported functions turn it into
 * a value. Invariant: whatever a repository, a disk or a person can cause ends as a `Refusal`; anything else (a
 * broken invariant, a test's crash) passes through.
 */
import { systemFault } from "../../core/system-words.ts";
import type { Control, Point, Refusal, RefusalKind, Result } from "./types.ts";

const carried = new WeakMap<Error, Refusal>();
const MOST_FILES = 200;

export function refuse(kind: RefusalKind, detail: string, files?: readonly string[]): never {
  const error = new Error(`${kind}: ${detail}`);
  const named = files === undefined ? {} : { files: files.slice(0, MOST_FILES) };
  carried.set(error, { kind, detail, ...named });
  throw error;
}

export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  const refusal = carried.get(error);
  if (refusal !== undefined) return refusal;
  const { code, path = "" } = error as NodeJS.ErrnoException;
  if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) return null;
  return code === "ENOSPC" || code === "EDQUOT"
    ? { kind: "disk-full", detail: `no space left for ${path}` }
    : { kind: "file-system", detail: faultText(code, path) };
}

function faultText(code: string, path: string): string {
  const fault = systemFault(code);
  return fault === undefined
    ? `${code} at ${path}`
    : `${fault.words} (${code} at ${path}); ${fault.next}`;
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

/** The value, or the refusal thrown again: for an operation made of others. */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { kind, detail, files } = result.refusal;
  return refuse(kind, detail, files);
}

/** Marks a named place between two effects. */
export async function pass(control: Control, point: Point): Promise<void> {
  if (control.signal?.aborted) refuse("aborted", `stopped before ${point}`);
  await control.onPoint?.(point);
}
