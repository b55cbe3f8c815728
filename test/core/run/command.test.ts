// proves: D7, U7
import assert from "node:assert/strict";
import { test } from "node:test";
import { outstanding, type Command } from "../../../src/core/run/command.ts";
import { Driver, plan, subtask } from "./driver.ts";

const still = { treeBefore: "t", treeAfter: "t" };
const two = plan([subtask("a"), subtask("b")], { concurrency: 2, attemptCap: { usd: 3 } });

/** What a run asked for last, and what it would ask for again after a crash. */
const asks = (run: Driver): readonly Command[] => run.last?.commands ?? [];

test("each thing to do has an id of its own, and comes again after a crash until it is answered", () => {
  const run = new Driver("standard", two);
  const spec = {
    entry: run.of("a").entry,
    thinking: false,
    budgetFactor: 1,
    context: "new",
    tree: { kind: "keep" },
    prompt: {},
    iteration: false,
  } as const;
  const cap = { usd: 3, attempts: 1 };
  const startA = { kind: "start", id: "r1/a/1", subtask: "a", attempt: 1, spec, cap };
  const startB = { kind: "start", id: "r1/b/1", subtask: "b", attempt: 1, spec, cap };
  assert.deepEqual(asks(run), [startA, startB]);
  assert.deepEqual(outstanding(run.state), [startA, startB]);

  run.ended("a");
  const check = { id: "r1/a/1/check/1", subtask: "a", attempt: 1, kind: "check", round: 1 };
  assert.deepEqual(asks(run), [check]);
  assert.deepEqual(outstanding(run.state), [check, startB]);

  run.checked("a", "passed");
  const merge = { id: "r1/a/1/merge", subtask: "a", attempt: 1, kind: "merge", round: 1 };
  assert.deepEqual(asks(run), [merge]);
  assert.deepEqual(outstanding(run.state), [merge, startB]);

  run.ended("b");
  run.checked("b", "passed");
  assert.deepEqual(asks(run), []);
  assert.deepEqual(outstanding(run.state), [merge], "a merge that waits its turn is not asked for");
  run.merged("a");
  run.merged("b");
  assert.deepEqual(asks(run), [{ kind: "end", id: "r1/end" }]);
  assert.deepEqual(outstanding(run.state), []);
});

test("a nudge is not repeated, an interruption is", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  const loop = { kind: "loop-seen", subtask: "a", attempt: 1, pattern: "cycle" } as const;
  const before = outstanding(run.state);
  run.give({ ...loop, level: "nudge", words: "look up" });
  assert.deepEqual(asks(run), [
    { id: "r1/a/1/nudge", subtask: "a", attempt: 1, kind: "nudge", words: "look up" },
  ]);
  assert.deepEqual(outstanding(run.state), before);
  run.give({ ...loop, level: "stuck", words: "" });
  const interrupt = { id: "r1/a/1/interrupt", subtask: "a", attempt: 1, kind: "interrupt" };
  assert.deepEqual(asks(run), [{ ...interrupt, reason: "cycle" }]);
  assert.deepEqual(outstanding(run.state), [
    ...before,
    { ...interrupt, reason: "interrupted before the restart" },
  ]);
});

test("a wait and a question stay open until they are answered", () => {
  const run = new Driver(
    "standard",
    plan([subtask("a"), subtask("b")], { expireMs: 1000, concurrency: 2 }),
  );
  run.fails("a", "server_error", { failure: { origin: "provider" }, remains: still });
  const timer = {
    kind: "timer",
    id: "r1/a/t1",
    subtask: "a",
    timer: 1,
    dueAt: run.now + 5000,
  };
  assert.deepEqual(asks(run), [timer]);
  run.fails("b", "auth_required", { remains: still });
  const { checkpoint } = run.of("b");
  const expiry = { kind: "timer", id: "r1/b/t1", subtask: "b", timer: 1, dueAt: run.now + 1000 };
  const ask = { kind: "ask", id: "r1/b/c1", checkpoint };
  assert.deepEqual(asks(run), [ask, expiry]);
  assert.deepEqual(outstanding(run.state), [timer, expiry, ask]);
  run.fire("a");
  run.answer("b/c1", { kind: "skip" });
  assert.deepEqual(
    outstanding(run.state).map(({ id }) => id),
    ["r1/a/2"],
  );
});

test("a question about the run's own budget is asked again too", () => {
  const run = new Driver("standard", plan([subtask("a")], { budget: { attempts: 1 } }));
  run.red("a");
  const ask = { kind: "ask", id: "r1/c1", checkpoint: run.state.checkpoint };
  assert.deepEqual(asks(run), [ask]);
  assert.deepEqual(outstanding(run.state), [ask]);
});
