// proves: A5, E1
import assert from "node:assert/strict";
import { test } from "node:test";
import { PLAN_AGENTS } from "../../../src/agents/registry.ts";
import { readPlan, type PlanFlags } from "../../../src/core/plan/read-plan.ts";
import type { RunPlan } from "../../../src/core/plan/run-plan.ts";

function read(text: string, flags: PlanFlags = {}): RunPlan {
  const reading = readPlan(text, flags, PLAN_AGENTS);
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading.value;
}
const problems = (text: string, flags: PlanFlags = {}): readonly (readonly [string, string])[] => {
  const reading = readPlan(text, flags, PLAN_AGENTS);
  return reading.ok ? [] : reading.problems.map(({ path, message }) => [path, message]);
};
const models = (value: RunPlan): (string | undefined)[] =>
  value.plan.ladder.map(({ model }) => model);

test("nothing in the file is a plan too, if the command line says what to do", () => {
  for (const text of ["", " \n\t\n"])
    assert.equal(read(text, { goal: "g", agent: "sh x" }).plan.goal, "g");
  assert.deepEqual(problems(" ", { agent: "sh x" }), [
    ["", "nothing to do: write a `goal`, or list `subtasks`"],
  ]);
});

const BOTH = "goal: g\nagents: {claude: {}, gemini: {}, mine: {command: x}}\n";

test("the source's ladder: for its own preset, as far as its agents are there and on", () => {
  const source = ["gemini-3-flash", "gemini-3-pro", "claude-sonnet-4", "claude-opus-4.5"];
  assert.deepEqual(models(read(`${BOTH}policy: stuck-recovery`)), source);
  assert.deepEqual(models(read(BOTH, { policy: "stuck-recovery" })), source);
  const off = BOTH.replace("gemini: {}", "gemini: {disabled: true}");
  assert.deepEqual(models(read(`${off}policy: stuck-recovery`)), source.slice(2));
  assert.deepEqual(
    read(BOTH).plan.ladder,
    ["claude", "gemini", "mine"].map((agent) => ({ agent, tier: 1 })),
    "another policy has each agent as a rung",
  );
  assert.deepEqual(read(`${BOTH}policy: stuck-recovery`).leftOut, ["codex"]);
  assert.deepEqual(read(`${off}policy: stuck-recovery`).leftOut, ["gemini", "codex"]);
  assert.equal(read(BOTH).leftOut, undefined);
  const one = read("goal: g\nagent: claude\npolicy: stuck-recovery");
  assert.deepEqual(models(one), source.slice(2));
  assert.deepEqual(one.leftOut, ["gemini", "codex"]);
  const command = read(`${BOTH}agent: sh x\npolicy: stuck-recovery`);
  assert.deepEqual(command.plan.ladder, [{ agent: "agent", tier: 1 }], "the plan names one agent");
  const extended = read("goal: g\nagent: claude\npolicy: {extends: stuck-recovery}");
  assert.deepEqual(models(extended), source.slice(2));
  const own = "goal: g\nagents: {mine: {command: x}}\npolicy: stuck-recovery";
  assert.deepEqual(read(own).plan.ladder, [{ agent: "mine", tier: 1 }]);
});

test("a ladder in the plan wins over the plan's agent, and the command line over both", () => {
  const text = "goal: g\nagent: sh x\nmodels: [{agent: claude, model: m, tier: 2}]";
  assert.deepEqual(read(text).plan.ladder, [{ agent: "claude", model: "m", tier: 2 }]);
  assert.deepEqual(read(text, { agent: "gemini" }).plan.ladder, [{ agent: "gemini", tier: 1 }]);
});

test("branches share the machine only where nobody set a concurrency", () => {
  const places = (text: string, flags: PlanFlags): unknown[] => {
    const { concurrency, branchesAtOnce } = read(`goal: g\nagent: sh x\n${text}`, flags).plan;
    return [concurrency, branchesAtOnce];
  };
  assert.deepEqual(places("", { machineConcurrency: 4 }), [1, 4]);
  assert.deepEqual(places("", { machineConcurrency: 1 }), [1, undefined]);
  assert.deepEqual(places("", {}), [1, undefined]);
  assert.deepEqual(places("concurrency: 1", { machineConcurrency: 4 }), [1, undefined]);
  assert.deepEqual(places("", { machineConcurrency: 4, concurrency: 2 }), [2, undefined]);
  assert.deepEqual(places("", { machineConcurrency: 4, inPlace: true }), [1, undefined]);
});

test("in place: one at a time, without branches, and said in the plan", () => {
  const text = "goal: g\nagent: sh x\nconcurrency: 3";
  const inPlace = read(text, { inPlace: true });
  assert.deepEqual(
    [inPlace.plan.inPlace, inPlace.plan.concurrency, inPlace.policy.recovery.branchExploration],
    [true, 1, false],
  );
  const apart = read(text);
  assert.ok(!("inPlace" in apart.plan));
  assert.deepEqual([apart.plan.concurrency, apart.policy.recovery.branchExploration], [3, true]);
});

test("what is not given is not there; what is given is", () => {
  const bare = read("goal: g\nagent: sh x");
  for (const name of ["maxSubtaskRetries", "expireMs", "recoveryBudget"])
    assert.ok(!(name in bare.plan), name);
  assert.ok(!("rewrite" in bare));
  assert.deepEqual(
    [bare.setup, bare.carry, bare.protect, bare.forbidProtected],
    [[], [], [], false],
  );
  assert.deepEqual(bare.subtasks["goal"], {
    prompt: "g",
    checks: [],
    tests: "judge",
    inputs: [],
    totalMs: 3_600_000,
    idleMs: 600_000,
  });
  const more = read(
    "goal: g\nagent: sh x\nmax_subtask_retries: 0\ncheckpoints: {expireMinutes: 1.5}\nrecovery_budget: {usd: 2}",
  );
  assert.deepEqual(
    [more.plan.maxSubtaskRetries, more.plan.expireMs, more.plan.recoveryBudget],
    [0, 90_000, { usd: 2 }],
  );
});

test("agents: driven by the adapter of their name, or as the command they give", () => {
  const text = `goal: g
agents:
  claude: {}
  codex: {command: my-codex}
  mine: {command: x, format: steps}
  gemini: {adapter: gemini, command: g2}
rewrite: {agent: opencode}`;
  assert.deepEqual(read(text).agents, {
    claude: { adapter: "claude" },
    codex: { adapter: "command", command: "my-codex" },
    mine: { adapter: "command", command: "x", format: "steps" },
    gemini: { adapter: "gemini", command: "g2" },
    opencode: { adapter: "opencode" },
  });
  assert.deepEqual(problems("goal: g\nagents: {mine: {}}"), [
    ["agents.mine", "the agent mine needs a command"],
  ]);
});

test("grounding looks at the goal, else at every task; and its name is its own", () => {
  const lookAt = (text: string, flags: PlanFlags = {}): string | undefined =>
    read(text, { agent: "sh x", grounding: true, ...flags }).subtasks["grounding"]?.prompt.split(
      "\n\n",
    )[1];
  const two = "subtasks: [{id: a, prompt: do a}, {id: b, prompt: do b}]";
  assert.equal(lookAt(`goal: the goal\n${two}`), "the goal");
  assert.equal(lookAt("goal: of the file", { goal: "of the line" }), "of the line");
  assert.equal(lookAt(two), "do a\ndo b");
  assert.equal(lookAt(`goal: "${"x".repeat(19_000)}"`)?.length, 19_000);
  const named = "subtasks: [{id: a, prompt: x}, {id: grounding, prompt: y}]";
  assert.deepEqual(problems(named, { agent: "sh x" }), [
    ["subtasks.1.id", "grounding is the name of the grounding subtask: choose another"],
  ]);
  const first = "subtasks: [{id: grounding, prompt: y}, {id: a, prompt: x}]";
  assert.deepEqual(
    read(first, { agent: "sh x", grounding: true }).plan.subtasks.map(({ id, dependsOn }) => [
      id,
      dependsOn,
    ]),
    [
      ["grounding", []],
      ["a", []],
    ],
  );
});
