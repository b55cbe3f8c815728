// Is an agent getting anywhere? Score each attempt, keep the state, and see fixes that go round in circles.
import assert from "node:assert/strict";
import { circularFix, NOT_STUCK, outputNovelty, progressScore, stuckState } from "../src/index.ts";

const outputs = ["3 tests fail", "3 tests fail", "3 tests FAIL", "3  tests fail"];
let state = NOT_STUCK;
let previous = "";
for (const output of outputs) {
  const novelty = outputNovelty(previous, output);
  const score = progressScore({ outputNovelty: novelty, change: 0, markers: 0, checklist: 0 });
  state = stuckState(state, score);
  console.log(`score ${score}: ${state.status}`);
  previous = output;
}
assert.equal(state.status, "stuck");
assert.deepEqual(state.recentScores, [0.3, 0, 0, 0]);

const attempt = (number: number, startTree: string, endTree: string) => ({
  attempt: number,
  failed: true,
  startTree,
  endTree,
});
const { circular, because } = circularFix([
  attempt(1, "base", "A"),
  attempt(2, "A", "B"),
  attempt(3, "B", "A"),
]);
assert.equal(circular, true);
assert.deepEqual(because, [
  "attempt 3 ends with the tree of failed attempt 1, after attempt 2 had left it",
]);
