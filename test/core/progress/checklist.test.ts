// proves: A2
import assert from "node:assert/strict";
import { test } from "node:test";
import { checklistIn, checklistSignal } from "../../../src/core/progress/progress-score.ts";

for (const [name, text, expected] of [
  ["none", "all done", { done: 0, total: 0 }],
  ["ticked and open", "- [x] a\n- [ ] b\n- [X] c", { done: 2, total: 3 }],
  ["every bullet", "* [x] a\n+ [ ] b\n1. [x] c\n12) [ ] d", { done: 2, total: 4 }],
  ["indented, between words", "Plan:\n    - [x] a\n\t- [ ] b\nThat is it.", { done: 1, total: 2 }],
  ["not: no bullet", "[x] a", { done: 0, total: 0 }],
  ["not: no item behind it", "- [x] \n- [ ]", { done: 0, total: 0 }],
  ["not: a link", "- [x](y)\n- [xx] a\n- [-] a", { done: 0, total: 0 }],
  ["not: in the middle of a line", "see - [x] a", { done: 0, total: 0 }],
  ["not: in code", "```md\n- [x] a\n```\n- [ ] b", { done: 0, total: 1 }],
] as const)
  test(`checklist: ${name}`, () => {
    assert.deepEqual(checklistIn(text), expected);
  });

test("only what was ticked since the last attempt counts; a finished old list is worth nothing", () => {
  const half = checklistIn("- [x] a\n- [ ] b");
  const whole = checklistIn("- [x] a\n- [x] b");
  assert.equal(checklistSignal(half, whole), 0.5);
  assert.equal(checklistSignal(whole, whole), 0);
  assert.equal(checklistSignal(whole, half), 0);
  assert.equal(checklistSignal(checklistIn(""), whole), 1);
});
