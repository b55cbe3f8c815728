/**
 * Runs that outlive the terminal (U16): the same command once more, in a process and session of its own, writing
 * to a log in the run's folder.
 */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../home.ts";

/** How the detached process knows which run it is to be. */
export const DETACHED_RUN = "UNSTUCK_DETACHED_RUN";

export function startDetached(home: Home, run: string, args: readonly string[]): string {
  const folder = home.runDir(run);
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "log.txt");
  const file = openSync(log, "a", 0o600);
  const entry = process.argv[1] ?? "";
  const child = spawn(process.execPath, [entry, ...args], {
    detached: true,
    stdio: ["ignore", file, file],
    env: { ...process.env, [DETACHED_RUN]: run },
  });
  child.unref();
  closeSync(file);
  return log;
}
