/**
 * A repair plan, and which step comes next given the outcomes so far. Invariants: steps run in order; the first failing
 * step ends its strategy; each strategy is tried once; asking comes last. Only the given plan counts, so a failing step
 * can never start another recovery.
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
  /** The agent's own name for the tool; null if the runner waits, or the agent or a person acts. */
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

/** The first strategy to try, in the source document's JSON shape, and the others in order. */
export interface RepairPlan extends Repair {
  readonly kind: FailureKind;
  readonly alternatives: readonly Repair[];
}

export type Permission = "allow" | "deny" | "ask";

/** A strategy added by the caller; its position follows from the source document's bands. */
export interface AddedStrategy {
  readonly strategy: string;
  readonly confidence: number;
  readonly steps: readonly RepairStep[];
}

export interface RepairRequest {
  readonly failure: Failure;
  readonly evidence: Evidence;
  /** Names of the available tools, as the agent calls them. */
  readonly tools: readonly string[];
  readonly sandboxRoot: string;
  /** `suggest` includes strategies that need permission; `run` omits them unless permitted. */
  readonly mode: "suggest" | "run";
  readonly permissions?: { readonly [risk in Risk]?: Permission };
  /** In Node's naming: linux, darwin, win32. */
  readonly platform?: string;
  /** Packages already named in the manifest or lock file. */
  readonly manifestNames?: readonly string[];
  readonly added?: readonly AddedStrategy[];
  /** Include first steps if there is no chain, or if it has nothing to offer. */
  readonly firstSteps?: boolean;
  /** The file that the failed call was about, used if the error names none. */
  readonly file?: string;
  /** Past outcomes of its strategies. */
  readonly learned?: StrategyCounts;
}

/** The last strategy of every plan. */
export const ASK_USER = "ask_user";

export type RankedStrategy = Omit<Repair, "fallbackChain">;

export interface StepOutcome {
  readonly strategy: string;
  /** The step's position in its strategy, from 0. */
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
