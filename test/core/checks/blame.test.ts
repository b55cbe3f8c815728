// proves: U11, U13
import assert from "node:assert/strict";
import { test } from "node:test";
import { cannotRun } from "../../../src/core/checks/cannot-run.ts";
import { blame, hasOnlyKnownMarks } from "../../../src/core/checks/judgement.ts";
import type { CheckOutcome } from "../../../src/core/checks/outcome.ts";

const passed: CheckOutcome = { kind: "passed" };
const failed = (...items: string[]): CheckOutcome => ({ kind: "failed", items, complete: true });
const slow: CheckOutcome = { kind: "timed-out", limitMs: 1000 };
const cannot: CheckOutcome = { kind: "could-not-run", why: "missing-tool", detail: "" };

test("blame, whole: new failures, known ones, and what passes now", () => {
  assert.deepEqual(blame(failed("a", "b"), failed("b", "c")), {
    verdict: "blamed",
    blamed: ["c"],
    alreadyFailing: ["b"],
    newlyPassing: ["a"],
    provesNothingNew: false,
  });
  const nothing = { blamed: [], alreadyFailing: [], newlyPassing: [], provesNothingNew: false };
  assert.deepEqual(blame(failed("a"), slow), { ...nothing, verdict: "blamed" });
  assert.deepEqual(blame(failed("a"), cannot), { ...nothing, verdict: "no-verdict" });
  assert.deepEqual(blame(slow, passed), { ...nothing, verdict: "passed" });
  assert.deepEqual(blame(undefined, passed), { ...nothing, verdict: "passed" });
  assert.deepEqual(blame(passed, passed), {
    ...nothing,
    verdict: "passed",
    provesNothingNew: true,
  });
});

test("a failure without names says nothing new where each of its marks was there on the base", () => {
  const marked = (marks: readonly string[] | undefined, complete = true): CheckOutcome => ({
    ...{ kind: "failed", items: [], complete },
    ...(marks === undefined ? {} : { marks }),
  });
  const rows: readonly (readonly [CheckOutcome | undefined, CheckOutcome, boolean])[] = [
    [marked(["a", "b"]), marked(["a", "b"]), true],
    [marked(["a", "b"]), marked(["b"]), true],
    [marked(["a", "b"]), marked(["b", "c"]), false],
    [marked(["a"]), marked(["a"], false), false],
    [marked(undefined), marked(["a"]), false],
    [marked(["a"]), marked(undefined), false],
    [passed, marked([]), false],
    [undefined, marked([]), false],
    [marked(["a"]), passed, false],
    [marked(["a"]), slow, false],
  ];
  for (const [base, now, expected] of rows) assert.equal(hasOnlyKnownMarks(base, now), expected);
});

const why = (stderr: string, code = 1): string | undefined =>
  cannotRun({ kind: "exited", code }, "", stderr)?.why;

const messages: readonly [string, string | undefined][] = [
  ["make[12]: *** [Makefile:3: test] Error 127", "command-not-found"],
  ["make[12]: *** [Makefile:3: test] Error 126", "not-executable"],
  ["/usr/bin/python3.12: can't open file '/r/run.py': [Errno 2]", "no-such-script"],
  ["C:\\py\\python.exe: can't open file 'x'", "no-such-script"],
  ["the log: python3: can't open file 'x'", undefined],
  ["log Usage Error: Couldn't find a script named", undefined],
  ["log npm error enoent Could not read package.json", undefined],
  ["log error: could not find `Cargo.toml` in /r", undefined],
  ["log npm error could not determine executable to run", undefined],
  ["log No tests found, exiting with code 1", undefined],
  ["No test files found, exiting with code 1", "nothing-to-run"],
  ["cc: No space left on device", "disk-full"],
  ["cc: a: b: c: No space left on device", "disk-full"],
  [": No space left on device", undefined],
  ["npm error ENOSPC: no space left on device, write", "disk-full"],
  ["npm error nospc ENOSPC: no space left on device, write", "disk-full"],
  ["make: *** [x] Error 127   ", "command-not-found"],
  ["  make: *** [x] Error 127", undefined],
];
for (const [line, expected] of messages)
  test(`could it run? ${line}`, () => {
    assert.equal(why(line), expected);
  });

test("only the shell's own codes, and only of an exit", () => {
  assert.deepEqual(cannotRun({ kind: "exited", code: 127 }, "", ""), {
    why: "command-not-found",
    detail: "exit code 127",
  });
  assert.deepEqual(cannotRun({ kind: "exited", code: 126 }, "said", "\n"), {
    why: "not-executable",
    detail: "said",
  });
  assert.equal(cannotRun({ kind: "exited", code: 125 }, "", ""), undefined);
  assert.equal(cannotRun({ kind: "signalled", signal: "SIGSEGV" }, "", ""), undefined);
});
