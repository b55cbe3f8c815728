/**
 * Builds, tests, linters and packages. Words inside test bodies, diffs and code frames are bait.
 */
import type { Case } from "./case.ts";

const FRAME = "    > 3 | throw new Error('permission denied: 429')\n        |       ^";

export const BUILD_CASES: readonly Case[] = [
  [
    `FAIL ./cart.test.js\n  ● returns 429\n\n${FRAME}\n\nTests:       1 failed, 3 passed, 4 total`,
    "verification_failed",
  ],
  ["  ✕ maps ENOSPC to disk_full (3 ms)\n\nTests:       1 failed, 1 total", "verification_failed"],
  [
    "E       assert 'rate limit exceeded' == 'ok'\n\n=== 1 failed, 2 passed in 0.1s ===",
    "verification_failed",
  ],
  ["FAILED tests/test_auth.py::test_invalid_api_key - assert 401 == 200", "verification_failed"],
  [
    "--- FAIL: TestTimeout (0.00s)\n    cart_test.go:9: got timed out, want ok\nFAIL",
    "verification_failed",
  ],
  [
    "test cart::quota ... FAILED\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored",
    "verification_failed",
  ],
  ["# Subtest: connection refused\nnot ok 1 - connection refused\n# fail 1", "verification_failed"],
  ["  4 passing\n  1 failing\n\n  1) carts out of memory:", "verification_failed"],
  ["14 examples, 2 failures", "verification_failed"],
  [
    "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
    "verification_failed",
  ],
  ["AssertionError: totals differ: 3 != 4", "verification_failed"],
  ["✖ 2 problems (2 errors, 0 warnings)", "verification_failed"],
  ["[warn] cart.ts\n[warn] Code style issues found in the above file.", "verification_failed"],
  [
    "cart.py:3: error: Bad types  [assignment]\nFound 1 error in 1 file (checked 2 source files)",
    "verification_failed",
  ],
  [
    "Exceeded timeout of 500 ms for a test.\nTests:       1 failed, 1 total",
    "verification_failed",
    "timeout",
  ],
  ["cart.ts(3,7): error TS2304: Cannot find name 'total'.", "broken_build"],
  ["main.c:3:9: error: expected ';' before 'return'\nmake: *** [main.o] Error 1", "broken_build"],
  ["error[E0425]: cannot find value `total` in this scope", "broken_build"],
  ["./cart.go:7:2: undefined: total\nFAIL\tcart [build failed]", "broken_build"],
  ["Cart.java:4: error: cannot find symbol\n  symbol: variable total", "broken_build"],
  ["e: file:///srv/Cart.kt:3:5 Unresolved reference 'total'.", "broken_build"],
  ["/usr/bin/ld: cart.o: undefined reference to `total'", "broken_build"],
  ["Module not found: Error: Can't resolve './total' in '/srv/src'", "broken_build"],
  [
    "● Test suite failed to run\n\n    Cannot find module './total'\n\nTests:       0 total",
    "broken_build",
  ],
  [
    "E   ModuleNotFoundError: No module named 'cart'\n!! Interrupted: 1 error during collection",
    "broken_build",
  ],
  ["Error: Cannot find module '../total' imported from /srv/cart.mjs", "broken_build"],
  ["== Compilation error in file lib/cart.ex ==", "broken_build"],
  ["Program.cs(3,9): error CS1002: ; expected", "broken_build"],
  ["ERROR: Failed building wheel for cartlib", "broken_build"],
  [
    "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree",
    "dependency_error",
  ],
  ["  × No solution found when resolving dependencies:", "dependency_error"],
  ["ERROR: No matching distribution found for cartlib==9", "dependency_error"],
  ["ModuleNotFoundError: No module named 'cartlib'", "dependency_error"],
  ["error: failed to select a version for `cartlib`.", "dependency_error"],
  ["E: Unable to locate package cartlib", "dependency_error"],
  [
    "Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.",
    "dependency_error",
  ],
  ["no required module provides package example.org/cart; to add it:", "dependency_error"],
  ["Could not find gem 'cartlib' in locally installed gems.", "dependency_error"],
  ["cart.py:12:    raise PermissionError('permission denied')", "unknown"],
  ["TypeError: Cannot read properties of undefined (reading 'permission')", "unknown"],
  ["thread 'main' panicked at src/cart.rs:4:9:\nindex out of bounds: the len is 429", "unknown"],
  ["panic: runtime error: index out of range [5] with length 3", "unknown"],
  ["KeyError: 'token'", "unknown"],
  ["An unexpected error occurred", "unknown"],
];
