/**
 * What another run's failed attempts at the same subtask tell the first attempt of a new one (B8). Invariants:
 * bounded, newest kept; oldest first; what was done by hand or went well is not told.
 */
import { tame } from "../foreign-text.ts";
import type { PriorAttempt } from "../prompt/prior-attempt.ts";
import type { SubtaskPast } from "./run-history.ts";

const MOST = 20;
const MAX_CHARS = 2000;

export function earlierAttempts({ attempts }: SubtaskPast): PriorAttempt[] {
  return [...attempts.values()]
    .filter(({ succeeded, failure }) => !succeeded && failure !== undefined)
    .slice(-MOST)
    .map(({ approach, failing, failure, error = "", entry }, index) => ({
      attempt: index + 1,
      tier: entry?.tier ?? 1,
      ...(approach === "" ? {} : { approach: tame(approach, { maxChars: MAX_CHARS }) }),
      ...(failing.length === 0
        ? {}
        : { feedback: `failing: ${tame(failing.join(", "), { maxChars: MAX_CHARS })}` }),
      error: error === "" ? (failure?.kind ?? "failed") : tame(error, { maxChars: MAX_CHARS }),
    }));
}
