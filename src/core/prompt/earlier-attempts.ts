/**
 * What earlier attempts came to, told to the next one: the retry context (E6), recovery hints (B9) and the demand
 * for a different approach (B4). Invariants: empty without attempts; never longer than asked; the newest attempts
 * are kept when not all fit, and it says how many were left out; foreign text is fenced.
 */
import { assert } from "../assert.ts";
import { labelled, quoted } from "./quoted.ts";
import { tameLine } from "../foreign-text.ts";
import { approachKey } from "../progress/circular-fix.ts";

export interface PriorAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly tier: number;
  readonly approach?: string;
  /** What the checks said. */
  readonly feedback?: string;
  readonly error?: string;
}

const OPENING = "PREVIOUS ATTEMPTS (all failed):";
const CLOSING = "Fix the issues shown above. Take a different approach if needed.";
const FRAME_CHARS = 200;
const LEAST_PER_ATTEMPT = 120;
const DEFAULT_MAX_CHARS = 8000;
const LEAST_RETRY_CONTEXT = FRAME_CHARS + LEAST_PER_ATTEMPT;

export function retryContext(
  attempts: readonly PriorAttempt[],
  { maxChars = DEFAULT_MAX_CHARS }: { readonly maxChars?: number } = {},
): string {
  assert(
    maxChars >= LEAST_RETRY_CONTEXT,
    `a retry context needs ${LEAST_RETRY_CONTEXT} characters`,
  );
  if (attempts.length === 0) return "";
  const room = maxChars - FRAME_CHARS;
  const shown = attempts.slice(-Math.floor(room / LEAST_PER_ATTEMPT));
  const leftOut = attempts.length - shown.length;
  const blocks = shown.map((one) => attemptBlock(one, Math.floor(room / shown.length) - 2));
  return [
    leftOut === 0 ? OPENING : `${OPENING}\n(${leftOut} earlier ones left out)`,
    quoted(blocks.join("\n\n"), room + 24),
    CLOSING,
  ].join("\n\n");
}

function attemptBlock(
  { attempt, tier, approach, feedback, error }: PriorAttempt,
  room: number,
): string {
  const header = `Attempt ${attempt} (model tier ${tier}):`;
  const fields = Object.entries({
    Approach: approach,
    "Verification feedback": feedback,
    Error: error,
  });
  const told = fields.flatMap(([label, text]) =>
    text === undefined || text.trim() === "" ? [] : [{ label, text }],
  );
  const each = Math.floor((room - header.length) / Math.max(1, told.length)) - 1;
  return [header, ...told.map(({ label, text }) => labelled(label, text, each))].join("\n");
}

const MAX_SHOWN = 20;

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
