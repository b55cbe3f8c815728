// proves: B10, J6
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { failuresCounted } from "../../../src/core/progress/failures-counted.ts";
import { anyText } from "../repair/any-text.ts";

for (const [text, expected] of [
  ["5 failed", 5],
  ["Tests: 5 failed, 3 passed, 8 total", 5],
  ["Suites: 1 failed\nTests: 5 failed", 5],
  ["2 tests failing", 2],
  ["3 type errors", 3],
  ["12 passed 3 failed", 3],
  ["FAILED (failures=3, errors=1)", 3],
  ["Failed: 4, Passed: 10", 4],
  ["Found 12 errors in 3 files.", 12],
  ["3 of 40 tests failed", 3],
  ["3/40 failed", 3],
  ["3 out of 40 checks did not pass", 3],
  ["\u001b[31m7 failed\u001b[39m", 7],
  ["1 FAILURE", 1],
  ["0 failed", undefined],
  ["40 passed", undefined],
  ["a.c:12: error: no such thing", undefined],
  ["line 12 failed", undefined],
  ["HTTP/1.1 500 failed", 500],
  ["version 1.5 failed", undefined],
  ["exit code: 2", undefined],
  ["issue #12 failed again", undefined],
  ["error: 12:30 was too late", undefined],
  ["12 failed-over hosts", undefined],
  ["", undefined],
] as const)
  test(`${JSON.stringify(text)} counts ${expected ?? "nothing"}`, () => {
    assert.equal(failuresCounted({ stdout: text }), expected);
    assert.equal(failuresCounted({ stderr: text }), expected);
  });

test("the most that either stream counts, near the end of a long one, in linear time", () => {
  assert.equal(failuresCounted({ stdout: "2 failed", stderr: "3 errors" }), 3);
  assert.equal(failuresCounted({}), undefined);
  assert.equal(failuresCounted({ stdout: `9 failed\n${"x ".repeat(200_000)}4 failed` }), 4);
  for (const part of ["1 ", "1 a ", "failed ", "failed: ", "9", "1 of 2 ", "1 / "])
    assert.equal(typeof failuresCounted({ stdout: part.repeat(100_000) }), "undefined", part);
  fc.assert(
    fc.property(anyText(40), (stdout) => {
      const count = failuresCounted({ stdout });
      assert.ok(count === undefined || count > 0);
    }),
  );
});
