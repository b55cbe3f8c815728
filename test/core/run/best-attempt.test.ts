// proves: U9
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttemptRecord } from "../../../src/core/run/attempt.ts";
import { bestAttempt } from "../../../src/core/run/across-attempts.ts";
import { NO_PROGRESS } from "./driver.ts";

const record = (attempt: number, more: Partial<AttemptRecord>): AttemptRecord => ({
  attempt,
  at: attempt,
  entry: { agent: "a", tier: 1 },
  counted: true,
  approach: "",
  success: false,
  kind: "verification_failed",
  failing: [],
  treeBefore: "t0",
  treeAfter: `t${attempt}`,
  signals: NO_PROGRESS,
  ...more,
});

const rows: readonly [string, readonly Partial<AttemptRecord>[], number | undefined][] = [
  ["nothing was tried", [], undefined],
  ["nothing was changed", [{ treeAfter: "t0" }, { treeAfter: "" }], undefined],
  [
    "fewest failing names",
    [{ failing: ["a", "b"] }, { failing: ["a"] }, { failing: ["a", "b", "c"] }],
    2,
  ],
  ["the later of equals", [{ failing: ["a"] }, { failing: ["b"] }], 2],
  ["names before no names", [{ failing: ["a", "b", "c"] }, {}], 1],
  ["checked before unchecked", [{}, { kind: "hung" }], 1],
  ["anything before a broken build", [{ kind: "agent_crash" }, { kind: "broken_build" }], 1],
  ["anything before what cannot be parsed", [{ kind: "agent_crash" }, { kind: "syntax_error" }], 1],
  ["a conflict was checked too", [{ kind: "merge_conflict" }, { kind: "hung" }], 1],
  ["a broken build before nothing", [{ kind: "broken_build" }, { treeAfter: "t0" }], 1],
  ["passed alone before all", [{ success: true }, { failing: ["a"] }], 1],
];
for (const [name, attempts, best] of rows)
  test(`best attempt: ${name}`, () => {
    const found = bestAttempt(attempts.map((more, index) => record(index + 1, more)));
    assert.equal(found?.attempt, best);
  });
