// What makes two failures the same: the tests a runner names, the problems of a compiler, the kind of
// an error, and a tool that does not exist.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { errorKindHash, isUnknownTool } from "../../../src/core/stuck/results/result-text.ts";
import { failingTestsHash, problemsHash } from "../../../src/core/stuck/results/failing-names.ts";

/** Each: the report of one failing test, the same a run later, and the report of another test. */
const RUNNERS: readonly (readonly [string, string, string, string])[] = [
  ["Jest", "  ✕ drains (3 ms)", "  ✕ drains (15 ms)", "  ✕ closes (3 ms)"],
  ["Jest's summary", "  ● queue › drains\n\n  got 1", "  ● queue › drains\n\n  got 2", "● queue"],
  ["Vitest", " FAIL  q.test.ts > drains", " FAIL  q.test.ts > drains", " FAIL  q.test.ts > ends"],
  ["Mocha", "  1) drains:\n   at q.js:3", "  1) drains:\n   at q.js:9", "  1) closes:"],
  ["TAP", "not ok 3 - drains", "not ok 3 - drains", "not ok 3 - closes"],
  ["AVA", "  ✘ drains", "  ✘ drains", "  ✘ closes"],
  ["Bun", "(fail) drains [1.20ms]", "(fail) drains [1.20ms]", "(fail) closes [1.20ms]"],
  ["pytest", "FAILED a.py::b - assert 1 == 2", "FAILED a.py::b - assert 3 == 2", "FAILED a.py::c"],
  ["pytest -v", "a.py::test_b FAILED   [ 50%]", "a.py::test_b FAILED   [100%]", "a.py::c FAILED"],
  [
    "unittest",
    "FAIL: test_b (tests.A)\nx 1",
    "FAIL: test_b (tests.A)\nx 2",
    "FAIL: test_c (tests.A)",
  ],
  [
    "Go",
    "--- FAIL: TestB (0.01s)\n q:3",
    "--- FAIL: TestB (0.22s)\n q:4",
    "--- FAIL: TestC (0.01s)",
  ],
  ["Cargo", "test q::b ... FAILED\nat 3", "test q::b ... FAILED\nat 4", "test q::c ... FAILED"],
  ["Deno", "drains in order ... FAILED (3ms)", "drains in order ... FAILED (5ms)", "x ... FAILED"],
  ["Gradle", "QTest > drains() FAILED\n 1", "QTest > drains() FAILED\n 2", "QTest > ends() FAILED"],
  [
    "dotnet",
    "  Failed Q.Tests.Drains [3 ms]",
    "  Failed Q.Tests.Drains [3 ms]",
    "  Failed Q.Tests.B",
  ],
  [
    "Maven",
    "[ERROR]   QTest.drains:12 bad",
    "[ERROR]   QTest.drains:14 bad",
    "[ERROR]   QTest.b:12 bad",
  ],
];

/** How runners write that a test failed, and what they add to it from run to run. */
const MARKS: readonly ((name: string) => string)[] = [
  ...["FAIL ", "FAIL:   ", "--- FAIL: ", "FAILED ", "(fail) ", "not ok 1 ", "not ok 123 - "],
  ...["✗ ", "✕ ", "✖ ", "✘  ", "× ", "● ", "7) ", "1234) "],
].map((mark) => (name) => mark + name);
const ADDED = ["", " - got 3", " (3 ms)", " (12.25 s)", " 3ms", " 0.5s", ":12"];
const testName = fc.stringMatching(/^[a-z]{1,9}( [a-z]{1,9}){0,5}$/);

describe("the names of failing tests, however the runner writes them", () => {
  test("any name after any mark, whatever is added to it", () => {
    fc.assert(
      fc.property(
        testName,
        fc.constantFrom(...MARKS),
        fc.constantFrom(...ADDED),
        fc.constantFrom("", "   ", "\t", "all\n\t \t", "x\r\n"),
        (name, mark, added, before) => {
          const hash = failingTestsHash(`FAILED ${name}`);
          assert.notEqual(hash, 0);
          assert.equal(failingTestsHash(`${before}${mark(name)}${added}\nend`), hash);
          assert.notEqual(failingTestsHash(mark(`${name} too`)), hash);
          assert.equal(failingTestsHash(`x ${mark(name)}`), 0);
        },
      ),
      { numRuns: 400 },
    );
  });
  for (const [runner, before, after, other] of RUNNERS)
    test(runner, () => {
      assert.notEqual(failingTestsHash(before), 0);
      assert.equal(failingTestsHash(after), failingTestsHash(before));
      assert.notEqual(failingTestsHash(other), failingTestsHash(before));
    });
  test("name first, then that it failed", () => {
    const same = (one: string, other: string): void =>
      assert.equal(failingTestsHash(one), failingTestsHash(other), one);
    same("a.py::test_b FAILED", "FAILED a.py::test_b");
    same("\t Queue > drains() twice FAILED", "FAILED Queue > drains() twice");
    same("ok\n  drains twice ... FAILED", "FAILED drains twice ...");
    same("  Failed Q.Drains now", "FAILED Q.Drains now");
    same("[ERROR]    QTest.drains:12 bad", "FAILED QTest.drains:345 bad");
  });
  test("numbers inside a name belong to it", () => {
    for (const name of ["waits N seconds", "case N", "outline N"])
      assert.notEqual(
        failingTestsHash(`FAILED ${name.replace("N", "3")}`),
        failingTestsHash(`FAILED ${name.replace("N", "4")}`),
        name,
      );
  });
  test("the order of the names does not count, their number does", () => {
    const both = failingTestsHash("FAILED a.py::b\nFAILED a.py::c");
    assert.equal(failingTestsHash("FAILED a.py::c\nFAILED a.py::b\nFAILED a.py::b"), both);
    assert.notEqual(failingTestsHash("FAILED a.py::b"), both);
  });
  test("a name far down a long report is found, one in its middle is not", () => {
    const filler = "all is well\n".repeat(2000);
    assert.notEqual(failingTestsHash(`${filler}not ok 1 - b\n`), 0);
    assert.equal(failingTestsHash(`${filler}not ok 1 - b\n${filler}`), 0);
  });
  test("a hundred names are enough", () => {
    const report = (count: number, last: string): string =>
      [...Array.from({ length: count }, (_, n) => `✕ t${n}`), `✕ ${last}`].join("\n");
    assert.equal(failingTestsHash(report(100, "x")), failingTestsHash(report(100, "y")));
    assert.notEqual(failingTestsHash(report(99, "x")), failingTestsHash(report(99, "y")));
  });
  for (const text of [
    "ok 1 - FAILED is only a word here",
    "BUILD FAILED in 3s",
    "Failed to compile.",
    "[ERROR] Failed to execute goal",
    "--- SKIP: drains",
    "not ok drains",
    "12345) drains",
    "a.py FAILED",
    "12 passed",
    "",
  ])
    test(`no name in ${JSON.stringify(text)}`, () => assert.equal(failingTestsHash(text), 0));
});

/** Each: a problem, the same at another place, and another problem at the first place. */
const COMPILERS: readonly (readonly [string, string, string, string])[] = [
  ["tsc", "a.ts(3,5): error TS1: bad", "a.ts(9,1): error TS1: bad", "a.ts(3,5): error TS2: bad"],
  ["gcc", "q.c:3:5: error: few", "q.c:30:5: error: few", "q.c:3:5: error: many"],
  ["javac", "Q.java:3: error: symbol", "Q.java:4: error: symbol", "Q.java:3: error: ;"],
  [
    "Go",
    "./q.go:3:5: undefined: drain",
    "./q.go:8:5: undefined: drain",
    "./q.go:3:5: undefined: x",
  ],
  ["ESLint", "  3:5  error  unused 'a'", "  4:5  error  unused 'a'", "  3:5  error  unused 'b'"],
  ["rustc", "error[E0308]: mismatched\n", "error[E0308]: mismatched\n", "error[E0382]: moved"],
];

/** How compilers and linters write the place of a problem. */
const PLACES: readonly ((line: number, column: number) => string)[] = [
  (line) => `q.ts:${line}: `,
  (line) => `q.ts(${line}): `,
  (line, column) => `q.ts:${line}:${column}: `,
  (line, column) => `q.ts(${line},${column}) `,
  (line) => `q_:${line}   `,
  (line, column) => `${line}:${column} error `,
  (line, column) => `${line}:${column}    warning `,
];

describe("problems of compilers and linters", () => {
  test("are the same at another place, not behind other words", () => {
    const place = fc.integer({ min: 1, max: 9_999_999 });
    fc.assert(
      fc.property(fc.constantFrom(...PLACES), place, place, testName, (at, line, other, said) => {
        const hash = problemsHash(at(line, 3) + said);
        assert.notEqual(hash, 0);
        assert.equal(problemsHash(`ok\n  ${at(other, 44)}${said}\nnote`), hash);
        assert.equal(problemsHash(`at ${at(line, 3)}${said}`), 0);
      }),
    );
  });
  for (const [compiler, before, moved, other] of COMPILERS)
    test(compiler, () => {
      assert.notEqual(problemsHash(before), 0);
      assert.equal(problemsHash(moved), problemsHash(before));
      assert.notEqual(problemsHash(other), problemsHash(before));
    });
  test("one problem less is another set", () => {
    assert.notEqual(
      problemsHash("a.c:1:1: error: x\na.c:2:1: error: y"),
      problemsHash("a.c:1:1: error: x"),
    );
  });
  test("an error without a place", () => {
    assert.equal(problemsHash("error: bad\nnote"), problemsHash("ok\n  error: bad"));
    assert.notEqual(problemsHash("error: bad"), 0);
  });
  test("only the first two hundred lines are read", () => {
    const report = (lines: number): string => `${"x\n".repeat(lines)}q.c:1: bad`;
    assert.notEqual(problemsHash(report(199)), 0);
    assert.equal(problemsHash(report(200)), 0);
  });
  for (const text of [
    "12:30:05 queue stopped",
    "40 failed",
    "at drain (q.js:3:5)",
    "an error: bad",
    "3:5 info bad",
    "q.ts:3:5",
    "q.3:5 bad",
    "error[TS]: bad",
    "error",
    "",
  ])
    test(`no problem in ${JSON.stringify(text)}`, () => assert.equal(problemsHash(text), 0));
});

describe("the kind of an error", () => {
  test("leaves out names, numbers, files and what is quoted", () => {
    const name = fc.stringMatching(/^[a-z]{1,12}$/);
    const number = fc.nat().map(String);
    const file = fc.stringMatching(/^[a-z]{1,8}\.(rs|c|java)$|^[a-z]{1,5}[/\\][a-z]{1,5}$/);
    const cases: readonly (readonly [fc.Arbitrary<string>, (what: string) => string])[] = [
      [name, (what) => `sh: ${what}: command not found`],
      [name, (what) => `no such thing: ${what}`],
      [name, (what) => `no column "the ${what}" here`],
      [name, (what) => `no column 'the ${what}' here`],
      [name, (what) => `no column \`the ${what}\` here`],
      [number, (what) => `took ${what} of 4 steps`],
      [file, (what) => `no match in ${what} here`],
      [file, (what) => `no match in ${what}, twice`],
    ];
    for (const [what, said] of cases)
      fc.assert(
        fc.property(what, what, (one, other) =>
          assert.equal(errorKindHash(said(one)), errorKindHash(said(other))),
        ),
      );
    assert.equal(errorKindHash("No Match at all"), errorKindHash("no match at ALL"));
    assert.equal(
      errorKindHash("sh: frob: command not found"),
      errorKindHash("bash:  grub:  command not found"),
    );
  });
  for (const [one, other] of [
    ["boom", "bang"],
    ["no such file", "no such folder"],
    ["cannot bind: 4 5", "cannot find: 4 5"],
    ["x.property_one is not set", "x.property_two is not set"],
    ["wait... what", "stay... what"],
    ["sh: a: not here", "sh: a: not there"],
  ] as const)
    test(`${one} and ${other} are two`, () =>
      assert.notEqual(errorKindHash(one), errorKindHash(other)));
});

describe("a tool that does not exist, as agents say it", () => {
  const tool = fc.stringMatching(/^[\w.:/-]{1,80}$/);
  for (const say of [
    (name: string) => `Error: No such tool available: ${name}`,
    (name: string) => `no such function: ${name}`,
    (name: string) => `Unknown tool: ${name}`,
    (name: string) => `unknown function ${name}`,
    (name: string) => `unsupported call: ${name}`,
    (name: string) => `tool_not_registered ${name}`,
    (name: string) => `tool not found: ${name}`,
    (name: string) => `${name} is not a known tool`,
    (name: string) => `${name} is not a valid tool`,
    (name: string) => `tool ${name} was not found`,
    (name: string) => `tool ${name} not registered`,
    (name: string) => `tool ${name} is not available`,
    (name: string) => `tool ${name} is not recognised`,
    (name: string) => `tool ${name} not recognized`,
    (name: string) => `tool ${name} is not a valid one`,
    (name: string) => `Tool ${name} does not exist.`,
    (name: string) => `tool ${name} is unknown`,
    (name: string) => `tool ${name} unknown`,
  ])
    test(say("frob"), () => {
      fc.assert(fc.property(tool, (name) => assert.equal(isUnknownTool(say(name)), true)));
      assert.equal(isUnknownTool(`${"x ".repeat(150)}${say("frob")}`), true);
      assert.equal(isUnknownTool(`${"x ".repeat(250)}${say("frob")}`), false);
    });
  for (const text of [
    "bash: frob: command not found",
    "No such file",
    "unknown option",
    "unsupported value",
    "the tool failed",
    "tool for the job not found",
    "tool frob will not be found",
    "the function is a valid one",
  ])
    test(`not so: ${text}`, () => assert.equal(isUnknownTool(text), false));
});
