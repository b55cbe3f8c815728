// What a result says of itself, seen from outside: does it count as a failure, does it say anything,
// and which line is quoted.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { firstErrorLine } from "../../../src/core/stuck/results/result-text.ts";
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
    "errors were repaired",
    "exit code 0, q is fine",
    "process exited with code 0",
  ])
    test(`not so: ${output}`, () => assert.equal(unflagged(output), "none"));
  test("not so where anything but four spaces stands before it", () => {
    const failure = fc.constantFrom(
      "error: no disk",
      "panic: over",
      "exit code 1: q",
      "cannot open q",
    );
    const before = fc.constantFrom("an ", "well.\n", "<Tool use> ", "x", "     ");
    fc.assert(
      fc.property(failure, before, (output, words) => {
        assert.equal(unflagged(words + output), "none");
        assert.equal(unflagged(" ".repeat(words.length % 5) + output), "same_failure");
      }),
    );
  });
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
  test("one clean line of at most 200 units", () => {
    assert.equal(firstErrorLine(""), "");
    assert.equal(firstErrorLine(`error ${"x".repeat(500)}`).length, 200);
    assert.equal(firstErrorLine("\x1b[31merror\x1b[0m: \u202ebad"), "error: bad");
    assert.equal(firstErrorLine(`${"line\n".repeat(3000)}TypeError: boom`), "TypeError: boom");
  });
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
