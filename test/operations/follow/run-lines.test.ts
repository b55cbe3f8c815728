// proves: U11, U13
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf } from "../../../src/operations/follow/run-lines.ts";
import { plain } from "../../../src/cli/screen/line.ts";
import type { CheckOutcome } from "../../../src/core/checks/outcome.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { T0 } from "../../cli/terminal/views.ts";

const said = (event: RunEvent): string => {
  const line = lineOf(event);
  return line === undefined ? "" : plain(line);
};
const base = (outcomes: Record<string, CheckOutcome>): string =>
  said({
    kind: "received",
    input: { kind: "baseline-ended", at: T0, chance: 0, round: 1, outcomes, problems: [] },
  });
const FAILED: CheckOutcome = { kind: "failed", items: ["x", "y"], complete: true };

test("what the checks say of the base: each of a few by name, many in numbers", () => {
  assert.equal(
    base({ "npm test": FAILED, "npm run lint": { kind: "passed" } }),
    "on the base: npm test fails (2 failing), npm run lint passes already",
  );
  const many = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [`check ${index}`, index < 3 ? FAILED : PASSED]),
  );
  assert.equal(base(many), "on the base: of 5 checks 3 fail, 2 pass already");
  assert.equal(base({}), "on the base: nothing could be checked");
});
const PASSED: CheckOutcome = { kind: "passed" };

test("notes stand with the end of their subtask", () => {
  assert.equal(
    said({
      ...{ kind: "subtask-done", subtask: "a", attempt: 1, phase: "unverified" },
      notes: [
        { kind: "own-tests", files: ["a.test.js"] },
        { kind: "agent-failed", how: "exited with 1" },
      ],
    }),
    "[a] unverified: passes with its own tests only: a.test.js; the agent exited with 1, but its work passes",
  );
});
