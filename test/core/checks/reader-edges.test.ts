// proves: U11
// Near misses of each format: lines that look like a failing test and are not, and failing tests in
// a form that is seldom seen.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readFailingItems } from "../../../src/core/checks/outcome.ts";

const names = (text: string): readonly string[] => readFailingItems([text]).items;

type Case = readonly [string, string, readonly string[]];

const GO: readonly Case[] = [
  ["whole seconds", "--- FAIL: TestA (3s)\nFAIL\tapp/sum\t3.0s", ["app/sum TestA"]],
  [
    "tests belong to the package line below them, and to no other",
    "--- FAIL: TestA (0.00s)\nFAIL\tapp/a\t0.1s\nFAIL\tapp/b [build failed]",
    ["app/a TestA", "app/b"],
  ],
  [
    "a package that passed ends them too",
    "--- FAIL: TestA (0.00s)\nok  \tapp/a\t0.1s\nFAIL\tapp/b\t0.1s",
    ["app/b"],
  ],
  [
    "a subtest, not its parent",
    "--- FAIL: A (0.00s)\n    --- FAIL: A/b (0.00s)\nFAIL\tp\t0.1s",
    ["p A/b"],
  ],
  ["text after the time", "--- FAIL: TestA (0.00s) again\nFAIL\tp\t0.1s", ["p"]],
];

const JAVASCRIPT: readonly Case[] = [
  ["Jest: no summary", "FAIL a.test.js\n  ● adds", []],
  [
    "Jest: a summary inside a sentence",
    "FAIL a.test.js\n  ● adds\nTest Suites: 1 failed, 1 total so far",
    [],
  ],
  [
    "Jest: after PASS no file is known",
    "FAIL a.js\nPASS b.js\n  ● adds\nTest Suites: 1 failed, 2 total",
    [],
  ],
  [
    "Jest: console output is no test",
    "FAIL a.js\n  ● Console\n  ● adds\nTest Suites: 1 failed, 1 total",
    ["a.js › adds"],
  ],
  ["Vitest: no heading", " FAIL  a.test.ts > adds", []],
  ["Vitest: a heading that is printed", "log ⎯⎯ Failed Tests 1 ⎯⎯\n FAIL  a.test.ts > adds", []],
  [
    "Vitest: a heading that goes on",
    "⎯⎯ Failed Tests 1 ⎯⎯ said the log\n FAIL  a.test.ts > adds",
    [],
  ],
  [
    "Vitest: the next run begins",
    "⎯⎯ Failed Tests 1 ⎯⎯\n FAIL  a > b\n RUN  v3.0.0 /w\n FAIL  a > c",
    ["a > b"],
  ],
  [
    "Mocha: passing ends the list",
    "  1 failing\n  1) a\n       b:\n  9 passing (3ms)\n  2) c\n       d:",
    ["a > b"],
  ],
  [
    "Mocha: passing that is printed",
    "  1 failing\n  log   9 passing\n  1) a\n       b:",
    ["a > b"],
  ],
  ["Mocha: text after an entry", "  1 failing\n  1) a\n\n       b:", []],
  ["Mocha: numbers before the list", "  1) a\n       b:\n  1 failing", []],
  ["TAP: a plan with a reason", "1..1 # all of them\nnot ok 1 - a", ["a"]],
  ["TAP: a plan of many", "1..120\nnot ok 7 - a", ["a"]],
  ["TAP: no plan", "not ok 7 - a", []],
  ["TAP: a test without a name", "1..1\n    not ok 1\nnot ok 1", ["not ok 1 > not ok 1"]],
  ["TAP: a mark in the name", "1..1\nnot ok 1 - issue \\#7", ["issue #7"]],
  ["node: a place inside a line", "✖ failing tests:\n\nsee test at a.js:1:2\n✖ adds (1ms)", []],
];

const OTHERS: readonly Case[] = [
  ["Gradle", "A.B > adds() FAILED\nBUILD FAILED in 1s", ["A.B > adds()"]],
  ["Gradle: a printed line", "  at A.B > adds() FAILED\nBUILD FAILED in 1s", []],
  ["Gradle: a build that passed", "A.B > adds() FAILED\nBUILD SUCCESSFUL in 1s", []],
  ["PHPUnit: many", "There were 12 failures:\n\n12) A::b", ["A::b"]],
  ["PHPUnit: no heading", "1) A::b", []],
  ["PHPUnit: a heading of another kind", "There was 1 warning:\n\n1) A::b", []],
  ["PHPUnit: a heading that goes on", "There was 1 failure: none\n\n1) A::b", []],
  ["PHPUnit: an entry without a test", "There was 1 error:\n\n1) no tests", []],
  ["RSpec", "Failed examples:\n\nrspec ./spec/a_spec.rb:12 # A adds", ["spec/a_spec.rb A adds"]],
  [
    "RSpec: an example by number",
    "Failed examples:\nrspec ./a.rb[1:2:3] # A adds",
    ["a.rb A adds"],
  ],
  ["RSpec: digits inside a name", "Failed examples:\nrspec ./v:2/a.rb:12 # A", ["v:2/a.rb A"]],
  ["RSpec: before the heading", "rspec ./a.rb:1 # A\nFailed examples:", []],
  ["RSpec: a printed line", "x\nFailed examples:\n# rspec ./a.rb:1 # A adds", []],
  ["RSpec: without a heading", "rspec ./a.rb:1 # A", []],
  [
    "pytest: a message with a bracket",
    "== short test summary info ==\nFAILED a.py::b - [1]",
    ["a.py::b"],
  ],
  [
    "pytest: an id that begins with one",
    "== short test summary info ==\nFAILED [x - y] - z",
    ["[x - y]"],
  ],
  ["pytest: a log line", "== test session starts ==\nwrite FAILED   [ 50%]", []],
  ["tsc", "a.ts(1,7): error TS1: bad", ["a.ts TS1: bad"]],
  ["tsc: an error of no file", "error TS5058: no such path", ["TS5058: no such path"]],
  [
    "tsc: twice",
    "a.ts(1,7): error TS1: bad\na.ts(9,7): error TS1: bad",
    ["a.ts TS1: bad", "a.ts TS1: bad (2)"],
  ],
  [
    "cargo: other output under the same word",
    "failures:\n\n---- a ----\nfailures:\n    a\n\ntest result: FAILED. 1",
    ["a"],
  ],
  ["unittest: without a rule", "FAIL: a (b)\nRan 1 test in 0.1s", []],
  ["Maven", "[ERROR] a.B.c -- Time elapsed: 0.1 s <<< FAILURE!", ["a.B.c"]],
  ["Maven, older", "[ERROR] c(a.B)  Time elapsed: 0.1 s  <<< ERROR!", ["a.B.c"]],
];

const suite = (inner: string): string => `<testsuite>${inner}</testsuite>`;
const bad = (attributes: string): string => suite(`<testcase ${attributes}><failure/></testcase>`);

const XML: readonly Case[] = [
  ["class and name", bad('classname="A" name="b"'), ["A > b"]],
  ["class and name are one", bad('classname="b" name="b"'), ["b"]],
  ["single quotes", bad("name='a \"b\"'"), ['a "b"']],
  ["a bracket in double quotes", bad('name="a > b"'), ["a > b"]],
  ["a bracket in single quotes", bad("name='a > b'"), ["a > b"]],
  ["characters by number", bad('name="&#65;&#x42;&lt;&amp;&quot;&apos;&gt;"'), ["AB<&\"'>"]],
  ["characters that do not exist", bad('name="a&#0;&#x110000;&#9999999;b"'), ["ab"]],
  ["the last character", bad('name="&#x10FFFF;"'), ["\u{10ffff}"]],
  ["a name that never ends", suite('<testcase x="1" name="a/><failure/></testcase>'), []],
  [
    "output that looks like markup",
    suite('<testcase name="a"><![CDATA[<failure/>]]></testcase>'),
    [],
  ],
  ["a comment", suite('<testcase name="a"><!-- <failure/> --></testcase>'), []],
  ["skipped", suite('<testcase name="a"><failure/><skipped/></testcase>'), []],
  ["an error", suite('<testcase name="a"><error type="x">y</error></testcase>'), ["a"]],
  ["a case without a body", suite('<testcase name="a"/><failure/>'), []],
  ["a comparison in the text", suite('1 < 2 <testcase name="a"><failure/></testcase>'), ["a"]],
  ["another element", suite('<testcases name="a"><failure/></testcase>'), []],
];

for (const [title, cases] of Object.entries({ GO, JAVASCRIPT, OTHERS, XML }))
  describe(title, () => {
    for (const [name, text, expected] of cases)
      test(name, () => assert.deepEqual(names(text), expected));
  });
