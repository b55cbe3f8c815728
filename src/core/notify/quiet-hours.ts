/** Hours in which a person is left alone, by the clock on their wall; they may pass midnight. */
import type { Severity } from "./notice.ts";

export interface QuietHours {
  /** `22:00`, with `to` not included. */
  readonly from: string;
  readonly to: string;
  /** What comes through all the same. */
  readonly except: readonly Severity[];
}

const DAY = 24 * 60;
const minutes = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
};

/** How many minutes are left of them; 0 outside. `minuteOfDay`: local, 0 to 1439. */
export function quietFor(
  { from, to, except }: QuietHours,
  severity: Severity,
  minuteOfDay: number,
): number {
  if (except.includes(severity)) return 0;
  const [begin, length] = [minutes(from), (minutes(to) - minutes(from) + DAY) % DAY];
  const since = (minuteOfDay - begin + DAY) % DAY;
  return since < length ? length - since : 0;
}
