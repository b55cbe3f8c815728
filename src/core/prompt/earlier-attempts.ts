/**
 * Tells the next attempt about earlier ones, once: the newest failure in full, then every attempt, newest first, with
 * its tier, approach and outcome, then what to do differently. Invariants: empty without attempts; the newest failure
 * is never cut in favour of older ones, which share `maxChars`; omissions are marked; foreign text is fenced.
 */
import { assert } from "../assert.ts";
import { labelled, quoted } from "./quoted.ts";
import { cleanLine } from "../foreign-text.ts";
import { hasTrait, type FailureKind } from "../kinds.ts";
import { approachKey } from "../progress/circular-fix.ts";

export interface PriorAttempt {
  /** Numbered from 1. */
  readonly attempt: number;
  /** Absent if unknown. */
  readonly tier?: number;
  readonly approach?: string;
  /** The output of the checks. */
  readonly feedback?: string;
  readonly error?: string;
  /** Equal for the same failure. */
  readonly signature?: string;
}

/** Whether an attempt failed because of its work; being cut off says nothing against its approach. */
export const isFailedWork = (counted: boolean, kind: FailureKind | undefined): boolean =>
  counted && kind !== undefined && !hasTrait(kind, "beside-the-work");

interface HistoryOptions {
  /** The limit for everything except the newest failure. */
  readonly maxChars?: number;
  /** Ask for a different approach after the first failure already. */
  readonly different?: boolean;
}

const CLOSING = "Fix the issues shown above. Take a different approach if needed.";
/** The limit for the newest failure, whatever else there is: twice what is recorded of one. */
const NEWEST_CHARS = 4000;
/** The size of the opening, the closing and the request for a different approach. */
const FRAME_CHARS = 480;
const HINTS_FRAME_CHARS = 200;
const LEAST_PER_ATTEMPT = 120;
/** For an older attempt: the outcome, not everything it printed. */
const MOST_PER_ATTEMPT = 500;
const DEFAULT_MAX_CHARS = 8000;
const LEAST_RETRY_CONTEXT = FRAME_CHARS + LEAST_PER_ATTEMPT;

export function retryContext(
  attempts: readonly PriorAttempt[],
  { maxChars = DEFAULT_MAX_CHARS, different = false }: HistoryOptions = {},
): string {
  assert(
    maxChars >= LEAST_RETRY_CONTEXT,
    `a retry context needs ${LEAST_RETRY_CONTEXT} characters`,
  );
  const newest = attempts.at(-1);
  if (newest === undefined) return "";
  const room = maxChars - FRAME_CHARS;
  const shown = attempts.slice(-Math.floor(room / LEAST_PER_ATTEMPT));
  const leftOut = attempts.length - shown.length;
  const each = Math.min(MOST_PER_ATTEMPT, Math.floor(room / shown.length) - 2);
  const blocks = shown.map((one, at) => attemptBlock(one, shown.slice(at + 1), each)).toReversed();
  return [
    ...lastFailure(newest),
    [
      `PREVIOUS ATTEMPTS (all failed): ${attempts.length}, newest first`,
      ...(leftOut === 0 ? [] : [`(${leftOut} earlier ones left out)`]),
      quoted(blocks.join("\n\n"), room + 24),
    ].join("\n"),
    [CLOSING, ...otherwise(newest, attempts.slice(0, -1), different)].join("\n"),
  ].join("\n\n");
}

function lastFailure(newest: PriorAttempt): readonly string[] {
  const text = textOf(newest);
  return text === ""
    ? []
    : [`What failed last (attempt ${newest.attempt}):\n${quoted(text, NEWEST_CHARS)}`];
}

/** The text of its failure, from the error or else the feedback. */
const textOf = ({ error = "", feedback = "" }: PriorAttempt): string =>
  (error.trim() === "" ? feedback : error).trim();

function attemptBlock(one: PriorAttempt, later: readonly PriorAttempt[], room: number): string {
  const { attempt, tier, approach, feedback = "", error = "" } = one;
  const told = tier === undefined ? "" : ` (model tier ${tier})`;
  const header = cleanLine(
    `Attempt ${attempt}${told}: ${cleanLine(approach ?? UNKNOWN)} - FAILED`,
    room,
  );
  const again = later.findLast((other) => sameText(textOf(one), textOf(other)));
  const isTold = later.length === 0 && error.trim() !== "";
  const came = isTold ? "shown above" : again && `the same as in attempt ${again.attempt}`;
  const fields = Object.entries({ "Verification feedback": feedback, Error: came ?? error })
    .map(([label, text]) => ({ label, text }))
    .filter(({ text }) => text.trim() !== "");
  const each = Math.floor((room - header.length) / Math.max(1, fields.length)) - 1;
  return [header, ...fields.map(({ label, text }) => labelled(label, text, each))].join("\n");
}

const UNKNOWN = "not recorded";
const MAX_SHOWN = 20;

const NOT_AGAIN = [
  "IMPORTANT: Try a DIFFERENT approach than previous attempts",
  "Consider: different library, different pattern, or simpler implementation",
];

/** What to do differently, and whether the last failure relates to earlier ones. */
function otherwise(
  newest: PriorAttempt,
  earlier: readonly PriorAttempt[],
  different: boolean,
): readonly string[] {
  if (earlier.length > 0) return [comparison(newest, earlier), ...NOT_AGAIN];
  return different
    ? [
        "Say first why it failed. Then take a DIFFERENT approach to what failed: a different library, a different pattern, or a simpler implementation.",
      ]
    : [];
}

function comparison(last: PriorAttempt, earlier: readonly PriorAttempt[]): string {
  const key = approachKey(last.approach ?? "");
  if (key !== "" && earlier.some(({ approach = "" }) => approachKey(approach) === key))
    return "The last approach had failed before: it must not be used again.";
  // Errors that merely begin alike are different; compare the whole text or the signature.
  if (earlier.some((one) => sameText(textOf(one), textOf(last))))
    return "Another approach failed with the same error before: look for the cause they share.";
  const { signature = "" } = last;
  return signature !== "" && earlier.some((one) => one.signature === signature)
    ? "Another approach failed in the same way before: look for the cause they share."
    : "Say first why the last one failed, then choose.";
}

const sameText = (one: string, other: string): boolean =>
  one !== "" && one.replaceAll(/\s+/g, " ") === other.replaceAll(/\s+/g, " ");

/** A short version, oldest first, for an agent that asks what was tried. */
export function recoveryHints(
  attempts: readonly PriorAttempt[],
  { maxChars = DEFAULT_MAX_CHARS }: { readonly maxChars?: number } = {},
): string {
  if (attempts.length === 0) return "";
  const lines = attempts.slice(-MAX_SHOWN).map((one) => {
    const error = cleanLine(one.error ?? one.feedback ?? UNKNOWN);
    return `Attempt ${one.attempt}: ${cleanLine(one.approach ?? UNKNOWN)} - FAILED\n  Error: ${error}`;
  });
  return [
    `Previous attempts: ${attempts.length}`,
    quoted(lines.join("\n\n"), maxChars - HINTS_FRAME_CHARS),
    ...(attempts.length < 2 ? [] : [NOT_AGAIN.join("\n")]),
  ].join("\n\n");
}
