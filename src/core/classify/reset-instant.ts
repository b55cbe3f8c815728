/**
 * Instants at which a limit resets: epoch numbers, ISO and HTTP dates, dates and clock times in words, with their
 * time zones. Invariants: never throws; linear patterns; a clock time in the past is the next such time; what needs
 * an observation time and has none gives nothing.
 */
import type { Evidence } from "../evidence.ts";

/** When and where the text was written. */
export type ResetBase = Pick<Evidence, "observedAt" | "utcOffsetMinutes">;

interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** A time zone: minutes east of UTC at an instant. */
type OffsetAt = (epochMs: number) => number;

/** What a pattern found: its groups, some of them empty. */
type Groups = readonly (string | undefined)[];

const JUST_NOW_MS = 120_000;
const MINUTE = 60_000;
const DAY = 86_400_000;
const LEAD =
  "(?:try again|retry(?:[ _-]?after)?|come back|reset(?:s|ting)?|renews?|available(?: again)?" +
  "|wait until|regain access|until|resets?[ _-]?(?:at|on|time)|ratelimit-\\w{1,12}-reset)";
const LINK = "[\"']?\\s?[:=]?\\s?(?:(?:at|on|by|from|after)\\s)?[\"']?";
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MONTH = `(${MONTHS.join("|")})[a-z]{0,6}\\.?`;
const WEEKDAY = `(?:${DAYS.join("|")})[a-z]{0,6}`;
const ZONE =
  "(?:\\s?\\(?(?:time ?zone:? )?([A-Za-z_]{2,30}/[A-Za-z_/+\\d-]{2,40}" +
  "|[A-Z]{2,4}(?:[+-]\\d{1,2}(?::?\\d\\d)?)?)\\)?)?";
const CLOCK =
  "(?:(\\d{1,2})(?::(\\d\\d))?\\s?([ap])\\.?m\\b\\.?" +
  "|(\\d{1,2}):(\\d\\d)(?::\\d\\d)?|(midnight|noon))";

const EPOCH = new RegExp(
  "(?:\\blimit reached\\||\\b(?:resets?[ _-]?(?:at|time)?|ratelimit[_-]reset(?:-\\w{1,12})?)" +
    `["']?\\s?[:=]?\\s?["']?)(\\d{13}|\\d{10})\\b`,
  "i",
);
const HTTP_DATE = new RegExp(
  `(?:^|\\bretry[_-]?after["']?\\s?[:=]\\s?["']?)\\s?` +
    `(${WEEKDAY}, \\d{1,2} [a-z]{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT)`,
  "i",
);
const ISO = new RegExp(
  `(?:^\\s?|\\b${LEAD}${LINK})(\\d{4})-(\\d\\d)-(\\d\\d)` +
    "(?:(?:[T ]| at )(\\d\\d):(\\d\\d)(?::\\d\\d(?:\\.\\d{1,9})?)?\\s?" +
    "(Z\\b|UTC\\b|GMT\\b|[+-]\\d\\d:?\\d\\d)?)?",
  "i",
);
const CLOCK_TIME = new RegExp(
  `\\b${LEAD}${LINK}(?:(tomorrow|today|${WEEKDAY}),? )?(?:at )?${CLOCK}${ZONE}`,
  "i",
);
const DATE = new RegExp(
  `\\b${LEAD}${LINK}(?:${WEEKDAY},? )?` +
    `(?:${MONTH} (\\d{1,2})(?:st|nd|rd|th)?|(\\d{1,2})(?:st|nd|rd|th)?\\.? ${MONTH})` +
    `(?:,? (\\d{4}))?(?:,? (?:at )?${CLOCK})?${ZONE}`,
  "i",
);

export function instantIn(text: string, base: ResetBase): number | undefined {
  const { observedAt = Number.NaN, utcOffsetMinutes = 0 } = base;
  const epoch = EPOCH.exec(text)?.[1];
  if (epoch !== undefined) return Number(epoch) * (epoch.length === 10 ? 1_000 : 1);
  const httpDate = HTTP_DATE.exec(text)?.[1];
  if (httpDate !== undefined) return valid(Date.parse(httpDate));
  const minutes = Number.isFinite(utcOffsetMinutes) ? utcOffsetMinutes : 0;
  const local = fixedZone(Math.max(-840, Math.min(840, minutes)));
  const iso = ISO.exec(text);
  if (iso !== null) return isoInstant(iso, local);
  if (!Number.isFinite(observedAt) || Math.abs(observedAt) > 8e15) return undefined;
  const date = DATE.exec(text);
  if (date !== null) return dateInstant(date, observedAt, local);
  const clock = CLOCK_TIME.exec(text);
  return clock === null ? undefined : clockInstant(clock, observedAt, local);
}

const valid = (epochMs: number): number | undefined =>
  Math.abs(epochMs) <= 8.64e15 ? epochMs : undefined;

function isoInstant(found: Groups, local: OffsetAt): number | undefined {
  const [year, month, day, hour, minute] = found.slice(1, 6).map((part) => Number(part ?? 0));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const zone = zoneOf(found[6], found[4] === undefined ? fixedZone(0) : local);
  return instantOf({ year, month, day, hour: hour ?? 0, minute: minute ?? 0 }, zone);
}

function dateInstant(found: Groups, observedAt: number, local: OffsetAt): number | undefined {
  const [, monthA, dayA, dayB, monthB, year] = found;
  const clock = clockOf(found.slice(6, 12)) ?? { hour: 0, minute: 0 };
  const zone = zoneOf(found[12], local);
  const today = dayIn(observedAt, zone);
  const month = MONTHS.indexOf((monthA ?? monthB ?? "").toLowerCase()) + 1;
  const wall = { ...clock, month, day: Number(dayA ?? dayB), year: Number(year ?? today.year) };
  const instant = instantOf(wall, zone);
  if (instant === undefined || year !== undefined || instant > observedAt - 30 * DAY)
    return instant;
  return instantOf({ ...wall, year: today.year + 1 }, zone);
}

function clockInstant(found: Groups, observedAt: number, local: OffsetAt): number | undefined {
  const clock = clockOf(found.slice(2, 8));
  if (clock === undefined) return undefined;
  const zone = zoneOf(found[8], local);
  const today = dayIn(observedAt, zone);
  const ahead = daysAhead(found[1]?.toLowerCase(), today);
  const onDay = (days: number): number | undefined =>
    instantOf({ ...today, ...clock, day: today.day + days }, zone);
  const instant = onDay(ahead.days);
  // A clock shows no seconds: a reset within this minute, or read a little late, is now and not tomorrow.
  const isPast = instant !== undefined && instant <= observedAt - JUST_NOW_MS;
  return isPast ? onDay(ahead.days + ahead.cycle) : instant;
}

/** How many days from today, and after how many the same word is meant again. */
function daysAhead(word: string | undefined, today: WallTime): { days: number; cycle: number } {
  if (word === undefined || word === "today") return { days: 0, cycle: 1 };
  if (word === "tomorrow") return { days: 1, cycle: 1 };
  const now = new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay();
  return { days: (DAYS.indexOf(word.slice(0, 3)) - now + 7) % 7, cycle: 7 };
}

/** Nothing where no clock shows it. */
function clockOf(parts: Groups): Pick<WallTime, "hour" | "minute"> | undefined {
  const [hour12, minute12, half, hour24, minute24, word] = parts;
  if (word !== undefined) return { hour: word.toLowerCase() === "noon" ? 12 : 0, minute: 0 };
  if (hour24 === undefined && !(Number(hour12) <= 12)) return undefined;
  const hour = hour24 ?? (Number(hour12) % 12) + (half?.toLowerCase() === "p" ? 12 : 0);
  const clock = { hour: Number(hour), minute: Number(minute24 ?? minute12 ?? 0) };
  return clock.hour < 24 && clock.minute < 60 ? clock : undefined;
}

function instantOf(wall: WallTime, zone: OffsetAt): number | undefined {
  if (wall.month < 1 || wall.month > 12 || wall.day < 1 || wall.day > 40) return undefined;
  if (wall.hour > 23 || wall.minute > 59) return undefined;
  return valid(epochOf(wall, zone));
}

/** A time that does not exist (spring) becomes the one after the gap; of two (autumn), the first. */
function epochOf(wall: WallTime, offsetAt: OffsetAt): number {
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  const before = asUtc - offsetAt(asUtc - DAY) * MINUTE;
  const after = asUtc - offsetAt(asUtc + DAY) * MINUTE;
  const holds = (epochMs: number): boolean => epochMs + offsetAt(epochMs) * MINUTE === asUtc;
  return holds(before) || !holds(after) ? before : after;
}

/** The wall clock of a zone at an instant. */
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

const zoneOf = (name: string | undefined, otherwise: OffsetAt): OffsetAt =>
  (name === undefined ? undefined : zoneNamed(name)) ?? otherwise;

export const fixedZone =
  (minutes: number): OffsetAt =>
  () =>
    minutes;

/** A zone as people and programs write it: `Europe/Berlin`, `UTC`, `PST`, `+02:00`. */
export function zoneNamed(name: string): OffsetAt | undefined {
  const fixed = fixedOffset(name);
  if (fixed !== undefined) return fixedZone(fixed);
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
