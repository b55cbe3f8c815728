/** Hours during which a person is not notified, in local time; they may span midnight. */
import { quietMinutesLeft } from "../quiet-hours.ts";
import type { Severity } from "./notice.ts";

export interface QuietHours {
  /** A time such as `22:00`; `to` is exclusive. */
  readonly from: string;
  readonly to: string;
  /** Severities that are sent all the same. */
  readonly except: readonly Severity[];
}

/** The minutes left of the quiet hours, 0 outside them. `minuteOfDay`: local time, 0 to 1439. */
export function quietFor(
  { from, to, except }: QuietHours,
  severity: Severity,
  minuteOfDay: number,
): number {
  return except.includes(severity) ? 0 : quietMinutesLeft(from, to, minuteOfDay);
}
