// proves: U11, U13
import assert from "node:assert/strict";
import { test } from "node:test";
import { cannotRun } from "../../../src/core/checks/cannot-run.ts";
import { blame, settleCheck } from "../../../src/core/checks/judgement.ts";
import { judgingFiles } from "../../../src/core/checks/judging-files.ts";
import type { CheckOutcome } from "../../../src/core/checks/outcome.ts";

const FILES = [
  "package.json",
  "jest.config.mjs",
  ".mocharc.yaml",
  "Makefile",
  "GNUmakefile",
  "pytest.ini",
  "tox.ini",
  "setup.cfg",
  "pyproject.toml",
  "justfile",
  ".justfile",
  "package.json5",
  "Makefile.am",
  "pyproject.toml.orig",
  "justfile.txt",
];
const NODE = ["package.json", "jest.config.mjs", ".mocharc.yaml"];
const PYTHON = ["pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"];

const runners: readonly [string, readonly string[]][] = [
  ...["npm test", "npx x", "pnpm t", "yarn t", "bun t", "node a", "vitest", "jest"].map(
    (check): [string, string[]] => [check, NODE],
  ),
  ...["pytest", "tox", "python -m x", "python3 -m x", "poetry run x", "uv run x"].map(
    (check): [string, string[]] => [check, PYTHON],
  ),
  ...["make", "gmake", "cd a&&make", "(make)", "CC=x;make"].map((check): [string, string[]] => [
    check,
    ["Makefile", "GNUmakefile"],
  ]),
  ["just test", ["justfile", ".justfile"]],
  ...["xnpm", "npmx", "cmake", "makex", "xpytest", "pytestx", "python33", "adjust", "justx"].map(
    (check): [string, string[]] => [check, []],
  ),
  ["sh ./pytest.ini", ["pytest.ini"]],
];
for (const [check, expected] of runners)
  test(`what "${check}" runs, and how, is kept in: ${expected.join(" ") || "no known file"}`, () => {
    assert.deepEqual(FILES.filter(judgingFiles([check])), expected);
  });

test("a file that a check names judges, under that name only", () => {
  const judges = judgingFiles(["sh ./a/../b.sh && ./tools/c"]);
  const named = ["a/../b.sh", "tools/c", "b.sh", "./tools/c", "a/b.sh", "c"].filter(judges);
  assert.deepEqual(named, ["a/../b.sh", "tools/c"]);
});

test("tests by their names, whole", () => {
  const judges = judgingFiles([]);
  const tests = ["test_a.py", "x/test_.py", "conftest.py", "ATest.java", "BTests.kt"];
  assert.deepEqual(tests.filter(judges), tests);
  const others = ["test_a.pyc", "conftest.pyx", "ATest.javascript", "Test.java", "xtest_a.py"];
  assert.deepEqual(others.filter(judges), []);
});

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

const settle = (...runs: CheckOutcome[]) => {
  const step = settleCheck({ base: passed, runs, maxRuns: 3 });
  return step.kind === "settled"
    ? [step.outcome, step.blame.verdict, step.flaky, step.flakyItems]
    : step.why;
};

test("what several runs of one check come to", () => {
  assert.deepEqual(settle(passed), [passed, "passed", false, []]);
  assert.deepEqual(settle(cannot, passed), [passed, "passed", false, []]);
  assert.deepEqual(settle(slow), "maybe-flaky");
  assert.deepEqual(settle(slow, slow), [slow, "blamed", false, []]);
  assert.deepEqual(settle(slow, passed), [passed, "passed", true, []]);
  assert.deepEqual(settle(failed("a"), slow), [slow, "blamed", false, []]);
  assert.deepEqual(settle(cannot, failed("a")), "maybe-flaky");
  assert.deepEqual(settle(cannot, cannot, cannot), [cannot, "no-verdict", false, []]);
  assert.deepEqual(settle(failed("a", "b"), failed("a")), [failed("a"), "blamed", true, ["b"]]);
  assert.deepEqual(settle(failed("a"), passed), [passed, "passed", true, ["a"]]);
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
