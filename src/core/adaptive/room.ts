/**
 * The budget left for a subtask, and whether a move fits into it. Attempts at one task differ in length, so a move
 * whose expected cost equals what is left fits in half of the cases.
 */
import type { PastAttempt, Situation } from "../policy/situation.ts";
import type { Tables } from "./tables.ts";

/** In attempts at the planned tier; nothing where no budget is known to hold it. */
export function leftNow(
  { left }: Pick<Situation, "left">,
  past: readonly PastAttempt[],
  { tierPrices }: Tables,
): number | undefined {
  if (left?.perSpent === undefined) return undefined;
  const spent = past.reduce((sum, { tierStep }) => sum + priceOf(tierPrices, tierStep), 0);
  return left.perSpent * spent;
}

export const priceOf = (tierPrices: Tables["tierPrices"], step: number): number =>
  tierPrices[Math.min(Math.max(step, 0), tierPrices.length - 1)] ?? 1;

/** How steeply the share of attempts that fit rises with the room: lengths spread by about a half. */
const STEEPNESS = 3;

/** The share of a move's chance that is left where it may be ended for want of budget. */
export function roomFor(cost: number, left: number | undefined): number {
  if (left === undefined) return 1;
  const room = (Math.max(left, 1e-3) / cost) ** STEEPNESS;
  return room / (1 + room);
}
