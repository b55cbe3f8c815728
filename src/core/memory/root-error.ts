/**
 * The fingerprint of the error behind a failing check, whichever test met it: a missing module, a type error, a refused
 * connection. Nothing for a plain comparison ("expected 3, got 4"): its words are the same for failures that have
 * nothing to do with each other.
 */
import { signatureOf } from "../classify/signature.ts";
import type { FailingItem } from "../excerpt/items.ts";

/** Less than that says nothing about what went wrong. */
const LEAST_WORDS = 3;
const COMPARES = /\b(?:assert\w*|expect(?:ed|s)?|should|to (?:be|equal|match))\b/i;
const WORD = /\p{L}{2,}/gu;

export function rootError([first]: readonly FailingItem[]): string | undefined {
  if (first === undefined) return undefined;
  const { message, expected, got } = first;
  if (expected !== undefined || got !== undefined || COMPARES.test(message)) return undefined;
  const words = message.match(WORD) ?? [];
  return words.length < LEAST_WORDS ? undefined : signatureOf(message);
}
