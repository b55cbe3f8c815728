/**
 * A run's notices about its budgets. Before the first attempt: which budgets cannot be enforced for some agents,
 * because they do not report their use. Later: measures that are nearly used up, and a place kept free by a budget.
 * Invariant: each notice is recorded once, so that every output can show it later.
 */
import { measuresAt, type Budget, type Measure, type UnenforcedBudget } from "../../budget.ts";
import { defined } from "../../defined.ts";
import type { Plan } from "../../plan/plan.ts";
import { emit, subtaskNow, type Turn } from "./turn.ts";
import { COUNTED_MAX } from "./possible-recoveries.ts";
import type { RunState } from "../state.ts";

/** Reports each measure whose budget cannot be enforced for some of the agents. */
export function reportUnenforcedBudgets(turn: Turn): void {
  const { plan } = turn.state;
  for (const measure of ["usd", "tokens"] as const) {
    const limits = limitsOf(plan, measure);
    const agents = silentAgents(plan, measure);
    if (agents.length === 0 || Object.keys(limits).length === 0) continue;
    const holding = holdingOf(plan, agents);
    emit(turn, {
      ...{ kind: "budget-unheld", measure, agents, limits, holding },
      ...(Object.keys(holding).length > 0 ? {} : { otherwise: otherwiseOf(turn) }),
    });
  }
}

function limitsOf(plan: Plan, measure: Measure): UnenforcedBudget["limits"] {
  const run = plan.budget[measure];
  const recovery = plan.recoveryBudget?.[measure];
  const subtasks = plan.subtasks.filter(
    ({ limits }) => limits?.budget?.[measure] !== undefined,
  ).length;
  return { ...defined({ run, recovery }), ...(subtasks === 0 ? {} : { subtasks }) };
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

function otherwiseOf({
  state: { plan },
  policy,
}: Turn): NonNullable<UnenforcedBudget["otherwise"]> {
  const { maxRetries, recovery } = policy.settings;
  return {
    attempts: Math.min(COUNTED_MAX, (plan.maxSubtaskRetries ?? maxRetries ?? Infinity) + 1),
    iterations: recovery.totalRecoveryBudget,
    ...defined({ attemptMs: plan.longestAttemptMs }),
  };
}

const WARN_SHARE = 0.8;

/** Warns once about each measure of each budget, until it is raised. */
export function warnOfBudgets(turn: Turn): void {
  const { state, input } = turn;
  if (state.phase === "ended") return;
  warnOf(turn, state, { of: "run" });
  warnOf(turn, state.recovery, { of: "recovery" });
  if (input.kind !== "attempt-ended") return;
  const { id: subtask, state: own } = subtaskNow(turn, input.subtask);
  warnOf(turn, own, { of: "subtask", subtask });
  const { totalRecoveryBudget: limit } = turn.policy.settings.recovery;
  const { iterations: spent, warned } = own;
  if (limit > 0 && spent >= limit * WARN_SHARE && !warned.includes("iterations"))
    emit(turn, {
      ...{ kind: "budget-warned", of: "subtask", subtask, measure: "iterations" },
      ...{ spent, limit },
    });
}

function warnOf(
  turn: Turn,
  { limit, ledger, warned }: RunState["recovery"],
  whose: { readonly of: "run" | "recovery" | "subtask"; readonly subtask?: string },
): void {
  for (const measure of measuresAt(limit, ledger, WARN_SHARE))
    if (!warned.includes(measure))
      emit(turn, {
        ...{ kind: "budget-warned", ...whose, measure },
        ...{ spent: ledger.spent[measure] ?? 0, limit: limit[measure] ?? 0 },
      });
}

/**
 * Explains once why a place stays free because of a budget. Not for the attempts measure, because running attempts
 * never return those.
 */
export function reportTightBudget(turn: Turn, measure: Measure): void {
  const { tight, limit, agents: running } = turn.state;
  if (measure === "attempts" || tight.includes(measure)) return;
  emit(turn, { kind: "budget-tight", measure, limit: limit[measure] ?? 0, running });
}
