/**
 * Recovery hints (B9) and the demand for a different approach (B4). Invariants: empty without attempts; one line
 * for an approach, one for its error; bounded; foreign text is fenced.
 */
import { tameLine } from "../foreign-text.ts";
import { approachKey } from "../progress/circular-fix.ts";
import type { PriorAttempt } from "./prior-attempt.ts";
import { quoted } from "./quoted.ts";

const MAX_SHOWN = 20;
const DEFAULT_MAX_CHARS = 8000;
const FRAME_CHARS = 200;

const NOT_AGAIN = [
  "IMPORTANT: Try a DIFFERENT approach than previous attempts",
  "Consider: different library, different pattern, or simpler implementation",
].join("\n");

const UNKNOWN = "not recorded";
const errorOf = ({ error, feedback }: PriorAttempt): string =>
  tameLine(error ?? feedback ?? UNKNOWN);

export function recoveryHints(
  attempts: readonly PriorAttempt[],
  { maxChars = DEFAULT_MAX_CHARS }: { readonly maxChars?: number } = {},
): string {
  if (attempts.length === 0) return "";
  const lines = attempts
    .slice(-MAX_SHOWN)
    .map(
      (one) =>
        `Attempt ${one.attempt}: ${tameLine(one.approach ?? UNKNOWN)} - FAILED\n  Error: ${errorOf(one)}`,
    );
  return [
    `Previous attempts: ${attempts.length}`,
    quoted(lines.join("\n\n"), maxChars - FRAME_CHARS),
    ...(attempts.length < 2 ? [] : [NOT_AGAIN]),
  ].join("\n\n");
}

/** What the last attempt tried, what came of it, whether that is new, and what to do otherwise. */
export function differentApproach(attempts: readonly PriorAttempt[]): string {
  const last = attempts.at(-1);
  if (last === undefined) return "";
  const { approach = UNKNOWN } = last;
  const earlier = attempts.slice(0, -1);
  const same = (a: string | undefined, b: string): boolean =>
    a !== undefined && a !== UNKNOWN && approachKey(a) === approachKey(b);
  const analysis = earlier.some((one) => same(one.approach, approach))
    ? "That approach has failed before: it must not be used again."
    : earlier.some((one) => same(errorOf(one), errorOf(last)))
      ? "Another approach failed with the same error before: look for the cause they share."
      : "Say first why it failed, then choose.";
  return [
    "The last attempt failed:",
    quoted(`Approach: ${tameLine(approach)}\nError: ${errorOf(last)}`, 500),
    analysis,
    "Take a DIFFERENT approach:",
    "- if a library failed, use a different library",
    "- if a pattern failed, use a different pattern",
    "- if a complex approach failed, use a simpler implementation",
  ].join("\n");
}
