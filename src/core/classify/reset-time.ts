/**
 * When to retry: a delay ("try again in 2m30s") or an instant ("resets 3am (Europe/Berlin)") named by a server or a
 * limit message. Invariants: never throws; bounded, linear patterns; the structured header takes precedence over text;
 * anything beyond 400 days is rejected; a past clock time means its next occurrence; a time that depends on a missing
 * observation time is ignored.
 */
import { hasTrait, type FailureKind } from "../kinds.ts";
import type { Evidence } from "../evidence.ts";
import {
  instantsOf,
  localZone,
  wallDate,
  zoneNamed,
  type OffsetAt,
  type WallTime,
} from "./time-zones.ts";

/** When and in which time zone the text was written. */
type ResetBase = Pick<Evidence, "observedAt" | "utcOffsetMinutes" | "timeZone">;

interface ResetInstant {
  readonly epochMs: number;
  /** Given to the second. */
  readonly isExact: boolean;
}

/** The groups of a match, some of them undefined. */
type Groups = readonly (string | undefined)[];

const JUST_NOW_MS = 120_000;
const DAY = 86_400_000;
const LEAD =
  "(?:try again|retry(?:[ _-]?after)?|come back|reset(?:s|ting)?|renews?|available(?: again)?" +
  "|wait until|regain access|restored|until|resets?[ _-]?(?:at|on|time)|ratelimit-\\w{1,12}-reset)";
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
  "|(\\d{1,2}):(\\d\\d)(?::(\\d\\d))?|(midnight|noon))";

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
    "(?:(?:[T ]| at )(\\d\\d):(\\d\\d)(?::(\\d\\d(?:\\.\\d{1,9})?))?\\s?" +
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

function instantIn(text: string, base: ResetBase): ResetInstant | undefined {
  const epoch = EPOCH.exec(text)?.[1];
  if (epoch !== undefined)
    return { epochMs: Number(epoch) * (epoch.length === 10 ? 1_000 : 1), isExact: true };
  const httpDate = HTTP_DATE.exec(text)?.[1];
  if (httpDate !== undefined) {
    const epochMs = Date.parse(httpDate);
    return Number.isNaN(epochMs) ? undefined : { epochMs, isExact: true };
  }
  const iso = ISO.exec(text);
  if (iso !== null)
    return known(
      isoInstant(iso, () => localZone(base)),
      iso[6],
    );
  const { observedAt = Number.NaN } = base;
  if (!Number.isFinite(observedAt) || Math.abs(observedAt) > 8e15) return undefined;
  const date = DATE.exec(text);
  if (date !== null) return known(dateInstant(date, observedAt, localZone(base)), date[11]);
  const clock = CLOCK_TIME.exec(text);
  if (clock === null) return undefined;
  return known(clockInstant(clock, observedAt, localZone(base)), clock[7]);
}

const known = (
  epochMs: number | undefined,
  second: string | undefined,
): ResetInstant | undefined =>
  epochMs === undefined ? undefined : { epochMs, isExact: second !== undefined };

function isoInstant(found: Groups, local: () => OffsetAt): number | undefined {
  const parts = found.slice(1, 7).map((part) => Number(part ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const zone = zoneNamed(found[7]) ?? (found[4] === undefined ? () => 0 : local());
  return instantsOf({ year, month, day, hour, minute, second }, zone)[0];
}

function dateInstant(found: Groups, observedAt: number, local: OffsetAt): number | undefined {
  const [, monthA, dayA, dayB, monthB, year] = found;
  const clock = clockOf(found.slice(6, 13)) ?? { hour: 0, minute: 0, second: 0 };
  const zone = zoneNamed(found[13]) ?? local;
  const thisYear = wallDate(observedAt, zone).getUTCFullYear();
  const month = MONTHS.indexOf((monthA ?? monthB ?? "").toLowerCase()) + 1;
  const wall = { ...clock, month, day: Number(dayA ?? dayB), year: Number(year ?? thisYear) };
  const instant = firstToCome(instantsOf(wall, zone), observedAt);
  if (instant === undefined || year !== undefined || instant > observedAt - 30 * DAY)
    return instant;
  return instantsOf({ ...wall, year: thisYear + 1 }, zone)[0];
}

function clockInstant(found: Groups, observedAt: number, local: OffsetAt): number | undefined {
  const clock = clockOf(found.slice(2, 9));
  if (clock === undefined) return undefined;
  const zone = zoneNamed(found[9]) ?? local;
  const today = wallDate(observedAt, zone);
  const year = today.getUTCFullYear();
  const month = today.getUTCMonth() + 1;
  const { days, cycle } = daysAhead(found[1]?.toLowerCase(), today.getUTCDay());
  const onDay = (ahead: number): number | undefined =>
    firstToCome(
      instantsOf({ ...clock, year, month, day: today.getUTCDate() + ahead }, zone),
      observedAt,
    );
  const instant = onDay(days);
  return instant !== undefined && isPast(instant, observedAt) ? onDay(days + cycle) : instant;
}

/** Clock times have no seconds: a reset within this minute, or read slightly late, means now and not tomorrow. */
const isPast = (instant: number, observedAt: number): boolean =>
  instant <= observedAt - JUST_NOW_MS;

/** Of the two instants of a repeated autumn hour, the one that is still to come, else the first. */
const firstToCome = (instants: readonly number[], observedAt: number): number | undefined =>
  instants.find((instant) => !isPast(instant, observedAt)) ?? instants[0];

/** Days from today, and the days until the same word applies again. */
function daysAhead(word: string | undefined, weekday: number): { days: number; cycle: number } {
  if (word === undefined || word === "today") return { days: 0, cycle: 1 };
  if (word === "tomorrow") return { days: 1, cycle: 1 };
  return { days: (DAYS.indexOf(word.slice(0, 3)) - weekday + 7) % 7, cycle: 7 };
}

/** Undefined if it is not a valid time of day. */
function clockOf(parts: Groups): Pick<WallTime, "hour" | "minute" | "second"> | undefined {
  const [hour12, minute12, half, hour24, minute24, second, word] = parts;
  if (word !== undefined)
    return { hour: word.toLowerCase() === "noon" ? 12 : 0, minute: 0, second: 0 };
  if (hour24 === undefined && !(Number(hour12) <= 12)) return undefined;
  const hour = hour24 ?? (Number(hour12) % 12) + (half?.toLowerCase() === "p" ? 12 : 0);
  const minute = Number(minute24 ?? minute12 ?? 0);
  const clock = { hour: Number(hour), minute, second: Number(second ?? 0) };
  return clock.hour < 24 && minute < 60 && clock.second < 60 ? clock : undefined;
}

export interface Reset {
  readonly retryAfterMs?: number;
  /** ISO 8601 in UTC. */
  readonly resetAt?: string;
  /** The reset time was given to the second. */
  readonly resetIsExact?: true;
}

const MAX_CHARS = 6_000;
const LONGEST_MS = 400 * 86_400_000;

const MENTIONS = /retry|again|reset|wait|regain|restor|renew|available|limit reached\|/i;

/** Reads the header first, then the deciding text, then the ends of the other texts. */
export function resetOf(evidence: Evidence, kind: FailureKind, decidingText: string): Reset {
  if (!hasTrait(kind, "passes")) return {};
  const { retryAfter, providerError, message, stderr, stdout } = evidence;
  if (typeof retryAfter === "string") {
    const value = retryAfter.slice(0, 200).trim();
    const field = BARE_DELAY.test(value) ? `retry-after: ${value}` : value;
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

/** The reset named by a text; empty if it names none. */
export const parseReset = (text: string, base: ResetBase = {}): Reset =>
  resetIn(text.slice(0, MAX_CHARS), base) ?? {};

function resetIn(text: string, base: ResetBase): Reset | undefined {
  const retryAfterMs = delayIn(text);
  if (retryAfterMs !== undefined) return { retryAfterMs };
  const instant = instantIn(text, base);
  if (instant === undefined || Math.abs(instant.epochMs) > 8.64e15) return undefined;
  const resetAt = new Date(instant.epochMs).toISOString();
  return instant.isExact ? { resetAt, resetIsExact: true } : { resetAt };
}

const UNIT =
  "ms|millis(?:econds?)?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?" +
  "|d|days?|w|weeks?";
const PART = `\\d{1,9}(?:\\.\\d{1,12})?\\s?(?:${UNIT})(?![a-z])`;
const DURATION = `(?:a few seconds|${PART}(?:,?\\s{0,2}(?:and\\s)?${PART}){0,5})`;

const BARE_DELAY = new RegExp(`^[\\d.]{1,12}\\s?(?:${UNIT})?$`, "i");
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
const SECONDS_SENTENCE = /\bretry after (\d{1,8})(?![\d.:-]|\s?[a-z])/i;

function delayIn(text: string): number | undefined {
  const ms = MILLISECONDS_FIELD.exec(text)?.[1];
  if (ms !== undefined) return believed(Number(ms));
  const duration = (FIELD.exec(text) ?? SENTENCE.exec(text))?.[1];
  if (duration !== undefined) return parseDuration(duration);
  const seconds = (SECONDS_FIELD.exec(text) ?? SECONDS_SENTENCE.exec(text))?.[1];
  return believed(Number(seconds) * 1_000);
}

/** Also rejects NaN. */
const believed = (ms: number): number | undefined =>
  ms <= LONGEST_MS ? Math.round(ms) : undefined;

const EACH_PART = new RegExp(`(\\d{1,9}(?:\\.\\d{1,12})?)\\s?(${UNIT})(?![a-z])`, "gi");
/** By first letter; milliseconds are handled separately. */
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
