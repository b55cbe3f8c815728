// proves: A1, A2, B10, J5, J6
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
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

test("what failed before and passes now counts by its share, and is progress where nothing else fails", () => {
  const before = record(1, { failing: ["a", "b", "c", "d"] });
  const rows: readonly [readonly string[], number][] = [
    [["a", "b", "c", "d"], 0],
    [["a", "b", "c", "new"], 0.0375],
    [["a", "b", "new"], 0.075],
    [["a", "b", "c"], progress.threshold],
    [["a"], progress.threshold],
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
  assert.equal(score([four, lost, record(3, { failing: ["a", "b", "z"] })]), CHECKLIST / 2);
  const crashed = record(2);
  assert.equal(score([four, crashed, record(3, { failing: ["a", "b", "z"] })]), CHECKLIST / 2);
  const later = record(3, { failing: ["z"] });
  assert.equal(score([four, record(2, { failing: ["a", "b", "z"] }), later], 2), CHECKLIST / 2);
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

const ALL_WORDS = { outputNovelty: 1, change: 0, markers: 1, checklist: 1 };
const idle = { treeBefore: "t", treeAfter: "t" };
const fails = (...failing: readonly string[]) => ({ failing });
const counts = (failures: number) => ({ failing: ["npm test"], failures });

/** An attempt that says all there is to say, after another; whether it made progress. */
for (const [name, progressed, before, now] of [
  ["words alone", false, {}, idle],
  ["words alone, with the same failures", false, fails("a"), { ...idle, ...fails("a") }],
  ["words alone, with more failures", false, fails("a"), { ...idle, ...fails("a", "b") }],
  ["words and another tree", true, {}, {}],
  ["words and something a tool told for the first time", true, {}, { ...idle, sawNew: true }],
  ["words, and one of two items passes", true, fails("a", "b"), { ...idle, ...fails("a") }],
  ["words, and the check counts fewer failures", true, counts(5), { ...idle, ...counts(3) }],
  ["words, and the check counts as many", false, counts(3), { ...idle, ...counts(3) }],
  ["words, and the check counts more", false, counts(3), { ...idle, ...counts(4) }],
] as const)
  test(`${progressed ? "progress" : "no progress"}: ${name}`, () => {
    const attempts = [record(1, before), record(2, { signals: ALL_WORDS, ...now })];
    assert.equal(scoreOf(state(attempts), 2, progress)?.progressed, progressed);
  });

test("the first attempt: words alone are nothing, fewer failures than the base had are progress", () => {
  const first = (more: Partial<AttemptRecord>) =>
    scoreOf(state([record(1, { ...idle, ...more })]), 1, progress)?.progressed;
  assert.equal(first({ signals: ALL_WORDS }), false);
  assert.equal(first({ signals: ALL_WORDS, sawNew: true }), true);
  assert.equal(first({ failing: ["a"], fixed: 1 }), true);
  assert.equal(first({ failing: ["a"], fixed: 0 }), false);
});

test("whatever is said, whatever the weights: no progress by words, and always progress by a check item", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const signals = fc.record({
    ...{ outputNovelty: share, change: fc.constant(0), markers: share, checklist: share },
  });
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1 });
  const threshold = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(
    fc.property(signals, signals, names, threshold, (said, weights, failing, least) => {
      const settings = { ...progress, weights, threshold: least };
      const before = record(1, { failing });
      const talk = (now: readonly string[]) =>
        scoreOf(state([before, record(2, { ...idle, signals: said, failing: now })]), 2, settings)
          ?.progressed;
      assert.equal(talk(failing), false);
      assert.equal(talk([...failing, "new"]), false);
      if (failing.length > 1) assert.equal(talk(failing.slice(1)), true);
    }),
  );
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
