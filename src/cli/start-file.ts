/**
 * What a run is about to be started with, kept beside it until its journal holds it: so that one that was killed
 * while its clone was made can still be taken up. For the user's eyes alone: a plan may hold what nobody else
 * should see.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunPlan } from "../core/plan/run-plan.ts";
import type { Home } from "../operations/home.ts";

export interface StartOptions {
  readonly home: Home;
  readonly run: string;
  readonly repository: string;
  readonly plan: RunPlan;
  readonly withChanges: boolean;
  readonly inPlace: boolean;
  readonly tell: (words: string) => void;
}

type Start = Omit<StartOptions, "home" | "run" | "tell">;

export function keepStart({ home, run, tell: _, ...start }: StartOptions): void {
  const folder = home.runDir(run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileIn(folder), JSON.stringify(start), { mode: 0o600, flush: true });
}

/** Nothing where the run never came so far, or has begun. */
export function readStart(runDir: string): Start | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(runDir), "utf8")) as Start;
  } catch {
    return undefined;
  }
}

export const forgetStart = (runDir: string): void => rmSync(fileIn(runDir), { force: true });

const fileIn = (runDir: string): string => join(runDir, "start.json");
