/**
 * The Checker port: runs a subtask's checks one after the other and says what they say together.
 * Imports the check runner, core/checks and the port. Invariants: only what is new since the base is named, but a red check is
 * never passed, whoever broke it (U5, U13); a check
 * that cannot run is told apart from one that fails (U11); evidence is the first blamed check's.
 */
import { blame } from "../../core/checks/judgement.ts";
import type { CheckOutcome } from "../../core/checks/outcome.ts";
import type { Evidence } from "../../core/evidence.ts";
import type { CheckPlan } from "../../core/plan/run-plan.ts";
import type { CheckResult } from "../../core/run/input.ts";
import type { CheckAsk, Checker } from "../../runtime/ports-workspace.ts";
import { runCheck } from "./runner.ts";
import type { CheckRun } from "./runner.ts";

/** Outcome on the base tree by check command; a check that is not in it was not run there. */
export type Baseline = Readonly<Record<string, CheckOutcome>>;

export interface CheckerOptions {
  readonly run: string;
  readonly baseline: () => Baseline;
  /** Told of each run, for the transcript of checks. */
  readonly onRun?: (check: CheckPlan, result: CheckRun) => void;
}

export function processChecker({ run, baseline, onRun }: CheckerOptions): Checker {
  return {
    async check(ask) {
      const failing: string[] = [];
      let first: Evidence | undefined;
      for (const check of ask.checks) {
        const result = await runOne(run, ask, check);
        onRun?.(check, result);
        if (result.outcome.kind === "could-not-run") return couldNotRun(check, result);
        const { verdict, blamed } = blame(baseline()[check.run], result.outcome);
        if (verdict === "passed") continue;
        failing.push(...(blamed.length > 0 ? blamed : [check.name]));
        first ??= evidenceOf(check, result);
      }
      return first === undefined
        ? { kind: "passed" }
        : { kind: "failed", failing, evidence: first };
    },
  };
}

/** The checks on a tree nobody has worked on: what they say there is not the agents' doing. */
export async function baselineOf(run: string, ask: CheckAsk): Promise<Baseline> {
  const found: Record<string, CheckOutcome> = {};
  for (const check of ask.checks) found[check.run] ??= (await runOne(run, ask, check)).outcome;
  return found;
}

function runOne(run: string, ask: CheckAsk, check: CheckPlan): Promise<CheckRun> {
  const { place, tree, stop } = ask;
  const { subtask, attempt } = place;
  return runCheck({
    place: {
      run,
      subtask,
      attemptId: `${run}/${subtask}/${attempt}`,
      slot: Number(place.slot) || 0,
    },
    command: check.run,
    cwd: tree.cwd,
    env: tree.env,
    limitMs: check.timeoutMs,
    stop,
  });
}

function couldNotRun(check: CheckPlan, result: CheckRun): CheckResult {
  const detail = result.outcome.kind === "could-not-run" ? result.outcome.detail : "";
  return { kind: "could-not-run", evidence: { ...evidenceOf(check, result), message: detail } };
}

function evidenceOf(check: CheckPlan, { exitCode, stdout, stderr, outcome }: CheckRun): Evidence {
  const timedOut = outcome.kind === "timed-out" ? { exitCode: 124 } : {};
  return {
    origin: "check",
    tool: "run_bash",
    command: check.run,
    stdout,
    stderr,
    ...(exitCode === undefined ? timedOut : { exitCode }),
  };
}
