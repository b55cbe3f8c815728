// proves: U11
import assert from "node:assert/strict";
import { test } from "node:test";
import { readFailingItems } from "../../../src/core/checks/outcome.ts";

const names = (text: string): readonly string[] => readFailingItems([text]).items;

test("vitest: names from the report, not from what tests print", () => {
  const report = `
 RUN  v5.1.0 /repo

stdout | sum.test.js > sum > adds two numbers
FAIL this is only a log line
 FAIL  fake.test.js > also only a log line
 × not a test

 ❯ sum.test.js (6 tests | 4 failed) 13ms
     × adds two numbers 10ms
     ✓ is fine 0ms
 ❯ broken.test.js (0 test)

⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  broken.test.js [ broken.test.js ]
Error: Cannot find module './missing.js' imported from /repo/broken.test.js
 ❯ broken.test.js:1:1

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 4 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  sum.test.js > sum > adds two numbers
AssertionError: expected 2 to be 3 // Object.is equality

- Expected
+ Received

 FAIL  sum.test.js > sum > each 2
 FAIL  sum.test.js > top > level
Error: boom
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[5/5]⎯

 Test Files  2 failed (2)
`;
  const expected = [
    "broken.test.js",
    "sum.test.js > sum > adds two numbers",
    "sum.test.js > sum > each 2",
    "sum.test.js > top > level",
  ];
  assert.deepEqual(names(report), expected);
  const coloured = report.replaceAll(" FAIL ", "\x1b[41m\x1b[1m FAIL \x1b[22m\x1b[49m");
  assert.deepEqual(names(coloured), expected);
  assert.deepEqual(names(report.replaceAll("\n", "\r\n")), expected);
});

test("jest: file and bullet, console output left out", () => {
  const report = `PASS ./fine.test.js
FAIL ./sum.test.js (5.231 s)
  ● Console

    console.log
      FAIL src/fake.test.js
        ● fake › not a test

      at Object.log (sum.test.js:2:44)

  ● sum › adds two numbers

    expect(received).toBe(expected) // Object.is equality

  ● sum › inner › deep one

    boom

FAIL ./broken.test.js
  ● Test suite failed to run

    Jest encountered an unexpected token
PASS ./late.test.js
  ● not › below a failing file

Test Suites: 2 failed, 2 total
Tests:       2 failed, 1 passed, 3 total
`;
  assert.deepEqual(names(report), [
    "./sum.test.js › sum › adds two numbers",
    "./sum.test.js › sum › inner › deep one",
    "./broken.test.js",
  ]);
  const cut = report.slice(0, report.indexOf("Test Suites"));
  assert.deepEqual(names(cut), [], "without jest's summary these are just lines");
});

test("node:test, spec reporter: the closing list, with its files", () => {
  const report = `✖ not a test (1ms)
test at fake.mjs:1:1
✖ nor is this (1ms)
▶ sum
  ✖ adds two numbers (1.524762ms)
✖ sum (3.804203ms)
⚠ todo one (0.086318ms) # TODO
ℹ fail 4

✖ failing tests:

test at broken.test.mjs:1:1
✖ broken.test.mjs (31.175488ms)
  'test failed'

test at sum.test.mjs:3:3
✖ adds two numbers (1.524762ms)
  AssertionError [ERR_ASSERTION]: 2 == 3
      at TestContext.<anonymous> (file:///repo/sum.test.mjs:3:95)
✖ an error text that looks like one (2ms)

test at sum.test.mjs:5:29
✖ deep # one (0.863581ms)
  Error: boom

test at sum.test.mjs:8:1
⚠ todo one (0.086318ms) # TODO
`;
  assert.deepEqual(names(report), [
    "broken.test.mjs",
    "sum.test.mjs > adds two numbers",
    "sum.test.mjs > deep # one",
  ]);
});

test("TAP: leaves only, with their parents' names; no TODO, SKIP, comment or YAML", () => {
  const report = `TAP version 13
# Subtest: broken.test.mjs
not ok 1 - broken.test.mjs
  ---
  error: |-
    not ok 9 - inside a YAML block
not ok 10 - inside a YAML block, even at the margin
  ...
# not ok 7 - a comment
# Subtest: sum
    # Subtest: adds two numbers
    not ok 1 - adds two numbers
      ---
      duration_ms: 1.5
      ...
    ok 2 - is fine
    # Subtest: inner
        not ok 1 - deep \\# one
        1..1
    not ok 3 - inner
    1..3
not ok 2 - sum
ok 3 - recovered
not ok 4 - todo one # TODO later
not ok 5 - skipped one # SKIP no network
not ok 6 just a name
not ok
Bail out: this line is not ok either
1..7
`;
  assert.deepEqual(names(report), [
    "broken.test.mjs",
    "sum > adds two numbers",
    "sum > inner > deep # one",
    "just a name",
    "not ok",
  ]);
  assert.deepEqual(names("doing things\nnot ok 1 - a log line of something else\n"), []);
  const unfinished = "TAP version 13\n    not ok 1 - inner\n";
  assert.deepEqual(names(unfinished), ["inner"], "a parent that never reported");
  const passing = "TAP version 13\n    not ok 1 - tried\nok 1 - expected that\n1..1\n";
  assert.deepEqual(names(passing), []);
});

test("mocha: suites and test joined, numbers printed while running left out", () => {
  const report = `
  sum
  1) not a test
    1) adds two numbers
    ✔ is fine

  1 passing (4ms)
  3 failing

  1) sum
       adds two numbers:

      AssertionError [ERR_ASSERTION]: 2 == 3
      + expected - actual

      at Context.<anonymous> (sum.spec.cjs:2:84)

  2) sum
       inner
         deep one:
     Error: boom
       with a detail:
      at Context.<anonymous> (sum.spec.cjs:4:62)

  3) sum
       "after all" hook for "is fine":
     Error: hook boom
`;
  assert.deepEqual(names(report), [
    "sum > adds two numbers",
    "sum > inner > deep one",
    'sum > "after all" hook for "is fine"',
  ]);
});

test("tsc: file, code and message without the line; plain, pretty and without a file", () => {
  const plain = `src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.
src/a.ts(9,7): error TS2322: Type 'string' is not assignable to type 'number'.
src/my file.ts(2,13): error TS2304: Cannot find name 'missing'.
  The detail of an error TS1 is indented.
error TS5058: The specified path does not exist: 'x.json'.
we saw error TS2304: in the log
`;
  assert.deepEqual(names(plain), [
    "src/a.ts TS2322: Type 'string' is not assignable to type 'number'.",
    "src/a.ts TS2322: Type 'string' is not assignable to type 'number'. (2)",
    "src/my file.ts TS2304: Cannot find name 'missing'.",
    "TS5058: The specified path does not exist: 'x.json'.",
  ]);
  const pretty =
    "\x1b[96msrc/a.ts\x1b[0m:\x1b[93m2\x1b[0m:\x1b[93m13\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2304: \x1b[0mCannot find name 'missing'.\n\nFound 1 error in src/a.ts:2\n";
  assert.deepEqual(names(pretty), ["src/a.ts TS2304: Cannot find name 'missing'."]);
  const moved = plain.replace("(1,7)", "(301,2)");
  assert.deepEqual(names(moved), names(plain), "moving code makes no new failure");
});
