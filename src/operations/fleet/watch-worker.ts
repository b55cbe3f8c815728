/**
 * Starts a watch over this process as a worker of the fleet: another process that outlives it and reports its death.
 * Invariant: the watch knows of a guard before the guarded process starts.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { writeMessage } from "../../agents/process/guard-messages.ts";
import { onGuard } from "../../agents/process/process-memory.ts";
import type { WorkerProcess } from "../../engines/restate/messages.ts";
import type { ProcessIdentity } from "../../runtime/agent-result.ts";

/** A guard that has started, or the worker's orderly exit, after which there is nothing to report. */
export type ToWatch = { readonly guard: ProcessIdentity } | { readonly left: true };

const PROGRAM = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "worker-watch.ts" : "worker-watch.cjs",
);

/**
 * Call the returned function when the worker lets go: unless it left in order, that is reported to the fleet as its
 * death.
 */
export function watchWorker(
  { id, epoch }: WorkerProcess,
  ingressUrls: readonly string[],
): (how: { readonly left: boolean }) => Promise<void> {
  const watch = spawn(process.execPath, [PROGRAM, id, epoch, ...ingressUrls], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a watch, other workers notice the death, only later.
  watch.on("error", () => undefined);
  watch.stdin.on("error", () => undefined);
  watch.unref();
  const gone = new Promise<void>((resolve) => {
    watch.once("exit", () => resolve());
    watch.once("error", () => resolve());
  });
  const tell = (word: ToWatch): void => {
    if (watch.stdin.writable) watch.stdin.write(writeMessage<ToWatch>(word));
  };
  const forget = onGuard((guard) => tell({ guard }));
  return async ({ left }) => {
    forget();
    if (left) tell({ left });
    watch.stdin.end();
    if (!left) return;
    watch.ref();
    await gone;
  };
}
