// What a failing result is compared by: the tests a runner names, the problems of a compiler, the
// kind of an error; and what a shell command prints of a file.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  errorKindHash,
  failingTestsHash,
  firstErrorLine,
  isUnknownTool,
  problemsHash,
} from "../../../src/core/stuck/result-text.ts";
import { printedPart, readCommand } from "../../../src/core/stuck/tools.ts";

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

describe("failing tests by name", () => {
  for (const [runner, before, after, other] of RUNNERS)
    test(runner, () => {
      assert.notEqual(failingTestsHash(before), 0);
      assert.equal(failingTestsHash(after), failingTestsHash(before));
      assert.notEqual(failingTestsHash(other), failingTestsHash(before));
    });
  test("the order of the names does not count, their number does", () => {
    const both = failingTestsHash("FAILED a.py::b\nFAILED a.py::c");
    assert.equal(failingTestsHash("FAILED a.py::c\nFAILED a.py::b\nFAILED a.py::b"), both);
    assert.notEqual(failingTestsHash("FAILED a.py::b"), both);
  });
  test("line ends of Windows", () => {
    assert.equal(failingTestsHash("x\r\nnot ok 1 - b\r\n"), failingTestsHash("not ok 1 - b"));
  });
  test("a name far down a long report is found, one in its middle is not", () => {
    const filler = "all is well\n".repeat(2000);
    assert.notEqual(failingTestsHash(`${filler}not ok 1 - b\n`), 0);
    assert.equal(failingTestsHash(`${filler}not ok 1 - b\n${filler}`), 0);
  });
  for (const text of [
    "ok 1 - FAILED is only a word here",
    "BUILD FAILED in 3s",
    "Failed to compile.",
    "the (fail) case is covered",
    "[ERROR] Failed to execute goal",
    "nothing was ok 1 - b",
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

describe("problems of compilers and linters", () => {
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
  for (const text of ["12:30:05 queue stopped", "40 failed", "at drain (q.js:3:5)", "error", ""])
    test(`no problem in ${JSON.stringify(text)}`, () => assert.equal(problemsHash(text), 0));
});

test("the kind of an error leaves names, numbers and paths out", () => {
  const same: readonly (readonly [string, string])[] = [
    ["sh: frob: command not found", "sh: grub: command not found"],
    ["Failed to find expected lines in a.rs", "Failed to find expected lines in deep/b.rs"],
    ['column "x" does not exist', 'column "y" does not exist'],
    ["line 3: unexpected token", "line 14: unexpected token"],
  ];
  for (const [one, two] of same) assert.equal(errorKindHash(one), errorKindHash(two), one);
  assert.notEqual(errorKindHash("no such file"), errorKindHash("no such folder"));
  assert.notEqual(errorKindHash("sh: x: not found"), errorKindHash("sh: x: not executable"));
});

test("the first line that names an error, at the head or the tail", () => {
  assert.equal(firstErrorLine("starting\n  Error: no disk  \nError: later"), "Error: no disk");
  const long = "line of output\n".repeat(200);
  assert.equal(firstErrorLine(`${long}panic: out of range\nend`), "panic: out of range");
  assert.equal(firstErrorLine("Exit code 1\n\nall   quiet"), "all quiet");
  assert.equal(firstErrorLine("Exit code 1"), "Exit code 1");
  assert.equal(firstErrorLine(""), "");
  assert.equal(firstErrorLine(`error ${"x".repeat(500)}`).length, 200);
  assert.equal(firstErrorLine("error \u001b[31mred\u001b[0m"), "error red");
});

test("a tool that does not exist, as agents say it", () => {
  for (const text of [
    "Error: No such tool available: frob",
    "Unknown tool: frob",
    "tool frob not found",
    "Tool frob does not exist.",
    "The tool frob is not registered",
    "unsupported call: frob",
    "frob is not a valid tool",
  ])
    assert.ok(isUnknownTool(text), text);
  for (const text of ["No such file", "the tool failed", "function returned nothing", "tool ok"])
    assert.ok(!isUnknownTool(text), text);
});

test("what a command prints of one file", () => {
  const parts: readonly (readonly [string, string, number, number])[] = [
    ["cat a.ts", "a.ts", 0, 2000],
    ["head -n 40 a.ts", "a.ts", 0, 40],
    ["head -40 a.ts", "a.ts", 0, 40],
    ["sed -n '10,20p' a.ts", "a.ts", 10, 20],
    ["sed -n 10,20p a.ts", "a.ts", 10, 20],
    ["nl -ba a.ts | sed -n '10,20p'", "a.ts", 10, 20],
    ["bash -lc 'cat a.ts'", "a.ts", 0, 2000],
    ['/bin/sh -c "head -n 5 a.ts"', "a.ts", 0, 5],
  ];
  for (const [command, path, start, end] of parts)
    assert.deepEqual(printedPart(command), { path, range: [start, end] }, command);
  for (const command of [
    "cat a.ts b.ts",
    "cat *.ts",
    "cat a.ts > b.ts",
    "cat a.ts | wc -l",
    "tail -n 3 a.log",
    "sed -i 1,2p a.ts",
    "cat a.ts | sed -n '1,2p' b.ts",
    "cat",
    "",
  ])
    assert.equal(printedPart(command), undefined, command);
});

test("a command in another shell is read like any other", () => {
  assert.deepEqual(readCommand("bash -lc 'npm test'"), readCommand("npm test"));
  assert.equal(readCommand("bash -lc 'npm test'").checks, true);
  assert.equal(readCommand("zsh -c ls").looksOnly, true);
  assert.equal(readCommand("sh -c 'rm a'").looksOnly, false);
  assert.equal(readCommand("bash script.sh").looksOnly, false);
});
