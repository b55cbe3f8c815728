// What a result says of itself, seen from outside: does it count as a failure, does it say anything,
// which line is quoted, and which tests or problems make two failures the same.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  errorKindHash,
  failingTestsHash,
  firstErrorLine,
  isUnknownTool,
  problemsHash,
} from "../../../src/core/stuck/result-text.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { failed, lastVerdict, ran, times } from "./steps.ts";

const LETTERS = "abcdefgh";
const patternOf = (steps: readonly Step[]): string => lastVerdict(steps).pattern ?? "none";
/** The same output of four other commands, none of them flagged as an error. */
const unflagged = (output: string, command = "./go"): string =>
  patternOf(times(4, (n) => ran("Bash", { command: `${command} ${LETTERS[n]}` }, output)));

describe("a result that begins with its failure has failed, whatever its flag says", () => {
  for (const output of [
    "error: no disk",
    "    fatal: no disk",
    "  failed",
    "failure in q",
    "Exception in thread",
    "panic: oh",
    "Traceback (most recent call last)",
    "<tool_use_error>Error here",
    "<e>error",
    "unhandled rejection of q",
    "invalid option",
    " cannot open q",
    "could not open q",
    "unable to open q",
    "command failed",
    "exit code 1: q stopped",
    "exit code: 9, q stopped",
    "process exited with code 3 for q",
  ])
    test(output, () => assert.equal(unflagged(output), "same_failure"));
  for (const output of [
    "an error: no disk",
    "     error after five spaces",
    "errors were repaired",
    "the panic: over",
    "<Tool use error>error",
    "the exit code 1 was wanted by q",
    "exit code 0, q is fine",
    "process exited with code 0 for q",
    "well.\ncannot open q",
  ])
    test(`not so: ${output}`, () => assert.equal(unflagged(output), "none"));
});

describe("a check has failed where its output says so", () => {
  const long = "line of the report\n".repeat(30);
  for (const output of [
    "ran all: 1 failed",
    "ran all: 12 failed",
    "3 tests failed",
    "1 test failed",
    "2 specs failing",
    "1 spec failing",
    "2 checks failed",
    "1 check failed",
    "saw 1 failure",
    "saw 20 failures",
    "1 error in q",
    "2 errors in q",
    "q FAIL",
    "q FAILED",
    "q FAILURE",
    "q has an error: bad",
    "q: error TS2304: bad",
    "q: error E1: bad",
    "✗ drains",
    "✕ drains",
    "✖ drains",
    "ok 1\nnot ok 2 drains",
    `2 failed\n${long}${long}${long}`,
    `${long}${long}2 failed\n${long}`,
  ])
    test(output.slice(0, 40), () => assert.equal(unflagged(output, "npm test --"), "same_failure"));
  for (const output of [
    "0 failed",
    "0 tests failed, 0 errors",
    "12 passed",
    "it is not ok to fail",
    "the error page is shown",
    "FAILOVER works",
    `${long}2 failed\n${long}${long}${long}`,
  ])
    test(`not so: ${output.slice(0, 40)}`, () =>
      assert.equal(unflagged(output, "npm test --"), "none"));
  test("of another command such words prove nothing", () => {
    assert.equal(unflagged("ran all: 1 failed"), "none");
  });
});

describe("a bare exit code is no proof that two failures are the same", () => {
  const flagged = (output: string): string =>
    patternOf(times(4, (n) => failed("Bash", { command: `./go ${LETTERS[n]}` }, output)));
  for (const output of [
    "",
    "Exit code 1",
    "exit 127",
    "Exited with code 2.",
    "error",
    "ERROR: 12 (13)",
    "exit code 1".padEnd(59, "."),
  ])
    test(JSON.stringify(output), () => assert.equal(flagged(output), "none"));
  for (const output of ["Exit code one", "killed", "exit code 1: q", "exit code 1".padEnd(60, ".")])
    test(`it says something: ${output}`, () => assert.equal(flagged(output), "same_failure"));
});

describe("the line that is quoted", () => {
  const filler = "line of output\n";
  test("the first that names an error, as it stands between two line ends", () => {
    assert.equal(firstErrorLine("start\n  q: missing rule \nend"), "q: missing rule");
    assert.equal(firstErrorLine("q: missing rule\nend"), "q: missing rule");
    assert.equal(firstErrorLine("start\nq: missing rule"), "q: missing rule");
  });
  test("looked for in the first 800 units, then in the last 1,600", () => {
    const head = filler.repeat(53);
    assert.equal(firstErrorLine(`${head}no: fatal\n${filler.repeat(300)}`), "line of output");
    assert.equal(firstErrorLine(`${filler.repeat(300)}no: fatal\n${head}`), "no: fatal");
    assert.equal(firstErrorLine(`first\n${"x".repeat(600)}\nno: fatal\n${filler}`), "no: fatal");
    const late = `first\n${filler.repeat(300)}no: fatal\n${filler.repeat(120)}`;
    assert.equal(firstErrorLine(late), "first");
    assert.equal(firstErrorLine(`one: fatal\n${filler.repeat(99)}two: fatal\n`), "one: fatal");
  });
  test("where none is named, the first that says more than an exit code", () => {
    assert.equal(firstErrorLine("\n \nExit code 3\n  all quiet\nmore"), "all quiet");
    assert.equal(firstErrorLine("\n\n  Exit code 3 \n7"), "Exit code 3");
  });
});

describe("a tool that does not exist", () => {
  for (const text of [
    "no such function: frob",
    "unknown function frob",
    "no such tool",
    "tool_not_registered",
    "tool not found",
    "frob is not a known tool",
    "tool frob was not found",
    "tool frob is not available",
    "tool f not registered",
    "tool frob not recognized",
    "tool frob is not recognised",
    "tool frob is not a valid one",
    "tool frob unknown",
    "tool frob is unknown",
    `${"x ".repeat(150)}unknown tool`,
  ])
    test(text.slice(-40), () => assert.equal(isUnknownTool(text), true));
  for (const text of [
    "tool for the job not found",
    "tool frob will not be found",
    "unknown option",
    "unsupported value",
    "the function is a valid one",
    `${"x ".repeat(250)}unknown tool`,
  ])
    test(`not so: ${text.slice(-40)}`, () => assert.equal(isUnknownTool(text), false));
});

describe("the names of failing tests, however the runner writes them", () => {
  const drains = failingTestsHash("FAILED drains twice");
  for (const text of [
    "FAIL drains twice",
    "FAIL:   drains twice",
    "--- FAIL: drains twice",
    "✗ drains twice",
    "   ✕ drains twice",
    "\t✖ drains twice",
    "✘  drains twice",
    "× drains twice",
    "● drains twice",
    "(fail) drains twice",
    "not ok 1 drains twice",
    "not ok 123 - drains twice",
    "  7) drains twice",
    "1234) drains twice",
    "all\n\t \tFAILED drains twice\nend",
    "FAILED drains twice - got 3",
    "FAILED drains twice (3 ms)",
    "FAILED drains twice (12.25 s)",
    "FAILED drains twice 3ms",
    "FAILED drains twice 0.5s",
    "FAILED drains twice:12",
  ])
    test(JSON.stringify(text), () => assert.equal(failingTestsHash(text), drains));
  test("name first, then that it failed", () => {
    const same = (one: string, other: string): void =>
      assert.equal(failingTestsHash(one), failingTestsHash(other), one);
    same("a.py::test_b FAILED", "FAILED a.py::test_b");
    same("\t Queue > drains() twice FAILED", "FAILED Queue > drains() twice");
    same("ok\n  drains twice ... FAILED", "FAILED drains twice ...");
    same("  Failed Q.Drains now", "FAILED Q.Drains now");
    same("[ERROR] QTest.drains:12 bad", "FAILED QTest.drains:345 bad");
    same("[ERROR]    QTest.drains:12 bad", "FAILED QTest.drains:1 bad");
  });
  test("numbers inside a name belong to it", () => {
    const differ = (one: string, other: string): void =>
      assert.notEqual(failingTestsHash(one), failingTestsHash(other), one);
    differ("FAILED waits 3 seconds", "FAILED waits 4 seconds");
    differ("FAILED case 3", "FAILED case 4");
    differ("FAILED outline 3", "FAILED outline 4");
  });
  for (const text of [
    "--- SKIP: drains",
    "the ✗ drains twice",
    "x FAILED drains",
    "not ok drains",
    "Failed drains",
    "[ERROR] drains twice",
    "12345) drains",
    "a.py FAILED",
  ])
    test(`no name in ${text}`, () => assert.equal(failingTestsHash(text), 0));
  test("a hundred names are enough", () => {
    const report = (count: number, last: string): string =>
      [...Array.from({ length: count }, (_, n) => `✕ t${n}`), `✕ ${last}`].join("\n");
    assert.equal(failingTestsHash(report(100, "x")), failingTestsHash(report(100, "y")));
    assert.notEqual(failingTestsHash(report(99, "x")), failingTestsHash(report(99, "y")));
  });
});

describe("the problems of compilers and linters", () => {
  const same = (one: string, other: string): void => {
    assert.notEqual(problemsHash(one), 0, one);
    assert.equal(problemsHash(other), problemsHash(one), other);
  };
  test("at another place they are the same", () => {
    same("q.ts:1: bad", "q.ts:123: bad");
    same("q.ts(1): bad", "q.ts(123): bad");
    same("q.ts:1:2: bad", "q.ts:33:44: bad");
    same("q.ts(1,2) bad", "q.ts(33,44) bad");
    same("q.ts:1   bad", "q.ts:22   bad");
    same("q_:1 bad", "q_:22 bad");
    same("1:2 error bad", "33:44 error bad");
    same("1:2    warning bad", "33:4    warning bad");
    same("error: bad\nnote", "ok\n  error: bad");
  });
  for (const text of [
    "at q.ts:3:5 bad",
    "on 3:5 error bad",
    "an error: bad",
    "3:5 info bad",
    "q.ts:3:5",
    "q.3:5 bad",
    "error[TS]: bad",
  ])
    test(`none in ${text}`, () => assert.equal(problemsHash(text), 0));
  test("only the first two hundred lines are read", () => {
    const report = (lines: number, last: string): string => `${"x\n".repeat(lines)}q.c:1: ${last}`;
    assert.notEqual(problemsHash(report(199, "bad")), 0);
    assert.equal(problemsHash(report(200, "bad")), 0);
  });
});

test("the kind of an error leaves out what is quoted, files, numbers and small differences", () => {
  const same: readonly (readonly [string, string])[] = [
    ['no column "first name" here', 'no column "x" here'],
    ["no column 'first name' here", "no column 'x' here"],
    ["no column `first name` here", "no column `x` here"],
    ["no match in one.rs", "no match in two.java"],
    ["no match in one.rs, twice", "no match in two.c, twice"],
    ["no match in one\\a here", "no match in two\\b here"],
    ["No Match at all", "no match at ALL"],
    ["sh: frob: command not found", "sh:  grub:  command not found"],
    ["took 3 of 4 steps", "took 33 of 444 steps"],
    ["no such thing: frob", "no such thing: grub"],
  ];
  for (const [one, other] of same) assert.equal(errorKindHash(one), errorKindHash(other), one);
  const differ: readonly (readonly [string, string])[] = [
    ["boom", "bang"],
    ["cannot bind: 4 5", "cannot find: 4 5"],
    ["x.property_one is not set", "x.property_two is not set"],
    ["wait... what", "stay... what"],
    ["sh: a: not here", "sh: a: not there"],
  ];
  for (const [one, other] of differ) assert.notEqual(errorKindHash(one), errorKindHash(other), one);
});

describe("outputs without a call are compared by the lines that name an error", () => {
  const alone = (line: string): string =>
    lastVerdict(
      times(4, (n): Step[] => [
        { kind: "tool_result", output: `part ${LETTERS[n]}\n${line}\nend ${LETTERS[n]}` },
      ]),
    ).level;
  for (const line of [
    "an error here",
    "access denied for q",
    "QueueError in q",
    "java.QueueException",
    "no such thing",
    '{"state": "failed"}',
  ])
    test(line, () => assert.equal(alone(line), "stuck"));
  for (const line of ["all is well", '{"error": null}', '{"errors" :0}', "QueueErrors", "3Error"])
    test(`not by ${line}`, () => assert.equal(alone(line), "none"));
});
