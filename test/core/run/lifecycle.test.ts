// proves: U5, B5, E10, D8
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFailure } from "../../../src/core/run/decide/attempt-failure.ts";
import { Driver, failureOf, plan, subtask } from "./driver.ts";
import { standardRules } from "../../../src/core/rules/standard.ts";

test("a subtask is verified only after its checks passed and its tree was merged", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  assert.deepEqual(
    run.commands.map(({ kind, id }) => [kind, id]),
    [["start", "r1/a/1"]],
  );
  run.ended("a");
  assert.equal(run.of("a").phase, "running");
  run.checked("a", "passed");
  assert.equal(run.of("a").phase, "running");
  run.merged("a");
  assert.equal(run.of("a").phase, "verified");
  assert.deepEqual(run.state.outcome, { kind: "verified", reason: "every subtask is verified" });
  assert.equal(run.state.goodCommit, "commit-a-1");
  assert.deepEqual(
    run.commands.map(({ id }) => id),
    ["r1/a/1", "r1/a/1/check/1", "r1/a/1/merge", "r1/end"],
  );
});

test("the agent's word alone is unverified", () => {
  const run = new Driver("standard", plan([subtask("a", { checks: 0 })]));
  run.ended("a");
  run.merged("a");
  assert.equal(run.of("a").phase, "unverified");
  assert.equal(run.state.outcome?.kind, "unverified");
  assert.equal(run.state.goodCommit, undefined);
});

test("nothing to merge: done without a merge", () => {
  const run = new Driver("standard", plan([subtask("a", { checks: 0 })]));
  run.ended("a", { remains: { treeBefore: "t", treeAfter: "t" } });
  assert.equal(run.of("a").phase, "unverified");
});

test("a result that says failed without throwing is a failure", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.ended("a", {
    outcome: "failed",
    evidence: { message: "the model said it could not do it" },
    remains: { treeBefore: "t", treeAfter: "t" },
  });
  assert.equal(run.all("failure-classified").length, 1);
  assert.equal(run.of("a").errors, 1);
});

test("an answer that does not fit its schema is malformed output", () => {
  const run = new Driver("standard", plan([subtask("a", { structuredOutput: true })]));
  run.ended("a", { answer: { empty: false, problem: "/count must be a number" } });
  assert.equal(run.all("failure-classified")[0]?.failure.kind, "malformed_output");
});

test("a crashed agent whose tree changed is checked before it is blamed", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.fails("a", "agent_crash");
  assert.equal(run.all("checks-dispatched").length, 1);
  run.checked("a", "passed");
  run.merged("a");
  assert.equal(run.of("a").phase, "verified");
  const red = new Driver("standard", plan([subtask("a")]));
  red.fails("a", "agent_crash");
  red.checked("a", ["x"]);
  red.checked("a", ["x"]);
  assert.equal(red.all("failure-classified")[0]?.failure.kind, "agent_crash");
});

test("dependents start when what they need is done, in plan order and within the concurrency", () => {
  const run = new Driver(
    "standard",
    plan(
      [
        subtask("a"),
        subtask("b", { dependsOn: ["a"] }),
        subtask("c"),
        subtask("d", { dependsOn: ["a", "c"] }),
      ],
      { concurrency: 2 },
    ),
  );
  assert.deepEqual(
    run.commands.map(({ id }) => id),
    ["r1/a/1", "r1/c/1"],
  );
  run.green("a");
  assert.ok(run.commands.some(({ id }) => id === "r1/b/1"));
  assert.ok(!run.commands.some(({ id }) => id === "r1/d/1"));
  run.green("c");
  assert.ok(run.commands.some(({ id }) => id === "r1/d/1"));
  run.green("b");
  run.green("d");
  assert.equal(run.state.outcome?.kind, "verified");
});

test("merges are serial: the second waits for the first", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")], { concurrency: 2 }));
  run.ended("a");
  run.ended("b");
  run.checked("a", "passed");
  run.checked("b", "passed");
  const merges = (): string[] =>
    run.commands.filter(({ kind }) => kind === "merge").map(({ id }) => id);
  assert.deepEqual(merges(), ["r1/a/1/merge"]);
  run.merged("a");
  assert.deepEqual(merges(), ["r1/a/1/merge", "r1/b/1/merge"]);
});

test("two that are green alone and red together are a failure of the second", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.ended("a");
  run.checked("a", "passed");
  const result = { kind: "red", failing: ["t"], evidence: { stdout: "1 failed" } } as const;
  run.give({ kind: "merge-ended", subtask: "a", attempt: 1, result });
  assert.equal(run.all("failure-classified").length, 0, "it may be flaky");
  run.give({ kind: "merge-ended", subtask: "a", attempt: 1, round: 2, result });
  assert.equal(run.all("failure-classified")[0]?.failure.kind, "verification_failed");
  assert.equal(run.running("a"), 2);
});

test("V13: a merge whose checks could not run is made again, and nobody is blamed", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.ended("a");
  run.checked("a", "passed");
  const result = { kind: "could-not-run", evidence: { message: "ended by SIGKILL" } } as const;
  const merge = { kind: "merge-ended", subtask: "a", attempt: 1 } as const;
  run.give({ ...merge, result });
  run.give({ ...merge, round: 2, result });
  assert.equal(run.all("failure-classified").length, 0);
  assert.equal(run.give({ ...merge, result }).length, 0, "an answer to an earlier round is stale");
  run.give({ ...merge, round: 3, result: { kind: "merged", commit: "c" } });
  assert.equal(run.of("a").phase, "verified");
});

test("a merge conflict goes back to the agent with the conflict", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.ended("a");
  run.checked("a", "passed");
  const evidence = { stdout: "CONFLICT (content): Merge conflict in a.txt" };
  run.give({
    kind: "merge-ended",
    subtask: "a",
    attempt: 1,
    result: { kind: "conflict", evidence },
  });
  assert.equal(run.all("failure-classified")[0]?.failure.kind, "merge_conflict");
  assert.match(run.all("failure-classified")[0]?.error ?? "", /Merge conflict in a.txt/);
  assert.deepEqual(run.recoveries(), ["feedback"]);
});

test("a parked subtask stops only those that depend on it, directly or not", () => {
  const run = new Driver(
    "standard",
    plan([
      subtask("a"),
      subtask("b", { dependsOn: ["a"] }),
      subtask("c", { dependsOn: ["b"] }),
      subtask("d"),
    ]),
  );
  run.fails("a", "auth_required");
  const [checkpoint] = run.all("checkpoint-opened");
  assert.deepEqual(checkpoint?.checkpoint.context.blocks, ["b", "c"]);
  assert.equal(checkpoint?.checkpoint.context.blocksCount, 2);
  assert.equal(run.all("subtask-blocked")[0]?.independent, 1);
  assert.equal(run.running("d"), 1);
  run.green("d");
  assert.equal(run.state.outcome, undefined);
  assert.equal(run.state.phase, "active");
  run.answer("a/c1", { kind: "skip" });
  assert.deepEqual(run.state.outcome, {
    kind: "failed",
    reason: "1 subtask was given up, 2 are blocked by it",
  });
});

test("stopping interrupts what runs and ends the run in order", () => {
  const run = new Driver(
    "standard",
    plan([subtask("a"), subtask("b"), subtask("c")], { concurrency: 2 }),
  );
  run.give({ kind: "cancel-requested", reason: "the user said so" });
  assert.deepEqual(
    run.commands.filter(({ kind }) => kind === "interrupt").map(({ id }) => id),
    ["r1/a/1/interrupt", "r1/b/1/interrupt"],
  );
  run.fails("a", "interrupted");
  assert.equal(run.state.phase, "ending");
  run.fails("b", "interrupted");
  assert.equal(run.state.outcome?.kind, "cancelled");
  assert.equal(run.of("c").attempt, 0);
});

test("a loop is nudged first, then interrupted, each once", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  const loop = {
    kind: "loop-seen",
    subtask: "a",
    attempt: 1,
    pattern: "same-call",
    words: "you repeat yourself",
  } as const;
  run.give({ ...loop, level: "nudge" });
  run.give({ ...loop, level: "nudge" });
  assert.equal(run.last?.ignored, "this attempt was nudged");
  run.give({ ...loop, level: "stuck" });
  run.give({ ...loop, level: "stuck" });
  assert.equal(run.last?.ignored, "this attempt is not running");
  assert.deepEqual(
    run.commands.map(({ kind }) => kind),
    ["start", "nudge", "interrupt"],
  );
  run.fails("a", "looping");
  assert.deepEqual(run.recoveries(), ["mutate"]);
  assert.ok(failureOf("looping").category === "systematic");
});

test("what a check prints is about the work, whatever it speaks of", () => {
  const rows: readonly [stdout: string, kind: string][] = [
    ["value.txt holds 1, expected 2", "verification_failed"],
    ["config has 3 entries, expected 4", "verification_failed"],
    ["src/a.ts(3,7): error TS2304: Cannot find name 'x'.", "broken_build"],
    [
      "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
      "verification_failed",
    ],
    ["grep: hello.txt: No such file or directory", "verification_failed"],
    ["Error: 429 Too Many Requests, retry after 20 s", "verification_failed"],
  ];
  for (const [stdout, kind] of rows)
    assert.equal(
      checkFailure({ command: "sh check.sh", exitCode: 1, stdout }, standardRules()).kind,
      kind,
      stdout,
    );
});
