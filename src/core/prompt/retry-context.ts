/**
 * Retry context (E6): what every earlier attempt came to, for the next one. Invariants: empty without attempts;
 * never longer than asked; the newest attempts are kept when not all fit, and it says how many were left out.
 */
import { assert } from "../assert.ts";
import type { PriorAttempt } from "./prior-attempt.ts";
import { labelled, quoted } from "./quoted.ts";

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
