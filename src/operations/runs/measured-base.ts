/**
 * The checks' outcomes on the base from shortly before a run was started, for example for the card of a goal. The run
 * uses them as its own first look at the base instead of running the same commands again. Invariants: they count only
 * for exactly the tree, command, set-up and environment they were measured with, and only for a few minutes, in which
 * changes outside the repository are unlikely; they are read and removed before the run's first agent starts, so that
 * no agent can write them; anything unreadable counts as not measured.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { marked } from "../../agents/checks/failure-marks.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import type { CheckRun, MeasuredBase } from "../../runtime/ports-workspace.ts";
import type { Home } from "../home.ts";
import { sha256, textIfThere } from "../text.ts";

interface Kept extends MeasuredBase {
  readonly at: number;
  readonly conditions: string;
}

const GOOD_FOR_MS = 10 * 60_000;
const FILE = "measured-base.json";

/** Where checks are tried outside of runs; not known to the journal. */
export const triesFolder = ({ root }: Pick<Home, "root">): string => join(root, "tries");

/** Tells a background process which run it works on; its environment is otherwise unchanged. */
export const DETACHED_RUN = "UNSTUCK_DETACHED_RUN";

export function keepMeasured(
  home: Home,
  name: string,
  { plan, env, now, ...measured }: MeasuredBase & Surroundings,
): void {
  const kept: Kept = { ...measured, at: now, conditions: conditionsOf(plan, env) };
  const file = join(triesFolder(home), `${name}.json`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
}

/** Hands the outcomes over to a run. */
export function giveMeasured(home: Home, name: string | undefined, run: string): void {
  if (name === undefined) return;
  mkdirSync(home.runDir(run), { recursive: true, mode: 0o700 });
  try {
    renameSync(join(triesFolder(home), `${name}.json`), join(home.runDir(run), FILE));
  } catch {
    // Nothing was measured, or it is gone: the run checks the base itself.
  }
}

interface Surroundings {
  readonly plan: RunPlan;
  readonly env: Readonly<Record<string, string>>;
  readonly now: number;
}

/** The outcomes a new run may use; they are removed by reading. */
export function takeMeasured(
  runDir: string,
  { plan, env, now }: Surroundings,
): MeasuredBase | undefined {
  const file = join(runDir, FILE);
  const kept = readKept(textIfThere(file));
  rmSync(file, { force: true });
  if (kept === undefined || now - kept.at > GOOD_FOR_MS) return undefined;
  if (kept.conditions !== conditionsOf(plan, env)) return undefined;
  const runs = Object.values(plan.subtasks)
    .flatMap(({ checks }) => checks)
    .flatMap(({ run, noWorse, timeoutMs }): readonly [string, CheckRun][] => {
      const ran = kept.runs[run];
      if (ran === undefined || ran.durationMs > timeoutMs) return [];
      return [[run, noWorse === true ? { ...ran, outcome: marked(ran) } : ran]];
    });
  return { tree: kept.tree, runs: Object.fromEntries(runs) };
}

function readKept(text: string | undefined): Kept | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Kept);
  } catch {
    return undefined;
  }
}

/** Everything a check's verdict depends on besides the tree and its command. */
function conditionsOf(
  { setup, setupWhenChanged = false, carry }: RunPlan,
  env: Readonly<Record<string, string>>,
): string {
  const variables = Object.entries(env)
    .filter(([name]) => name !== DETACHED_RUN)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return sha256(JSON.stringify([setup, setupWhenChanged, carry, variables]));
}
