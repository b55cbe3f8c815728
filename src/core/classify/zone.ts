/**
 * Wall-clock time in a named zone to epoch milliseconds, safe at daylight-saving changes. Invariants: never
 * throws; an unknown zone gives nothing; reads no clock.
 */

export interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** Minutes east of UTC at an instant. */
export type OffsetAt = (epochMs: number) => number;

const MINUTE = 60_000;

const ABBREVIATIONS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  WET: 0,
  WEST: 60,
  BST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  IST: 330,
  JST: 540,
  KST: 540,
  AEST: 600,
  AEDT: 660,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
};

/** A zone as people and programs write it: `Europe/Berlin`, `UTC`, `PST`, `+02:00`. */
export function zoneNamed(name: string): OffsetAt | undefined {
  const fixed = ABBREVIATIONS[name.toUpperCase()] ?? numericOffset(name);
  if (fixed !== undefined) return () => fixed;
  return name.includes("/") ? ianaZone(name) : undefined;
}

export const fixedZone =
  (minutes: number): OffsetAt =>
  () =>
    minutes;

function numericOffset(name: string): number | undefined {
  const parts = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/i.exec(name);
  if (parts === null) return undefined;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  return minutes > 14 * 60 ? undefined : parts[1] === "-" ? -minutes : minutes;
}

function ianaZone(name: string): OffsetAt | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
  } catch {
    return undefined;
  }
  return (epochMs) => {
    const part = (type: string): number =>
      Number(parts.find((piece) => piece.type === type)?.value ?? 0);
    const parts = format.formatToParts(epochMs);
    const wall = Date.UTC(
      part("year"),
      part("month") - 1,
      part("day"),
      part("hour"),
      part("minute"),
    );
    return Math.round((wall - Math.floor(epochMs / MINUTE) * MINUTE) / MINUTE);
  };
}

/**
 * A time that does not exist (spring) becomes the one after the gap; of two (autumn), the first.
 */
export function epochOf(wall: WallTime, offsetAt: OffsetAt): number {
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  const before = asUtc - offsetAt(asUtc - 24 * 60 * MINUTE) * MINUTE;
  const after = asUtc - offsetAt(asUtc + 24 * 60 * MINUTE) * MINUTE;
  const holds = (epochMs: number): boolean => epochMs + offsetAt(epochMs) * MINUTE === asUtc;
  if (holds(before)) return before;
  return holds(after) ? after : before;
}

/** The calendar day in a zone at an instant. */
export function dayIn(epochMs: number, offsetAt: OffsetAt): WallTime {
  const local = new Date(epochMs + offsetAt(epochMs) * MINUTE);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
  };
}
