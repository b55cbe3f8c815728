/**
 * The start of a guard, watched: where threads or processes are few, Node itself may hang before the guard's first
 * line runs, and such a guard hears nothing, not even that its owner died. Invariants: a guard that is not up by
 * the limit is killed; one that is not up when its owner exits is killed with it.
 */
import type { ChildProcess } from "node:child_process";
import type { ProcessIdentity } from "../../runtime/ports-agent.ts";

export interface GuardStart {
  /** The guard has spoken: from now on it looks after itself. */
  up(): void;
  /** Once the guard is gone: why it never was up; nothing if it was, or left in order. */
  problem(): string | undefined;
}

const LIMIT_MS = 10_000;
const listeners = new Set<(identity: ProcessIdentity) => void>();

/** Tells of each guard before what it guards can start. */
export function onGuard(listener: (identity: ProcessIdentity) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function tellOfGuard(identity: ProcessIdentity): void {
  for (const listener of listeners) listener(identity);
}

const starting = new Set<ChildProcess>();

process.on("exit", () => {
  for (const guard of starting) guard.kill("SIGKILL");
});

export function watchStart(guard: ChildProcess, limitMs: number = LIMIT_MS): GuardStart {
  let isUp = false;
  let isLate = false;
  starting.add(guard);
  const late = setTimeout(() => {
    isLate = true;
    guard.kill("SIGKILL");
  }, limitMs);
  const over = (): void => {
    clearTimeout(late);
    starting.delete(guard);
  };
  guard.once("exit", over);
  return {
    up() {
      isUp = true;
      over();
    },
    problem() {
      if (isUp || guard.exitCode === 0) return undefined;
      const how = isLate
        ? `did not start in ${limitMs / 1000} s`
        : `ended while it started (${guard.signalCode ?? `exit code ${guard.exitCode}`})`;
      return `its guard process ${how}: too few processes may be left (see ulimit -u)`;
    },
  };
}
