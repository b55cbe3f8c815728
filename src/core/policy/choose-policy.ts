/**
 * The policy a plan or flag names: a preset, or what stands in the plan itself. Files are read by whoever may read
 * files.
 */
import { nearestName } from "../validate/nearest-name.ts";
import { PRESETS } from "./presets/index.ts";
import { policyFrom } from "./read.ts";
import type { LadderPolicy } from "./ladder-policy.ts";

export type PolicyChoice =
  | { readonly ok: true; readonly value: LadderPolicy }
  | { readonly ok: false; readonly problem: string };

export function ladderFrom(given: unknown): PolicyChoice {
  if (given === undefined) return { ok: true, value: PRESETS.standard };
  if (typeof given === "string") {
    if (Object.hasOwn(PRESETS, given))
      return { ok: true, value: PRESETS[given as keyof typeof PRESETS] };
    const near = nearestName(given, Object.keys(PRESETS));
    return {
      ok: false,
      problem: `there is no policy ${JSON.stringify(given)}${near === undefined ? "" : `: did you mean ${near}?`}`,
    };
  }
  const reading = policyFrom(given);
  if (reading.ok) return reading;
  const [first] = reading.problems;
  return { ok: false, problem: `${first?.path ?? ""}: ${first?.message ?? "cannot be read"}` };
}
