// proves: U13
// How many tests each runner says it ran, with what looks like it and is not.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { countTests } from "../../../src/core/checks/outcome.ts";

const tsv = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

/** Runner and case, what it prints at its end, and how many ran. */
const COUNTED: readonly (readonly [string, string, number])[] = [
  [
    "node --test, spec",
    tsv(
      "▶ a",
      "✔ b (1.2ms)",
      "ℹ tests 7",
      "ℹ suites 1",
      "ℹ pass 4",
      "ℹ fail 1",
      "ℹ cancelled 0",
      "ℹ skipped 1",
      "ℹ todo 1",
    ),
    5,
  ],
  [
    "node --test, TAP: the points are not counted as well",
    tsv(
      "TAP version 13",
      "ok 1 - a",
      "not ok 2 - b",
      "1..2",
      "# tests 9",
      "# suites 3",
      "# pass 8",
      "# fail 1",
    ),
    9,
  ],
  [
    "node --test in two workspaces",
    tsv("ℹ tests 2", "ℹ suites 0", "ℹ pass 2", "ℹ fail 0").repeat(2),
    4,
  ],
  ["tape", tsv("1..3", "# tests 3", "# pass  2", "# fail  1"), 3],
  [
    "TAP",
    tsv(
      "TAP version 14",
      "1..4",
      "ok 1 - a",
      "    ok 1 - inner",
      "not ok 2 - b",
      "ok 3 - c # SKIP no disk",
      "not ok 4 - d # TODO",
    ),
    2,
  ],
  ["TAP, the plan last and all skipped", tsv("ok 1 # skip", "1..1"), 0],
  [
    "tap",
    tsv("Suites:   1 passed, 1 of 1 completed", "Asserts:  4 passed, 1 failed, 1 skip, of 6"),
    5,
  ],
  [
    "tap, as it is now",
    tsv("ok 1 - a.js", "1..1", "# { total: 5, pass: 4, fail: 1 }", "# time=12ms"),
    5,
  ],
  [
    "jest",
    tsv(
      "Test Suites: 1 failed, 8 passed, 9 total",
      "Tests:       1 failed, 2 skipped, 1 todo, 480 passed, 484 total",
    ),
    481,
  ],
  ["jest, nothing to run", tsv("Test Suites: 1 failed, 1 total", "Tests:       0 total"), 0],
  [
    "vitest",
    tsv(
      " Test Files  1 failed | 1 passed (2)",
      "      Tests  1 failed | 11 passed | 2 skipped | 1 todo (15)",
    ),
    12,
  ],
  [
    "vitest in colours",
    tsv(
      "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m11 passed\u001b[39m\u001b[22m\u001b[90m (11)\u001b[39m",
    ),
    11,
  ],
  ["mocha", tsv("", "  150 passing (20ms)", "  2 pending", "  1 failing", "", "  1) a"), 151],
  ["mocha in two packages", tsv("  3 passing (1s)", "> b", "  4 passing (12ms)"), 7],
  ["ava", tsv("  ✔ a", "  ─", "", "  3 tests passed", "  1 test skipped"), 3],
  ["ava, failing", tsv("  ✘ [fail]: a", "  ─", "", "  1 test failed"), 1],
  [
    "bun test",
    tsv(
      " 5 pass",
      " 1 skip",
      " 1 todo",
      " 2 fail",
      " 12 expect() calls",
      "Ran 9 tests across 2 files. [12.00ms]",
    ),
    7,
  ],
  ["deno", tsv("ok | 5 passed (2 steps) | 0 failed | 1 ignored (12ms)"), 5],
  ["deno, failing", tsv("FAILED | 3 passed | 1 failed (1 step) (1s)"), 4],
  [
    "playwright",
    tsv(
      "Running 27 tests using 2 workers",
      "  2 failed",
      "    [chromium] › a.spec.ts:3:1 › b",
      "  1 flaky",
      "  1 skipped",
      "  23 passed (12.2s)",
    ),
    26,
  ],
  ["pytest", tsv("=== 2 failed, 21 passed, 1 skipped, 3 deselected, 2 warnings in 0.11s ==="), 23],
  ["pytest, quiet and long", tsv("2 failed, 21 passed in 64.20s (0:01:04)"), 23],
  [
    "pytest: what is expected to fail has run, what broke in set-up has not",
    tsv("= 1 passed, 1 xfailed, 1 xpassed, 2 errors in 0.04s ="),
    3,
  ],
  ["pytest, nothing left", tsv("=== 5 deselected in 0.01s ==="), 0],
  ["pytest, nothing there", tsv("=== no tests ran in 0.01s ==="), 0],
  [
    "unittest",
    tsv("..F", "Ran 60 tests in 0.007s", "", "FAILED (failures=1, skipped=4, expected failures=1)"),
    56,
  ],
  ["unittest, all well", tsv("Ran 1 test in 0.000s", "", "OK"), 1],
  [
    "go test -v",
    tsv(
      "=== RUN   TestA",
      "=== RUN   TestA/b",
      "--- FAIL: TestA (0.00s)",
      "    --- FAIL: TestA/b (0.00s)",
      "=== RUN   TestC",
      "--- SKIP: TestC (0.00s)",
      "FAIL",
      "=== RUN   TestD",
      "--- PASS: TestD (0.00s)",
      "ok  \tm/d\t0.002s",
    ),
    3,
  ],
  [
    "go test -json",
    tsv(
      '{"Time":"2026-01-01T00:00:00Z","Action":"run","Package":"m","Test":"TestA"}',
      '{"Time":"2026-01-01T00:00:00Z","Action":"output","Package":"m","Test":"TestA","Output":"--- PASS: TestA (0.00s)\\n"}',
      '{"Time":"2026-01-01T00:00:00Z","Action":"pass","Package":"m","Test":"TestA","Elapsed":0}',
      '{"Time":"2026-01-01T00:00:00Z","Action":"skip","Package":"m","Test":"TestB","Elapsed":0}',
      '{"Time":"2026-01-01T00:00:00Z","Action":"fail","Package":"m","Test":"TestC","Elapsed":0}',
      '{"Time":"2026-01-01T00:00:00Z","Action":"fail","Package":"m","Elapsed":0}',
    ),
    2,
  ],
  [
    "cargo test, with its doc tests",
    tsv(
      "running 2 tests",
      "test result: FAILED. 1 passed; 1 failed; 3 ignored; 0 measured; 4 filtered out; finished in 0.00s",
      "   Doc-tests a",
      "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s",
    ),
    7,
  ],
  [
    "nextest",
    tsv(
      "------------",
      "     Summary [   0.012s] 3 tests run: 2 passed (1 slow), 1 failed, 4 skipped",
    ),
    3,
  ],
  [
    "nextest, cut short",
    tsv("     Summary [   0.012s] 2/9 tests run: 1 passed, 1 failed, 0 skipped"),
    2,
  ],
  [
    "surefire: the whole, not the classes; two modules",
    tsv(
      "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.02 s -- in a.ATest",
      "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.1 s <<< FAILURE! -- in a.BTest",
      "[INFO] Results:",
      "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1",
      "[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0",
    ),
    8,
  ],
  [
    "JUnit's console",
    tsv(
      "[         3 tests skipped         ]",
      "[        12 tests successful      ]",
      "[         1 tests failed          ]",
    ),
    13,
  ],
  ["JUnit 4", tsv("OK (3 tests)"), 3],
  ["JUnit 4, failing", tsv("FAILURES!!!", "Tests run: 3,  Failures: 1"), 3],
  [
    "dotnet, two projects",
    tsv(
      "Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 12 ms - a.dll (net8.0)",
      "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 9 ms - b.dll (net8.0)",
    ),
    8,
  ],
  [
    "dotnet, in detail",
    tsv("Test Run Failed.", "Total tests: 7", "     Passed: 5", "     Failed: 1", "    Skipped: 1"),
    6,
  ],
  [
    "dotnet on a terminal",
    tsv("Test summary: total: 6, failed: 1, succeeded: 4, skipped: 1, duration: 1.2s"),
    5,
  ],
  [
    "rspec",
    tsv(
      "Finished in 0.01 seconds (files took 0.1 seconds to load)",
      "5 examples, 1 failure, 2 pending",
    ),
    3,
  ],
  [
    "rspec that could not load",
    tsv("0 examples, 0 failures, 1 error occurred outside of examples"),
    0,
  ],
  ["minitest", tsv("5 runs, 7 assertions, 1 failures, 0 errors, 2 skips"), 3],
  [
    "test-unit",
    tsv("5 tests, 7 assertions, 1 failures, 0 errors, 1 pendings, 1 omissions, 0 notifications"),
    3,
  ],
  ["phpunit", tsv("OK (3 tests, 5 assertions)"), 3],
  ["phpunit, failing", tsv("Tests: 6, Assertions: 5, Failures: 1, Skipped: 1, Incomplete: 1."), 4],
  [
    "ctest",
    tsv(
      "33% tests passed, 2 tests failed out of 3",
      "",
      "Total Test time (real) =   0.02 sec",
      "",
      "The following tests did not run:",
      "\t  2 - b (Skipped)",
    ),
    2,
  ],
  [
    "exunit",
    tsv(
      "Finished in 0.02 seconds (0.00s async, 0.02s sync)",
      "1 doctest, 2 properties, 5 tests, 1 failure, 2 skipped",
    ),
    6,
  ],
  [
    "two runners in one check",
    tsv("Tests:       3 passed, 3 total", "=== 4 passed in 0.10s ==="),
    7,
  ],
  [
    "pnpm -r, interleaved",
    tsv(
      "packages/a test: ℹ tests 2",
      "packages/b test: ℹ tests 3",
      "packages/a test: ℹ suites 0",
      "packages/b test: ℹ suites 0",
      "packages/a test: ℹ pass 2",
      "packages/b test: ℹ pass 2",
      "packages/b test: ℹ fail 1",
    ),
    5,
  ],
  [
    "turbo and yarn",
    tsv("web:test: Tests:       3 passed, 3 total", "[@me/a]:       Tests  4 passed (4)"),
    7,
  ],
];
describe("counted", () => {
  for (const [name, text, ran] of COUNTED)
    test(name, () => {
      assert.equal(countTests([text]), ran);
      assert.equal(countTests(["", text.replaceAll("\n", "\r\n")]), ran, "in the other stream");
    });
});

/** What is no summary of a run, and so says nothing. */
const NEAR_MISSES: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["a log line", "2026-01-01 12:00:00 INFO ran 3 tests, 3 passed in 0.1s"],
  ["a log line of an application", "worker: 3 passed, 1 failed in 5s"],
  ["source code", 'const line = "Tests:       3 passed, 3 total";'],
  ["source code of a test", "  assert.match(out, /^=== 3 passed in 0.1s ===$/);"],
  ["a diff", "+Tests:       3 passed, 3 total"],
  ["a comment in TAP that is no summary", tsv("# tests 12 are slow", "# pass the salt")],
  ["a range in Ruby", tsv("1..5", "puts 3")],
  ["points without a plan", tsv("ok 1 - a", "ok 2 - b")],
  [
    "ok of go test without -v",
    tsv("ok  \tm/a\t0.002s", "--- FAIL: TestB (0.00s)", "FAIL\tm/b\t0.003s"),
  ],
  ["test files are no tests", " Test Files  1 failed | 1 passed (2)"],
  ["suites are no tests", "Test Suites: 1 failed, 1 total"],
  ["snapshots are no tests", "Snapshots:   3 passed, 3 total"],
  ["a sentence about pytest", "we had 3 passed in 0.1s yesterday"],
  ["other words before a time", "3 wheels built in 0.1s"],
  ["passing by itself", "3 passing"],
  ["three passing notes", "  3 passing (notes)"],
  ["ava's words without its rule", "  3 tests passed"],
  ["bun's words without its end", tsv(" 5 pass", " 0 fail")],
  [
    "a class of surefire",
    "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in a.T",
  ],
  ["gradle, all well", "BUILD SUCCESSFUL in 3s"],
  ["gradle, which counts only where one failed", "12 tests completed, 1 failed, 2 skipped"],
  ["cargo before it ran", "running 300 tests"],
  ["a percentage", "100% tests passed"],
  ["exunit's words elsewhere", "5 tests, 0 failures"],
  ["numbers too large to be tests", "Tests:       9999999999999 passed, 9999999999999 total"],
];
describe("not counted", () => {
  for (const [name, text] of NEAR_MISSES)
    test(name, () => assert.equal(countTests([text]), undefined));
});

test("gradle says it only of failures: two runs cannot be compared by it", () => {
  const told = "12 tests completed, 1 failed\n";
  assert.equal(countTests([told]), undefined);
  assert.equal(countTests([`${told}Tests:       3 passed, 3 total`]), 3);
});

test("any text: never throws, and a count is a whole number that is not negative", () => {
  const pieces = fc.constantFrom(...COUNTED.flatMap(([, text]) => text.split("\n")));
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(pieces, fc.string())).map((all) => all.join("\n")),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), (texts) => {
      const ran = countTests(texts);
      assert.ok(ran === undefined || (Number.isSafeInteger(ran) && ran >= 0));
    }),
  );
});

test("the streams together are the sum of each", () => {
  const texts = COUNTED.map(([, text]) => text);
  const some = fc.subarray(texts, { maxLength: 6 });
  fc.assert(
    fc.property(some, (chosen) => {
      const each = chosen.map((text) => countTests([text]) ?? 0);
      const sum = each.reduce((all, ran) => all + ran, 0);
      assert.equal(countTests(chosen) ?? 0, sum);
    }),
  );
});

test("hostile output is read in linear time", () => {
  const hostile = [
    "=".repeat(400_000),
    "1 passed, ".repeat(40_000),
    `Tests: ${"1 a, ".repeat(60_000)}`,
    "1 tests, ".repeat(40_000),
    `${"\n=== RUN   T".repeat(30_000)}`,
    "Ran 1 test across 1 file.\n".repeat(20_000),
    "ℹ tests 1\n".repeat(40_000),
    Array.from({ length: 5000 }, (_, at) => `p${at} test: ok 1`).join("\n"),
  ];
  const started = process.cpuUsage().user;
  countTests(hostile);
  assert.ok(process.cpuUsage().user - started < 3_000_000);
});
