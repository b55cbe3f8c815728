/**
 * Sets a watch on this process as a worker of the fleet: another process, which outlives it and tells of its death.
 * Invariant: the watch knows of a guard before what it guards starts.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { writeMessage } from "../../agents/process/guard-messages.ts";
import { onGuard } from "../../agents/process/process-memory.ts";
import type { WorkerProcess } from "../../engines/restate/messages.ts";
import type { ProcessIdentity } from "../../runtime/agent-result.ts";

export interface ToWatch {
  readonly guard: ProcessIdentity;
}

const PROGRAM = join(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "worker-watch.ts" : "worker-watch.cjs",
);

/** To be called when the worker lets go: the fleet hears of that as of its death. */
export function watchWorker(
  { id, epoch }: WorkerProcess,
  ingressUrls: readonly string[],
): () => void {
  const watch = spawn(process.execPath, [PROGRAM, id, epoch, ...ingressUrls], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a watch others find out, only later.
  watch.on("error", () => undefined);
  watch.stdin.on("error", () => undefined);
  watch.unref();
  const forget = onGuard((guard) => {
    if (watch.stdin.writable) watch.stdin.write(writeMessage<ToWatch>({ guard }));
  });
  return () => {
    forget();
    watch.stdin.end();
  };
}
