// proves: U11, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MAX_ITEMS, readFailingItems, readOutcome } from "../../../src/core/checks/outcome.ts";
import type { CheckEnd } from "../../../src/core/checks/outcome.ts";

const exited = (code: number): CheckEnd => ({ kind: "exited", code });
const read = (end: CheckEnd, { stdout = "", stderr = "", cut = false } = {}) =>
  readOutcome(end, { stdout, stderr, cut });

test("exit 0 is passed, whatever was printed", () => {
  const stdout = "TAP version 13\nnot ok 1 - x\n1..1\n";
  assert.deepEqual(read(exited(0), { stdout }), { kind: "passed", tests: 1 });
  assert.deepEqual(read(exited(0), { stdout: "done" }), { kind: "passed" });
  assert.deepEqual(read(exited(1), { stdout }), {
    kind: "failed",
    items: ["x"],
    complete: true,
    tests: 1,
  });
  assert.deepEqual(read(exited(1), { stdout, cut: true }), {
    kind: "failed",
    items: ["x"],
    complete: false,
    tests: 1,
  });
  assert.deepEqual(read(exited(0), { stdout: "", cut: true }), { kind: "passed", cut: true });
});

test("a check that could not run is told from one that failed", () => {
  const cases: [end: CheckEnd, stderr: string, why: string | undefined][] = [
    [exited(127), "sh: 1: vitest: not found", "command-not-found"],
    [exited(126), "sh: 1: ./run: Permission denied", "not-executable"],
    [exited(1), 'npm error Missing script: "test"', "no-such-script"],
    [exited(1), "npm ERR! missing script: test", "no-such-script"],
    [exited(254), "npm error enoent Could not read package.json: Error: ENOENT", "no-such-script"],
    [exited(1), 'error Command "test" not found.', "no-such-script"],
    [exited(2), "make: *** No rule to make target 'test'.  Stop.", "no-such-script"],
    [
      exited(2),
      "make: pytest: No such file\nmake: *** [Makefile:2: test] Error 127",
      "command-not-found",
    ],
    [exited(2), "make: *** [Makefile:2: test] Error 1", undefined],
    [exited(1), "/usr/bin/python3: No module named pytest", "missing-tool"],
    [exited(1), "ModuleNotFoundError: No module named 'app'", undefined],
    [exited(101), "error: no such command: `nextest`", "missing-tool"],
    [
      exited(1),
      "go: go.mod file not found in current directory or any parent directory",
      "no-such-script",
    ],
    [
      exited(1),
      "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
      "missing-tool",
    ],
    [exited(1), "expected 'Cannot connect to the Docker daemon' in the page", undefined],
    [exited(1), "No test files found, exiting with code 1", "nothing-to-run"],
    [exited(5), "============ no tests ran in 0.01s ============", "nothing-to-run"],
    [exited(1), "cp: error writing 'a': No space left on device", "disk-full"],
    [exited(1), "AssertionError: the user saw No space left on device", undefined],
    [exited(1), "npm error code EAI_AGAIN", "no-network"],
    [exited(137), "", "killed"],
    [exited(143), "Terminated", "killed"],
    [exited(1), "", undefined],
    [exited(139), "Segmentation fault", undefined],
    [{ kind: "signalled", signal: "SIGKILL" }, "", "killed"],
    [{ kind: "signalled", signal: "SIGSEGV" }, "", undefined],
    [{ kind: "stopped", detail: "the run was stopped" }, "", "stopped"],
    [{ kind: "not-started", detail: "no pipes" }, "", "not-started"],
  ];
  for (const [end, stderr, why] of cases)
    for (const output of [{ stderr }, { stdout: stderr }]) {
      const outcome = read(end, output);
      const found = outcome.kind === "could-not-run" ? outcome.why : undefined;
      assert.equal(found, why, stderr);
      if (why === undefined) assert.equal(outcome.kind, "failed", stderr);
    }
});

test("named failures win over a message that sounds like not running", () => {
  const stdout = "TAP version 13\nnot ok 1 - x\n1..1\nsh: 1: lint: not found\n";
  assert.equal(read(exited(127), { stdout }).kind, "failed");
});

test("the reason is one tamed line", () => {
  const outcome = read(exited(127), {
    stderr: `\n\x1b[31msh: ${"x".repeat(900)}\u202e\x1b[0m\n\n`,
  });
  assert.ok(outcome.kind === "could-not-run");
  assert.ok(outcome.detail.startsWith("sh: xxx") && outcome.detail.length <= 160);
});

test("a time limit is its own outcome", () => {
  const end = { kind: "timed-out", limitMs: 5 } as const;
  assert.deepEqual(read(end, { stdout: "TAP version 13\nnot ok 1 - x\n" }), end);
});

test("at most so many names, and it says that there were more", () => {
  const tap = (count: number): string =>
    `TAP version 13\n${Array.from({ length: count }, (_, at) => `not ok ${at} - t${at}`).join("\n")}`;
  const few = readFailingItems([tap(MAX_ITEMS)]);
  assert.deepEqual([few.items.length, few.complete], [MAX_ITEMS, true]);
  const many = readFailingItems([tap(MAX_ITEMS), tap(MAX_ITEMS + 1)]);
  assert.deepEqual([many.items.length, many.complete], [MAX_ITEMS, false]);
});

test("whatever is printed: no throw, names are bounded lines without escapes", () => {
  const fragment = fc.constantFrom(
    "TAP version 13\n",
    "not ok 1 - ",
    "    not ok 2 - a\n",
    "  ---\n",
    "<testsuite>",
    '<testcase name="',
    "<failure",
    "<![CDATA[",
    "=== short test summary info ===\nFAILED ",
    "⎯⎯ Failed Tests 1 ⎯⎯\n FAIL  ",
    "failures:\n    a\ntest result: FAILED.",
    "  1 failing\n  1) ",
    "--- FAIL: T/x (0.00s)\nFAIL\tp\n",
    "\x1b]8;;evil\x07",
    "\x1b[31m",
    "\u202e",
    "a.ts(1,2): error TS1: ",
    "✖ failing tests:\ntest at a:1:1\n✖ ",
    " (1ms)\n",
  );
  const text = fc.array(fc.oneof(fragment, fc.string({ unit: "binary", maxLength: 20 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 255 }), (parts, code) => {
      const outcome = read(exited(code), { stdout: parts.join(""), stderr: parts.join("\n") });
      const items = outcome.kind === "failed" ? outcome.items : [];
      for (const item of items) {
        assert.ok(item.length > 0 && item.length <= 300);
        assert.ok(!/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/.test(item), JSON.stringify(item));
      }
    }),
  );
});
