/** What each rule of `failed-tests` catches, and what looks alike and it leaves alone. */
import type { Examples } from "./example.ts";

export const FAILED_TESTS: Examples = {
  "jest-tests-failed": {
    example: "Tests:       2 failed, 14 passed, 16 total",
    nearMiss: "Tests:       0 total",
  },
  "jest-suites-failed": {
    example: "Test Suites: 1 failed, 3 passed, 4 total",
    nearMiss: "Test Suites: 4 passed, 4 total",
  },
  "runner-fail-file": {
    example: "FAIL packages/cart/total.test.ts",
    nearMiss: "FAIL to read cart settings",
  },
  "jest-bullet": {
    example: "    expect(received).toEqual(expected) // deep equality",
    nearMiss: "we expect the received file to be small",
  },
  "pytest-summary": {
    example: "=========== 3 failed, 40 passed, 1 skipped in 2.10s ===========",
    nearMiss: "=========== 43 passed in 2.10s ===========",
  },
  "pytest-failed-line": {
    example: "FAILED tests/test_cart.py::test_total - assert 4 == 5",
    nearMiss: "FAILED to open tests folder",
  },
  "pytest-error-line": {
    example: "ERROR tests/test_cart.py::test_total - ConnectionError: refused",
    nearMiss: "ERROR tests/test_cart.py",
  },
  "pytest-error-summary": {
    example: "=================== 2 errors in 0.31s ===================",
    nearMiss: "found 2 errors in the index",
  },
  "pytest-assert-line": {
    example: "E       assert total([2, 2]) == 5",
    nearMiss: "Please assert your identity",
  },
  "unittest-failed": {
    example: "FAILED (failures=1, errors=2)",
    nearMiss: "FAILED (reason unknown)",
  },
  "node-test-count": { example: "# fail 2", nearMiss: "# fail 0" },
  "tap-not-ok": { example: "not ok 3 - totals the cart", nearMiss: "ok 3 - totals the cart" },
  "mocha-failing": { example: "  2 failing", nearMiss: "2 failing heuristics were considered" },
  "maven-tests": {
    example: "[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0",
    nearMiss: "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0",
  },
  "go-test-fail": {
    example: "--- FAIL: TestTotal (0.00s)",
    nearMiss: "FAIL\texample.org/cart [build failed]",
  },
  "cargo-test-fail": {
    example: "test result: FAILED. 3 passed; 1 failed; 0 ignored",
    nearMiss: "test result: ok. 4 passed; 0 failed; 0 ignored",
  },
  "rspec-failures": {
    example: "14 examples, 2 failures, 1 pending",
    nearMiss: "14 examples, 0 failures",
  },
  "other-test-summaries": {
    example: "[  FAILED  ] 2 tests, listed below:",
    nearMiss: "[  PASSED  ] 2 tests.",
  },
  "vitest-failed-tests": {
    example: " ❯ cart.test.ts (5 tests | 2 failed) 12ms",
    nearMiss: " ✓ cart.test.ts (5 tests) 12ms",
  },
  "assertion-error": {
    example: "AssertionError: expected 4 to equal 5",
    nearMiss: "class AssertionErrorHandler loaded",
  },
  "status-differs": {
    example: "Expected status 200 but received 429 (Too Many Requests)",
    nearMiss: "the service answered with status 429, as expected",
  },
  "test-timeout": {
    example: "Error: Test timed out in 5000ms.",
    nearMiss: "Error: request timed out in 5000ms",
  },
  "coverage-threshold": {
    example: 'Jest: "global" coverage threshold for lines (80%) not met: 61%',
    nearMiss: "coverage of the cart is 81%",
  },
  "checksum-differs": {
    example: "sha256sum: WARNING: 1 computed checksum did NOT match",
    nearMiss: "the checksum did match",
  },
  "git-hook-refused": {
    example: "husky - pre-commit script failed (code 1)",
    nearMiss: "installed the pre-commit hook",
  },
  "check-says-failed": {
    example: "smoke test failed: 2 checks failed",
    nearMiss: "Host key verification failed.",
  },
};
