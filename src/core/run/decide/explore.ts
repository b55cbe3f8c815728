/**
 * Branch exploration: several approaches, each in its own tree and with its own iteration budget. Invariants: the
 * winner is a branch that passes its checks or, if none does, the best one with a score of at least WINNER_SCORE_MIN,
 * which only becomes the next starting tree; losing branches keep their snapshots.
 */
import { assert } from "../../assert.ts";
import { defined } from "../../defined.ts";
import type { Branch } from "../../recovery.ts";
import { attemptRecord, scoreOf } from "../across-attempts.ts";
import { branchSpec, fromBranch } from "./next-attempt.ts";
import { emit, subtaskNow, type Turn } from "./turn.ts";

/** The lowest score of an unverified winner. */
const WINNER_SCORE_MIN = 0.3;

export function startExploration(turn: Turn, subtask: string, branches: readonly Branch[]): void {
  emit(turn, { kind: "exploration-started", subtask, branches });
  const { state } = subtaskNow(turn, subtask);
  const specs = branches.map((branch) => branchSpec(state, branch, false));
  emit(turn, { kind: "attempt-queued", subtask, specs });
}

/**
 * A branch's attempt ended without passing: start another one if the branch has budget left and makes progress. Returns
 * true if it was the last of the exploration and left nothing to continue from.
 */
export function branchFailed(
  turn: Turn,
  subtask: string,
  attempt: number,
  branchId: string,
): boolean {
  const { state } = subtaskNow(turn, subtask);
  const branch = state.branches.find(({ id }) => id === branchId);
  assert(branch !== undefined, "only an attempt of an open exploration fails in a branch");
  const { progress } = turn.policy.settings;
  const score = scoreOf(state, attempt, progress)?.score ?? 0;
  const goesOn = branch.iterationsLeft > 1 && score >= progress.threshold;
  emit(turn, { kind: "branch-moved", subtask, attempt, branch: branchId, score, ended: !goesOn });
  if (goesOn) {
    const { entry } = attemptRecord(state, attempt) ?? state;
    const { approach, tried } = branch;
    const again = { id: branchId, approach, entry, iterations: 1, ...defined({ tried }) };
    emit(turn, { kind: "attempt-queued", subtask, specs: [branchSpec(state, again, true)] });
    return false;
  }
  const { branches } = subtaskNow(turn, subtask).state;
  return branches.every(({ ended }) => ended) && !wonUnverified(turn, subtask);
}

export function branchPassed(turn: Turn, subtask: string, attempt: number, branch: string): void {
  emit(turn, { kind: "exploration-ended", subtask, winner: { branch, attempt, verified: true } });
  const reason = `branch ${branch} passed its checks`;
  for (const { attempt: other } of subtaskNow(turn, subtask).state.running)
    emit(turn, { kind: "attempt-interrupted", subtask, attempt: other, reason });
}

/**
 * The best branch continues as the subtask's own tree, if its score is high enough and the budget allows another start.
 */
function wonUnverified(turn: Turn, subtask: string): boolean {
  const { branches, iterations } = subtaskNow(turn, subtask).state;
  const best = branches.toSorted((a, b) => b.bestScore - a.bestScore)[0];
  assert(best !== undefined, "an exploration has branches");
  const { id: branch, bestScore, bestAttempt: attempt } = best;
  if (bestScore < WINNER_SCORE_MIN || attempt === undefined) {
    emit(turn, { kind: "exploration-ended", subtask });
    return false;
  }
  emit(turn, { kind: "exploration-ended", subtask, winner: { branch, attempt, verified: false } });
  if (iterations >= turn.policy.settings.recovery.totalRecoveryBudget) return false;
  const specs = [fromBranch(subtaskNow(turn, subtask).state, attempt)];
  emit(turn, { kind: "attempt-queued", subtask, specs });
  return true;
}
