/**
 * What a run says of its budgets: before the first attempt, which of them cannot hold some of its agents because
 * these do not tell their cost (U4); later, each measure that is nearly used up, and a place that a budget keeps
 * free. Invariant: each is said once and recorded, so that every face can show it later.
 */
import { measuresAt } from "../../budget.ts";
import type { Budget, Ledger, Measure, Unheld } from "../../budget.ts";
import type { Plan } from "../../plan/plan.ts";
import { emit, subtaskNow } from "./decision-draft.ts";
import type { DecisionDraft } from "./decision-draft.ts";
import { COUNTED_MAX } from "./possible-recoveries.ts";
import type { Warned } from "../state.ts";

const TELLABLE = ["usd", "tokens"] as const;

/** Before the first attempt: each measure whose budget is none for some of the agents. */
export function sayUnheld(draft: DecisionDraft): void {
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

function otherwiseOf({ state: { plan }, policy }: DecisionDraft): NonNullable<Unheld["otherwise"]> {
  const { maxRetries, recovery } = policy.settings;
  const retries = plan.maxSubtaskRetries ?? maxRetries;
  const { longestAttemptMs: attemptMs } = plan;
  return {
    attempts: Math.min(COUNTED_MAX, (retries ?? Infinity) + 1),
    iterations: recovery.totalRecoveryBudget,
    ...(attemptMs === undefined ? {} : { attemptMs }),
  };
}

const WARN_SHARE = 0.8;

/** Each measure of each budget once, until it is raised. */
export function warnOfBudgets(draft: DecisionDraft): void {
  const { state, input } = draft;
  if (state.phase === "ended") return;
  warnOf(draft, state, { of: "run" });
  warnOf(draft, state.recovery, { of: "recovery" });
  if (input.kind !== "attempt-ended") return;
  const { id: subtask, state: own } = subtaskNow(draft, input.subtask);
  warnOf(draft, own, { of: "subtask", subtask });
  const { totalRecoveryBudget: limit } = draft.policy.settings.recovery;
  const { iterations: spent, warned } = own;
  if (limit > 0 && spent >= limit * WARN_SHARE && !warned.includes("iterations"))
    emit(draft, {
      ...{ kind: "budget-warned", of: "subtask", subtask, measure: "iterations" },
      ...{ spent, limit },
    });
}

interface Watched {
  readonly limit: Budget;
  readonly ledger: Ledger;
  readonly warned: Warned;
}

function warnOf(
  draft: DecisionDraft,
  { limit, ledger, warned }: Watched,
  whose: { readonly of: "run" | "recovery" | "subtask"; readonly subtask?: string },
): void {
  for (const measure of measuresAt(limit, ledger, WARN_SHARE))
    if (!warned.includes(measure))
      emit(draft, {
        ...{ kind: "budget-warned", ...whose, measure },
        ...{ spent: ledger.spent[measure] ?? 0, limit: limit[measure] ?? 0 },
      });
}

/** A place stays free because of a budget: said once, so that nobody wonders why. Attempts are never given back. */
export function sayTight(draft: DecisionDraft, measure: Measure): void {
  const { tight, limit, agents: running } = draft.state;
  if (measure === "attempts" || tight.includes(measure)) return;
  emit(draft, { kind: "budget-tight", measure, limit: limit[measure] ?? 0, running });
}
