/**
 * When to come back: a delay ("try again in 2m30s") or an instant ("resets 3am (Europe/Berlin)") that a server or a
 * limit's text names. Invariants: never throws; bounded, linear patterns; the structured header wins over text; more
 * than 400 days is not believed; a clock time in the past is the next such time; what needs an observation time and
 * has none gives nothing.
 */
import { hasTrait, type FailureKind } from "../kinds.ts";
import type { Evidence } from "../evidence.ts";
import { instantIn, type ResetBase } from "./reset-instant.ts";

export interface Reset {
  readonly retryAfterMs?: number;
  /** ISO 8601 in UTC. */
  readonly resetAt?: string;
  /** It was named to the second. */
  readonly resetIsExact?: true;
}

const MAX_CHARS = 6_000;
const LONGEST_MS = 400 * 86_400_000;

const MENTIONS = /retry|again|reset|wait|regain|restor|renew|available|limit reached\|/i;

/** The header first, then the deciding text, then the ends of the other texts. */
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

/** What a text says about it; empty where it says nothing. */
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
