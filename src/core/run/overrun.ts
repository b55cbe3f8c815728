/**
 * Decides when an attempt has run for far too long: beyond three times the usual duration of its agent, with nothing
 * new for a while. Duration alone never ends an attempt, and none is cut short if only a few are left. Invariant: reads
 * only recorded facts.
 */
import type { ModelEntry, Plan, Subtask } from "../plan/plan.ts";
import type { PolicySettings } from "../policy/policy.ts";
import { durationKey } from "../learning/durations.ts";
import type { RunState } from "./state.ts";
import type { SubtaskState } from "./subtask-state.ts";
import { COUNTED_MAX } from "./decide/possible-recoveries.ts";

/** Our estimate of an attempt's duration if nothing has been learned yet. */
const USUAL_MS = 10 * 60_000;
const TIMES_USUAL = 3;
/** If at most this many attempts are left, none is cut short. */
const FEW_LEFT = 3;

/** How long an attempt may take before it counts as too long, in milliseconds of its own time. */
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
  // The running attempt is not counted yet.
  const left = Math.min(retries - counted, recovery.totalRecoveryBudget - iterations);
  return left > FEW_LEFT;
}
