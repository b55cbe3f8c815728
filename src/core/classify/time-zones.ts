/**
 * Wall clocks and time zones: minutes east of UTC at an instant, and the instants at which a zone's clock shows a
 * time. Invariants: never throws; a zone nobody knows is none; the rules of the zone at the instant itself count, so
 * a change to or from summer time between now and then is kept.
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

/** What is known of the zone in which a text was written. */
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
 * When a zone's clock shows this: once, in the hour that autumn gives twice the first and the second. A time that
 * spring leaves out becomes the one after the gap. Nothing where no calendar has it.
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

/** The wall clock of a zone at an instant, in the date's UTC fields. */
export const wallDate = (epochMs: number, offsetAt: OffsetAt): Date =>
  new Date(epochMs + offsetAt(epochMs) * MINUTE);

/** A zone as people and programs write it: `Europe/Berlin`, `UTC`, `PST`, `+02:00`. */
export function zoneNamed(name = ""): OffsetAt | undefined {
  const fixed = fixedOffset(name);
  if (fixed !== undefined) return () => fixed;
  return name.includes("/") ? placeZone(name) : undefined;
}

/** In hours. */
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

/** The zone of the machine where a text was written, by its name, else by its offset at that time. */
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
      // "GMT+02:00"; long ago with seconds, which no text about a limit means.
      const offset = parts.find(({ type }) => type === "timeZoneName")?.value.slice(0, 9);
      return fixedOffset(offset ?? "") ?? 0;
    };
  } catch {
    return undefined;
  }
}
