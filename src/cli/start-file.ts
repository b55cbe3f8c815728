/**
 * What a run is about to be started with, kept beside it until its journal holds it: so that one that was killed while its clone was
 * made can still be taken up. Imports start-run and engines. For the user's eyes alone: a plan may hold what nobody else should see.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemProcesses } from "../engines/system-processes.ts";
import type { OwnerProcess } from "../journal/owners.ts";
import type { StartOptions } from "./start-run.ts";

interface Start extends Omit<StartOptions, "home" | "run" | "tell"> {
  /** Who is at it. */
  readonly owner: OwnerProcess;
}

export function keepStart({ home, run, tell: _, ...options }: StartOptions): void {
  const start: Start = { ...options, owner: systemProcesses().self };
  const folder = home.runDir(run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileIn(folder), JSON.stringify(start), { mode: 0o600, flush: true });
}

/** Nothing where the run never came so far, has begun, or somebody is just starting it. */
export function abandonedStart(runDir: string): Start | undefined {
  try {
    const start = JSON.parse(readFileSync(fileIn(runDir), "utf8")) as Start;
    return systemProcesses().isDead(start.owner) ? start : undefined;
  } catch {
    return undefined;
  }
}

export const forgetStart = (runDir: string): void => rmSync(fileIn(runDir), { force: true });

const fileIn = (runDir: string): string => join(runDir, "start.json");
