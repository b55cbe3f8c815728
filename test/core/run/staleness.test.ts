// proves: D7, U7
import assert from "node:assert/strict";
import { test } from "node:test";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import { staleness } from "../../../src/core/run/decide/staleness.ts";
import type { RunInput } from "../../../src/core/run/input.ts";
import type { RunState } from "../../../src/core/run/state.ts";
import { Driver, NO_PROGRESS, plan, subtask } from "./driver.ts";

const still = { treeBefore: "t", treeAfter: "t" };
type Given = { readonly kind: RunInput["kind"] } & Record<string, unknown>;
const of = (state: RunState, input: Given): string | undefined =>
  staleness(state, { at: 0, chance: 0, ...input } as unknown as RunInput);

const start = { kind: "run-started", run: "r", plan: plan([subtask("a")]) } as const;
const stop = { kind: "cancel-requested", reason: "x" } as const;
const ended = {
  kind: "attempt-ended",
  subtask: "a",
  attempt: 1,
  outcome: "finished",
  evidence: {},
  remains: { ...still, approach: "", signals: NO_PROGRESS, used: {} },
} as const;
const started = {
  kind: "attempt-started",
  subtask: "a",
  attempt: 1,
  slot: "s",
  identity: 1,
} as const;
const loop = { kind: "loop-seen", subtask: "a", attempt: 1, pattern: "p", words: "w" } as const;
const checks = {
  kind: "checks-ended",
  subtask: "a",
  attempt: 1,
  round: 1,
  result: { kind: "passed" },
} as const;
const merge = {
  kind: "merge-ended",
  subtask: "a",
  attempt: 1,
  result: { kind: "merged", commit: "c" },
} as const;

test("a run starts once, takes nothing before and nothing after it", () => {
  assert.equal(of(NEW_RUN, start), undefined);
  for (const input of [stop, ended, started])
    assert.equal(of(NEW_RUN, input), "the run has not started");
  const run = new Driver("standard", plan([subtask("a", { checks: 0 })]));
  assert.equal(of(run.state, start), "the run has started");
  assert.equal(of(run.state, stop), undefined);
  run.ended("a", { remains: still });
  assert.equal(run.state.phase, "ended");
  for (const input of [stop, ended, started])
    assert.equal(of(run.state, input), "the run has ended");
});

test("stopping is asked for once", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.give(stop);
  assert.equal(of(run.state, stop), "the run is ending");
  assert.equal(of(run.state, ended), undefined, "what runs still ends");
});

test("a run that is ending cannot be paused any more", () => {
  const pause = { kind: "pause-requested", by: "user", reason: "x", pause: 1 } as const;
  const run = new Driver("standard", plan([subtask("a")]));
  assert.equal(of(run.state, pause), undefined);
  run.give(stop);
  assert.equal(of(run.state, pause), "the run is ending");
});

test("an attempt starts and ends once, and only while it runs", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")]));
  assert.equal(of(run.state, { ...ended, subtask: "z" }), "no such subtask");
  for (const input of [started, ended, { ...loop, level: "nudge" }]) {
    assert.equal(of(run.state, input), undefined);
    assert.equal(of(run.state, { ...input, attempt: 2 }), "this attempt is not running");
    assert.equal(of(run.state, { ...input, subtask: "b" }), "this attempt is not running");
  }
  run.give(started);
  assert.equal(of(run.state, started), "this attempt has started");
  assert.deepEqual(run.of("a").slots, { "": "s" });
  run.give(ended);
  for (const input of [started, ended, { ...loop, level: "stuck" }])
    assert.equal(of(run.state, input), "this attempt is not running");
});

test("a loop is told of once as a nudge, and not after the interruption", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.give({ ...loop, level: "nudge" });
  assert.equal(of(run.state, { ...loop, level: "nudge" }), "this attempt was nudged");
  assert.equal(of(run.state, { ...loop, level: "stuck" }), undefined);
  run.give({ ...loop, level: "stuck" });
  for (const level of ["nudge", "stuck"])
    assert.equal(of(run.state, { ...loop, level }), "this attempt is not running");
});

test("checks and merges are awaited by attempt and round", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")], { concurrency: 2 }));
  const noChecks = "these checks are not awaited";
  const noMerge = "this merge is not awaited";
  assert.equal(of(run.state, checks), noChecks);
  run.ended("a");
  assert.equal(of(run.state, checks), undefined);
  assert.equal(of(run.state, { ...checks, attempt: 2 }), noChecks);
  assert.equal(of(run.state, { ...checks, round: 2 }), noChecks);
  assert.equal(of(run.state, { ...checks, subtask: "b" }), noChecks);
  assert.equal(of(run.state, merge), noMerge);
  run.checked("a", ["t"]);
  assert.equal(of(run.state, checks), noChecks, "the first round is over");
  assert.equal(of(run.state, { ...checks, round: 2 }), undefined);
  run.checked("a", "passed");
  assert.equal(of(run.state, { ...checks, round: 2 }), noChecks);
  assert.equal(of(run.state, merge), undefined);
  assert.equal(of(run.state, { ...merge, attempt: 2 }), noMerge);
  run.ended("b");
  run.checked("b", "passed");
  assert.equal(of(run.state, { ...merge, subtask: "b" }), noMerge, "its turn has not come");
  run.merged("a");
  assert.equal(of(run.state, merge), noMerge);
  assert.equal(of(run.state, { ...merge, subtask: "b" }), undefined);
});

test("a timer fires once, and only if it is the one that is set", () => {
  const run = new Driver("standard", plan([subtask("a")], { expireMs: 9 }));
  const fired = (timer: number) => of(run.state, { kind: "timer-fired", subtask: "a", timer });
  assert.equal(fired(1), "this timer is not set");
  run.fails("a", "server_error", { failure: { origin: "provider" }, remains: still });
  assert.equal(fired(1), undefined);
  assert.equal(fired(2), "this timer is not set");
  run.fire("a");
  assert.equal(fired(1), "this timer is not set");
  run.fails("a", "auth_required", { remains: still });
  assert.equal(fired(1), "this timer is not set");
  assert.equal(fired(2), undefined, "the expiry of the question");
});

test("a question is answered once, with what it offers", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b/c")], { concurrency: 2 }));
  run.fails("a", "auth_required", { remains: still });
  run.fails("b/c", "unsafe_action", { remains: still });
  const answer = (checkpoint: string, kind: string, done = true) =>
    of(run.state, { kind: "checkpoint-answered", checkpoint, answer: { kind, done }, by: "x" });
  const none = "no such open checkpoint: the first answer stands";
  for (const id of ["c1", "a/c2", "z/c1", "a", "", "b/c1"])
    assert.equal(answer(id, "skip"), none, id);
  for (const id of ["a/c1", "b/c/c1"])
    for (const kind of ["skip", "retry", "manual"]) assert.equal(answer(id, kind), undefined, id);
  assert.equal(answer("a/c1", "top-up"), "this checkpoint does not offer top-up");
  assert.equal(answer("a/c1", "manual", false), undefined);
  run.answer("a/c1", { kind: "manual", done: false });
  assert.equal(answer("a/c1", "manual", false), "somebody has taken it");
  for (const kind of ["manual", "skip", "retry"])
    assert.equal(answer("a/c1", kind), undefined, "and may still end it in any way");
});

test("the run's own question is found by its own name", () => {
  const run = new Driver("standard", plan([subtask("a")], { budget: { attempts: 1 } }));
  run.red("a");
  const answer = (checkpoint: string) =>
    of(run.state, { kind: "checkpoint-answered", checkpoint, answer: { kind: "skip" }, by: "x" });
  assert.equal(answer("c1"), undefined);
  assert.equal(answer("c2"), "no such open checkpoint: the first answer stands");
});
