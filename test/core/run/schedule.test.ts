// proves: E10, U4
import assert from "node:assert/strict";
import { test } from "node:test";
import { Driver, plan, subtask } from "./driver.ts";

const still = { treeBefore: "t", treeAfter: "t" };
const down = { failure: { origin: "provider" as const }, remains: still };
const started = (run: Driver): string[] =>
  run.all("attempt-dispatched").map(({ subtask: id, attempt }) => `${id}${attempt}`);

test("as many at a time as there are places; an attempt keeps its place until it is merged", () => {
  const run = new Driver(
    "standard",
    plan(
      ["a", "b", "c", "d"].map((id) => subtask(id)),
      { concurrency: 2 },
    ),
  );
  assert.deepEqual(started(run), ["a1", "b1"]);
  run.ended("a");
  assert.deepEqual(started(run), ["a1", "b1"], "a is checked");
  run.checked("a", "passed");
  assert.deepEqual(started(run), ["a1", "b1"], "a is merged");
  run.merged("a");
  assert.deepEqual(started(run), ["a1", "b1", "c1"]);
  assert.deepEqual([run.state.agents, run.state.checking, run.state.toMerge], [2, 0, 0]);
});

test("what is in recovery goes before what waits for its first attempt", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")]));
  run.red("a");
  assert.deepEqual(started(run), ["a1", "a2"]);
  assert.deepEqual(
    run.all("attempt-dispatched").map(({ from }) => from),
    ["ready", "urgent"],
  );
});

test("one that waits gives its place away, and takes the next free one when its time has come", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b"), subtask("c")]));
  run.fails("a", "server_error", down);
  assert.deepEqual(started(run), ["a1", "b1"]);
  run.fire("a");
  assert.deepEqual(started(run), ["a1", "b1"], "no place is free");
  run.green("b");
  assert.deepEqual(started(run), ["a1", "b1", "a2"]);
});

test("a run with somebody waiting, or with an open question, has not ended", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")]));
  run.fails("a", "server_error", down);
  run.green("b");
  assert.equal(run.state.phase, "active");
  run.fire("a");
  run.fails("a", "auth_required", { remains: still });
  assert.equal(run.state.phase, "active");
  run.answer("a/c1", { kind: "skip" });
  assert.deepEqual(run.state.outcome, {
    kind: "failed",
    reason: "1 subtask was given up",
  });
});

test("what needs two starts after both, once", () => {
  const needs = subtask("c", { dependsOn: ["a", "b"] });
  const run = new Driver("standard", plan([subtask("a"), subtask("b"), needs], { concurrency: 3 }));
  run.green("a");
  assert.deepEqual([started(run), run.of("c").unmet], [["a1", "b1"], 1]);
  run.green("b");
  assert.deepEqual([started(run), run.of("c").unmet], [["a1", "b1", "c1"], 0]);
  run.green("c");
  assert.deepEqual(started(run), ["a1", "b1", "c1"]);
  assert.equal(run.state.outcome?.kind, "verified");
});

test("some without a check: unverified, and how many", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b", { checks: 0 })]));
  run.green("a");
  run.ended("b");
  run.merged("b");
  assert.deepEqual(run.state.outcome, { kind: "unverified", reason: "1 subtask has no check" });
});

test("a merge is given out in the order the trees were ready, one at a time", () => {
  const run = new Driver(
    "standard",
    plan(
      ["a", "b", "c"].map((id) => subtask(id)),
      { concurrency: 3 },
    ),
  );
  for (const id of ["a", "b", "c"]) run.ended(id);
  for (const id of ["c", "a", "b"]) run.checked(id, "passed");
  const merges = (): string[] => run.all("merge-dispatched").map(({ subtask: id }) => id);
  assert.deepEqual([merges(), run.state.merging, run.state.toMerge], [["c"], 2, 3]);
  run.merged("c");
  assert.deepEqual([merges(), run.state.merging, run.state.toMerge], [["c", "a"], 0, 2]);
  run.merged("a");
  run.merged("b");
  assert.deepEqual(
    [merges(), run.state.merging, run.state.toMerge],
    [["c", "a", "b"], undefined, 0],
  );
});

const money = (more: Parameters<typeof plan>[1], limits = {}) =>
  new Driver(
    "tier-ladder",
    plan([subtask("a", { limits }), subtask("b")], { attemptCap: { usd: 4 }, ...more }),
  );
const warnings = (run: Driver) => run.all("budget-warned").map(({ kind: _, ...rest }) => rest);

test("a run's budget warns once at four fifths, and again after it was raised", () => {
  const run = money({ budget: { usd: 10 } });
  run.red("a", { remains: { used: { usd: 7.99 } } });
  assert.deepEqual(warnings(run), []);
  run.red("a", { remains: { used: { usd: 0.01 } } });
  const first = { of: "run", measure: "usd", spent: 8, limit: 10 };
  assert.deepEqual(warnings(run), [first]);
  run.red("a", { remains: { used: { usd: 1.5 } } });
  assert.deepEqual(warnings(run), [first]);
  assert.equal(run.state.checkpoint?.id, "c1");
  run.answer("c1", { kind: "top-up", by: { usd: 10 } });
  assert.deepEqual(
    [run.state.limit, run.state.warned, run.state.checkpoint],
    [{ usd: 20 }, [], undefined],
  );
  run.red("a", { remains: { used: { usd: 6.5 } } });
  assert.deepEqual(warnings(run), [first, { of: "run", measure: "usd", spent: 16, limit: 20 }]);
});

test("a subtask's own budget warns for itself, once, and again after it was raised", () => {
  const run = money({}, { budget: { usd: 10 } });
  run.red("a", { remains: { used: { usd: 7.99 } } });
  assert.deepEqual([warnings(run), run.of("a").warned], [[], []]);
  run.red("a", { remains: { used: { usd: 0.01 } } });
  const mine = { of: "subtask", subtask: "a", measure: "usd", spent: 8, limit: 10 };
  assert.deepEqual([warnings(run), run.of("a").warned], [[mine], ["usd"]]);
  run.red("a", { remains: { used: { usd: 2 } } });
  assert.deepEqual([warnings(run), run.of("b").warned, run.state.warned], [[mine], [], []]);
  assert.equal(run.of("a").checkpoint?.id, "a/c1");
  run.answer("a/c1", { kind: "top-up", by: { usd: 30, tokens: 5 } });
  assert.deepEqual([run.of("a").limit, run.of("a").warned], [{ usd: 40 }, []]);
});

test("a start is refused only when not even a quarter of its cap is left", () => {
  const cap = (used: number) => {
    const run = money({ budget: { usd: 10 } });
    run.red("a", { remains: { used: { usd: used } } });
    return run.of("a").running[0]?.cap.usd;
  };
  assert.deepEqual([cap(2), cap(7), cap(9), cap(9.1)], [4, 3, 1, undefined]);
});

test("a larger budget at the top is money and tokens, not time", () => {
  const attemptCap = { usd: 1, tokens: 100, timeMs: 9000 };
  const run = new Driver("tier-ladder", plan([subtask("a")], { attemptCap }));
  assert.deepEqual(run.of("a").running[0]?.cap, { ...attemptCap, attempts: 1 });
  for (let attempt = 1; attempt <= 3; attempt += 1) run.red("a");
  assert.deepEqual(run.of("a").running[0]?.cap, {
    usd: 2,
    tokens: 200,
    timeMs: 9000,
    attempts: 1,
  });
  const free = new Driver("tier-ladder", plan([subtask("a")]));
  for (let attempt = 1; attempt <= 3; attempt += 1) free.red("a");
  assert.deepEqual(free.of("a").running[0]?.cap, { attempts: 1 });
});

test("while others run a used-up run budget only waits; then one question is asked", () => {
  const three = ["a", "b", "c"].map((id) => subtask(id, { checks: 0 }));
  const run = new Driver(
    "standard",
    plan(three, { concurrency: 3, budget: { usd: 8 }, attemptCap: { usd: 4 } }),
  );
  assert.deepEqual(started(run), ["a1", "b1"]);
  assert.equal(run.state.openCheckpoints, 0, "they may give some back");
  run.ended("a", { remains: { ...still, used: { usd: 4 } } });
  assert.equal(run.state.openCheckpoints, 0);
  run.ended("b", { remains: { ...still, used: { usd: 4 } } });
  const { checkpoint } = run.state;
  assert.deepEqual(
    [
      checkpoint?.id,
      checkpoint?.context.attempts,
      checkpoint?.context.goal,
      checkpoint?.context.budgetOf,
    ],
    ["c1", 2, "a goal", "run"],
  );
  assert.deepEqual([run.state.openCheckpoints, run.state.checkpoints], [1, 1]);
  run.answer("c1", { kind: "top-up", by: { usd: 1 } });
  assert.deepEqual(started(run), ["a1", "b1", "c1"]);
  assert.deepEqual(run.of("c").running[0]?.cap, { usd: 1, attempts: 1 });
});

test("a budget that gives some back goes on without a question", () => {
  const three = ["a", "b", "c"].map((id) => subtask(id, { checks: 0 }));
  const run = new Driver(
    "standard",
    plan(three, { concurrency: 3, budget: { usd: 8 }, attemptCap: { usd: 4 } }),
  );
  run.ended("a", { remains: { ...still, used: { usd: 1 } } });
  assert.deepEqual(started(run), ["a1", "b1", "c1"]);
  assert.equal(run.state.checkpoint, undefined);
});

test("a second question about the run's budget has a name of its own", () => {
  const run = new Driver("tier-ladder", plan([subtask("a")], { budget: { attempts: 1 } }));
  run.red("a");
  run.answer("c1", { kind: "top-up", by: { attempts: 1 } });
  run.red("a");
  assert.equal(run.state.checkpoint?.id, "c2");
});
