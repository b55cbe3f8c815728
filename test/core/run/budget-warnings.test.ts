// proves: A8, U4
import assert from "node:assert/strict";
import { test } from "node:test";
import { ladder } from "../../../src/core/policy/ladder.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { Driver, plan, subtask } from "./driver.ts";

const warnings = (run: Driver) => run.all("budget-warned").map(({ kind: _, ...rest }) => rest);

test("each measure of a budget warns for itself; a top-up of one is none of the others", () => {
  const run = new Driver(
    "standard",
    plan([subtask("a")], { budget: { usd: 100, tokens: 10, timeMs: 1000, attempts: 5 } }),
  );
  const used = { usd: 1, tokens: 8, timeMs: 100 };
  run.red("a", { remains: { used } });
  assert.deepEqual(run.state.warned, ["tokens"]);
  run.red("a", { remains: { used: { usd: 1, tokens: 0, timeMs: 700 } } });
  assert.deepEqual(run.state.warned, ["tokens", "timeMs"]);
  run.red("a", { remains: { used: { usd: 1, tokens: 0, timeMs: 0 } } });
  run.red("a", { remains: { used: { usd: 1, tokens: 2, timeMs: 0 } } });
  assert.deepEqual(
    warnings(run).map(({ measure, spent, limit }) => [measure, spent, limit]),
    [
      ["tokens", 8, 10],
      ["timeMs", 800, 1000],
      ["attempts", 4, 5],
    ],
  );
  assert.equal(run.state.checkpoint?.context.measure, "tokens");
  run.answer("c1", { kind: "top-up", by: { tokens: 10 } });
  assert.deepEqual(run.state.warned, ["timeMs", "attempts"]);
});

test("recovery as a whole warns at four fifths of its own budget, once, and again after it was raised", () => {
  const run = new Driver(
    "standard",
    plan([subtask("a")], {
      attemptCap: { timeMs: 10 },
      recoveryBudget: { timeMs: 100, attempts: 50 },
    }),
  );
  const red = (timeMs: number) => void run.red("a", { remains: { used: { timeMs } } });
  red(90);
  assert.deepEqual(warnings(run), [], "a first attempt is no recovery");
  red(79);
  assert.deepEqual(warnings(run), []);
  red(1);
  const first = { of: "recovery", measure: "timeMs", spent: 80, limit: 100 };
  assert.deepEqual(warnings(run), [first]);
  assert.deepEqual([run.state.recovery.warned, run.state.warned], [["timeMs"], []]);
  red(20);
  assert.deepEqual(warnings(run), [first]);
  assert.equal(run.of("a").checkpoint?.context.budgetOf, "recovery");
  run.answer("a/c1", { kind: "top-up", by: { timeMs: 100 } });
  assert.deepEqual(run.state.recovery.warned, []);
  red(60);
  assert.deepEqual(warnings(run).at(-1), { ...first, spent: 160, limit: 200 });
});

test("the iterations of a subtask's recovery warn at four fifths, before the last is used", () => {
  const preset = PRESETS["tier-ladder"];
  const recovery = { ...preset.recovery, totalRecoveryBudget: 5 };
  const policy = ladder({ ...preset, recovery, rungs: [{ id: "f", do: "feedback", times: 9 }] });
  const limits = { maxRetries: 9 };
  const run = new Driver(policy, plan([subtask("a", { limits })]));
  for (let red = 0; red < 4; red += 1) run.red("a");
  assert.deepEqual([run.of("a").iterations, warnings(run)], [4, []]);
  run.red("a");
  run.red("a");
  const warning = { of: "subtask", subtask: "a", measure: "iterations", spent: 4, limit: 5 };
  assert.deepEqual([run.of("a").iterations, warnings(run)], [5, [warning]]);
});
