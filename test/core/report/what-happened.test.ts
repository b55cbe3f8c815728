// proves: J21, B6
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFailure } from "../../../src/core/failure.ts";
import type { PastAttempt, PastEvent, SubtaskPast } from "../../../src/core/history/run-history.ts";
import { whatHappened } from "../../../src/core/report/subtask-report.ts";

const failure = makeFailure({
  kind: "verification_failed",
  origin: "check",
  because: ["the check failed"],
});
const past = (errors: readonly string[], events: readonly PastEvent[]): SubtaskPast => ({
  id: "a",
  attempts: new Map(
    errors.map((error, index): [number, PastAttempt] => [
      index + 1,
      {
        ...{ attempt: index + 1, approach: "", counted: true, failure, error, failing: [] },
        ...{ session: 1, used: {}, succeeded: false },
      },
    ]),
  ),
  events: [...events],
  questions: [],
});
const recovery = (
  kind: "feedback" | "skip" | "retry",
  by: "rung" | "guard" | "structure" = "rung",
): PastEvent => ({
  ...{ kind: "recovery", recoveries: [{ kind }], chosenBy: { by, id: kind } },
  because: `rung ${kind} is the first`,
});

test("how often, of what, in circles or not, and what was tried", () => {
  assert.equal(
    whatHappened(
      past(
        ["one", "two", "\nexpected 2\ngot 3"],
        [
          recovery("feedback"),
          recovery("feedback"),
          { kind: "circle", because: "the same approach in attempts 1, 2, 3" },
          recovery("skip"),
        ],
      ),
    ),
    "3 attempts failed. The last one: checks failed (expected 2). It went in circles: the same approach in attempts 1, 2, 3. What Unstuck did about it: sent the failing output back (2 times).",
  );
  assert.equal(
    whatHappened(past([""], [recovery("skip")])),
    "One attempt failed: checks failed (the check failed). Nothing else was left to try.",
  );
});

test("a reason that is one already stays, and what was not given up has none", () => {
  assert.equal(whatHappened(past([], [recovery("skip")])), undefined);
  assert.equal(whatHappened(past(["x"], [])), undefined);
  assert.equal(whatHappened(past(["x"], [recovery("retry")])), undefined);
  for (const by of ["guard", "structure"] as const)
    assert.equal(whatHappened(past(["x"], [recovery("skip", by)])), undefined);
  assert.notEqual(whatHappened(past(["x"], [recovery("skip")])), undefined);
});
