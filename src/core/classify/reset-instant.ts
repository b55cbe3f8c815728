/**
 * Instants at which a limit resets: epoch numbers, ISO and HTTP dates, dates and clock times in words. Invariants:
 * linear patterns; a clock time in the past is the next such time; what needs an observation time and has none
 * gives nothing.
 */
import { dayIn, epochOf, fixedZone, zoneNamed } from "./zone.ts";
import type { OffsetAt, WallTime } from "./zone.ts";

export interface ResetBase {
  /** Epoch milliseconds. */
  readonly observedAt?: number;
  readonly utcOffsetMinutes?: number;
}

const JUST_NOW_MS = 120_000;
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
  const epoch = EPOCH.exec(text)?.[1];
  if (epoch !== undefined) return Number(epoch) * (epoch.length === 10 ? 1_000 : 1);
  const httpDate = HTTP_DATE.exec(text)?.[1];
  if (httpDate !== undefined) return valid(Date.parse(httpDate));
  const local = fixedZone(Math.max(-840, Math.min(840, base.utcOffsetMinutes ?? 0)));
  const iso = ISO.exec(text);
  if (iso !== null) return isoInstant(iso, local);
  const { observedAt = Number.NaN } = base;
  if (!(Math.abs(observedAt) <= 8e15)) return undefined;
  const date = DATE.exec(text);
  if (date !== null) return dateInstant(date, observedAt, local);
  const clock = CLOCK_TIME.exec(text);
  return clock === null ? undefined : clockInstant(clock, observedAt, local);
}

const valid = (epochMs: number): number | undefined =>
  Math.abs(epochMs) <= 8.64e15 ? epochMs : undefined;

function isoInstant(found: readonly (string | undefined)[], local: OffsetAt): number | undefined {
  const [, year, month, day, hour, minute, zone] = found;
  const wall = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
  };
  const dayOnly = hour === undefined ? fixedZone(0) : local;
  return instantOf(wall, zone === undefined ? dayOnly : (zoneNamed(zone) ?? local));
}

function dateInstant(
  found: readonly (string | undefined)[],
  observedAt: number,
  local: OffsetAt,
): number | undefined {
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

function clockInstant(
  found: readonly (string | undefined)[],
  observedAt: number,
  local: OffsetAt,
): number | undefined {
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

function clockOf(
  parts: readonly (string | undefined)[],
): { readonly hour: number; readonly minute: number } | undefined {
  const [hour12, minute12, half, hour24, minute24, word] = parts;
  if (word !== undefined) return { hour: word.toLowerCase() === "noon" ? 12 : 0, minute: 0 };
  if (hour24 !== undefined) return inDay(Number(hour24), Number(minute24));
  if (hour12 === undefined || Number(hour12) > 12) return undefined;
  const hour = (Number(hour12) % 12) + (half?.toLowerCase() === "p" ? 12 : 0);
  return inDay(hour, Number(minute12 ?? 0));
}

const inDay = (hour: number, minute: number): { hour: number; minute: number } | undefined =>
  hour < 24 && minute < 60 ? { hour, minute } : undefined;

const zoneOf = (name: string | undefined, local: OffsetAt): OffsetAt =>
  name === undefined ? local : (zoneNamed(name) ?? local);

function instantOf(wall: WallTime, zone: OffsetAt): number | undefined {
  if (wall.month < 1 || wall.month > 12 || wall.day < 1 || wall.day > 40) return undefined;
  if (wall.hour > 23 || wall.minute > 59) return undefined;
  return valid(epochOf(wall, zone));
}
