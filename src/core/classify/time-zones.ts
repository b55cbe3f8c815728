/**
 * Wall clocks and time zones: the UTC offset at an instant, and the instants at which a zone's clock shows a time.
 * Invariants: never throws; an unknown zone gives undefined; the offset is the one in force at the instant itself, so a
 * change to or from summer time in between is respected.
 */

export interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** What is known about the time zone of a text. */
interface ZoneOfText {
  /** Its name, such as `Europe/Berlin`. */
  readonly timeZone?: string;
  readonly utcOffsetMinutes?: number;
}

/** A time zone: minutes east of UTC at an instant. */
export type OffsetAt = (epochMs: number) => number;

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * The instants at which the zone's clock shows this time: both occurrences in a repeated autumn hour, otherwise one. A
 * time skipped in spring moves past the gap. Empty for an invalid date.
 */
export function instantsOf(wall: WallTime, offsetAt: OffsetAt): readonly number[] {
  if (wall.month < 1 || wall.month > 12 || wall.day < 1 || wall.day > 40) return [];
  if (wall.hour > 23 || wall.minute > 59) return [];
  const { year, month, day, hour, minute, second } = wall;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, 0, Math.round(second * 1_000));
  const before = asUtc - offsetAt(asUtc - DAY) * MINUTE;
  const after = asUtc - offsetAt(asUtc + DAY) * MINUTE;
  const shown = [before, after].filter((at) => at + offsetAt(at) * MINUTE === asUtc);
  const instants = shown.length === 0 ? [before] : [...new Set(shown)];
  return instants.filter((at) => Math.abs(at) <= 8.64e15);
}

/** The wall clock of a zone at an instant, in the UTC fields of a date. */
export const wallDate = (epochMs: number, offsetAt: OffsetAt): Date =>
  new Date(epochMs + offsetAt(epochMs) * MINUTE);

/** A zone as people and programs write it: `Europe/Berlin`, `UTC`, `PST`, `+02:00`. */
export function zoneNamed(name = ""): OffsetAt | undefined {
  const fixed = fixedOffset(name);
  if (fixed !== undefined) return () => fixed;
  return name.includes("/") ? placeZone(name) : undefined;
}

/** Offsets in hours. */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  ...{ UTC: 0, GMT: 0, Z: 0, WET: 0, WEST: 1, BST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3 },
  ...{ IST: 5.5, JST: 9, KST: 9, AEST: 10, AEDT: 11 },
  ...{ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
};

function fixedOffset(name: string): number | undefined {
  const hours = ABBREVIATIONS[name.toUpperCase()];
  if (hours !== undefined) return hours * 60;
  const parts = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/i.exec(name);
  if (parts === null) return undefined;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  return minutes > 14 * 60 ? undefined : parts[1] === "-" ? -minutes : minutes;
}

/** The zone of the machine where the text was written: by name, else by its offset at the time. */
export function localZone({ timeZone, utcOffsetMinutes = 0 }: ZoneOfText): OffsetAt {
  const minutes = Number.isFinite(utcOffsetMinutes) ? utcOffsetMinutes : 0;
  const fixed = Math.max(-840, Math.min(840, minutes));
  const named = typeof timeZone === "string" ? placeZone(timeZone.slice(0, 100)) : undefined;
  return named ?? (() => fixed);
}

function placeZone(timeZone: string): OffsetAt | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    return (epochMs) => {
      const parts = format.formatToParts(epochMs);
      // "GMT+02:00"; historic offsets may include seconds, which are irrelevant here.
      const offset = parts.find(({ type }) => type === "timeZoneName")?.value.slice(0, 9);
      return fixedOffset(offset ?? "") ?? 0;
    };
  } catch {
    return undefined;
  }
}
