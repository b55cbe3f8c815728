// proves: A1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  endRecovery,
  NOT_STUCK,
  startRecovery,
  stuckState,
} from "../../../src/core/progress/stuck-state.ts";
import type { StuckOptions, StuckState } from "../../../src/core/progress/stuck-state.ts";

const after = (
  scores: readonly (number | boolean)[],
  options?: StuckOptions,
  from: StuckState = NOT_STUCK,
): StuckState =>
  scores.reduce<StuckState>((state, score) => stuckState(state, score, options), from);

test("a new subtask is progressing", () => {
  assert.deepEqual(NOT_STUCK, {
    status: "progressing",
    noProgress: 0,
    noProgressTotal: 0,
    recentScores: [],
    recoveryIterations: 0,
  });
});

for (const [scores, options, status, noProgress] of [
  [[false], {}, "progressing", 1],
  [[false, false], {}, "warning", 2],
  [[false, false, false], {}, "stuck", 3],
  [[false, false, false, false], {}, "stuck", 4],
  [[false, false, true], {}, "progressing", 0],
  [[false, false, false, true], {}, "progressing", 0],
  [[false], { warnAfter: 2, stuckAfter: 4 }, "progressing", 1],
  [[false, false], { warnAfter: 2, stuckAfter: 4 }, "warning", 2],
  [[false, false, false], { warnAfter: 2, stuckAfter: 4 }, "warning", 3],
  [[false, false], { stuckAfter: 2 }, "stuck", 2],
  [[false], { stuckAfter: 1 }, "stuck", 1],
  [[0.147], {}, "progressing", 1],
  [[0.149999, 0.149999], {}, "warning", 2],
  [[0, 0, 0.15], {}, "progressing", 0],
  [[0, 0, 0.153], {}, "progressing", 0],
  [[0.3, 0.3, 0.3], { threshold: 0.5 }, "stuck", 3],
  [[Number.NaN, 0, 0], {}, "stuck", 3],
] as const)
  test(`${JSON.stringify(scores)} with ${JSON.stringify(options)} is ${status}`, () => {
    const state = after(scores, options);
    assert.equal(state.status, status);
    assert.equal(state.noProgress, noProgress);
  });

test("recovering ends with progress, success or failure, and with nothing else", () => {
  const stuck = after([false, false, false]);
  const recovering = startRecovery(stuck);
  assert.equal(recovering.status, "recovering");
  assert.equal(recovering.noProgress, 3);
  assert.deepEqual(endRecovery(recovering, true), {
    ...stuck,
    status: "progressing",
    noProgress: 0,
  });
  assert.deepEqual(endRecovery(recovering, false), stuck);
  assert.equal(after([0, 0], {}, recovering).status, "recovering");
  assert.equal(after([0, 0], {}, recovering).noProgress, 5);
  assert.equal(after([0, 1], {}, recovering).status, "progressing");
});

test("counts and the last five scores are kept", () => {
  const state = after([0, 1, 0.02, 0.03, false, true, 0.1]);
  assert.deepEqual(state, {
    status: "progressing",
    noProgress: 1,
    noProgressTotal: 5,
    recentScores: [0.02, 0.03, 0, 1, 0.1],
    recoveryIterations: 0,
  });
});

test("scores that are none are kept as 0 or 1", () => {
  assert.deepEqual(
    after([Number.NaN, -1, -0, 7, Number.POSITIVE_INFINITY]).recentScores,
    [0, 0, 0, 1, 1],
  );
});

test("the state survives a restart: plain JSON, going on as if nothing had happened", () => {
  const step = fc.oneof(fc.boolean(), fc.double());
  fc.assert(
    fc.property(fc.array(step), fc.array(step), (before, later) => {
      const state = after(before);
      const restored = JSON.parse(JSON.stringify(state)) as StuckState;
      assert.deepEqual(restored, state);
      assert.deepEqual(after(later, {}, restored), after(later, {}, state));
    }),
  );
});
