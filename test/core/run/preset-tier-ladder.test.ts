// proves: E5, E7, E10, E11
import assert from "node:assert/strict";
import { test } from "node:test";
import { Driver, plan, subtask } from "./driver.ts";

const shown = (run: Driver): unknown[] =>
  run
    .all("attempt-dispatched")
    .map(({ attempt, spec }) => [
      attempt,
      spec.entry.tier,
      spec.context,
      spec.prompt.feedback ?? false,
      spec.thinking,
      spec.budgetFactor,
    ]);

test("attempts 1 to 4 follow the ladder, then human review", () => {
  const run = new Driver("tier-ladder", plan([subtask("a"), subtask("b")]));
  for (let attempt = 1; attempt <= 4; attempt += 1) run.red("a");
  assert.deepEqual(shown(run).slice(0, 4), [
    [1, 1, "new", false, false, 1],
    [2, 1, "keep", true, false, 1],
    [3, 2, "new", true, false, 1],
    [4, 3, "new", true, true, 2],
  ]);
  assert.deepEqual(run.recoveries(), ["feedback", "escalate", "escalate", "skip+ask"]);
  assert.equal(run.of("a").phase, "stuck");
  assert.equal(run.all("approval-requested").length, 1);
  assert.equal(run.all("subtask-blocked")[0]?.independent, 1);
  assert.equal(run.running("b"), 1, "independent work goes on");
});

test("from tier 2 and from tier 3 it climbs as far as there is to climb", () => {
  const tiers = (tier: number): number[] => {
    const run = new Driver("tier-ladder", plan([subtask("a", { tier })]));
    for (let attempt = 1; attempt <= 4; attempt += 1) run.red("a");
    return run.all("attempt-dispatched").map(({ spec }) => spec.entry.tier);
  };
  assert.deepEqual(tiers(2), [2, 2, 3, 3]);
  assert.deepEqual(tiers(3), [3, 3, 3, 3]);
});

test("max retries: default 3, the plan's, a subtask's own", () => {
  const attempts = (more: Parameters<typeof subtask>[1], maxSubtaskRetries?: number): number => {
    const limits = maxSubtaskRetries === undefined ? {} : { maxSubtaskRetries };
    const run = new Driver("tier-ladder", plan([subtask("a", more)], limits));
    while (run.of("a").phase === "running") run.red("a");
    return run.of("a").attempt;
  };
  assert.equal(attempts({}), 4);
  assert.equal(attempts({}, 1), 2);
  assert.equal(attempts({}, 0), 1);
  assert.equal(attempts({ limits: { maxRetries: 6 } }, 1), 7);
});

test("a rate limit spends no rung of the ladder", () => {
  const run = new Driver("tier-ladder", plan([subtask("a")]));
  run.fails("a", "rate_limited", { failure: { origin: "provider" } });
  run.fire("a");
  run.red("a");
  assert.deepEqual(run.recoveries(), ["wait", "feedback"]);
  assert.equal(run.of("a").counted, 1);
});

test("every retry is in the history: tier, recovery, error", () => {
  const run = new Driver("tier-ladder", plan([subtask("a")]));
  run.red("a", { failing: ["t1"] });
  run.red("a", { failing: ["t1"] });
  assert.deepEqual(
    run
      .of("a")
      .attempts.map(({ attempt, entry, recovery, kind, failing }) => [
        attempt,
        entry.tier,
        recovery,
        kind,
        failing,
      ]),
    [
      [1, 1, undefined, "verification_failed", ["t1"]],
      [2, 1, "feedback", "verification_failed", ["t1"]],
    ],
  );
});
