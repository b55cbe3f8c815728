/** Hours of the day in which nobody looks, by the clock on the wall; they may pass midnight. */

const DAY = 24 * 60;

/** How many minutes are left of them, 0 outside. `from`, `to`: as in `22:00`, the last not included. `minuteOfDay`: 0 to 1439. */
export function quietMinutesLeft(from: string, to: string, minuteOfDay: number): number {
  const length = (minutesOf(to) - minutesOf(from) + DAY) % DAY;
  const since = (minuteOfDay - minutesOf(from) + DAY) % DAY;
  return Math.max(0, length - since);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
