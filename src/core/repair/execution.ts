/**
 * Carrying out a repair plan (C5): which step comes next, from the outcomes so far. Invariants: steps in order;
 * the first failing step ends its strategy; each strategy is tried once; asking is the end. It knows only the plan
 * it was given, so a step that fails can never start another recovery.
 */
import { assert } from "../assert.ts";
import { ASK_USER } from "./repair.ts";
import type { Repair, RepairPlan, RepairStep } from "./repair.ts";

export interface StepOutcome {
  readonly strategy: string;
  /** Place of the step in its strategy, from 0. */
  readonly index: number;
  readonly ok: boolean;
}

export type NextRepairStep =
  | {
      readonly kind: "run";
      readonly strategy: string;
      readonly index: number;
      readonly step: RepairStep;
    }
  | { readonly kind: "ask"; readonly step: RepairStep }
  | { readonly kind: "done"; readonly strategy: string };

export function nextRepairStep(plan: RepairPlan, history: readonly StepOutcome[]): NextRepairStep {
  for (const repair of [plan, ...plan.alternatives]) {
    const next = withinStrategy(repair, history);
    if (next !== undefined) return next;
  }
  return { kind: "ask", step: askStep(plan) };
}

/** Undefined: this strategy has failed, or is the question itself. */
function withinStrategy(
  repair: Repair,
  history: readonly StepOutcome[],
): NextRepairStep | undefined {
  const { strategy, steps } = repair;
  if (strategy === ASK_USER) return undefined;
  for (const [index, step] of steps.entries()) {
    const outcome = history.find((one) => one.strategy === strategy && one.index === index);
    if (outcome === undefined) return { kind: "run", strategy, index, step };
    if (!outcome.ok) return undefined;
  }
  return { kind: "done", strategy };
}

function askStep({ steps, alternatives }: RepairPlan): RepairStep {
  const step = (alternatives.at(-1)?.steps ?? steps)[0];
  assert(step !== undefined, "a repair plan ends with a question");
  return step;
}
