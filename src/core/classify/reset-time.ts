/**
 * When to come back: a delay ("try again in 2m30s") or an instant ("resets 3am (Europe/Berlin)") that a server or a
 * limit's text names. Invariants: never throws; bounded, linear patterns; the structured header wins over text; more
 * than 400 days is not believed; a clock time in the past is the next such time; what needs an observation time and
 * has none gives nothing.
 */
import { hasTrait, type FailureKind } from "../kinds.ts";
import type { Evidence } from "../evidence.ts";

/** When and where the text was written. */
type ResetBase = Pick<Evidence, "observedAt" | "utcOffsetMinutes">;

export interface Reset {
  readonly retryAfterMs?: number;
  /** ISO 8601 in UTC. */
  readonly resetAt?: string;
}

const MAX_CHARS = 6_000;
const LONGEST_MS = 400 * 86_400_000;

const MENTIONS = /retry|again|reset|wait|regain|renew|available|limit reached\|/i;

/** The header first, then the deciding text, then the ends of the other texts. */
export function resetOf(evidence: Evidence, kind: FailureKind, decidingText: string): Reset {
  if (!hasTrait(kind, "passes")) return {};
  const { retryAfter, providerError, message, stderr, stdout } = evidence;
  if (typeof retryAfter === "string") {
    const value = retryAfter.slice(0, 200).trim();
    const field = /^[\d.]{1,12}$/.test(value) ? `retry-after: ${value}` : value;
    const reset = resetIn(field, evidence);
    if (reset !== undefined) return reset;
  }
  for (const text of [decidingText, providerError?.message, message, stderr, stdout]) {
    if (typeof text !== "string") continue;
    const end = text.slice(-MAX_CHARS);
    const reset = MENTIONS.test(end) ? resetIn(end, evidence) : undefined;
    if (reset !== undefined) return reset;
  }
  return {};
}

/** What a text says about it; empty where it says nothing. */
export const parseReset = (text: string, base: ResetBase = {}): Reset =>
  resetIn(text.slice(0, MAX_CHARS), base) ?? {};

function resetIn(text: string, base: ResetBase): Reset | undefined {
  const retryAfterMs = delayIn(text);
  if (retryAfterMs !== undefined) return { retryAfterMs };
  const instant = instantIn(text, base);
  return instant === undefined ? undefined : { resetAt: new Date(instant).toISOString() };
}

const UNIT =
  "ms|millis(?:econds?)?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?" +
  "|d|days?|w|weeks?";
const PART = `\\d{1,9}(?:\\.\\d{1,12})?\\s?(?:${UNIT})(?![a-z])`;
const DURATION = `(?:a few seconds|${PART}(?:,?\\s{0,2}(?:and\\s)?${PART}){0,5})`;

const SENTENCE = new RegExp(
  "\\b(?:try(?:ing)? again|retry(?:ing)?|come back|resets?|renews?|available(?: again)?|wait)" +
    "(?: (?:it|your request|the request|this|requests?))?" +
    "(?: (?:in|after|for|at least|another|about)){0,3}[:\\s\"'~\u2248]{0,3}" +
    `(${DURATION})`,
  "i",
);
const FIELD = new RegExp(
  "\\b(?:retry[_-]?delay|retry[_-]?after|reset[_-]?after|ratelimit-reset-\\w{3,8})" +
    `["']?\\s?[:=]\\s?["']?(${DURATION})`,
  "i",
);
const MILLISECONDS_FIELD = /\bretry[_-]?after[_-]?ms["']?\s?[:=]\s?["']?(\d{1,11}(?:\.\d)?)/i;
const SECONDS_FIELD = new RegExp(
  "\\b(?:retry[_-]?after(?:[_-]?(?:seconds|secs|s))?|resets?[_-]?in[_-]?seconds|retry[_-]?in)" +
    `["']?\\s?[:=]\\s?["']?(\\d{1,8}(?:\\.\\d{1,6})?)(?![\\d:.-])`,
  "i",
);
const SECONDS_SENTENCE = /\bretry after (\d{1,8})(?![\d.:]|\s?[a-z])/i;

function delayIn(text: string): number | undefined {
  const ms = MILLISECONDS_FIELD.exec(text)?.[1];
  if (ms !== undefined) return believed(Number(ms));
  const duration = (FIELD.exec(text) ?? SENTENCE.exec(text))?.[1];
  if (duration !== undefined) return parseDuration(duration);
  const seconds = (SECONDS_FIELD.exec(text) ?? SECONDS_SENTENCE.exec(text))?.[1];
  return believed(Number(seconds) * 1_000);
}

/** What is no number is not believed either. */
const believed = (ms: number): number | undefined =>
  ms <= LONGEST_MS ? Math.round(ms) : undefined;

const EACH_PART = new RegExp(`(\\d{1,9}(?:\\.\\d{1,12})?)\\s?(${UNIT})(?![a-z])`, "gi");
/** By the first letter; milliseconds apart. */
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** "2m30s", "5 days 3 hours", "1.5s", "20ms". */
export function parseDuration(text: string): number | undefined {
  if (text.startsWith("a few")) return 5_000;
  let total = Number.NaN;
  for (const [, amount, unit = ""] of text.toLowerCase().matchAll(EACH_PART)) {
    const unitMs = /^m(?:s|illi)/.test(unit) ? 1 : (UNIT_MS[unit.slice(0, 1)] ?? 0);
    total = (total || 0) + Number(amount) * unitMs;
  }
  return believed(total);
}

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

function instantIn(text: string, base: ResetBase): number | undefined {
  const { observedAt = Number.NaN, utcOffsetMinutes = 0 } = base;
  const epoch = EPOCH.exec(text)?.[1];
  if (epoch !== undefined) return Number(epoch) * (epoch.length === 10 ? 1_000 : 1);
  const httpDate = HTTP_DATE.exec(text)?.[1];
  if (httpDate !== undefined) return valid(Date.parse(httpDate));
  const minutes = Number.isFinite(utcOffsetMinutes) ? utcOffsetMinutes : 0;
  const local: OffsetAt = () => Math.max(-840, Math.min(840, minutes));
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
  const parts = found.slice(1, 6).map((part) => Number(part ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts;
  const zone = zoneNamed(found[6]) ?? (found[4] === undefined ? () => 0 : local);
  return instantOf({ year, month, day, hour, minute }, zone);
}

function dateInstant(found: Groups, observedAt: number, local: OffsetAt): number | undefined {
  const [, monthA, dayA, dayB, monthB, year] = found;
  const clock = clockOf(found.slice(6, 12)) ?? { hour: 0, minute: 0 };
  const zone = zoneNamed(found[12]) ?? local;
  const thisYear = wallDate(observedAt, zone).getUTCFullYear();
  const month = MONTHS.indexOf((monthA ?? monthB ?? "").toLowerCase()) + 1;
  const wall = { ...clock, month, day: Number(dayA ?? dayB), year: Number(year ?? thisYear) };
  const instant = instantOf(wall, zone);
  if (instant === undefined || year !== undefined || instant > observedAt - 30 * DAY)
    return instant;
  return instantOf({ ...wall, year: thisYear + 1 }, zone);
}

function clockInstant(found: Groups, observedAt: number, local: OffsetAt): number | undefined {
  const clock = clockOf(found.slice(2, 8));
  if (clock === undefined) return undefined;
  const zone = zoneNamed(found[8]) ?? local;
  const today = wallDate(observedAt, zone);
  const year = today.getUTCFullYear();
  const month = today.getUTCMonth() + 1;
  const { days, cycle } = daysAhead(found[1]?.toLowerCase(), today.getUTCDay());
  const onDay = (ahead: number): number | undefined =>
    instantOf({ ...clock, year, month, day: today.getUTCDate() + ahead }, zone);
  const instant = onDay(days);
  // A clock shows no seconds: a reset within this minute, or read a little late, is now and not tomorrow.
  const isPast = instant !== undefined && instant <= observedAt - JUST_NOW_MS;
  return isPast ? onDay(days + cycle) : instant;
}

/** How many days from today, and after how many the same word is meant again. */
function daysAhead(word: string | undefined, weekday: number): { days: number; cycle: number } {
  if (word === undefined || word === "today") return { days: 0, cycle: 1 };
  if (word === "tomorrow") return { days: 1, cycle: 1 };
  return { days: (DAYS.indexOf(word.slice(0, 3)) - weekday + 7) % 7, cycle: 7 };
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

/** A time that does not exist (spring) becomes the one after the gap; of two (autumn), the first. */
function instantOf(wall: WallTime, offsetAt: OffsetAt): number | undefined {
  if (wall.month < 1 || wall.month > 12 || wall.day < 1 || wall.day > 40) return undefined;
  if (wall.hour > 23 || wall.minute > 59) return undefined;
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
  const before = asUtc - offsetAt(asUtc - DAY) * MINUTE;
  const after = asUtc - offsetAt(asUtc + DAY) * MINUTE;
  const holds = (epochMs: number): boolean => epochMs + offsetAt(epochMs) * MINUTE === asUtc;
  return valid(holds(before) || !holds(after) ? before : after);
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
