// proves: C9
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttemptRecord } from "../../../src/core/run/attempt.ts";
import {
  baseCause,
  withoutSuspect,
  withSuspect,
} from "../../../src/core/run/fold/base-suspects.ts";
import { Driver, NO_PROGRESS, plan, subtask } from "./driver.ts";

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

const failing = (signature: string) => ({
  ...START,
  attempts: [record({ signature }), record({ signature })],
});

test("the first to keep failing of a cause holds it, until it lets go of its own", () => {
  const { state } = RUN;
  const one = withSuspect(state, "a", failing("s"));
  assert.deepEqual(one.suspects, { "base s": "a" });
  assert.equal(withSuspect(one, "b", failing("s")), one, "the first stays");
  const two = withSuspect(one, "b", failing("x"));
  assert.deepEqual(two.suspects, { "base s": "a", "base x": "b" });
  assert.equal(withSuspect(state, "a", START), state);
  assert.deepEqual(withoutSuspect(two, "a").suspects, { "base x": "b" });
  assert.equal(withoutSuspect(two, "c"), two);
});

test("a hundred causes are remembered, not more", () => {
  let { state } = RUN;
  for (let index = 0; index < 101; index += 1)
    state = withSuspect(state, "a", failing(`s${index}`));
  assert.equal(Object.keys(state.suspects).length, 100);
});
