/** What each rule of `test-reports` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const TEST_REPORTS: Examples = {
  tally: {
    example: "3 passed, 1 failed",
    nearMiss: "12 requests succeeded, 1 failed",
  },
  "failed-test-heading": {
    example: "  ● client › gives up",
    nearMiss: "  ● Test suite failed to run",
  },
  "failed-assertion": {
    example: "  1.  AssertionError  says it",
    nearMiss: "#    Assertion failed: (0) == (uv_thread_create(t))",
  },
  "expected-sentence": {
    example: "Error: Expected 'ok' to equal 'gone'.",
    nearMiss: "a.c:3:5: error: expected ';' to match this '{'",
  },
  "expected-but-got": {
    example: "expected 3 rows but found 2",
    nearMiss: "expected ',' or ']', but got ':'",
  },
  "expected-then-actual": {
    example: "     got: ok",
    before: "expected: gone",
    nearMiss: "we got: ok",
  },
  "actual-then-expected": {
    example: "expected: gone",
    before: "  actual: ok",
    nearMiss: "as expected: gone",
  },
  "raised-in-test": {
    example: "E           client.ApiError: gone",
    nearMiss: "E   ModuleNotFoundError: No module named 'requests'",
  },
};
