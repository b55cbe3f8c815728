// proves: U11, U13
// Messages of tools that never came to run a test, each with what a test might print that looks
// like it; and which files judge the work.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cannotRun } from "../../../src/core/checks/cannot-run.ts";
import type { CannotRunWhy } from "../../../src/core/checks/cannot-run.ts";
import { settleCheck } from "../../../src/core/checks/judgement.ts";
import type { CheckOutcome } from "../../../src/core/checks/outcome.ts";
import { judgingFiles } from "../../../src/core/checks/judging-files.ts";

const why = (line: string): string | undefined =>
  cannotRun({ kind: "exited", code: 1 }, "", line)?.why;

/** Each: why, lines that say so, and lines that do not. */
const ROWS: readonly (readonly [CannotRunWhy, readonly string[], readonly string[]])[] = [
  [
    "no-such-script",
    [
      "npm error Missing script: x",
      "ERR_PNPM_NO_SCRIPT  Missing script: x",
      " ERR_PNPM_NO_SCRIPT  Missing script: x",
      'Usage Error: Couldn\'t find a script named "x".',
      "make[12]: *** No rule to make target 'x'.  Stop.",
      "gmake: *** No targets specified and no makefile found.  Stop.",
      "python3.12: can't open file '/w/run.py': [Errno 2] No such file or directory",
      "error: could not find `Cargo.toml` in `/w` or any parent directory",
      "go: cannot find main module, but found .git/config in /w",
    ],
    [
      "the log: npm error Missing script: x",
      "see make: *** No rule to make target 'x'.",
      "got go: go.mod file not found",
      "make: *** Nothing to do",
      "pythonista: can't open file",
    ],
  ],
  [
    "not-executable",
    ["make: *** [Makefile:3: x] Error 126", "make[11]: *** [a:3: x] Error 126"],
    ["make: *** [Makefile:3: x] Error 1260", "> make: *** [Makefile:3: x] Error 126"],
  ],
  [
    "command-not-found",
    ["gmake[1]: *** [a:3: x] Error 127", "make: *** [a:3: x] Error 127"],
    ["make: *** [a:3: x] Error 127 times", "a make: *** [a:3: x] Error 127"],
  ],
  [
    "missing-tool",
    [
      "/usr/bin/python3: No module named pytest.x",
      "python.exe: No module named tox",
      "error: no such subcommand: 'nextest'",
      "npm ERR! could not determine executable to run",
      "ERROR: Cannot connect to the Docker daemon at x",
      "error during connect: Cannot connect to the Docker daemon",
      "bundler: command not found: rspec",
    ],
    [
      "a python3: No module named x",
      "an error: no such command: `x`",
      "see bundler: command not found: x",
    ],
  ],
  [
    "no-network",
    ["npm error code ENOTFOUND", "npm ERR! code ECONNREFUSED"],
    ["npm error code ENOTFOUND2", "x npm error code ENOTFOUND", "npm error code E404"],
  ],
  [
    "nothing-to-run",
    [
      "No tests found, exiting with code 1",
      "No test files found, exiting with code 12",
      "no tests ran in 0.01s",
      "=== no tests ran in 1.20s ===",
      'Error: No test files found: "spec"',
    ],
    ["there were no tests ran in 0.01s", "No tests found", "An Error: No test files found: x"],
  ],
  [
    "disk-full",
    [
      "cp: error writing 'a': No space left on device",
      "npm error nospc ENOSPC: no space left on device, write",
      "Error: ENOSPC: no space left on device, write",
    ],
    ["AnError: ENOSPC: no space left on device", "a: No space left on device, he said"],
  ],
];

for (const [kind, says, near] of ROWS)
  describe(kind, () => {
    for (const line of says) test(line, () => assert.equal(why(line), kind));
    for (const line of near) test(`not: ${line}`, () => assert.equal(why(line), undefined));
  });

test("either stream counts, the errors first, and only their last lines", () => {
  const end = { kind: "exited", code: 1 } as const;
  const script = 'npm error Missing script: "x"';
  const empty = "No tests found, exiting with code 1";
  assert.equal(cannotRun(end, script, "")?.why, "no-such-script");
  assert.equal(cannotRun(end, script, empty)?.why, "nothing-to-run");
  assert.equal(cannotRun(end, "", `${script}\n${"x\n".repeat(500)}`), undefined);
  assert.deepEqual(cannotRun(end, "", `a\n${script}   \nb`), {
    why: "no-such-script",
    detail: script,
  });
});

test("exit codes of the shell, and signals from outside", () => {
  const exited = (code: number, stdout = "", stderr = "") =>
    cannotRun({ kind: "exited", code }, stdout, stderr);
  assert.deepEqual(exited(127, "out", "a\nsh: x: not found\n\n"), {
    why: "command-not-found",
    detail: "sh: x: not found",
  });
  assert.deepEqual(exited(126, "out\n"), { why: "not-executable", detail: "out" });
  assert.deepEqual(exited(126), { why: "not-executable", detail: "exit code 126" });
  for (const code of [129, 130, 137, 143]) assert.equal(exited(code)?.why, "killed");
  for (const code of [128, 131, 134, 139]) assert.equal(exited(code), undefined);
  for (const signal of ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"])
    assert.match(
      cannotRun({ kind: "signalled", signal }, "", "")?.detail ?? "",
      new RegExp(signal),
    );
  assert.equal(cannotRun({ kind: "signalled", signal: "SIGSEGV" }, "", ""), undefined);
});

describe("files that judge the work", () => {
  const judges = judgingFiles(["npm test && ./ci/run.sh --all", "just check"]);
  for (const path of [
    "test/a.ts",
    "a/tests/b.go",
    "spec/a.rb",
    "specs/a.rb",
    "a/__snapshots__/b.snap",
    "conftest.py",
    "a/test_b.py",
    "a/b.test.ts",
    "a/b_test.go",
    "a/b-spec.js",
    "a/QueueTest.java",
    "a/QueueTests.kt",
    "ci/run.sh",
    "package.json",
    "a/vitest.config.mts",
    "justfile",
    "a/Justfile",
    ".justfile",
  ])
    test(path, () => assert.equal(judges(path), true));
  for (const path of [
    "src/a.ts",
    "latest/a.ts",
    "a/contest.py",
    "a/b.test.ts.bak/c.ts",
    "a/Contest.java",
    "run.sh",
    "Makefile",
    "pyproject.toml",
    "a/package.json5",
    "adjustfile",
  ])
    test(`not ${path}`, () => assert.equal(judges(path), false));
  test("make and Python keep theirs elsewhere", () => {
    assert.equal(judgingFiles(["make test"])("sub/Makefile"), true);
    assert.equal(judgingFiles(["make test"])("package.json"), false);
    assert.equal(judgingFiles(["python3 -m pytest"])("pyproject.toml"), true);
  });
});

describe("settling a check that ran more than once", () => {
  const failed = (...items: string[]): CheckOutcome => ({ kind: "failed", items, complete: true });
  const passed: CheckOutcome = { kind: "passed" };
  const settle = (...runs: CheckOutcome[]) => settleCheck({ base: passed, runs, maxRuns: 3 });
  test("two failures without names are one failure", () => {
    const step = settle(failed(), failed());
    assert.ok(step.kind === "settled");
    assert.deepEqual([step.blame.verdict, step.flaky, step.flakyItems], ["blamed", false, []]);
  });
  test("a failure without names and one with them are confirmed", () => {
    assert.equal(settle(failed(), failed("a")).kind, "settled");
  });
  test("failures that share no name are looked at once more", () => {
    assert.deepEqual(settle(failed("a"), failed("b")), { kind: "run-again", why: "maybe-flaky" });
  });
  test("a failure without names that then passes is flaky", () => {
    const step = settle(failed(), passed);
    assert.ok(step.kind === "settled");
    assert.deepEqual([step.blame.verdict, step.flaky, step.flakyItems], ["passed", true, []]);
  });
  test("nothing can be settled before it was run", () => {
    assert.throws(() => settle(), /settled after it was run/);
  });
});
