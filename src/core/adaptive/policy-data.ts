/**
 * The adaptive policy as plain JSON: the settings for guard rails and structure rules, the same as in `standard`, and a
 * person's price. Stored with a run's plan.
 */
import type { LadderPolicy, PolicySettings } from "../policy/policy.ts";
import { PRESETS } from "../policy/presets.ts";

export interface AdaptivePolicy extends PolicySettings {
  readonly policy: "adaptive";
  readonly name: string;
  readonly description?: string | undefined;
  /** What a person's time is worth, in attempts at the planned tier. */
  readonly personPrice?: number | undefined;
  /** When a question waits until later, as `22:00-07:00` in the local time. */
  readonly quietHours?: string | undefined;
}

/** A policy as a plan or a file has it. */
export type PolicyData = LadderPolicy | AdaptivePolicy;

const { structure, circular, wait, progress, recovery } = PRESETS.standard;

export const ADAPTIVE: AdaptivePolicy = {
  policy: "adaptive",
  name: "adaptive",
  description: "Works out the likely cause, then does what most likely helps for its cost.",
  ...{ structure, circular, wait, progress, recovery },
};
