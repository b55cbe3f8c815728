// proves: B8
import assert from "node:assert/strict";
import { test } from "node:test";
import { earlierAttempts } from "../../../src/core/history/attempt-history.ts";
import type { PastAttempt, SubtaskPast } from "../../../src/core/history/run-history.ts";
import { failure } from "../../cli/terminal/events.ts";

const attempt = (more: Partial<PastAttempt> = {}): PastAttempt => ({
  attempt: 7,
  session: 1,
  approach: "",
  counted: true,
  failing: [],
  used: {},
  succeeded: false,
  failure: failure("looping"),
  ...more,
});
const past = (...attempts: readonly PastAttempt[]): SubtaskPast => ({
  id: "a",
  attempts: new Map(attempts.map((one, index) => [index + 1, one])),
  events: [],
  questions: [],
});

test("each failed attempt with what is known of it, counted anew", () => {
  const { failure: _, ...byHand } = attempt();
  assert.deepEqual(
    earlierAttempts(
      past(
        byHand,
        attempt({ succeeded: true }),
        attempt(),
        attempt({
          entry: { agent: "x", tier: 3 },
          approach: "events",
          failing: ["adds", "sums"],
          error: "boom",
        }),
      ),
    ),
    [
      { attempt: 1, error: "looping" },
      { attempt: 2, tier: 3, approach: "events", feedback: "failing: adds, sums", error: "boom" },
    ],
  );
  assert.deepEqual(earlierAttempts(past()), []);
});

test("the newest twenty, and of each no more than 2,000 characters", () => {
  const many = Array.from({ length: 21 }, (_, n) => attempt({ error: `e${n + 1}` }));
  const told = earlierAttempts(past(...many));
  assert.deepEqual([told.length, told[0]?.error, told.at(-1)?.error], [20, "e2", "e21"]);
  const long = "x".repeat(3000);
  const [one] = earlierAttempts(past(attempt({ approach: long, failing: [long], error: long })));
  assert.deepEqual(
    [one?.approach?.length, one?.feedback?.length, one?.error?.length],
    [2000, 2009, 2000],
  );
});
