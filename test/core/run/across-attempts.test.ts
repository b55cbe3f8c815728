// proves: A1, A2, B10
import assert from "node:assert/strict";
import { test } from "node:test";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { NOT_STUCK, startRecovery } from "../../../src/core/progress/stuck-state.ts";
import { circularFixOf, scoreOf } from "../../../src/core/run/across-attempts.ts";
import type { AttemptRecord } from "../../../src/core/run/attempt.ts";
import type { SubtaskState } from "../../../src/core/run/subtask-state.ts";
import { Driver, NO_PROGRESS, plan, subtask } from "./driver.ts";

const START = new Driver("standard", plan([subtask("a")])).of("a");
const record = (attempt: number, more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  attempt,
  at: 0,
  entry: START.entry,
  counted: true,
  approach: `way ${attempt}`,
  success: false,
  failing: [],
  treeBefore: `t${attempt - 1}`,
  treeAfter: `t${attempt}`,
  signals: NO_PROGRESS,
  ...more,
});
const state = (attempts: readonly AttemptRecord[], more: Partial<SubtaskState> = {}) => ({
  ...START,
  attempts,
  ...more,
});
const { progress } = PRESETS.standard;
const CHECKLIST = 0.15;
const score = (attempts: readonly AttemptRecord[], attempt = attempts.length) =>
  scoreOf(state(attempts), attempt, progress)?.score;

test("what failed before and passes now is progress, by its share of what failed", () => {
  const before = record(1, { failing: ["a", "b", "c", "d"] });
  const rows: readonly [readonly string[], number][] = [
    [["a", "b", "c", "d"], 0],
    [["a", "b", "c", "new"], 0.0375],
    [["a"], 0.1125],
    [["new"], CHECKLIST],
    [[], 0],
  ];
  for (const [failing, expected] of rows)
    assert.equal(score([before, record(2, { failing })]), expected, failing.join());
  assert.equal(score([record(1), record(2, { failing: ["a"] })]), 0, "no names before");
  assert.equal(score([record(1, { failing: ["a"] })]), 0, "nothing before");
});

test("compared is with the last counted attempt before it; the agent's own list counts if it shows more", () => {
  const four = record(1, { failing: ["a", "b", "c", "d"] });
  const lost = record(2, { failing: ["a"], counted: false });
  assert.equal(score([four, lost, record(3, { failing: ["a", "b"] })]), CHECKLIST / 2);
  const later = record(3, { failing: ["z"] });
  assert.equal(score([four, record(2, { failing: ["a", "b"] }), later], 2), CHECKLIST / 2);
  const ticked = { ...NO_PROGRESS, checklist: 1 };
  const half = record(2, { failing: ["a", "b"], signals: ticked });
  assert.equal(score([four, half]), CHECKLIST);
});

test("on the threshold is progress; below it is not; out of a recovery it is a recovery that worked", () => {
  const at = (checklist: number, more: Partial<SubtaskState> = {}) => {
    const only = record(1, { signals: { ...NO_PROGRESS, checklist } });
    const scored = scoreOf(state([only], more), 1, progress);
    return [scored?.progressed, scored?.recovered, scored?.state.noProgress];
  };
  assert.deepEqual(at(1), [true, false, 0]);
  assert.deepEqual(at(0.99), [false, false, 1]);
  const recovering = { progress: startRecovery(NOT_STUCK) };
  assert.deepEqual(at(1, recovering), [true, true, 0]);
  assert.deepEqual(at(0.99, recovering), [false, false, 1]);
});

test("what no agent made is not scored", () => {
  assert.equal(scoreOf(state([record(1)]), 2, progress), undefined);
});

const circle = [
  record(1, { treeBefore: "s", treeAfter: "A" }),
  record(2, { treeBefore: "A", treeAfter: "B" }),
  record(3, { treeBefore: "B", treeAfter: "A" }),
];

test("a circle is seen in the counted attempts of the subtask's own tree, since a person spoke", () => {
  const why = /^attempt 3 ends with the tree of failed attempt 1, after attempt 2 had left it$/;
  assert.match(circularFixOf(state(circle)) ?? "", why);
  assert.equal(circularFixOf(state([])), undefined);
  for (const position of [0, 1, 2]) {
    const but = (change: Partial<AttemptRecord>) =>
      circle.map((one, index) => (index === position ? { ...one, ...change } : one));
    assert.equal(circularFixOf(state(but({ counted: false }))), undefined);
    assert.equal(circularFixOf(state(but({ branch: "top-down" }))), undefined);
  }
  assert.match(circularFixOf(state(circle, { spokenAt: 0 })) ?? "", why);
  assert.equal(circularFixOf(state(circle, { spokenAt: 1 })), undefined);
  assert.equal(circularFixOf(state(circle.with(0, { ...record(1), success: true }))), undefined);
});

test("the same failure or the same approach three times is a circle too", () => {
  const same = (more: Partial<AttemptRecord>) => [1, 2, 3].map((attempt) => record(attempt, more));
  assert.equal(
    circularFixOf(state(same({ signature: "s" }))),
    "the same failure signature in attempts 1, 2, 3",
  );
  assert.equal(
    circularFixOf(state(same({ approach: "more tests" }))),
    "the same approach in attempts 1, 2, 3",
  );
  assert.equal(
    circularFixOf(state(same({}))),
    undefined,
    "failures without a signature are not alike",
  );
});
