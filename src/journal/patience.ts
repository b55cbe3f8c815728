/**
 * Waiting for another process's lock without freezing this one. Invariant: one try blocks the event loop for at
 * most the busy time-out.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, journalError } from "./error.ts";

/** How long SQLite itself waits for a lock, with the event loop standing still. */
export const BUSY_TIMEOUT_MS = 25;
/** How long a command waits for a lock in all before it says so. */
export const PATIENCE_MS = 10_000;

/** Pause before try number `tries` + 1: growing, and uneven so that processes do not march in step. */
export function pauseMs(tries: number): number {
  return Math.min(10 * 2 ** tries, 250) * (0.5 + Math.random() / 2);
}

/** Does the work, again and again while the database is locked. */
export async function patiently<T>(path: string, work: () => T): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
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
