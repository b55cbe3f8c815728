/**
 * Delays a server asks for: header fields, JSON fields and sentences. Invariants: linear patterns; never negative;
 * more than 400 days is not believed.
 */
import { DURATION, parseDuration } from "./duration.ts";

const LONGEST = 400 * 86_400_000;

const WORDS = new RegExp(
  "\\b(?:try(?:ing)? again|retry(?:ing)?|come back|resets?|renews?|available(?: again)?|wait)" +
    "(?: (?:it|your request|the request|this|requests?))?" +
    "(?: (?:in|after|for|at least|another|about)){0,3}[:\\s\"'~≈]{0,3}" +
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
const SECONDS_WORDS = /\bretry after (\d{1,8})(?![\d.:]|\s?[a-z])/i;

export function delayIn(text: string): number | undefined {
  const ms = MILLISECONDS_FIELD.exec(text)?.[1];
  if (ms !== undefined) return believed(Number(ms));
  const words = (FIELD.exec(text) ?? WORDS.exec(text))?.[1];
  if (words !== undefined) return parseDuration(words);
  const seconds = (SECONDS_FIELD.exec(text) ?? SECONDS_WORDS.exec(text))?.[1];
  return believed(Number(seconds) * 1_000);
}

/** What is no number is not believed either. */
const believed = (ms: number): number | undefined => (ms <= LONGEST ? Math.round(ms) : undefined);
