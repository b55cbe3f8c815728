/**
 * A failure's fingerprint: its text with everything masked that differs from run to run, hashed. Invariants:
 * bounded, linear, stable when only paths, numbers, hex, ids, times, durations or temporary names change.
 */
import { stripEscapes } from "../foreign-text.ts";
import { hashText } from "../hash.ts";

const MAX_CHARS = 600;

interface Mask {
  /** Only where the text has such a character or word: spares most patterns. */
  readonly where: RegExp;
  readonly pattern: RegExp;
  readonly mark: string;
}

/** Order matters: what contains others goes first. */
const MASKS: readonly Mask[] = [
  {
    where: /-/,
    pattern: /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi,
    mark: "<id>",
  },
  { where: /:\/\//, pattern: /\b[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'<>)\]]{1,400}/gi, mark: "<url>" },
  {
    where: /[/\\]/,
    pattern: /(?:\b[a-z]:|[\w@.~-]{0,60})(?:[/\\][\w@.+~%=-]{1,120}){1,40}[/\\]?/gi,
    mark: "<path>",
  },
  { where: /:/, pattern: /\b[\w-]{1,80}\.[a-z]{1,5}(?=:\d)/gi, mark: "<path>" },
  {
    where: /-/,
    pattern: /\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?)?/gi,
    mark: "<time>",
  },
  {
    where: /:/,
    pattern: /\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:\s?[ap]m)?\b/gi,
    mark: "<time>",
  },
  {
    where: /\d/,
    pattern: new RegExp(
      "(?<![\\w.])(?:\\d{1,9}(?:\\.\\d{1,12})?\\s?" +
        "(?:ms|µs|us|ns|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)\\s?){1,5}(?![a-z])",
      "gi",
    ),
    mark: "<duration> ",
  },
  { where: /0x/i, pattern: /\b0x[\da-f]{1,16}\b/gi, mark: "<hex>" },
  {
    where: /\d/,
    pattern: /\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[\da-f]{7,64}\b/gi,
    mark: "<hex>",
  },
  {
    where: /tmp|temp|req|org|msg|toolu|call|run/i,
    pattern: /\b(?:tmp|temp|req|org|msg|toolu|call|run)[-_.][\w-]{4,60}/gi,
    mark: "<id>",
  },
  { where: /\d/, pattern: /\d{1,40}(?:[.,]\d{1,40}){0,6}/g, mark: "<n>" },
];

export function signatureOf(text: string): string {
  let masked = stripEscapes(text.slice(0, MAX_CHARS));
  for (const { where, pattern, mark } of MASKS)
    if (where.test(masked)) masked = masked.replace(pattern, mark);
  return hashText(masked.toLowerCase().replace(/\s+/g, " ").trim());
}
