// proves: U4
import assert from "node:assert/strict";
import { test } from "node:test";
import { Driver, plan, subtask } from "./driver.ts";

const poor = (attempts: number): Driver =>
  new Driver(
    "standard",
    plan([subtask("a"), subtask("b")], { concurrency: 2, recoveryBudget: { attempts } }),
  );

test("recovery as a whole has a budget: first attempts do not use it, iterations of all subtasks do", () => {
  const run = poor(2);
  run.red("a");
  run.red("a");
  assert.deepEqual(run.state.recovery.ledger.reserved, { attempts: 1 });
  run.red("a", { remains: { used: { attempts: 1 } } });
  const { checkpoint } = run.of("a");
  assert.equal(checkpoint?.trigger, "BUDGET");
  assert.equal(checkpoint.context.budgetOf, "recovery");
  assert.match(checkpoint.question, /attempt budget of recovery is used up/);
  assert.equal(run.of("b").phase, "running", "a first attempt goes on");
  run.red("b");
  assert.equal(run.of("b").checkpoint?.context.budgetOf, "recovery");
});

test("a top-up raises it, and what was about to be tried is tried", () => {
  const run = poor(1);
  run.red("a");
  run.red("a");
  const by = { attempts: 2 };
  const answer = { kind: "top-up", by } as const;
  const checkpoint = run.of("a").checkpoint?.id ?? "";
  run.give({ kind: "checkpoint-answered", checkpoint, answer, by: "bob" });
  assert.equal(run.state.recovery.limit.attempts, 3);
  assert.deepEqual(run.of("a").limit, {}, "the subtask's own is as it was");
  assert.equal(run.of("a").running.length, 1);
});
