/** Hours in which a person is left alone, by the clock on their wall; they may pass midnight. */
import { quietMinutesLeft } from "../quiet-hours.ts";
import type { Severity } from "./notice.ts";

export interface QuietHours {
  /** `22:00`, with `to` not included. */
  readonly from: string;
  readonly to: string;
  /** What comes through all the same. */
  readonly except: readonly Severity[];
}

/** How many minutes are left of them; 0 outside. `minuteOfDay`: local, 0 to 1439. */
export function quietFor(
  { from, to, except }: QuietHours,
  severity: Severity,
  minuteOfDay: number,
): number {
  return except.includes(severity) ? 0 : quietMinutesLeft(from, to, minuteOfDay);
}
