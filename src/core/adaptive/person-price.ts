/**
 * The cost of asking a person at a given time of day: their price and, during quiet hours, the wait until these end.
 * Invariants: never below their price, and exactly that without quiet hours or if the time is unknown.
 */
import { quietMinutesLeft } from "../quiet-hours.ts";

/** An hour in which nothing happens is worth so many attempts: our estimate. */
const HOUR_IN_ATTEMPTS = 3;

/** `minuteOfDay`: since midnight, as the person's clock has it. */
export function priceOfAsking(price: number, quietHours?: string, minuteOfDay?: number): number {
  return price + (quietFor(quietHours, minuteOfDay) / 60) * HOUR_IN_ATTEMPTS;
}

export const isQuiet = (quietHours?: string, minuteOfDay?: number): boolean =>
  quietFor(quietHours, minuteOfDay) > 0;

/** For how many minutes more nobody looks. */
function quietFor(quietHours?: string, minuteOfDay?: number): number {
  const [from, to] = (quietHours ?? "").split("-");
  return from === undefined || to === undefined || minuteOfDay === undefined
    ? 0
    : quietMinutesLeft(from, to, minuteOfDay);
}
