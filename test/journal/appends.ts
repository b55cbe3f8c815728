/** Events to put into journals, and how. */
import type { RunEvent } from "../../src/core/run/decision.ts";
import { eventText } from "../../src/journal/event-text.ts";
import type { Append } from "../../src/journal/journal.ts";
import type { Claim } from "../../src/journal/owners.ts";

/** An event that is told apart by its number. */
export const numbered = (attempt: number, words = ""): RunEvent => ({
  kind: "nudge-sent",
  subtask: "a",
  attempt,
  words,
});

export const appendOf = (
  claim: Claim,
  expected: number,
  events: readonly RunEvent[],
  more: Partial<Append> = {},
): Append => ({
  ...{ claim, expected, events: events.map(eventText), taken: [], phase: "active", at: 5 },
  ...more,
});
