/**
 * What the agents of a plan are not known to tell of their use, so that the run can say which budgets cannot hold
 * them (U4). A plain command and an ACP agent may tell it all the same; then it counts.
 */
import { PLAN_AGENTS } from "../agents/plan-agents.ts";
import { knownAgent } from "../agents/registry.ts";
import type { Measure } from "../core/budget.ts";
import { estimateUsd } from "../core/prices.ts";
import type { AgentPlan, RunPlan } from "../core/plan/run-plan.ts";

export function withUntold(plan: RunPlan): RunPlan {
  const untold = Object.fromEntries(
    Object.entries(plan.agents).map(([name, agent]) => [
      name,
      untoldBy(agent, modelsOf(plan, name)),
    ]),
  );
  return { ...plan, plan: { ...plan.plan, untold } };
}

const modelsOf = ({ plan }: RunPlan, name: string): readonly (string | undefined)[] =>
  plan.ladder.flatMap(({ agent, model, disabled }) =>
    agent === name && disabled !== true ? [model] : [],
  );

/** A model that is left to the agent may have a price: the agent names it when it runs. */
const isPriced = (model: string | undefined): boolean =>
  model === undefined || estimateUsd(model, { input: 1, cached: 1, output: 1 }) !== undefined;

function untoldBy(
  { adapter, format }: AgentPlan,
  models: readonly (string | undefined)[],
): readonly Measure[] {
  const features = knownAgent(adapter === PLAN_AGENTS.plain ? (format ?? "") : adapter)?.features ?? [];
  if (!features.includes("reports-tokens")) return ["usd", "tokens"];
  return features.includes("reports-cost") || models.every(isPriced) ? [] : ["usd"];
}
