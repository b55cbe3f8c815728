// proves: U16
import assert from "node:assert/strict";
import { test } from "node:test";
import { outstanding } from "../../../src/core/run/command.ts";
import { needsPerson, phases } from "../../../src/core/run/view.ts";
import { Driver, plan, subtask } from "./driver.ts";

const two = plan([subtask("a"), subtask("b")], { concurrency: 2 });
const kindsOf = (decisions: readonly { readonly kind: string }[]): string[] =>
  decisions.map(({ kind }) => kind);
const pause = (run: Driver, by = "user", number = run.state.pauses + 1) =>
  run.give({ kind: "pause-requested", pause: number, by, reason: "enough" });
const resume = (run: Driver, number = run.state.pauses) =>
  run.give({ kind: "resume-requested", pause: number, by: "alice" });

test("V8: a pause interrupts what runs, and the run is paused once its agents are gone", () => {
  const run = new Driver("standard", two);
  assert.deepEqual(kindsOf(pause(run)), ["attempt-interrupted", "attempt-interrupted"]);
  assert.equal(run.state.phase, "pausing");
  assert.deepEqual(kindsOf(run.fails("a", "interrupted")), ["attempt-cut-off"]);
  assert.deepEqual(kindsOf(run.fails("b", "interrupted")), ["attempt-cut-off", "run-paused"]);
  assert.deepEqual(run.state.paused, { by: "user", reason: "enough" });
  assert.deepEqual(phases(run.state), ["pending", "pending"]);
  assert.equal(needsPerson(run.state), false);
  assert.deepEqual(outstanding(run.state), []);
});

test("V8: what a pause cut off counts towards no cap and goes on as it was", () => {
  const run = new Driver(
    "standard",
    plan([subtask("a")], { budget: { attempts: 2 }, recoveryBudget: { attempts: 1 } }),
  );
  run.fails("a", "looping");
  const before = run.of("a");
  assert.equal(before.iterations, 1);
  const { spec } = before.running[0] ?? assert.fail();
  pause(run);
  run.fails("a", "interrupted", { remains: { used: { attempts: 1, usd: 2 } } });
  const after = run.of("a");
  assert.deepEqual(after.attempts, before.attempts);
  for (const name of ["counted", "iterations", "cutOffs", "errors", "uses"] as const)
    assert.deepEqual(after[name], before[name], name);
  const { spent } = run.state.ledger;
  assert.equal(spent.attempts, 1);
  assert.equal(spent.usd, 2, "money that is gone is gone");
  assert.deepEqual(kindsOf(resume(run)), ["attempt-dispatched"]);
  const again = run.of("a");
  assert.deepEqual(again.running[0]?.spec, {
    ...{ ...spec, context: "keep", tree: { kind: "keep" }, resumes: true },
  });
  assert.equal(again.iterations, 1);
  assert.equal(run.state.metrics.recovery_iterations, 1);
});

test("an attempt whose tree was never made ready asks for the same tree again", () => {
  const run = new Driver("standard", plan([subtask("a")]), { goodCommit: "g" });
  run.fails("a", "broken_build");
  const { spec } = run.of("a").running[0] ?? assert.fail();
  assert.equal(spec.tree.kind, "good");
  pause(run);
  run.fails("a", "interrupted", { remains: { treeBefore: "", treeAfter: "" } });
  resume(run);
  assert.deepEqual(run.of("a").running[0]?.spec.tree, spec.tree);
});

test("an attempt whose owner died while it was paused is cut off by the pause all the same", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  pause(run, "system");
  assert.deepEqual(kindsOf(resume(run)), []);
  assert.deepEqual(kindsOf(run.fails("a", "lost")), ["attempt-cut-off", "attempt-dispatched"]);
  assert.equal(run.of("a").cutOffs, 0);
});

test("what ended by itself meanwhile is judged as ever", () => {
  const run = new Driver("standard", two);
  pause(run);
  assert.deepEqual(kindsOf(run.ended("a")), ["checks-dispatched"]);
  const failed = kindsOf(
    run.fails("b", "agent_crash", { remains: { treeBefore: "t", treeAfter: "t" } }),
  );
  assert.ok(failed.includes("recovery-chosen") && failed.includes("run-paused"), failed.join());
  assert.ok(!failed.includes("attempt-dispatched"));
  run.checked("a", ["t"]);
  run.checked("a", ["t"]);
  assert.equal(run.of("a").running.length, 0);
  const [first] = resume(run);
  assert.equal(first?.kind, "attempt-dispatched");
  assert.equal(run.state.agents, 2);
});

test("a merge waits for the end of the pause; the last check may end the run all the same", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.ended("a");
  pause(run);
  assert.equal(run.state.phase, "paused", "no agent runs: checks are done anew");
  assert.deepEqual(kindsOf(outstanding(run.state)), ["check"]);
  assert.deepEqual(kindsOf(run.checked("a", "passed")), ["merge-queued"]);
  assert.deepEqual(kindsOf(resume(run)), ["merge-dispatched"]);
  run.merged("a");
  assert.equal(run.state.outcome?.kind, "verified");
});

test("a time that comes while it is paused starts nothing until it goes on", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.fails("a", "server_overloaded", { failure: { origin: "provider" } });
  assert.equal(run.of("a").phase, "waiting");
  pause(run);
  assert.equal(run.state.phase, "paused");
  assert.deepEqual(run.fire("a"), []);
  assert.deepEqual(kindsOf(resume(run)), ["attempt-dispatched"]);
});

test("a pause that comes twice or late changes nothing; a person's word stands above the system's", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  const ignored = (): string | undefined => run.last?.ignored;
  resume(run, 1);
  assert.equal(ignored(), "this pause is over");
  pause(run, "system", 1);
  pause(run, "system", 2);
  assert.equal(ignored(), "the run is paused");
  pause(run, "user", 2);
  assert.equal(ignored(), undefined);
  assert.equal(run.state.paused?.by, "user");
  pause(run, "system", 3);
  assert.equal(ignored(), "the run is paused");
  resume(run, 1);
  assert.equal(ignored(), "this pause is over", "it was about the first one");
  resume(run, 2);
  assert.equal(run.state.phase, "active");
  pause(run, "user", 2);
  assert.equal(ignored(), "this pause is over, or under way");
  assert.equal(run.state.paused, undefined);
});

test("cancel ends a paused or waiting run at once and for good", () => {
  for (const prepare of [
    (run: Driver) => void run.fails("a", "auth_required"),
    (run: Driver) => {
      pause(run);
      run.fails("a", "interrupted");
    },
    (run: Driver) => void run.fails("a", "server_overloaded", { failure: { origin: "provider" } }),
  ]) {
    const run = new Driver("standard", plan([subtask("a")]));
    prepare(run);
    assert.deepEqual(run.give({ kind: "cancel-requested", reason: "no more" }), [
      { kind: "run-ended", outcome: "cancelled", reason: "cancelled" },
    ]);
    assert.equal(run.state.paused, undefined);
    resume(run, 9);
    assert.equal(run.last?.ignored, "the run has ended");
  }
});

test("V14, C9: when a service is back, those who wait for it go on at once, one after the other", () => {
  const many = ["a", "b", "c", "d"].map((id) => subtask(id));
  const run = new Driver("standard", plan(many, { concurrency: 4 }));
  for (const id of ["a", "b", "c"])
    run.fails(id, "server_overloaded", { failure: { origin: "provider", heldMs: 600_000 } });
  run.fails("d", "disk_full", { failure: { origin: "workspace" } });
  assert.deepEqual(
    run.all("wait-scheduled").map(({ reason, ofService }) => [reason, ofService]),
    [...Array.from({ length: 3 }, () => ["incident", true]), ["schedule", undefined]],
  );
  const waits = ["a", "b", "gone"].map((id) => ({
    ...{ subtask: id, timer: 1 },
  }));
  run.now += 1000;
  const told = { kind: "service-back", waits } as const;
  assert.deepEqual(run.give(told), [
    { kind: "wait-shortened", subtask: "a", timer: 2, dueAt: run.now },
    { kind: "wait-shortened", subtask: "b", timer: 2, dueAt: run.now + 500 },
  ]);
  assert.deepEqual(run.give(told), []);
  assert.equal(run.last?.ignored, "nobody waits for it any more");
  run.give({ kind: "timer-fired", subtask: "a", timer: 1 });
  assert.equal(run.last?.ignored, "this timer is not set");
  assert.deepEqual(kindsOf(run.fire("a")), ["attempt-dispatched"]);
  assert.equal(run.of("c").timer?.id, 1, "it was not named");
});
