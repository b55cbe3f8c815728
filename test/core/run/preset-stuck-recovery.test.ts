// proves: A1, A3, A5, A7, A8, A10
import assert from "node:assert/strict";
import { test } from "node:test";
import { PLAN_AGENTS } from "../../../src/agents/registry.ts";
import { ladder } from "../../../src/core/policy/ladder.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { Driver, NO_PROGRESS, plan, subtask } from "./driver.ts";

const { sourceLadder: SOURCE_LADDER, branchAgents } = PLAN_AGENTS;
const one = plan([subtask("a")], { ladder: SOURCE_LADDER, branchAgents });
const idle = { signals: NO_PROGRESS };

test("three attempts without progress are stuck; then the stages in their order", () => {
  const run = new Driver("stuck-recovery", one);
  for (let attempt = 1; attempt <= 7; attempt += 1) run.red("a", { remains: idle });
  assert.deepEqual(run.recoveries(), [
    "retry",
    "retry",
    "mutate",
    "mutate",
    "mutate",
    "escalate",
    "explore",
  ]);
  assert.deepEqual(run.of("a").mutationsTried, ["rephrase", "decompose", "constrain"]);
  assert.deepEqual(
    run.all("progress-scored").map(({ state }) => state.status),
    ["progressing", "warning", "stuck", "recovering", "recovering", "recovering", "recovering"],
  );
  assert.equal(run.of("a").entry.model, "gemini-3-pro", "one rank up");
});

test("any progress sets the count back", () => {
  const run = new Driver("stuck-recovery", one);
  run.red("a", { remains: idle });
  run.red("a", { remains: idle });
  run.red("a");
  run.red("a", { remains: idle });
  run.red("a", { remains: idle });
  assert.deepEqual(run.recoveries(), ["retry", "retry", "retry", "retry", "retry"]);
  run.red("a", { remains: idle });
  assert.equal(run.recoveries().at(-1), "mutate");
});

test("progress in a stage ends the recovery, and stages begin anew", () => {
  const run = new Driver("stuck-recovery", one);
  for (let attempt = 1; attempt <= 4; attempt += 1) run.red("a", { remains: idle });
  run.red("a");
  assert.equal(run.of("a").progress.status, "progressing");
  assert.deepEqual(run.state.metrics, {
    recovery_triggers: 1,
    recovery_success: 0,
    stage_success: {},
    recovery_iterations: 2,
  });
  for (let attempt = 1; attempt <= 3; attempt += 1) run.red("a", { remains: idle });
  assert.equal(run.of("a").mutationsTried[0], "rephrase");
});

test("exploration fits the budget that is left: three branches of five, not of ten", () => {
  const run = new Driver("stuck-recovery", { ...one, concurrency: 5 });
  for (let attempt = 1; attempt <= 7; attempt += 1) run.red("a", { remains: idle });
  const started = run.all("exploration-started")[0];
  assert.deepEqual(
    started?.branches.map(({ id, entry, iterations }) => [id, entry.agent, iterations]),
    [
      ["bottom-up", "codex", 5],
      ["research-first", "gemini", 5],
      ["constrained", "codex", 5],
    ],
  );
  assert.equal(run.of("a").running.length, 3, "in parallel");
});

test("a person comes last, with a critical alert", () => {
  const run = new Driver("stuck-recovery", one);
  while (run.of("a").phase !== "asking") run.red("a", { remains: idle });
  assert.equal(run.recoveries().at(-1), "ask");
  assert.deepEqual(run.all("alert-raised"), [
    { kind: "alert-raised", subtask: "a", alert: "stuck_unrecoverable", severity: "critical" },
  ]);
  assert.ok(run.of("a").iterations <= 20);
});

test("at the top of the ladder escalation is passed over", () => {
  const top = SOURCE_LADDER.slice(-1);
  const run = new Driver("stuck-recovery", { ...one, ladder: top });
  for (let attempt = 1; attempt <= 6; attempt += 1) run.red("a", { remains: idle });
  assert.deepEqual(run.recoveries().slice(-1), ["explore"]);
  const considered = run.all("recovery-chosen").at(-1)?.considered ?? [];
  assert.ok(considered.some(({ verdict }) => verdict === "already at the top of the model ladder"));
});

test("the budget is never overdrawn, whatever its size", () => {
  for (const total of [0, 1, 3, 4, 5, 6, 7, 20]) {
    const recovery = { ...PRESETS["stuck-recovery"].recovery, totalRecoveryBudget: total };
    const policy = ladder({ ...PRESETS["stuck-recovery"], recovery });
    const run = new Driver(policy, { ...one, concurrency: 4 });
    while (run.of("a").phase !== "asking") run.red("a", { remains: idle });
    assert.ok(run.of("a").iterations <= total, `${run.of("a").iterations} of ${total}`);
  }
});

test("branch exploration can be turned off", () => {
  const recovery = { ...PRESETS["stuck-recovery"].recovery, branchExploration: false };
  const run = new Driver(ladder({ ...PRESETS["stuck-recovery"], recovery }), one);
  while (run.of("a").phase !== "asking") run.red("a", { remains: idle });
  assert.ok(!run.recoveries().includes("explore"));
});
