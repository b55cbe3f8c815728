// What a result means for its call, seen by the verdict on calls that bring it again and again: still
// running, failed, or merely content that looks like a failure.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Step } from "../../../src/core/stuck/step.ts";
import { call, failed, lastVerdict, ran, times } from "./steps.ts";

const LETTERS = "abcdefghij";
const outcome = (...steps: readonly Step[]): unknown => {
  const { level, pattern } = lastVerdict(steps);
  return level === "none" ? "none" : [level, pattern];
};
const four = (output: string): unknown => outcome(...times(4, () => ran("job", { id: 1 }, output)));

describe("what says that it is not finished is asked again on purpose", () => {
  for (const output of [
    "Still running",
    "no new output",
    "in progress",
    "state: in_progress",
    "in-progress",
    "job 3 is queued",
    "waiting for a runner",
    "the job is running",
    "not ready",
    "not yet finished",
    "it is not complete yet",
    "not done",
    "Building...",
    "compiling…",
    "pod ContainerCreating 0/1",
    "status: pending",
    "status=running",
    '"status": "running"',
    "pending",
    "running",
    "[waiting]",
    "...running...",
    `${"x ".repeat(193)}still running`.padEnd(400, "."),
  ])
    test(output.slice(0, 40), () => assert.equal(four(output), "none"));
  for (const output of [
    "finished",
    "a runner is there",
    "no output",
    "progress was made",
    "not donely",
    "a ring...",
    "compiling..",
    "the status was pending once",
    "depending",
    "running late",
    "pending and more",
    "I saw it running",
    `${"x ".repeat(194)}still running`.padEnd(401, "."),
  ])
    test(`finished: ${output.slice(0, 40)}`, () =>
      assert.deepEqual(four(output), ["stuck", "same_call"]));
  test("ten times and twenty times", () => {
    const jobs = (count: number): Step[] => times(count, () => ran("job", {}, "still running"));
    assert.equal(outcome(...jobs(9)), "none");
    assert.deepEqual(outcome(...jobs(10)), ["nudge", "poll"]);
    assert.deepEqual(outcome(...jobs(19)), ["nudge", "poll"]);
    assert.deepEqual(outcome(...jobs(20)), ["stuck", "poll"]);
  });
  test("by the word of the tool itself", () => {
    const job = (running: boolean): Step[] => [
      call("job", { id: 1 }),
      { kind: "tool_result", tool: "job", output: "12 of 40", running },
    ];
    assert.equal(outcome(...times(4, () => job(true))), "none");
    assert.deepEqual(outcome(...times(4, () => job(false))), ["stuck", "same_call"]);
  });
  test("what failed is not running", () => {
    const steps = times(4, () =>
      failed("job", {}, "the daemon is not running, still running is q"),
    );
    assert.deepEqual(outcome(...steps), ["stuck", "same_call"]);
  });
});

describe("what looks like a failure of a look", () => {
  const eight = (steps: (n: number) => readonly Step[]): unknown => outcome(...times(8, steps));
  const inARow = ["stuck", "failures_in_a_row"];
  const grep = (n: number, output: string): Step[] =>
    failed("Grep", { pattern: `name${LETTERS[n]}` }, output);
  const shell = (command: string, n: number, output: string): Step[] =>
    failed("Bash", { command: `${command} ${LETTERS[n]}` }, output);
  test("a search without hits ends with an exit code", () => {
    assert.equal(
      eight((n) => grep(n, "")),
      "none",
    );
    assert.equal(
      eight((n) => shell("grep -r", n, "Exit code 1")),
      "none",
    );
    assert.deepEqual(
      eight((n) => grep(n, `pattern ${LETTERS[n]} is odd`)),
      inARow,
    );
  });
  test("a diff with differences too", () => {
    assert.equal(
      eight((n) => shell("diff one", n, `1c1\n< ${LETTERS[n]}\n> x`)),
      "none",
    );
    assert.deepEqual(
      eight((n) => shell("diff one", n, `diff: ${LETTERS[n]} is a folder, cannot compare`)),
      inARow,
    );
    const late = (n: number): string => `${"line\n".repeat(300)}diff: cannot read ${LETTERS[n]}`;
    assert.deepEqual(
      eight((n) => shell("diff one", n, late(n))),
      inARow,
    );
    const lost = (n: number): string => `${late(n)}\n${"line\n".repeat(400)}`;
    assert.equal(
      eight((n) => shell("diff one", n, lost(n))),
      "none",
    );
  });
  test("a command that acts and a tool that is no shell have failed", () => {
    assert.deepEqual(
      eight((n) => shell("./go", n, `odd ${LETTERS[n]}`)),
      inARow,
    );
    assert.deepEqual(
      eight((n) => failed("Read", { path: LETTERS[n] }, `odd ${LETTERS[n]}`)),
      inARow,
    );
  });
  test("a file that begins with an error is content when it is long enough", () => {
    const file = (n: number, length: number): Step[] =>
      ran("Read", { path: LETTERS[n] }, `error ${LETTERS[n]}: `.padEnd(length, "x"));
    assert.equal(
      eight((n) => file(n, 300)),
      "none",
    );
    assert.deepEqual(
      eight((n) => file(n, 299)),
      inARow,
    );
    const run = (n: number): Step[] =>
      ran("Bash", { command: `./go ${LETTERS[n]}` }, `error ${LETTERS[n]}: `.padEnd(900, "x"));
    assert.deepEqual(eight(run), inARow);
  });
});

describe("plans", () => {
  const plan = (status: string, output: string): Step[] =>
    ran("TodoWrite", { todos: [{ content: "x", status }] }, output);
  test("the same state of a plan is the same, whatever the tool answers", () => {
    assert.deepEqual(outcome(...times(4, (n) => plan("pending", `saved ${LETTERS[n]}`))), [
      "stuck",
      "same_call",
    ]);
    assert.equal(outcome(...times(4, (n) => plan(LETTERS[n]!, "saved"))), "none");
  });
  test("one that fails is compared by its error", () => {
    const steps = times(4, (n) =>
      failed("TodoWrite", { todos: [{ status: `${n}` }] }, `store ${LETTERS[n]} is gone`),
    );
    assert.equal(outcome(...steps), "none");
  });
});

test("outputs without a call that name other errors each time are no loop", () => {
  const steps = times(5, (n): Step[] => [
    { kind: "tool_result", output: `error: part ${LETTERS[n]} of it` },
  ]);
  assert.equal(outcome(...steps), "none");
});
