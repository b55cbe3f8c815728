/**
 * A time limit for a process and everything it starts: filter programs outlive a git that is ended alone.
 * Imports `types`. Invariant: asked to end first, so that git takes its locks away, and killed after a grace.
 */
import type { ChildProcess, SpawnOptions } from "node:child_process";
import type { Control } from "./types.ts";

const GRACE_MS = 2000;

/** With a time limit git leads a process group, and `limitGroup` ends all of it. */
export const stopping = (
  { limitMs }: { readonly limitMs?: number },
  { signal }: Control,
): Pick<SpawnOptions, "detached" | "signal" | "killSignal"> => {
  if (limitMs !== undefined) return { detached: true };
  return signal === undefined ? {} : { signal, killSignal: "SIGTERM" };
};

export function limitGroup(
  child: ChildProcess,
  limitMs: number,
  signal: AbortSignal | undefined,
): { readonly stop: () => void; readonly expired: () => boolean } {
  let expired = false;
  let hard: NodeJS.Timeout | undefined;
  const send = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // all of them are gone
    }
  };
  const end = (): void => {
    send("SIGTERM");
    hard = setTimeout(() => send("SIGKILL"), GRACE_MS);
  };
  const soft = setTimeout(() => {
    expired = true;
    end();
  }, limitMs);
  if (signal?.aborted === true) end();
  else signal?.addEventListener("abort", end, { once: true });
  const stop = (): void => {
    clearTimeout(soft);
    clearTimeout(hard);
    signal?.removeEventListener("abort", end);
  };
  return { stop, expired: () => expired };
}
