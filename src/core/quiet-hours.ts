/** Quiet hours: a daily period, in local time, during which nobody is expected to answer. It may span midnight. */

const DAY = 24 * 60;

/**
 * The minutes left of the quiet hours, 0 outside them. `from` and `to` are times such as `22:00`, `to` exclusive;
 * `minuteOfDay` is 0 to 1439.
 */
export function quietMinutesLeft(from: string, to: string, minuteOfDay: number): number {
  const length = (minutesOf(to) - minutesOf(from) + DAY) % DAY;
  const since = (minuteOfDay - minutesOf(from) + DAY) % DAY;
  return Math.max(0, length - since);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
