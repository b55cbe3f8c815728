/**
 * What it costs to ask a person at a time of day: their price and, in quiet hours, the wait until somebody looks.
 * Invariants: never below their price; without quiet hours, or where nobody told the time, exactly that.
 */

/** An hour in which nothing happens is worth so many attempts: our estimate. */
const HOUR_IN_ATTEMPTS = 3;
const DAY = 24 * 60;

/** `minuteOfDay`: since midnight, as the person's clock has it. */
export function priceOfAsking(price: number, quietHours?: string, minuteOfDay?: number): number {
  return price + (quietFor(quietHours, minuteOfDay) / 60) * HOUR_IN_ATTEMPTS;
}

export const isQuiet = (quietHours?: string, minuteOfDay?: number): boolean =>
  quietFor(quietHours, minuteOfDay) > 0;

/** For how many minutes more nobody looks. */
function quietFor(quietHours?: string, minuteOfDay?: number): number {
  const [from, to] = (quietHours ?? "").split("-").map(minutesOf);
  if (from === undefined || to === undefined || minuteOfDay === undefined) return 0;
  const since = (minuteOfDay - from + DAY) % DAY;
  const length = (to - from + DAY) % DAY;
  return Math.max(0, length - since);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
