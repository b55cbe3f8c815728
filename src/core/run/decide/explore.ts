/**
 * Branch exploration (A6): several approaches in their own trees, each with its own iteration budget. Invariants:
 * the winner is a branch that passes its checks, else the best one with at least WINNER_SCORE_MIN, which only
 * becomes the next starting tree; losers keep their snapshots.
 */
import { assert } from "../../assert.ts";
import type { Branch } from "../../recovery.ts";
import { scoreOf } from "./across-attempts.ts";
import { emit, subtaskNowAt } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";
import { branchSpec, fromBranch } from "./next-attempt.ts";

/** The floor for an unverified winner ("Settled" 11). */
const WINNER_SCORE_MIN = 0.3;

export function startExploration(
  draft: DecisionDraft,
  index: number,
  branches: readonly Branch[],
): void {
  const { id: subtask } = subtaskNowAt(draft, index);
  emit(draft, { kind: "exploration-started", subtask, branches });
  const { state } = subtaskNowAt(draft, index);
  const specs = branches.map((branch) => branchSpec(state, branch, false));
  emit(draft, { kind: "attempt-queued", subtask, specs });
}

/**
 * One agent start of a branch is over without passing: another one while it has budget and gets on.
 * True when that was the last of the exploration and it gave nothing to go on from.
 */
export function branchFailed(
  draft: DecisionDraft,
  index: number,
  attempt: number,
  branchId: string,
): boolean {
  const { id: subtask, state } = subtaskNowAt(draft, index);
  const branch = state.branches.find(({ id }) => id === branchId);
  assert(branch !== undefined, "only an attempt of an open exploration fails in a branch");
  const { progress } = draft.policy.settings;
  const score = scoreOf(state, attempt, progress)?.score ?? 0;
  const goesOn = branch.iterationsLeft > 1 && score >= progress.threshold;
  emit(draft, { kind: "branch-moved", subtask, attempt, branch: branchId, score, ended: !goesOn });
  if (goesOn) {
    const { entry } = state.attempts.findLast((record) => record.attempt === attempt) ?? state;
    const again = { id: branchId, approach: branch.approach, entry, iterations: 1 };
    emit(draft, { kind: "attempt-queued", subtask, specs: [branchSpec(state, again, true)] });
    return false;
  }
  return (
    subtaskNowAt(draft, index).state.branches.every(({ ended }) => ended) &&
    !wonUnverified(draft, index)
  );
}

export function branchPassed(
  draft: DecisionDraft,
  index: number,
  attempt: number,
  branch: string,
): void {
  const { id: subtask } = subtaskNowAt(draft, index);
  emit(draft, { kind: "exploration-ended", subtask, winner: { branch, attempt, verified: true } });
  for (const other of subtaskNowAt(draft, index).state.running)
    emit(draft, {
      kind: "attempt-interrupted",
      subtask,
      attempt: other.attempt,
      reason: `branch ${branch} passed its checks`,
    });
}

/** The best branch goes on as the subtask's own tree, if it got far enough and the budget holds one more start. */
function wonUnverified(draft: DecisionDraft, index: number): boolean {
  const { id: subtask, state } = subtaskNowAt(draft, index);
  const best = state.branches.toSorted((a, b) => b.bestScore - a.bestScore)[0];
  assert(best !== undefined, "an exploration has branches");
  const { totalRecoveryBudget } = draft.policy.settings.recovery;
  if (best.bestScore < WINNER_SCORE_MIN || best.bestAttempt === undefined) {
    emit(draft, { kind: "exploration-ended", subtask });
    return false;
  }
  const winner = { branch: best.id, attempt: best.bestAttempt, verified: false };
  emit(draft, { kind: "exploration-ended", subtask, winner });
  if (state.iterations >= totalRecoveryBudget) return false;
  emit(draft, {
    kind: "attempt-queued",
    subtask,
    specs: [fromBranch(subtaskNowAt(draft, index).state, best.bestAttempt)],
  });
  return true;
}
