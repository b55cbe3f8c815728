/**
 * Group commit: all writes requested within one turn of the event loop share one transaction. Invariants: a promise is
 * fulfilled only after the commit; a lock held by another process delays writes but never blocks the loop longer than
 * the busy time-out; work that throws a JournalError has written nothing and fails alone, any other failure rolls back
 * and fails the whole group.
 */
import type { DatabaseSync } from "node:sqlite";
import { JournalError, closedError, hasCode, journalError, pauseMs } from "./error.ts";

export interface GroupCommit {
  /** May be called again with the same work after a lock, so the work must have no effect outside the database. */
  write<T>(work: () => T, lockWaitMs?: number): Promise<T>;
  /** Tries once more to write what is queued, then refuses everything. */
  close(): void;
}

interface Entry {
  readonly work: () => unknown;
  readonly until: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function groupCommit(database: DatabaseSync, path: string): GroupCommit {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  let waiting: Entry[] = [];
  let planned = false;
  let tries = 0;
  let closed = false;

  const plan = (): void => {
    if (planned || waiting.length === 0) return;
    planned = true;
    if (tries === 0) setImmediate(flush);
    else setTimeout(flush, pauseMs(tries));
  };

  function flush(): void {
    planned = false;
    const group = waiting;
    waiting = [];
    if (group.length > 0) attempt(group);
    plan();
  }

  function attempt(group: readonly Entry[]): void {
    const results: (() => void)[] = [];
    try {
      begin.run();
      for (const entry of group) results.push(resultOf(entry));
      commit.run();
    } catch (error) {
      undo(database);
      failed(group, journalError(error, path));
      return;
    }
    tries = 0;
    for (const settle of results) settle();
  }

  function failed(group: readonly Entry[], failure: unknown): void {
    const locked = hasCode(failure, "busy") && !closed;
    const now = performance.now();
    const again: Entry[] = [];
    for (const entry of group) {
      if (locked && entry.until > now) again.push(entry);
      else entry.reject(failure);
    }
    waiting = [...again, ...waiting];
    tries = locked ? tries + 1 : 0;
  }

  return {
    write: <T>(work: () => T, lockWaitMs = Infinity) =>
      new Promise<T>((resolve, reject) => {
        if (closed) return reject(closedError(path));
        waiting.push({
          work,
          until: performance.now() + lockWaitMs,
          resolve: resolve as (result: unknown) => void,
          reject,
        });
        plan();
      }),
    close() {
      closed = true;
      flush();
    },
  };
}

function resultOf({ work, resolve, reject }: Entry): () => void {
  try {
    const result = work();
    return () => resolve(result);
  } catch (error) {
    if (error instanceof JournalError) return () => reject(error);
    throw error;
  }
}

function undo(database: DatabaseSync): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has already rolled back, or the transaction never began.
  }
}
