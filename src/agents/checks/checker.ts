/**
 * The Checker port: runs a subtask's checks in order and combines their results. Invariants: a failing check never
 * passes, whoever broke it, unless the plan only requires "no worse"; every failing item is named, new ones since the
 * base first; a check that cannot run is distinguished from one that fails; the evidence is the first failing check's
 * and contains no path of the tree it ran in.
 */
import { duration } from "../../core/amounts.ts";
import { portInUseLine } from "../../core/checks/cannot-run.ts";
import { blame, fewerTests, hasOnlyKnownMarks, type Blame } from "../../core/checks/judgement.ts";
import type { CheckOutcome } from "../../core/checks/outcome.ts";
import type { Evidence } from "../../core/evidence.ts";
import { withoutFolder } from "../../core/foreign-text.ts";
import { checkExcerpt } from "../../core/excerpt/check-excerpt.ts";
import type { CheckPlan } from "../../core/plan/run-plan.ts";
import type { CheckResult } from "../../core/run/check-result.ts";
import type { Note } from "../../core/run/note.ts";
import type { Redaction } from "../../core/redact/redaction.ts";
import type {
  Baseline,
  CheckRequest,
  CheckRun,
  Checker,
  MeasuredBase,
} from "../../runtime/ports-workspace.ts";
import { checkMemory } from "./check-memory.ts";
import { marked } from "./failure-marks.ts";
import { checkSeries, type CheckSeries } from "./runner.ts";

/** `measured`: results from an earlier look at the base, which need not be measured again. */
export function processChecker(
  run: string,
  redaction?: Redaction,
  measured?: MeasuredBase,
): Checker {
  const memory = checkMemory();
  const gate = checkGate();
  const alone = new Set<string>();
  const ran = async (ask: SeriesRequest, check: CheckPlan): Promise<CheckRun> => {
    const isAlone = alone.has(check.run);
    const first = await gate(isAlone, () => runOne(ask, check, redaction));
    const { outcome, stdout, stderr } = first;
    const collides = outcome.kind !== "passed" && portInUseLine(stdout, stderr) !== undefined;
    if (isAlone || !collides) return first;
    alone.add(check.run);
    return gate(true, () => runOne(ask, check, redaction));
  };
  const runOrRecall = async (ask: SeriesRequest, check: CheckPlan): Promise<CheckRun> => {
    const { tree, fresh = false, cold = false, isCold = false } = ask.memory ?? {};
    const known = fresh || tree === undefined ? undefined : memory.recall(tree, check.run, cold);
    const result = known ?? (await ran(ask, check));
    if (known === undefined && tree !== undefined)
      memory.keep(tree, check.run, { run: result, cold: isCold });
    return result;
  };
  return {
    check: (request, baseline) =>
      withSeries(run, request, async (ask) => {
        const said = new CombinedResult(baseline);
        for (const check of ask.checks) {
          const stop = said.add(check, await runOrRecall(ask, check));
          if (stop !== undefined) return stop;
        }
        return said.result();
      }),
    known(tree, checks, baseline, cold) {
      const said = new CombinedResult(baseline);
      for (const check of checks) {
        const known = memory.recall(tree, check.run, cold);
        if (known === undefined) return undefined;
        said.add(check, known);
      }
      return said.result();
    },
    baseline: (request) =>
      withSeries(run, request, async (ask) => {
        const { tree, fresh = false } = ask.memory ?? {};
        if (measured !== undefined && tree === measured.tree && !fresh)
          for (const [check, ran] of Object.entries(measured.runs))
            memory.keep(tree, check, { run: ran, cold: false });
        const found: Record<string, CheckRun> = {};
        for (const check of ask.checks) found[check.run] ??= await runOrRecall(ask, check);
        return found;
      }),
  };
}

interface SeriesRequest extends CheckRequest {
  readonly series: CheckSeries;
}

async function withSeries<T>(
  run: string,
  ask: CheckRequest,
  work: (asked: SeriesRequest) => Promise<T>,
): Promise<T> {
  const { attemptId, subtask, slot } = ask;
  const series = checkSeries({ run, subtask, attemptId, slot });
  try {
    return await work({ ...ask, series });
  } finally {
    await series.close();
  }
}

class CombinedResult {
  private readonly failing: string[] = [];
  private readonly fixed: string[] = [];
  private readonly notes: Note[] = [];
  private readonly passedBefore: string[] = [];
  private readonly passed: string[] = [];
  private first: Evidence | undefined;
  private onBase = true;
  private comparable = true;
  private confirmed = true;
  private readonly baseline: Baseline;

  constructor(baseline: Baseline) {
    this.baseline = baseline;
  }

  /** Returns a result if this check alone decides it, because it could not run. */
  add(check: CheckPlan, run: CheckRun): CheckResult | undefined {
    const base = this.baseline[check.run];
    if (run.outcome.kind === "could-not-run") return couldNotRun(check, run, base);
    const judged = blame(base, run.outcome);
    if (judged.verdict === "passed") this.addPassed(check, run.outcome, base, judged);
    else this.addFailed(check, run, judged);
    return undefined;
  }

  private addPassed(
    check: CheckPlan,
    outcome: CheckOutcome,
    base: CheckOutcome | undefined,
    judged: Blame,
  ): void {
    const fewer = base === undefined ? undefined : fewerTests(base, outcome);
    if (fewer !== undefined) this.notes.push({ kind: "fewer-tests", check: check.name, ...fewer });
    this.passed.push(check.name);
    if (judged.provesNothingNew && !hasMoreTests(base, outcome)) this.passedBefore.push(check.name);
    if (judged.newlyPassing.length > 0) this.fixed.push(...judged.newlyPassing);
    else if (base?.kind === "failed") this.fixed.push(check.name);
  }

  private addFailed(check: CheckPlan, run: CheckRun, judged: Blame): void {
    const known = judged.verdict === "known-failures";
    this.fixed.push(...judged.newlyPassing);
    const isKnown = known || hasOnlyKnownMarks(this.baseline[check.run], run.outcome);
    if (isKnown && check.noWorse === true) {
      const { newlyPassing, alreadyFailing } = judged;
      const items = known ? alreadyFailing : [check.name];
      const about = { fixed: newlyPassing.length, items, allowed: true };
      this.notes.push({ kind: "failed-before", ...about });
      return;
    }
    const items = [...judged.blamed, ...judged.alreadyFailing];
    this.failing.push(...(items.length > 0 ? items : [check.name]));
    this.onBase &&= judged.verdict !== "blamed";
    this.comparable &&= known;
    this.confirmed &&= run.confirmed === true;
    this.first ??= { ...evidenceOf(check, run), ...comparisonMessage(judged) };
  }

  result(): CheckResult {
    const { failing, first: evidence, notes, onBase, fixed } = this;
    if (evidence === undefined) {
      const same = this.passed.length > 0 && this.passedBefore.length === this.passed.length;
      const all: Note[] = same
        ? [...notes, { kind: "passed-before", checks: this.passedBefore }]
        : notes;
      return { kind: "passed", ...(all.length > 0 ? { notes: all } : {}) };
    }
    return {
      ...{ kind: "failed", failing, evidence },
      ...(onBase ? { onBase } : {}),
      ...(this.comparable ? { fixed } : {}),
      ...(this.confirmed ? { confirmed: true } : {}),
      ...(notes.length > 0 ? { notes } : {}),
    };
  }
}

const hasMoreTests = (base: CheckOutcome | undefined, now: CheckOutcome): boolean =>
  base?.kind === "passed" && now.kind === "passed" && (now.tests ?? 0) > (base.tests ?? Infinity);

const NAMED_MAX = 20;
const named = (items: readonly string[]): string => items.slice(0, NAMED_MAX).join(", ");

/** For the agent: what it broke, what it fixed, what was broken before. */
function comparisonMessage({ blamed, alreadyFailing, newlyPassing }: Blame): {
  readonly message?: string;
} {
  if (alreadyFailing.length === 0 && newlyPassing.length === 0) return {};
  const parts = [
    blamed.length === 0 ? "" : `Broken since the work began, fix it first: ${named(blamed)}.`,
    newlyPassing.length === 0 ? "" : `Fixed so far: ${named(newlyPassing)}.`,
    alreadyFailing.length === 0
      ? ""
      : `Failed before the work began and still fails: ${named(alreadyFailing)}. ` +
        "Fix those that the task is about; the others may stay as they are.",
  ];
  return { message: parts.filter((part) => part !== "").join(" ") };
}

async function runOne(
  { series, tree, stop }: SeriesRequest,
  check: CheckPlan,
  redaction: Redaction | undefined,
): Promise<CheckRun> {
  const result = await series.run({
    command: check.run,
    cwd: tree.cwd,
    env: { ...tree.env, CI: "1" },
    limitMs: check.timeoutMs,
    ...(redaction === undefined ? {} : { redaction }),
    stop,
  });
  const stdout = withoutFolder(result.stdout, tree.cwd);
  const stderr = withoutFolder(result.stderr, tree.cwd);
  if (result.outcome.kind === "passed") return { ...result, stdout, stderr };
  const excerpt = checkExcerpt({ command: check.run, stdout, stderr });
  const outcome = check.noWorse === true ? marked({ ...result, stdout, stderr }) : result.outcome;
  return { ...result, outcome, stdout, stderr, excerpt };
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

function evidenceOf(check: CheckPlan, run: CheckRun): Evidence {
  const { exitCode, stdout, stderr, outcome, excerpt } = run;
  const timedOut =
    outcome.kind === "timed-out"
      ? { exitCode: 124, message: `timed out: it was ended after ${duration(outcome.limitMs)}` }
      : {};
  return {
    origin: "check",
    tool: "run_bash",
    command: check.run,
    stdout,
    stderr,
    ...(excerpt === undefined ? {} : { excerpt }),
    ...(exitCode === undefined ? timedOut : { exitCode }),
  };
}

/**
 * Lets checks run in parallel, except those that cannot share the machine, which run alone; first come, first served.
 */
export function checkGate(): <T>(alone: boolean, work: () => Promise<T>) => Promise<T> {
  const waiting: { readonly alone: boolean; readonly go: () => void }[] = [];
  let inside = 0;
  let taken = false;
  const admit = (): void => {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (taken || (next.alone && inside > 0)) return;
      waiting.shift();
      inside += 1;
      taken = next.alone;
      next.go();
    }
  };
  return async (alone, work) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ alone, go: resolve });
    admit();
    await promise;
    try {
      return await work();
    } finally {
      inside -= 1;
      if (alone) taken = false;
      admit();
    }
  };
}
