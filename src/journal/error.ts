/**
 * Errors of the journal as one class with documented codes, and retrying the one error that passes by itself: another
 * process's lock. Invariants: every message says what happened and what to do next; one try blocks the event loop for
 * at most the busy time-out.
 */
import { setTimeout as sleep } from "node:timers/promises";

export type JournalErrorCode =
  /** There is no journal at the path (only when opened to read). */
  | "missing"
  /** Folder or file cannot be opened: permissions, or the path is not a file. */
  | "cannot-open"
  /** The file or its folder cannot be written. */
  | "read-only"
  | "disk-full"
  | "io-error"
  /** Another process kept the database locked longer than a command should wait. */
  | "busy"
  /** Not a database, or its pages or rows are inconsistent. Never written to. */
  | "damaged"
  /** A database of another program. Never written to. */
  | "not-a-journal"
  /** Written by a newer Unstuck. Never written to. */
  | "newer-version"
  /** Opened to read, but not brought up to this version yet. */
  | "older-version"
  /** A living process owns the run. */
  | "run-owned"
  /** This process owned the run, and another one has taken it over. */
  | "owner-lost"
  | "unknown-run"
  /** An input or event that lacks what its kind needs, or is too large. */
  | "invalid"
  | "closed";

export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly code: JournalErrorCode;

  constructor(code: JournalErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}

/** SQLite's primary result codes that a user can do something about. */
const MEANINGS: Readonly<Record<number, readonly [JournalErrorCode, string]>> = {
  3: ["cannot-open", "may not be opened: check the permissions of the file and its folder"],
  5: ["busy", "is locked by another process: try again, or end that process"],
  6: ["busy", "is locked by another process: try again, or end that process"],
  8: ["read-only", "cannot be written: make the file and its folder writable, then try again"],
  10: ["io-error", "could not be read or written: check the disk, then try again"],
  11: ["damaged", "is damaged; nothing was changed: restore it from a backup, or move it away"],
  13: ["disk-full", "has no room to grow: free disk space, then try again; nothing is lost"],
  14: [
    "cannot-open",
    "cannot be opened: check that its folder is yours and that file handles are left (ulimit -n)",
  ],
  26: ["damaged", "is no database; nothing was changed: restore it from a backup, or move it away"],
};

/** Converts SQLite's error to a JournalError; returns anything else unchanged. */
export function journalError(error: unknown, path: string): unknown {
  if (!isSqliteError(error)) return error;
  const meaning = MEANINGS[error.errcode & 0xff];
  if (meaning === undefined) return error;
  const [code, text] = meaning;
  return new JournalError(code, `The journal ${path} ${text} (${error.message}).`, error);
}

export const hasCode = (error: unknown, code: JournalErrorCode): boolean =>
  error instanceof JournalError && error.code === code;

export const closedError = (path: string): JournalError =>
  new JournalError("closed", `The journal ${path} was closed in this process; open it again.`);

function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** How long SQLite itself waits for a lock, blocking the event loop. */
export const BUSY_TIMEOUT_MS = 25;
/** How long a command waits for a lock in total before it fails. */
export const LOCK_WAIT_MS = 10_000;

/** Pause before try number `tries` + 1: growing, with jitter so that processes do not retry in lockstep. */
export function pauseMs(tries: number): number {
  return Math.min(10 * 2 ** tries, 250) * (0.5 + Math.random() / 2);
}

/** Runs the work again while the database is locked. */
export async function retryWhileLocked<T>(path: string, work: () => T): Promise<T> {
  const until = performance.now() + LOCK_WAIT_MS;
  for (let tries = 0; ; tries += 1) {
    try {
      return work();
    } catch (error) {
      const failure = journalError(error, path);
      if (!hasCode(failure, "busy") || performance.now() > until) throw failure;
    }
    await sleep(pauseMs(tries));
  }
}
