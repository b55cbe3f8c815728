/**
 * The Checker port: runs a subtask's checks one after the other and says what they say together.
 * Imports the check runner, core/checks and the port. Invariants: a red check is never passed, whoever broke it (U5); every
 * failing item is named, what is new since the base first, and the agent is told which of them failed before anybody worked
 * (U13); a check that cannot run is told apart from one that fails (U11); evidence is the first failing check's.
 */
import { blame } from "../../core/checks/judgement.ts";
import type { Blame } from "../../core/checks/judgement.ts";
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
      let onBase = true;
      for (const check of ask.checks) {
        const result = await runOne(run, ask, check);
        onRun?.(check, result);
        if (result.outcome.kind === "could-not-run")
          return couldNotRun(check, result, baseline()[check.run]);
        const judged = blame(baseline()[check.run], result.outcome);
        if (judged.verdict === "passed") continue;
        const items = [...judged.blamed, ...judged.alreadyFailing];
        failing.push(...(items.length > 0 ? items : [check.name]));
        onBase &&= judged.verdict !== "blamed";
        first ??= { ...evidenceOf(check, result), ...knownBefore(judged) };
      }
      return first === undefined
        ? { kind: "passed" }
        : { kind: "failed", failing, evidence: first, ...(onBase ? { onBase } : {}) };
    },
  };
}

const NAMED_MAX = 20;

/** For the agent: what it found broken, beside what it broke. */
function knownBefore({ blamed, alreadyFailing }: Blame): { readonly message?: string } {
  if (blamed.length === 0 || alreadyFailing.length === 0) return {};
  return {
    message:
      `New since the start: ${blamed.slice(0, NAMED_MAX).join(", ")}. ` +
      `Failed already before the work began: ${alreadyFailing.slice(0, NAMED_MAX).join(", ")}.`,
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

function couldNotRun(
  check: CheckPlan,
  result: CheckRun,
  base: CheckOutcome | undefined,
): CheckResult {
  const detail = result.outcome.kind === "could-not-run" ? result.outcome.detail : "";
  const evidence = { ...evidenceOf(check, result), message: detail };
  return {
    kind: "could-not-run",
    evidence,
    ...(base?.kind === "could-not-run" ? { onBase: true } : {}),
  };
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
