/** The shapes of repairing: what is asked for, and the plan that comes back (C2). */
import type { Evidence } from "../evidence.ts";
import type { Failure } from "../failure.ts";
import type { FailureKind } from "../kinds.ts";
import type { Risk } from "./command-line.ts";
import type { Args } from "./tool-names.ts";

export interface RepairStep {
  readonly action: string;
  /**
   * The agent's own name of the tool; null where the runner waits or the agent or a person acts.
   */
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
}

/** The strategy every plan ends with. */
export const ASK_USER = "ask_user";

export type RankedStrategy = Omit<Repair, "fallbackChain">;
