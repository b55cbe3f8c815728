// proves: A5, B5, E1, E4
// The parts of a plan one by one: which entry of the ladder stays, which place a problem names,
// what the command line replaces, what grounding adds.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { planGraph, transitiveDependents } from "../../../src/core/plan/graph.ts";
import { sidegradeOf, rankUp } from "../../../src/core/plan/model-ladder.ts";
import { PLAN_AGENTS } from "../../../src/agents/registry.ts";
import { readPlan, type PlanFlags } from "../../../src/core/plan/read-plan.ts";
import type { RunPlan } from "../../../src/core/plan/run-plan.ts";

function read(text: string, flags: PlanFlags = {}): RunPlan {
  const reading = readPlan(text, flags, PLAN_AGENTS);
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading.value;
}

function problems(
  text: string,
  flags: PlanFlags = {},
): readonly (readonly [number, string, string])[] {
  const reading = readPlan(text, flags, PLAN_AGENTS);
  assert.ok(!reading.ok, text);
  return reading.problems.map(({ line, path, message }) => [line, path, message]);
}

test("dependents come in the order of the plan, whatever the order they are found in", () => {
  const nodes = Array.from({ length: 12 }, (_, n) => ({ id: `s${n}`, dependsOn: [] as string[] }));
  nodes[2]!.dependsOn = ["s11"];
  nodes[11]!.dependsOn = ["s0"];
  nodes[1]!.dependsOn = ["s0"];
  nodes[10]!.dependsOn = ["s2"];
  const reading = planGraph(nodes);
  assert.ok(reading.ok);
  assert.deepEqual(transitiveDependents(reading.graph, "s0"), [1, 2, 10, 11]);
  assert.deepEqual(transitiveDependents(reading.graph, "nobody"), []);
});

test("a cycle is found behind subtasks that wait for it, and they are not blamed", () => {
  const reading = planGraph([
    { id: "a", dependsOn: ["b"] },
    { id: "b", dependsOn: ["c"] },
    { id: "c", dependsOn: ["b"] },
    { id: "free", dependsOn: [] },
  ]);
  assert.deepEqual(reading, { ok: false, problems: [{ kind: "cycle", ids: ["b", "c"] }] });
});

test("one model of two agents is two entries", () => {
  const ladder = [
    { agent: "one", model: "m", tier: 1 },
    { agent: "two", model: "m", tier: 1 },
    { agent: "two", model: "n", tier: 2 },
  ];
  assert.deepEqual(sidegradeOf(ladder, ladder[0]!, []), ladder[1]);
  assert.deepEqual(sidegradeOf(ladder, ladder[0]!, [ladder[1]!]), undefined);
  assert.deepEqual(rankUp(ladder, { agent: "two", model: "m", tier: 1 }), ladder[2]);
});

describe("agents that are turned off", () => {
  test("by their entry or by the agent's own switch, they stay on the ladder as disabled", () => {
    const { plan } = read(
      "goal: g\nagents:\n  a: {command: a}\n  b: {command: b, disabled: true}\n" +
        "models:\n  - {agent: a}\n  - {agent: a, model: x, disabled: true}\n  - {agent: b}\n",
    );
    assert.deepEqual(plan.ladder, [
      { agent: "a", tier: 1 },
      { agent: "a", model: "x", tier: 1, disabled: true },
      { agent: "b", tier: 1, disabled: true },
    ]);
  });
  test("without a ladder of models each agent is a rung", () => {
    const { plan } = read(
      "goal: g\nagents:\n  a: {command: a}\n  b: {command: b, disabled: true}\n",
    );
    assert.deepEqual(plan.ladder, [
      { agent: "a", tier: 1 },
      { agent: "b", tier: 1, disabled: true },
    ]);
  });
  test("all of them off is nothing to run", () => {
    const [first] = problems("goal: g\nagents:\n  a: {command: a, disabled: true}\n");
    assert.match(first?.[2] ?? "", /no agent to run/);
    const found = problems(
      "goal: g\nagents: {a: {command: a}}\nmodels: [{agent: a, disabled: true}]\n",
    );
    assert.deepEqual(
      found.map(([line, path]) => [line, path]),
      [[3, "models"]],
    );
  });
});

describe("the place of a problem", () => {
  const plan = (...lines: string[]): string => `agent: a\nsubtasks:\n${lines.join("\n")}\n`;
  test("is the subtask that has it", () => {
    const [unknown] = problems(
      plan("  - {id: x, prompt: p}", "  - id: y", "    prompt: p", "    dependsOn: [nowhere]"),
    );
    assert.deepEqual(unknown?.slice(0, 2), [6, "subtasks.1.dependsOn.0"]);
    const [twice] = problems(
      plan("  - {id: o, prompt: p}", "  - {id: x, prompt: p}", "  - {id: x, prompt: p}"),
    );
    assert.deepEqual(twice?.slice(0, 2), [5, "subtasks.2.id"]);
    assert.match(twice?.[2] ?? "", /first on line 4/);
  });
  test("the name of the grounding subtask is taken", () => {
    const [reserved] = problems(
      plan(
        "  - {id: x, prompt: p}",
        "  - {id: grounding, prompt: p}",
        "  - {id: grounding, prompt: p}",
      ),
    );
    assert.match(reserved?.[2] ?? "", /used twice|name of the grounding subtask/);
  });
  test("a rewriting agent that is not there", () => {
    const found = problems("goal: g\nagent: claude\nrewrite:\n  agent: nobody\n");
    assert.deepEqual(found, [[4, "rewrite.agent", 'there is no agent "nobody": there are claude']]);
    assert.deepEqual(read("goal: g\nagent: claude\nrewrite: {agent: pi}\n").rewrite, {
      agent: "pi",
    });
  });
});

describe("what the command line replaces", () => {
  const FILE =
    "agent: a\ngoal: old\ngrounding: false\nchecks: [one]\nsubtasks:\n  - {id: x, prompt: p}\n";
  test("a goal stands in for goal and subtasks", () => {
    const { plan, subtasks } = read(FILE, { goal: "new" });
    assert.equal(plan.goal, "new");
    assert.deepEqual(
      plan.subtasks.map(({ id, prompt }) => [id, prompt]),
      [["goal", "new"]],
    );
    assert.equal(subtasks["goal"]?.prompt, "new");
  });
  test("without one the plan's own are kept; a plan without a goal is named by its subtasks", () => {
    assert.equal(read(FILE).plan.goal, "old");
    const named =
      "agent: a\ngrounding: false\nsubtasks:\n  - {id: x, prompt: p}\n  - {id: y, prompt: q}\n";
    assert.equal(read(named).plan.goal, "x, y");
  });
  test("checks: the subtask's, else the flag's, else the file's", () => {
    const checks = (text: string, flags: PlanFlags = {}): unknown =>
      read(text, flags).subtasks["x"]?.checks.map(({ run }) => run);
    assert.deepEqual(checks(FILE), ["one"]);
    assert.deepEqual(checks(FILE, { checks: ["two"] }), ["two"]);
    const own = FILE.replace("prompt: p", "prompt: p, checks: [three]");
    assert.deepEqual(checks(own, { checks: ["two"] }), ["three"]);
  });
  test("in the user's own checkout one at a time, without branches", () => {
    const { plan, policy } = read(`${FILE}concurrency: 4\n`, { inPlace: true, concurrency: 3 });
    assert.equal(plan.concurrency, 1);
    assert.equal(policy.recovery.branchExploration, false);
    assert.equal(read(`${FILE}concurrency: 4\n`).plan.concurrency, 4);
    assert.equal(read(FILE).plan.concurrency, 1);
    assert.equal(read(FILE).policy.recovery.branchExploration, true);
  });
});

describe("a subtask's own settings", () => {
  const one = (fields: string): RunPlan =>
    read(`agent: a\ngrounding: false\nsubtasks:\n  - {id: x, prompt: p${fields}}\n`);
  test("critical, only where it says so", () => {
    assert.equal(one(", critical: true").plan.subtasks[0]?.critical, true);
    assert.ok(!("critical" in one(", critical: false").plan.subtasks[0]!));
  });
  test("an output schema reaches the subtask, and only where there is one", () => {
    assert.deepEqual(one(", output: {type: object}").subtasks["x"]?.output, { type: "object" });
    assert.ok(!("output" in one("").subtasks["x"]!));
    assert.ok(!("structuredOutput" in one("").plan.subtasks[0]!));
  });
  test("budgets by money, tokens, time and attempts", () => {
    const { plan } = read(
      "agent: a\ngoal: g\nbudget: {tokens: 9, minutes: 2}\nrecovery_budget: {attempts: 3}\n",
    );
    assert.deepEqual(plan.budget, { tokens: 9, timeMs: 120_000 });
    assert.deepEqual(plan.recoveryBudget, { attempts: 3 });
    assert.ok(!("recoveryBudget" in read("agent: a\ngoal: g\n").plan));
  });
  test("read-only subtasks have no checks", () => {
    const { plan, subtasks } = read(
      "agent: a\nchecks: [make]\nsubtasks:\n  - {id: x, prompt: p, readOnly: true}\n",
    );
    assert.deepEqual(subtasks["x"]?.checks, []);
    assert.deepEqual([plan.subtasks[0]?.checks, plan.subtasks[0]?.readOnly], [0, true]);
  });
  test("nothing to set up is nothing", () => {
    const { setup, carry, protect, forbidProtected } = one("");
    assert.deepEqual([setup, carry, protect, forbidProtected], [[], [], [], false]);
  });
});

test("grounding looks at all tasks where the plan has no goal, and keeps their inputs", () => {
  const { plan, subtasks } = read(
    "agent: a\ngrounding: true\nsubtasks:\n  - {id: x, prompt: first thing}\n  - {id: y, prompt: second thing, inputs: [x]}\n",
  );
  assert.match(subtasks["grounding"]?.prompt ?? "", /\nfirst thing\nsecond thing$/);
  assert.deepEqual(subtasks["y"]?.inputs, ["grounding", "x"]);
  assert.deepEqual(plan.subtasks[2]?.dependsOn, ["grounding", "x"]);
});
