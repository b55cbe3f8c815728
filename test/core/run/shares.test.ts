// proves: U4, V16
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ladder } from "../../../src/core/policy/ladder.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { unenforcedBudgetText } from "../../../src/core/report/phrases.ts";
import type { Plan } from "../../../src/core/plan/plan.ts";
import { Driver, plan, subtask } from "./driver.ts";

const ids = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `s${index}`);
const many = (count: number, more: Partial<Plan>): Driver =>
  new Driver(
    "standard",
    plan(
      ids(count).map((id) => subtask(id)),
      more,
    ),
  );

test("V16: with any budget and no cap as many start at once as the plan has places, or it is said why not", () => {
  const budget = fc.record(
    {
      usd: fc.double({ min: 0.01, max: 100, noNaN: true }),
      tokens: fc.integer({ min: 100, max: 1e9 }),
      timeMs: fc.integer({ min: 1000, max: 1e9 }),
    },
    { requiredKeys: [] },
  );
  const count = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(count, count, budget, (number, concurrency, limit) => {
      const run = many(number, { concurrency, budget: limit });
      assert.equal(run.state.agents, Math.min(number, concurrency));
      const { reserved } = run.state.ledger;
      for (const measure of ["usd", "tokens", "timeMs"] as const)
        assert.ok(
          (reserved[measure] ?? 0) <= (limit[measure] ?? Infinity) / 2 + 1e-6,
          "room is left",
        );
      for (const id of ids(Math.min(number, concurrency)))
        run.red(id, { remains: { used: { usd: 0.001, tokens: 5, timeMs: 50 } } });
      const said = run.all("budget-tight").length > 0 || run.state.checkpoint !== undefined;
      assert.ok(run.state.agents === Math.min(number, concurrency) || said);
    }),
    { numRuns: 60 },
  );
});

test("V16: a place that a budget keeps free is told of once, and again after it was raised", () => {
  const run = many(3, { concurrency: 2, budget: { usd: 4 }, attemptCap: { usd: 4 } });
  const tight = { kind: "budget-tight", measure: "usd", limit: 4, running: 1 };
  assert.deepEqual(run.all("budget-tight"), [tight]);
  run.red("s0", { remains: { used: { usd: 1 } } });
  assert.deepEqual(run.all("budget-tight"), [tight]);
  run.red("s1", { remains: { used: { usd: 3 } } });
  run.answer("c1", { kind: "top-up", by: { usd: 4 } });
  assert.deepEqual(run.all("budget-tight"), [tight, { ...tight, limit: 8 }]);
});

test("V16: branches of one subtask share its own budget, and all of them start", () => {
  const preset = PRESETS["stuck-recovery"];
  const recovery = { ...preset.recovery, branchCount: 3 };
  const policy = ladder({ ...preset, recovery, rungs: [{ id: "explore", do: "explore" }] });
  const one = plan([subtask("a", { limits: { budget: { usd: 8 } } })], { concurrency: 4 });
  const run = new Driver(policy, one);
  run.red("a", { remains: { used: { usd: 2 } } });
  const caps = run.of("a").running.map(({ cap }) => cap.usd);
  assert.deepEqual(caps, [8 / 6, 8 / 6, 8 / 6]);
});

test("V16: budgets that cannot hold the agents are told of at the start, with what does", () => {
  const said = (more: Partial<Plan>): readonly string[] =>
    many(1, more).all("budget-unheld").map(unenforcedBudgetText);
  const [{ agent } = { agent: "" }] = plan([subtask("a")]).ladder;
  const untold = { [agent]: ["usd", "tokens"] } as const;
  const who = `cannot limit agent ${agent}: it is not known to report its`;
  assert.deepEqual(said({ budget: { usd: 5 } }), [], "it tells its cost");
  assert.deepEqual(said({ untold }), [], "there is no budget");
  assert.deepEqual(said({ untold, budget: { attempts: 5 } }), []);
  assert.deepEqual(said({ untold, budget: { usd: 5, tokens: 100, attempts: 9 } }), [
    `the money budget of the run ($5.00) ${who} cost; what limits it: 9 attempts`,
    `the token budget of the run (100) ${who} tokens; what limits it: 9 attempts`,
  ]);
  assert.deepEqual(said({ untold: { [agent]: ["usd"] }, budget: { usd: 5, tokens: 100 } }), [
    `the money budget of the run ($5.00) ${who} cost; what limits it: 100 tokens`,
  ]);
  assert.deepEqual(
    said({ untold, recoveryBudget: { usd: 2 }, longestAttemptMs: 600_000, maxSubtaskRetries: 3 }),
    [
      `the money budget of recovery ($2.00) ${who} cost; what limits it: at most 4 attempts of a subtask, 10m 00s each`,
    ],
  );
});
