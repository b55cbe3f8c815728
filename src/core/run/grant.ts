/**
 * What one more attempt may use: its cap within the budgets of the run, of its subtask and, for an iteration, of
 * recovery. Invariant: a cap that is granted fits into each of them.
 */
import { fit, narrowest } from "../budget.ts";
import type { Budget, Measure } from "../budget.ts";
import type { AttemptSpec } from "./attempt.ts";
import { startingNow } from "./places.ts";
import type { RunState, SubtaskState } from "./state.ts";

export type Grant =
  | { readonly ok: true; readonly cap: Budget }
  | { readonly ok: false; readonly of: "run" | "subtask" | "recovery"; readonly measure: Measure };

export function grant(state: RunState, own: SubtaskState, spec: AttemptSpec): Grant {
  const { attemptCap, concurrency, subtasks } = state.plan;
  const { budgetFactor: factor, iteration } = spec;
  const cap = scaled(attemptCap, factor);
  const places = Math.min(concurrency, subtasks.length);
  const shared = { places, starting: startingNow(state), factor };
  const branches = Math.max(1, own.branches.filter(({ ended }) => !ended).length);
  const alone = { places: branches, starting: Math.max(1, own.next.length), factor };
  const ofRun = fit(state.limit, state.ledger, cap, shared);
  if (!ofRun.ok) return { ...ofRun, of: "run" };
  const ofSubtask = fit(own.limit, own.ledger, cap, alone);
  if (!ofSubtask.ok) return { ...ofSubtask, of: "subtask" };
  const { limit, ledger } = state.recovery;
  const ofRecovery = iteration ? fit(limit, ledger, cap, shared) : ofRun;
  if (!ofRecovery.ok) return { ...ofRecovery, of: "recovery" };
  return { ok: true, cap: narrowest([ofRun.cap, ofSubtask.cap, ofRecovery.cap]) };
}

function scaled(cap: Budget, factor: number): Budget {
  const { usd, tokens } = cap;
  return {
    ...cap,
    ...(usd === undefined ? {} : { usd: usd * factor }),
    ...(tokens === undefined ? {} : { tokens: tokens * factor }),
  };
}
