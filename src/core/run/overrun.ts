/**
 * When an attempt has gone on for far too long: past three times what its agent usually takes, and nothing new for a
 * while. Length alone ends nothing. Where few attempts are left each of them may take its time. Invariant: reads only what
 * is recorded.
 */
import type { ModelEntry, Plan, Subtask } from "../plan/plan.ts";
import type { PolicySettings } from "../policy/policy.ts";
import { durationKey } from "../learning/durations.ts";
import type { RunState } from "./state.ts";
import type { SubtaskState } from "./subtask-state.ts";
import { COUNTED_MAX } from "./decide/possible-recoveries.ts";

/** What an attempt takes where nothing was learned: our estimate. */
const USUAL_MS = 10 * 60_000;
const TIMES_USUAL = 3;
/** With so few attempts left, none is cut short. */
const FEW_LEFT = 3;

/** From when on it has taken too long, in milliseconds of its own time. */
export const tooLongMs = (
  { usualMs = {} }: Pick<RunState, "usualMs">,
  entry: ModelEntry,
): { readonly usual: number; readonly tooLong: number } => {
  const key = durationKey(entry);
  const usual = (Object.hasOwn(usualMs, key) ? usualMs[key] : undefined) ?? USUAL_MS;
  return { usual, tooLong: usual * TIMES_USUAL };
};

/** Whether enough attempts are left to give one up. */
export function mayGiveUpOne(
  { counted, iterations }: Pick<SubtaskState, "counted" | "iterations">,
  { limits }: Pick<Subtask, "limits">,
  { maxSubtaskRetries }: Pick<Plan, "maxSubtaskRetries">,
  { maxRetries, recovery }: Pick<PolicySettings, "maxRetries" | "recovery">,
): boolean {
  const retries = limits?.maxRetries ?? maxSubtaskRetries ?? maxRetries ?? COUNTED_MAX;
  // The one under way is not counted yet.
  const left = Math.min(retries - counted, recovery.totalRecoveryBudget - iterations);
  return left > FEW_LEFT;
}
