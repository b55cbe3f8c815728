/**
 * A plan in the form a person reviews before accepting it: the subtasks in order, every command in full, and its
 * limits.
 */
import type { RunPlan } from "../../core/plan/run-plan.ts";
import type { Subtask } from "../../core/plan/plan.ts";
import { defined } from "../operation.ts";
import type { PlanDescription } from "./schemas.ts";

export function describePlan({
  plan,
  subtasks,
  agents,
  setup,
  setupDerived,
}: RunPlan): PlanDescription {
  const used = plan.ladder.filter(({ disabled }) => disabled !== true);
  const names = [...new Set(used.map(({ agent }) => agent))];
  const checks = Object.values(subtasks).flatMap((one) => one.checks.map(({ run }) => run));
  const unreported = names.filter((name) => plan.untold?.[name]?.includes("usd") === true);
  const commandOf = (name: string): string =>
    agents[name]?.command ?? agents[name]?.adapter ?? name;
  return {
    goal: plan.goal,
    subtasks: inOrder(plan.subtasks).map(({ id, prompt, dependsOn, readOnly }) => ({
      ...{ id, prompt, dependsOn, checks: (subtasks[id]?.checks ?? []).map(({ run }) => run) },
      ...(readOnly === true ? { readOnly } : {}),
    })),
    commands: [
      ...names.map((name) => ({ what: "agent" as const, run: commandOf(name) })),
      ...setup.map((run) => ({ what: "setup" as const, run, ...defined({ from: setupDerived }) })),
      ...[...new Set(checks)].map((run) => ({ what: "check" as const, run })),
    ],
    limits: {
      ...plan.budget,
      attemptMs: plan.longestAttemptMs ?? 0,
      unreported: unreported.map(commandOf),
    },
  };
}

/** Each after its dependencies, otherwise in the order of the plan. The plan has no cycle. */
function inOrder(subtasks: readonly Subtask[]): readonly Subtask[] {
  const byId = new Map(subtasks.map((one) => [one.id, one]));
  const placed = new Set<Subtask>();
  const place = (one: Subtask): void => {
    if (placed.has(one)) return;
    for (const id of one.dependsOn) {
      const before = byId.get(id);
      if (before !== undefined) place(before);
    }
    placed.add(one);
  };
  for (const one of subtasks) place(one);
  return [...placed];
}
