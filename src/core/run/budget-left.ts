/** What a subtask's recovery may still use, as a policy is told of it. Reads only what is recorded. */
import { MEASURES } from "../budget.ts";
import type { PolicySettings } from "../policy/policy.ts";
import type { BudgetLeft } from "../policy/situation.ts";
import type { SubtaskState } from "./subtask-state.ts";

export function budgetLeft(
  { ledger, limit, iterations }: Pick<SubtaskState, "ledger" | "limit" | "iterations">,
  { recovery }: Pick<PolicySettings, "recovery">,
): BudgetLeft {
  const starts = recovery.totalRecoveryBudget - iterations;
  const shares = MEASURES.flatMap((measure) => {
    const most = limit[measure];
    const spent = ledger.spent[measure] ?? 0;
    const isTold = (ledger.untold[measure] ?? 0) === 0;
    return most === undefined || spent <= 0 || !isTold ? [] : [Math.max(0, most - spent) / spent];
  });
  return shares.length === 0 ? { starts } : { starts, perSpent: Math.min(...shares) };
}
