/**
 * A repair plan (C2) and carrying it out (C5): which step comes next, from the outcomes so far. Invariants: steps in
 * order; the first failing step ends its strategy; each strategy is tried once; asking is the end. Only the plan that
 * was given counts, so a step that fails can never start another recovery.
 */
import type { StrategyCounts } from "../learning/strategies.ts";
import { assert } from "../assert.ts";
import type { Evidence } from "../evidence.ts";
import type { Failure } from "../failure.ts";
import type { FailureKind } from "../kinds.ts";
import type { Risk } from "./shell-script.ts";
import type { Args } from "./tool-names.ts";

export interface RepairStep {
  readonly action: string;
  /** The agent's own name of the tool; null where the runner waits or the agent or a person acts. */
  readonly tool: string | null;
  readonly args: Args;
  readonly expectedOutcome: string;
  readonly needsPermission?: Risk;
}

export interface Repair {
  readonly priority: number;
  readonly strategy: string;
  readonly confidence: number;
  readonly estimatedIterations: number;
  readonly steps: readonly RepairStep[];
  /** The strategies that follow if this one fails. */
  readonly fallbackChain: readonly string[];
}

/** The strategy to begin with, in the JSON shape of the source, and the others in their order. */
export interface RepairPlan extends Repair {
  readonly kind: FailureKind;
  readonly alternatives: readonly Repair[];
}

export type Permission = "allow" | "deny" | "ask";

/** A strategy of the caller's own; its place comes from the source's bands. */
export interface AddedStrategy {
  readonly strategy: string;
  readonly confidence: number;
  readonly steps: readonly RepairStep[];
}

export interface RepairRequest {
  readonly failure: Failure;
  readonly evidence: Evidence;
  /** Names of the tools there are, as the agent calls them. */
  readonly tools: readonly string[];
  readonly sandboxRoot: string;
  /** `suggest` shows what needs a permission, `run` leaves it out unless allowed. */
  readonly mode: "suggest" | "run";
  readonly permissions?: { readonly [risk in Risk]?: Permission };
  /** As Node names it: linux, darwin, win32. */
  readonly platform?: string;
  /** Packages that the manifest or lock file names already. */
  readonly manifestNames?: readonly string[];
  readonly added?: readonly AddedStrategy[];
  /** Where the chain has nothing to offer, or there is none: what is worth doing first all the same. */
  readonly firstSteps?: boolean;
  /** The file that the failed call was about, where its error does not name one. */
  readonly file?: string;
  /** What its strategies came to before. */
  readonly learned?: StrategyCounts;
}

/** The strategy every plan ends with. */
export const ASK_USER = "ask_user";

export type RankedStrategy = Omit<Repair, "fallbackChain">;

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
  const repairs = [plan, ...plan.alternatives];
  for (const { strategy, steps } of repairs) {
    if (strategy === ASK_USER) continue;
    const outcomes = history.filter((one) => one.strategy === strategy);
    const okAt = (place: number): boolean | undefined =>
      outcomes.find(({ index }) => index === place)?.ok;
    const index = steps.findIndex((_, place) => okAt(place) !== true);
    const step = steps[index];
    if (step === undefined) return { kind: "done", strategy };
    if (okAt(index) === undefined) return { kind: "run", strategy, index, step };
  }
  const [step] = (plan.alternatives.at(-1) ?? plan).steps;
  assert(step !== undefined, "a repair plan ends with a question");
  return { kind: "ask", step };
}
