// proves: C9
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttemptRecord } from "../../../src/core/run/attempt.ts";
import { baseCause } from "../../../src/core/run/across-attempts.ts";
import { fold } from "../../../src/core/run/fold/fold.ts";
import { recordedIndex, withSubtask, type RunState } from "../../../src/core/run/state.ts";
import { Driver, failureOf, NO_PROGRESS, plan, subtask } from "./driver.ts";

const RUN = new Driver("standard", plan([subtask("a"), subtask("b")], { concurrency: 2 }));
const START = RUN.of("a");
const record = (more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  attempt: 1,
  at: 0,
  entry: START.entry,
  counted: true,
  approach: "",
  success: false,
  failing: [],
  treeBefore: "t0",
  treeAfter: "t1",
  signals: NO_PROGRESS,
  signature: "s",
  onBase: true,
  ...more,
});

const rows: readonly [string, readonly Partial<AttemptRecord>[], string | undefined][] = [
  ["never", [], undefined],
  ["once", [{}], undefined],
  ["twice in a row", [{}, {}], "base s"],
  ["twice, after something else", [{ signature: "x" }, {}, {}], "base s"],
  [
    "twice, with an outage between and after",
    [{}, { counted: false }, {}, { counted: false }],
    "base s",
  ],
  ["twice, but not in a row", [{}, { signature: "x" }, {}], undefined],
  ["twice, differently", [{}, { signature: "x" }], undefined],
  ["the last one is its own", [{}, { onBase: false }], undefined],
  ["the first one is its own", [{ onBase: false }, {}], undefined],
];
for (const [name, attempts, cause] of rows)
  test(`fails as the base does: ${name}`, () => {
    assert.equal(baseCause({ attempts: attempts.map(record) }), cause);
  });

/** The state after a subtask failed twice in the same way. */
function failedTwice(state: RunState, subtask: string, signature: string): RunState {
  const attempts = [record({ signature }), record({ attempt: 2 })];
  const before = withSubtask(state, recordedIndex(state, subtask), { attempts });
  const failure = failureOf("verification_failed", { signature });
  return fold(before, {
    ...{ kind: "failure-classified", subtask, attempt: 2, failure, counted: true, verdict: true },
    ...{ error: "", failing: [], onBase: true },
  });
}

const doneWith = (state: RunState, subtask: string): RunState =>
  fold(state, { kind: "subtask-done", subtask, attempt: 2, phase: "verified" });

test("the first to keep failing of a cause holds it, until it lets go of its own", () => {
  const { state } = RUN;
  const one = failedTwice(state, "a", "s");
  assert.deepEqual(one.suspects, { "base s": "a" });
  assert.equal(failedTwice(one, "b", "s").suspects, one.suspects, "the first stays");
  const two = failedTwice(one, "b", "x");
  assert.deepEqual(two.suspects, { "base s": "a", "base x": "b" });
  assert.deepEqual(doneWith(two, "a").suspects, { "base x": "b" });
  assert.equal(doneWith(one, "b").suspects, one.suspects);
});

test("a hundred causes are remembered, not more", () => {
  let { state } = RUN;
  for (let index = 0; index < 101; index += 1) state = failedTwice(state, "a", `s${index}`);
  assert.equal(Object.keys(state.suspects).length, 100);
});
