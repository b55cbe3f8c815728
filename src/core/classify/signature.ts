/**
 * A failure's fingerprint: its text with everything masked that differs from run to run, hashed. Unlike a comparison of
 * results, it also masks addresses, paths and every number. Invariants: bounded, linear.
 */
import { stripEscapes } from "../foreign-text.ts";
import { masked } from "../masked-hash.ts";
import { hashText } from "../hash.ts";

const MAX_CHARS = 600;

/** Masked first, because they may contain the generally varying parts. */
const NAMES: readonly (readonly [pattern: RegExp, mask: string])[] = [
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, "<id>"],
  [/\b[a-z][a-z\d+.-]{1,15}:\/\/[^\s"'<>)\]]{1,400}/gi, "<url>"],
  [/(?:\b[a-z]:|[\w@.~-]{0,60})(?:[/\\][\w@.+~%=-]{1,120}){1,40}[/\\]?/gi, "<path>"],
  [/\b[\w-]{1,80}\.[a-z]{1,5}(?=:\d)/gi, "<path>"],
  [/\b(?:tmp|temp|req|org|msg|toolu|call|run)[-_.][\w-]{4,60}/gi, "<id>"],
];
/** Includes clock times such as `3:04 pm`. */
const NUMBER = /\d{1,40}(?:[.,:]\d{1,40}){0,6}(?:\s?[ap]m\b)?/gi;

export function signatureOf(text: string): string {
  let plain = stripEscapes(text.slice(0, MAX_CHARS));
  for (const [pattern, mask] of NAMES) plain = plain.replace(pattern, mask);
  plain = masked(plain).replace(NUMBER, "~").replaceAll("~", " ~ ");
  return hashText(plain.toLowerCase().replace(/\s+/g, " ").trim());
}
