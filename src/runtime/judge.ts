/**
 * Judges commits by running their checks in trees that no agent was ever given (U5). Invariants: a verdict that decides
 * comes from exactly the commit in question; a tree that checks left changed is made anew and checked again; if the
 * work changed files that judge it, their old versions judge it too (U13).
 */
import type { CheckPlan } from "../core/plan/run-plan.ts";
import type { CheckResult } from "../core/run/check-result.ts";
import type { Note } from "../core/run/note.ts";
import { retryWhileFull } from "./waiting.ts";
import type { AttemptCommit, Baseline, Commit, Lent } from "./ports-workspace.ts";
import { perRun, type RunUnderway } from "./ports.ts";

export interface Judging {
  readonly subtask: string;
  /** Identifies the processes of its checks. */
  readonly attemptId: string;
  readonly checks: readonly CheckPlan[];
  /** Run the checks even if a verdict on this tree is remembered. */
  readonly fresh?: boolean;
  /** Without caches. */
  readonly cold?: boolean;
}

export async function judge(
  underway: RunUnderway,
  commit: Commit,
  judging: Judging,
): Promise<CheckResult> {
  const { checks, fresh = false, cold = false } = judging;
  if (checks.length === 0) return { kind: "passed" };
  const outcomes = baselineOf(underway, checks);
  const remembered = fresh
    ? undefined
    : underway.ports.checker.known(commit.tree, checks, outcomes, cold);
  if (remembered !== undefined) return remembered;
  const first = await judgeInTree(underway, commit, judging);
  if (first.changed.length === 0 || underway.stop.aborted) return first.result;
  const known = written(underway).get(keyOf(checks)) ?? new Set<string>();
  if (first.changed.every((file) => known.has(file))) return withCheckWroteNote(first);
  const second = await judgeInTree(underway, commit, { ...judging, fresh: true });
  if (second.changed.length === 0)
    return withNote(second.result, { kind: "tree-changed", files: first.changed });
  written(underway).set(keyOf(checks), new Set([...known, ...second.changed]));
  return withCheckWroteNote(second);
}

/** Looks outcomes up by the command itself: recorded commands have their secrets redacted. */
function baselineOf({ state, ports }: RunUnderway, checks: readonly CheckPlan[]): Baseline {
  const { outcomes } = state().baseline;
  return Object.fromEntries(
    checks.flatMap(({ run }) => {
      const known = outcomes[run] ?? outcomes[ports.redact(run)];
      return known === undefined ? [] : [[run, known]];
    }),
  );
}

interface TreeVerdict {
  readonly result: CheckResult;
  readonly changed: readonly string[];
}

const withCheckWroteNote = ({ result, changed }: TreeVerdict): CheckResult =>
  withNote(result, { kind: "check-wrote", files: changed });

async function judgeInTree(
  underway: RunUnderway,
  commit: Commit,
  { attemptId, subtask, checks, fresh = false, cold = false }: Judging,
): Promise<TreeVerdict> {
  const { ports, stop } = underway;
  const outcomes = baselineOf(underway, checks);
  const answer = await retryWhileFull(underway, () =>
    ports.checkTrees.lend({ attemptId, commit, cold }, (tree) =>
      ports.checker.check(
        {
          ...{ attemptId, subtask, slot: tree.slot, tree, checks, stop },
          memory: { tree: commit.tree, fresh, cold, isCold: tree.cold },
        },
        outcomes,
      ),
    ),
  );
  if (!answer.ok) return { result: couldNotRun(answer.failure.because[0]), changed: [] };
  if (answer.value.kind === "not-ready") return { result: notReady(answer.value), changed: [] };
  return { result: answer.value.value, changed: answer.value.changed };
}

/** By checks: files of the commit or of set-up that they are known to write themselves. */
const written = perRun(() => new Map<string, ReadonlySet<string>>());
const keyOf = (checks: readonly CheckPlan[]): string => checks.map(({ run }) => run).join("\0");

/** A pass counts only if the checks also pass with the judging files the subtask started from. */
export async function withOldJudges(
  underway: RunUnderway,
  commit: AttemptCommit,
  judging: Judging,
  passed: Extract<CheckResult, { readonly kind: "passed" }>,
): Promise<CheckResult> {
  const tests = underway.plan.subtasks[judging.subtask]?.tests ?? "judge";
  const found = await underway.ports.checkTrees.judgingFiles(commit, judging.checks);
  if (!found.ok) return couldNotRun(found.failure.because[0]);
  const { changed: files, restored } = found.value;
  if (tests === "free") return passUnderFreeTests(passed, files, restored !== undefined);
  if (restored === undefined) return passed;
  const old = await judge(underway, restored, judging);
  const again =
    old.kind === "failed" ? await judge(underway, restored, { ...judging, fresh: true }) : old;
  if (again.kind !== "failed") return passed;
  if (tests === "judge") return withNote(passed, { kind: "own-tests", files });
  const named = files.slice(0, 10).join(", ");
  const message =
    `It passes only with these files as you changed them: ${named}. ` +
    "They judge the work and have to stay as they were: put them back and make the checks pass with them.";
  return { ...again, evidence: { ...again.evidence, message } };
}

/** Under `tests: free` a change to judging files is noted and does not weaken the pass. */
function passUnderFreeTests(
  passed: Extract<CheckResult, { readonly kind: "passed" }>,
  files: readonly string[],
  changed: boolean,
): CheckResult {
  const notes = (passed.notes ?? []).map((note): Note =>
    note.kind === "fewer-tests" ? { ...note, allowed: true } : note,
  );
  if (changed) notes.push({ kind: "own-tests", files, allowed: true });
  return { kind: "passed", ...(notes.length > 0 ? { notes } : {}) };
}

export const couldNotRun = (message = ""): CheckResult => ({
  kind: "could-not-run",
  evidence: { origin: "workspace", message },
});

export function withNote(result: CheckResult, note: Note): CheckResult {
  if (result.kind === "could-not-run") return result;
  return { ...result, notes: [...(result.notes ?? []), note] };
}

/** Set-up that fails on a commit is the work's fault, like a failing check, unless it could not run at all. */
function notReady({
  command,
  run,
}: Extract<Lent<unknown>, { readonly kind: "not-ready" }>): CheckResult {
  const { stdout, stderr, exitCode, outcome } = run;
  const evidence = {
    ...{ origin: "check" as const, tool: "run_bash", command, stdout, stderr },
    message: `set-up failed: ${command}`,
    ...(exitCode === undefined ? {} : { exitCode }),
  };
  return outcome.kind === "could-not-run"
    ? { kind: "could-not-run", evidence: { ...evidence, message: outcome.detail } }
    : { kind: "failed", failing: [`set-up: ${command}`], evidence };
}

/** These files still contain both sides of a conflict: not a result, whatever the checks say (U5). */
export function conflictMarkersFailure(files: readonly string[]): CheckResult {
  const named = files.slice(0, 10).join(", ");
  return {
    kind: "failed",
    failing: files.map((file) => `conflict markers in ${file}`),
    evidence: {
      origin: "workspace",
      message: `Conflict markers of the merge are still in ${named}. Keep what both sides are for and remove the markers.`,
    },
  };
}
