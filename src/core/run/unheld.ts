/**
 * Budgets that cannot hold a run's agents (U4): an agent that is not known to tell its cost is stopped by no money
 * budget. Said once, at the start, with what does hold it. Invariant: what is said is recorded, so that every face
 * can show it later.
 */
import type { Budget, Measure, Unheld } from "../budget.ts";
import type { Plan } from "../plan/plan.ts";
import { emit } from "./draft.ts";
import type { Draft } from "./draft.ts";
import { COUNTED_MAX } from "./options.ts";

const TELLABLE = ["usd", "tokens"] as const;

/** Before the first attempt: each measure whose budget is none for some of the agents. */
export function sayUnheld(draft: Draft): void {
  const { plan } = draft.state;
  for (const measure of TELLABLE) {
    const limits = limitsOf(plan, measure);
    const agents = silentAgents(plan, measure);
    if (agents.length === 0 || Object.keys(limits).length === 0) continue;
    const holding = holdingOf(plan, agents);
    emit(draft, {
      ...{ kind: "budget-unheld", measure, agents, limits, holding },
      ...(Object.keys(holding).length > 0 ? {} : { otherwise: otherwiseOf(draft) }),
    });
  }
}

function limitsOf(plan: Plan, measure: Measure): Unheld["limits"] {
  const run = plan.budget[measure];
  const recovery = plan.recoveryBudget?.[measure];
  const subtasks = plan.subtasks.filter(
    ({ limits }) => limits?.budget?.[measure] !== undefined,
  ).length;
  return {
    ...(run === undefined ? {} : { run }),
    ...(recovery === undefined ? {} : { recovery }),
    ...(subtasks === 0 ? {} : { subtasks }),
  };
}

function silentAgents({ ladder, untold = {} }: Plan, measure: Measure): readonly string[] {
  const names = ladder.flatMap(({ agent, disabled }) =>
    disabled !== true && untold[agent]?.includes(measure) === true ? agent : [],
  );
  return [...new Set(names)];
}

function holdingOf(plan: Plan, agents: readonly string[]): Budget {
  const { budget, untold = {} } = plan;
  const holds = (measure: string): boolean =>
    agents.every((agent) => untold[agent]?.includes(measure as Measure) !== true);
  return Object.fromEntries(Object.entries(budget).filter(([measure]) => holds(measure)));
}

function otherwiseOf({ state: { plan }, policy }: Draft): NonNullable<Unheld["otherwise"]> {
  const { maxRetries, recovery } = policy.settings;
  const retries = plan.maxSubtaskRetries ?? maxRetries;
  const { longestAttemptMs: attemptMs } = plan;
  return {
    attempts: Math.min(COUNTED_MAX, (retries ?? Infinity) + 1),
    iterations: recovery.totalRecoveryBudget,
    ...(attemptMs === undefined ? {} : { attemptMs }),
  };
}
