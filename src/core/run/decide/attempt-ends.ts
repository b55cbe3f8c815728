/**
 * What follows the end of an attempt, of its checks and of its merge: the next of these steps, a finished subtask, or a
 * failure. Invariants: a subtask with checks is verified only after these passed and the work is merged; an attempt cut
 * off by a pause counts towards no limit and resumes unchanged.
 */
import { assert } from "../../assert.ts";
import { defined } from "../../defined.ts";
import type { Failure } from "../../failure.ts";
import { failedCall } from "../../repair/failed-call.ts";
import { failuresCounted } from "../../progress/failures-counted.ts";
import { attemptRecord, keptAttempt, leftFewerFailures } from "../across-attempts.ts";
import { isCutOffByPause, treeChanged, type AttemptSpec } from "../attempt.ts";
import type { InputOf } from "../input.ts";
import type { FailedChecks } from "../check-result.ts";
import { hasUnfixedFailures, rulesOutVerified, type Note } from "../note.ts";
import {
  checkFailure,
  checkText,
  conflictFailure,
  errorText,
  howItEnded,
  isReadOnly,
  itemsShown,
  maxRounds,
  couldNotRunFailure,
  verdictOf,
  worthChecking,
} from "./attempt-failure.ts";
import { resumeAfterBaseFix, causesHeldBy } from "./broken-base.ts";
import { branchPassed } from "./explore.ts";
import { withdrawPermission } from "./permission.ts";
import { readOnlyEnded } from "./read-only.ts";
import { attemptFailed, mergeKeptWork, recordFailure, askAboutUnrunnableCheck } from "./recover.ts";
import { stageOf } from "./staleness.ts";
import { emit, recordEpisode, subtaskBefore, subtaskNow, type Turn } from "./turn.ts";

export function attemptEnded(turn: Turn, input: InputOf<"attempt-ended">): void {
  const { subtask, attempt, remains } = input;
  const { plan } = subtaskNow(turn, subtask);
  withdrawPermission(turn, subtask, attempt);
  if (turn.state.phase === "ending" || isOfEndedExploration(turn, subtask, attempt)) return;
  if (requeueAfterPause(turn, input)) return;
  if (isReadOnly(plan)) return readOnlyEnded(turn, input);
  const failure = verdictOf(input, plan, turn.rules);
  const checks = { kind: "checks-dispatched", subtask, attempt, round: 1 } as const;
  if (failure !== undefined && worthChecking(failure, remains, plan))
    emit(turn, { ...checks, failure, how: howItEnded(input) });
  else if (failure !== undefined) {
    const error = input.answer?.problem ?? errorText(input.evidence);
    const call = failedCall(failure, input, turn.rules);
    attemptFailed(turn, subtask, { attempt, failure, error, failing: [], ...call });
  } else if (plan.checks > 0) emit(turn, checks);
  else if (treeChanged(remains)) emit(turn, { kind: "merge-queued", subtask, attempt });
  else done(turn, subtask, attempt, []);
}

/** Whether the attempt belongs to a branch whose exploration is over: its tree is kept, its end changes nothing. */
function isOfEndedExploration(turn: Turn, subtask: string, attempt: number): boolean {
  const { state } = subtaskNow(turn, subtask);
  const branch = attemptRecord(state, attempt)?.branch;
  return branch !== undefined && !state.branches.some(({ id }) => id === branch);
}

/** Queues the same attempt for when the run resumes; false if a pause was not why it ended. */
function requeueAfterPause(turn: Turn, input: InputOf<"attempt-ended">): boolean {
  const { subtask, attempt, remains } = input;
  const { running } = subtaskBefore(turn, subtask);
  const cut = running.find((other) => other.attempt === attempt);
  if (cut === undefined || !isCutOffByPause(cut, input.observed?.kind)) return false;
  const tree = remains.treeBefore === "" ? cut.spec.tree : ({ kind: "keep" } as const);
  const spec: AttemptSpec = { ...cut.spec, context: "keep", tree, resumes: true };
  emit(turn, { kind: "attempt-cut-off", subtask, attempt, spec });
  return true;
}

export function checksEnded(turn: Turn, input: InputOf<"checks-ended">): void {
  const { subtask, attempt, round, result } = input;
  if (isOfEndedExploration(turn, subtask, attempt)) return;
  const stage = stageOf(turn.before, input, "checks");
  assert(stage !== undefined, "checks that nobody awaits are stale");
  if (result.kind === "passed") {
    const { branch } = attemptRecord(subtaskNow(turn, subtask).state, attempt) ?? {};
    if (branch !== undefined) branchPassed(turn, subtask, attempt, branch);
    const { how, flaky: items } = stage;
    const notes: readonly Note[] = [
      ...(result.notes ?? []),
      ...(how === undefined ? [] : [{ kind: "agent-failed", how } as const]),
      ...(items === undefined ? [] : [{ kind: "flaky", items } as const]),
    ];
    return emit(turn, { kind: "merge-queued", subtask, attempt, ...noted(notes) });
  }
  if (turn.state.phase === "ending") return;
  if (turn.policy.settings.structure && shouldRerunChecks(result, round)) {
    const { failure, how } = stage;
    const flaky = result.kind === "failed" ? result.failing : stage.flaky;
    emit(turn, {
      ...{ kind: "checks-dispatched", subtask, attempt, round: round + 1 },
      ...defined({ failure, how, flaky }),
    });
  } else if (
    result.kind === "could-not-run" &&
    (result.onBase === true || result.ask !== undefined)
  )
    askAboutUnrunnableCheck(turn, subtask, attempt, result);
  else checksFailed(turn, input, result, stage.failure);
}

/**
 * Whether to run the checks again: only for a possibly flaky failure or checks that could not run, not for failures
 * known by name from the base.
 */
function shouldRerunChecks(result: FailedChecks, round: number): boolean {
  const isUnclear =
    result.kind === "could-not-run"
      ? result.ask === undefined
      : result.fixed === undefined && result.confirmed !== true;
  return isUnclear && round < maxRounds(result);
}

function checksFailed(
  turn: Turn,
  { subtask, attempt }: InputOf<"checks-ended">,
  result: FailedChecks,
  agentFailure: Failure | undefined,
): void {
  const { attempts, branches } = subtaskNow(turn, subtask).state;
  const ran = result.kind === "failed";
  const judged = ran ? checkFailure : couldNotRunFailure;
  const failed = {
    attempt,
    failure: agentFailure ?? judged(result.evidence, turn.rules),
    error: checkText(result.evidence, turn.rules),
    failing: ran ? result.failing : [],
    ...(agentFailure === undefined && result.onBase === true ? { onBase: true } : {}),
    ...(ran
      ? defined({ fixed: result.fixed?.length, failures: failuresCounted(result.evidence) })
      : {}),
    ...(ran ? defined({ shown: itemsShown(result.evidence) }) : {}),
  };
  const kept = keptAttempt(attempts);
  // After an agent that stopped early, or a check that could not run, nothing is known about the remaining failures.
  const isJudged = agentFailure === undefined && ran;
  const mayEnd = turn.policy.settings.structure && branches.length === 0 && isJudged;
  if (kept === undefined || !mayEnd || leftFewerFailures(kept, failed))
    return attemptFailed(turn, subtask, failed);
  recordFailure(turn, subtask, failed);
  mergeKeptWork(turn, subtask, kept);
}

export function mergeEnded(turn: Turn, input: InputOf<"merge-ended">): void {
  const { subtask, attempt, result } = input;
  const stage = stageOf(turn.before, input, "merge");
  assert(stage !== undefined, "a merge that nobody awaits is stale");
  const { round, notes } = stage;
  if (result.kind === "merged") {
    const { commit, failing = [] } = result;
    const still = notes.flatMap((note) => stillTrue(note, failing));
    return done(turn, subtask, attempt, still, commit);
  }
  if (turn.state.phase === "ending") return;
  const { evidence } = result;
  const isConflict = result.kind === "conflict";
  if (!isConflict && turn.policy.settings.structure && round < maxRounds(result)) {
    emit(turn, { kind: "merge-queued", subtask, attempt, ...noted(notes), round: round + 1 });
    return;
  }
  const judged = result.kind === "could-not-run" ? couldNotRunFailure : checkFailure;
  attemptFailed(turn, subtask, {
    attempt,
    failure: isConflict ? conflictFailure(evidence) : judged(evidence, turn.rules),
    error: isConflict ? errorText(evidence) : checkText(evidence, turn.rules),
    failing: result.kind === "red" ? result.failing : [],
    unmerged: true,
  });
}

const noted = (notes: readonly Note[]): { readonly notes?: readonly Note[] } =>
  notes.length === 0 ? {} : { notes };

/** Earlier failures may have been fixed by the work it was merged with. */
function stillTrue(note: Note, failing: readonly string[]): readonly Note[] {
  if (note.kind !== "failed-before" || !hasUnfixedFailures(note)) return [note];
  const items = note.items.filter((item) => failing.includes(item));
  return items.length === 0 ? [] : [{ ...note, items }];
}

function done(
  turn: Turn,
  subtask: string,
  attempt: number,
  notes: readonly Note[],
  commit?: string,
): void {
  const { plan, state } = subtaskNow(turn, subtask);
  const held = causesHeldBy(turn, subtask);
  // The rung of the recovery that led to this attempt; none for a first attempt or a person's own work.
  const isRecovered = attemptRecord(state, attempt)?.recovery !== undefined;
  emit(turn, {
    ...{ kind: "subtask-done", subtask, attempt, ...noted(notes) },
    phase: plan.checks > 0 && !notes.some(rulesOutVerified) ? "verified" : "unverified",
    ...defined({ commit, rung: isRecovered ? state.lastRung : undefined }),
  });
  recordEpisode(turn, subtask, true);
  resumeAfterBaseFix(turn, held);
}
