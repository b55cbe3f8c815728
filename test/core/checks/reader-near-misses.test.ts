// proves: U11
// What a test printed is not what a runner reported: the same words deeper in a line, with more behind them, in numbers of more
// than one digit, or longer than any name.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MAX_ITEMS, readFailingItems } from "../../../src/core/checks/outcome.ts";

const names = (text: string): readonly string[] => readFailingItems([text]).items;

type Case = readonly [string, string, readonly string[]];
const LONG = "x".repeat(1900);

const CARGO: readonly Case[] = [
  ["a result without a list", "test result: FAILED. 1 failed", []],
  ["a name that is deeper", "failures:\n     a\ntest result: FAILED. 1", []],
  ["a name that is too long", `failures:\n    ${LONG}\ntest result: FAILED. 1`, []],
  [
    "a doc test",
    "failures:\n    src/a.rs - add (line 12)\ntest result: FAILED. 1",
    ["src/a.rs - add"],
  ],
  [
    "a line inside a name",
    "failures:\n    a (line 12) b\ntest result: FAILED. 1",
    ["a (line 12) b"],
  ],
];

const dotnet = (line: string, summary = "Failed!  - Failed:     1, Passed: 3"): string =>
  `${line}\n${summary}`;
const DOTNET: readonly Case[] = [
  ...["12 ms", "< 1 ms", "1 s", "1.25 s", "0,5 s", "2 m 13 s", "2 m 130 ms", "15ms", "3"].map(
    (time): Case => [time, dotnet(`  Failed A.B.c(x: 1) [${time}]`), ["A.B.c(x: 1)"]],
  ),
  ["the older summary", dotnet("  Failed A.b [1 ms]", "Test Run Failed."), ["A.b"]],
  ["no summary", dotnet("  Failed A.b [1 ms]", "Passed!  - Failed:     0"), []],
  ["a summary that is printed", dotnet("  Failed A.b [1 ms]", "log: Failed!  - Failed: 1"), []],
  ["a summary that goes on", dotnet("  Failed A.b [1 ms]", "Test Run Failed. Or not"), []],
  ["a line that is deeper", dotnet("    Failed A.b [1 ms]"), []],
  ["a line that goes on", dotnet("  Failed A.b [1 ms] of them"), []],
  ["no time", dotnet("  Failed A.b [soon]"), []],
];

const GO: readonly Case[] = [
  ["minutes", "--- FAIL: A (125.07s)\nFAIL\tp\t126s", ["p A"]],
  ["a package without a time", "--- FAIL: A (0.00s)\nFAIL\tp", ["p A"]],
  ["a package that is printed", "--- FAIL: A (0.00s)\nlog FAIL\tq\t0.1s\nFAIL\tp\t0.1s", ["p A"]],
  ["a package that goes on", `--- FAIL: A (0.00s)\nFAIL\tq ${LONG}\nFAIL\tp\t1s`, ["p A"]],
  ["ok that is printed", "--- FAIL: A (0.00s)\nlog ok  \tq\nFAIL\tp\t0.1s", ["p A"]],
  [
    "parents of parents",
    ["A", "A/b", "A/b/c", "B"].map((name) => `--- FAIL: ${name} (0.00s)`).join("\n") +
      "\nFAIL\tp\t1s",
    ["p A/b/c", "p B"],
  ],
];

const jest = (...lines: readonly string[]): string =>
  [...lines, "Test Suites: 1 failed, 1 total"].join("\n");
const JAVASCRIPT: readonly Case[] = [
  ["Jest: a summary in a log", "FAIL a.js\n  ● adds\nlog Test Suites: 1 failed, 1 total", []],
  ["Jest: how long it took", jest("FAIL a.js (12.345 s)", "  ● adds"), ["a.js › adds"]],
  ["Jest: in whole seconds", jest("FAIL a.js (12 s)", "  ● adds"), ["a.js › adds"]],
  ["Jest: a name like a time", jest("FAIL a (5 s) b.js", "  ● adds"), ["a (5 s) b.js › adds"]],
  ["Jest: blanks around names", jest("FAIL  a.js ", "  ●  adds "), ["a.js › adds"]],
  ["Vitest: a heading further in", " ⎯⎯ Failed Tests 12 ⎯⎯\n FAIL  a > b", ["a > b"]],
  ["Vitest: a heading of something", "x⎯⎯ Failed Tests 1 ⎯⎯\n FAIL  a > b", []],
  [
    "Vitest: a next run at the margin",
    "⎯⎯ Failed Tests 1 ⎯⎯\n FAIL  a > b\nRUN  v3.0.0\n FAIL  a > c",
    ["a > b"],
  ],
  [
    "Vitest: a next run that is printed",
    "⎯⎯ Failed Tests 1 ⎯⎯\n FAIL  a > b\nthe RUN  v3.0.0\n FAIL  a > c",
    ["a > b", "a > c"],
  ],
  ["Vitest: a bracket in a name", "⎯⎯ Failed Tests 1 ⎯⎯\n FAIL  a > b [ c ] d", ["a > b [ c ] d"]],
  ["Vitest: half a bracket", "⎯⎯ Failed Tests 1 ⎯⎯\n FAIL  a > b ]", ["a > b ]"]],
  ["Mocha: a dozen", "  12 failing\n  12) a\n       b:", ["a > b"]],
  ["Mocha: a dozen that pass", "  1 failing\n  12 passing (1s)\n  1) a\n       b:", []],
  ["Mocha: a count that is printed", "log   1 failing\n  1) a\n       b:", []],
  ["Mocha: a count that goes on", "  1 failing test\n  1) a\n       b:", []],
  ["Mocha: an entry that is printed", "  1 failing\n log  1) a\n       b:", []],
  ["Mocha: an entry that is too long", `  1 failing\n  1) ${LONG}\n       b:`, []],
  ["Mocha: a test that is too long", `  1 failing\n  1) a\n       ${LONG}:`, []],
  ["Mocha: a test that is printed", "  1 failing\n  1) a\n log        b:", []],
  ["Mocha: no entry before", "  1 failing\n       b:", []],
  ["Mocha: after a test no entry is open", "  1 failing\n  1) a\n       b:\n       c:", ["a > b"]],
  [
    "node: lines of many digits",
    "✖ failing tests:\n\ntest at a.js:120:13\n✖ adds (1200.5ms)",
    ["a.js > adds"],
  ],
  ["node: whole milliseconds", "✖ failing tests:\ntest at a.js:1:1\n✖ adds (3ms)", ["a.js > adds"]],
  ["node: a reason", "✖ failing tests:\ntest at a.js:1:1\n✖ adds (3ms) # not yet", ["a.js > adds"]],
  ["node: a place that goes on", "✖ failing tests:\ntest at a.js:1:1 or so\n✖ adds (3ms)", []],
  ["node: a name that is printed", "✖ failing tests:\ntest at a.js:1:1\nlog ✖ adds (3ms)", []],
  ["node: a name that goes on", "✖ failing tests:\ntest at a.js:1:1\n✖ adds (3ms) or so", []],
  ["TAP: many", "1..120\nnot ok 120 - a", ["a"]],
  ["TAP: a plan that is printed", "log 1..2\nnot ok 1 - a", []],
  ["TAP: a version that goes on", "TAP version 13 is old\nnot ok 1 - a", []],
  ["TAP: a word that begins alike", "1..1\nnot okay then", []],
  ["TAP: a rule that is no block", "1..2\n---\nnot ok 1 - a\n# x\n---\nnot ok 2 - b", ["a", "b"]],
  [
    "TAP: a block below a result",
    "1..2\nnot ok 1 - a\n  ---\n  not ok 9 - x\n  ...\nnot ok 2 - b",
    ["a", "b"],
  ],
];

const RULE = "=".repeat(70);
const unittest = (line: string, rule = RULE, end = "Ran 12 tests in 0.1s"): string =>
  `${rule}\n${line}\n${end}`;
const PYTHON: readonly Case[] = [
  ["unittest", unittest("FAIL: a (b.C.a)"), ["a (b.C.a)"]],
  ["unittest: one test", unittest("ERROR: a (b)", RULE, "Ran 1 test in 0.1s"), ["a (b)"]],
  ["unittest: no end", unittest("FAIL: a (b)", RULE, ""), []],
  ["unittest: an end that is printed", unittest("FAIL: a (b)", RULE, "log Ran 1 test in 1s"), []],
  ["unittest: a rule further in", unittest("FAIL: a (b)", ` ${RULE}`), []],
  ["unittest: a longer rule", unittest("FAIL: a (b)", `${RULE}=`), []],
  ["unittest: something else under a rule", unittest("ok"), []],
  ["unittest: a name that is printed", unittest("log FAIL: a (b)"), []],
  ["unittest: a name that is too long", unittest(`FAIL: ${LONG}`), []],
  ["pytest: a heading in a log", "log == short test summary info ==\nFAILED a.py::b", []],
  ["pytest: a heading that goes on", "== short test summary info == x\nFAILED a.py::b", []],
  ["pytest: an entry in a log", "== short test summary info ==\nlog FAILED a.py::b", []],
  [
    "pytest: the next session ends the summary",
    "= short test summary info =\nFAILED a.py::b\n= test session starts =\nFAILED a.py::c",
    ["a.py::b"],
  ],
  ["pytest: a session in a log", "log = test session starts =\na.py::b FAILED [ 50%]", []],
  ["pytest: a session that goes on", "= test session starts = x\na.py::b FAILED [ 50%]", []],
  ["pytest: a result that goes on", "= test session starts =\na.py::b FAILED [ 50%] x", []],
  ["pytest: a worker in a log", "= test session starts =\nlog [gw1] [ 50%] FAILED a.py::b", []],
  [
    "pytest: the twelfth worker",
    "= test session starts =\n[gw12] [100%] FAILED a.py::b",
    ["a.py::b"],
  ],
  [
    "pytest: no message behind the id",
    "= short test summary info =\nFAILED a.py::b[x]\nFAILED a.py::c[x - y]",
    ["a.py::b[x]", "a.py::c[x - y]"],
  ],
];

const OTHERS: readonly Case[] = [
  ["Gradle: an end that is printed", "A.B > adds() FAILED\nlog BUILD FAILED in 1s", []],
  ["Gradle: the longer end", "A > b FAILED\nFAILURE: Build failed with an exception.", ["A > b"]],
  ["Maven: a line that goes on", "[ERROR] a.B.c -- Time elapsed: 0.1 s <<< FAILURE! x", []],
  ["PHPUnit: a heading in a log", "log There was 1 failure:\n\n1) A::b", []],
  ["PHPUnit: one error", "There was 1 error:\n\n1) A::b", ["A::b"]],
  ["PHPUnit: many errors", "There were 2 errors:\n\n2) A::b", ["A::b"]],
  ["PHPUnit: an entry in a log", "There was 1 failure:\n\nlog 1) A::b", []],
  ["PHPUnit: an entry that is too long", `There was 1 failure:\n\n1) A::${LONG}`, []],
  [
    "PHPUnit: a sentence that begins alike",
    "There was 1 failure:\nlog There was 1 moon\n1) A::b",
    ["A::b"],
  ],
  ["RSpec: a file without a dot", "Failed examples:\nrspec spec/a.rb:1 # A", ["spec/a.rb A"]],
  ["RSpec: a description that is too long", `Failed examples:\nrspec ./a.rb:1 # ${LONG}`, []],
  ["tsc: many lines", "a.ts:120:7 - error TS1: bad", ["a.ts TS1: bad"]],
  ["tsc: an indented line", " a.ts(1,7): error TS1: bad\n a.ts:1:7 - error TS1: bad", []],
];

const suite = (inner: string): string => `<testsuite>${inner}</testsuite>`;
const XML: readonly Case[] = [
  ["a case of another name", suite('<mytestcase name="a"><failure/></testcase>'), []],
  ["a failure without an end", suite('<testcase name="a"><failure></testcase>'), ["a"]],
  ["skipped with a reason", suite('<testcase name="a"><failure/><skipped m="x"/></testcase>'), []],
  ["skipped, opened", suite('<testcase name="a"><failure/><skipped></skipped></testcase>'), []],
  ["not skipped", suite('<testcase name="a"><failure/><notskipped/></testcase>'), ["a"]],
  ["not quite skipped", suite('<testcase name="a"><failure/><skippedOnce/></testcase>'), ["a"]],
  ["skipped outside", suite('<skipped/><testcase name="a"><failure/></testcase>'), ["a"]],
  ["output inside a case", suite('<testcase name="a"><out>x</out><failure/></testcase>'), ["a"]],
  ["a case that passes", suite('<testcase name="a"></testcase><failure/>'), []],
  ["a comment that never ends", suite('<!-- <testcase name="a"><failure/></testcase>'), []],
  ["a case after a comment", suite('<!-- x --><testcase name="a"><failure/></testcase>'), ["a"]],
  [
    "a case right after its output",
    suite('<testcase name="a"><![CDATA[x]]><failure/></testcase>'),
    ["a"],
  ],
];

for (const [title, cases] of Object.entries({ CARGO, DOTNET, GO, JAVASCRIPT, PYTHON, OTHERS, XML }))
  describe(title, () => {
    for (const [name, text, expected] of cases)
      test(name, () => assert.deepEqual(names(text), expected));
  });

test("two hundred names are kept; one that is known already is no further one", () => {
  const line = (index: number): string => `a.ts(1,1): error TS${index}: bad`;
  const full = Array.from({ length: MAX_ITEMS }, (_, index) => line(index)).join("\n");
  assert.equal(readFailingItems([full]).complete, true);
  assert.deepEqual(readFailingItems([full, line(0)]), {
    items: readFailingItems([full]).items,
    complete: true,
  });
  const more = readFailingItems([full, line(MAX_ITEMS)]);
  assert.deepEqual([more.items.length, more.complete], [MAX_ITEMS, false]);
});

test("a name that is nothing once it is tamed is no name", () => {
  assert.deepEqual(names("1..1\nnot ok 1 - \u200b\u200b"), []);
});
