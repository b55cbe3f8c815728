// proves: E1, E3, E4, E7, A9
import assert from "node:assert/strict";
import { test } from "node:test";
import { ADAPTIVE } from "../../../src/core/adaptive/policy-data.ts";
import { PLAN_AGENTS } from "../../../src/agents/registry.ts";
import { readPlan, type PlanFlags } from "../../../src/core/plan/read-plan.ts";
import type { RunPlan } from "../../../src/core/plan/run-plan.ts";

function read(text: string, flags: PlanFlags = {}): RunPlan {
  const reading = readPlan(text, flags, PLAN_AGENTS);
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading.value;
}

test("a goal with an agent and a check is a whole plan; grounded, where that is asked for", () => {
  const { plan, subtasks, agents } = read("", {
    goal: "add a login",
    agent: "my-agent {prompt}",
    checks: ["npm test"],
    grounding: true,
  });
  assert.deepEqual(
    plan.subtasks.map(({ id, readOnly, dependsOn, checks }) => [
      id,
      readOnly ?? false,
      dependsOn,
      checks,
    ]),
    [
      ["grounding", true, [], 0],
      ["goal", false, ["grounding"], 1],
    ],
  );
  assert.deepEqual(agents, { agent: { adapter: "command", command: "my-agent {prompt}" } });
  assert.deepEqual(subtasks["goal"]?.inputs, ["grounding"]);
  assert.match(subtasks["grounding"]?.prompt ?? "", /Change nothing[^]*add a login/);
  assert.deepEqual(subtasks["goal"]?.checks, [
    { name: "npm test", run: "npm test", timeoutMs: 1_200_000 },
  ]);
});

test("grounding can be turned off, and a plan's own read-only subtask stands in for it", () => {
  const off = read("", { goal: "g", agent: "a", grounding: false });
  assert.deepEqual(
    off.plan.subtasks.map(({ id }) => id),
    ["goal"],
  );
  const own = read(
    "agent: a\nsubtasks:\n  - {id: look, prompt: look, readOnly: true}\n  - {id: do, prompt: do, inputs: [look]}\n",
  );
  assert.deepEqual(
    own.plan.subtasks.map(({ id, dependsOn }) => [id, dependsOn]),
    [
      ["look", []],
      ["do", ["look"]],
    ],
  );
  assert.equal(read("agent: a\ngrounding: false\ngoal: g\n").plan.subtasks.length, 1);
});

const TWO = "subtasks: [{id: a, prompt: x}, {id: b, prompt: y}]\n";
const TYPED = "agents: {claude: {}, mine: {command: x, format: steps}}\n";
const MIXED = "agents: {claude: {}, plain: {command: x}}\n";

const DEFAULTS: readonly [string, string, PlanFlags, boolean][] = [
  ["two subtasks, an agent with its own adapter", `agent: claude\n${TWO}`, {}, true],
  ["two subtasks, a command with a format among them", TYPED + TWO, {}, true],
  [
    "two subtasks over the Agent Client Protocol",
    `agents: {m: {adapter: acp, command: x}}\n${TWO}`,
    {},
    true,
  ],
  ["two subtasks, a plain command", `agent: my-agent {prompt}\n${TWO}`, {}, false],
  ["two subtasks, a plain command among typed agents", MIXED + TWO, {}, false],
  [
    "a plain command that is turned off",
    `${MIXED}models: [{agent: claude}, {agent: plain, disabled: true}]\n${TWO}`,
    {},
    true,
  ],
  ["a single goal, a typed agent", "agent: claude\ngoal: g\n", {}, false],
  ["a single subtask, a typed agent", "agent: claude\nsubtasks: [{id: a, prompt: x}]\n", {}, false],
  ["a goal instead of the plan's subtasks", `agent: claude\n${TWO}`, { goal: "g" }, false],
  [
    "tier-ladder, a single goal, a plain command",
    "agent: x\ngoal: g\npolicy: tier-ladder\n",
    {},
    true,
  ],
  ["tier-ladder on the command line", "agent: x\ngoal: g\n", { policy: "tier-ladder" }, true],
  [
    "another policy on the command line",
    "agent: x\ngoal: g\npolicy: tier-ladder\n",
    { policy: "standard" },
    false,
  ],
  ["turned off in the plan", `agent: claude\ngrounding: false\n${TWO}`, {}, false],
  ["turned on in the plan", "agent: x\ngoal: g\ngrounding: true\n", {}, true],
  [
    "turned off on the command line",
    `agent: claude\ngrounding: true\n${TWO}`,
    { grounding: false },
    false,
  ],
  [
    "turned on on the command line",
    "agent: x\ngoal: g\ngrounding: false\n",
    { grounding: true },
    true,
  ],
];
for (const [name, text, flags, isGrounded] of DEFAULTS)
  test(`grounding where nobody says otherwise: ${name}`, () => {
    const { plan } = read(text, flags);
    assert.equal(plan.subtasks[0]?.id === "grounding", isGrounded);
  });

const WHOLE = `
goal: everything
agents:
  small: { command: "small {prompt}" }
  large: { command: "large --model {model} {prompt}" }
models:
  - { agent: small, tier: 1 }
  - { agent: large, model: big, tier: 3 }
policy: tier-ladder
loop: { stuck_after: 5, recovery: { total_recovery_budget: 9 } }
max_subtask_retries: 2
budget: { usd: 10, minutes: 90 }
attempt: { usd: 1, minutes: 30, idleMinutes: 2 }
permissions: { install: allow }
concurrency: 3
checks: [npm test]
grounding: false
workspace: { setup: [npm ci], carry: [node_modules, .env], protect: ["test/**"], forbidProtected: true }
subtasks:
  - id: a
    prompt: do a
    output: { type: object }
    limits: { max_retries: 7, budget: { usd: 2 } }
  - id: b
    prompt: do b
    dependsOn: [a]
    tier: 3
    checks: [{ run: make check, name: make, minutes: 1 }]
`;

test("every setting reaches the plan", () => {
  const { plan, policy, subtasks, permissions, setup, carry, protect, forbidProtected } =
    read(WHOLE);
  assert.deepEqual(plan.ladder, [
    { agent: "small", tier: 1 },
    { agent: "large", model: "big", tier: 3 },
  ]);
  assert.deepEqual(plan.budget, { usd: 10, timeMs: 5_400_000 });
  assert.deepEqual(plan.attemptCap, { usd: 1, timeMs: 1_800_000 });
  assert.deepEqual([plan.concurrency, plan.maxSubtaskRetries], [3, 2]);
  assert.deepEqual(plan.subtasks[0], {
    id: "a",
    prompt: "do a",
    dependsOn: [],
    checks: 1,
    structuredOutput: true,
    limits: { maxRetries: 7, budget: { usd: 2 } },
  });
  assert.deepEqual(plan.subtasks[1], {
    id: "b",
    prompt: "do b",
    dependsOn: ["a"],
    checks: 1,
    tier: 3,
    limits: {},
  });
  assert.equal(policy.name, "tier-ladder");
  assert.deepEqual([policy.progress.stuckAfter, policy.recovery.totalRecoveryBudget], [5, 9]);
  assert.deepEqual(subtasks["b"]?.checks, [{ run: "make check", name: "make", timeoutMs: 60_000 }]);
  assert.deepEqual([subtasks["a"]?.totalMs, subtasks["a"]?.idleMs], [1_800_000, 120_000]);
  assert.deepEqual(permissions, { sudo: "deny", install: "allow", delete: "deny", full: false });
  assert.deepEqual(
    [setup, carry, protect, forbidProtected],
    [["npm ci"], ["node_modules", ".env"], ["test/**"], true],
  );
});

test("flags win over the file", () => {
  const { plan, policy } = read(WHOLE, { policy: "hierarchical", concurrency: 1, stuckAfter: 2 });
  assert.deepEqual(
    [policy.name, plan.concurrency, policy.progress.stuckAfter],
    ["hierarchical", 1, 2],
  );
  assert.deepEqual(read("agent: a\n", { goal: "g", grounding: false }).policy, ADAPTIVE);
});

const WRONG: readonly (readonly [string, number, RegExp])[] = [
  ["agent: a\nsubtasks:\n  - id: x\n    prompt: p\n    dependsOn: [y]\n", 5, /no subtask "y"/],
  [
    "agent: a\nsubtasks:\n  - {id: x, prompt: p}\n  - {id: parser, prompt: p}\n  - {id: z, prompt: p, dependsOn: [parsr]}\n",
    5,
    /did you mean parser\?/,
  ],
  [
    "agent: a\nsubtasks:\n  - {id: x, prompt: p, dependsOn: [z]}\n  - {id: z, prompt: p, dependsOn: [x]}\n",
    3,
    /wait for each other: x -> z -> x/,
  ],
  [
    "agent: a\nsubtasks:\n  - {id: x, prompt: p}\n  - {id: x, prompt: p}\n",
    4,
    /used twice, first on line 3/,
  ],
  ["agent: a\nsubtask:\n  - {id: x, prompt: p}\n", 2, /unknown setting "subtask"/],
  ["agent: a\ngoal: g\npolicy: standrad\n", 3, /did you mean standard\?/],
  ["agents: {one: {command: x}}\nmodels:\n  - {agent: oen}\ngoal: g\n", 3, /did you mean one\?/],
  ["goal: g\n", 1, /no agent to run/],
  ["agent: a\n", 1, /nothing to do/],
  ["agent: a\ngoal: g\nworkspace: {carry: [../outside]}\n", 3, /inside the repository/],
  ["agent: a\ngoal: g\nbudget: {usd: -1}\n", 3, /./],
  ["agent: a\ngoal: g\npermissions: {sudo: yes please}\n", 3, /allow, deny, ask/],
  ["agent: a\ngoal: [unclosed\n", 2, /./],
  [
    "agent: a\nsubtasks:\n  - {id: x, prompt: p}\n  - {id: y, prompt: p, tier: 2}\n",
    4,
    /highest is 1: write 1/,
  ],
  [
    "models: [{agent: claude, tier: 2}, {agent: pi, tier: 3, disabled: true}]\nsubtasks:\n  - {id: x, prompt: p, tier: 3}\n",
    3,
    /no model has tier 3, the highest is 2: write 1 to 2/,
  ],
  [
    "agent: a\nsubtasks:\n  - id: x\n    prompt: p\n    output:\n      properties:\n        a: {type: strin}\n",
    7,
    /"strin" is not one of array, boolean/,
  ],
  ["agent: a\nsubtasks:\n  - {id: x, prompt: p, output: {required: yes}}\n", 3, /should be array/],
  ["agent: a\nsubtasks:\n  - {id: x, prompt: p, output: {pattern: '('}}\n", 3, /pattern/],
  ["agent: a\nsubtasks:\n  - {id: x, prompt: p, dependsOn: [x]}\n", 3, /waits for itself/],
  [
    "agent: a\nsubtasks:\n  - {id: x, prompt: p}\n  - {id: y, prompt: p, inputs: [z]}\n",
    4,
    /no subtask "z"/,
  ],
  [
    "agent: a\ngoal: g\npolicy:\n  extends: standard\n  rungs: [{id: a, do: feedbak}]\n",
    5,
    /feedback/,
  ],
];

/** The command line's own mistakes name the flag and no line of the plan. */
const WRONG_FLAGS: readonly (readonly [PlanFlags, path: string, message: RegExp])[] = [
  [{ goal: " " }, "--goal", /is empty: say what/],
  [{ goal: "g", agent: "" }, "--agent", /is empty/],
  [{ goal: "g", checks: ["true", " "] }, "--check", /is empty/],
  [{ goal: "g", setup: [""] }, "--setup", /--no-setup/],
  [{ goal: "g", policy: "standrad" }, "--policy", /did you mean standard\?/],
];

test("a flag that is wrong is named", () => {
  for (const [flags, path, message] of WRONG_FLAGS) {
    const reading = readPlan("agent: a\n", flags, PLAN_AGENTS);
    assert.ok(!reading.ok, path);
    const [first] = reading.problems;
    assert.deepEqual([first?.line, first?.path], [0, path]);
    assert.match(first?.message ?? "", message);
  }
});

test("what is given on the command line stands alone, whatever tiers the plan speaks of", () => {
  const text = "models: [{agent: claude, tier: 3}]\nsubtasks: [{id: x, prompt: p, tier: 3}]\n";
  assert.equal(read(text, { agent: "mine {prompt}" }).plan.ladder.length, 1);
});

test("every error names its line and, where it can, what was meant", () => {
  for (const [text, line, message] of WRONG) {
    const reading = readPlan(text, {}, PLAN_AGENTS);
    assert.ok(!reading.ok, text);
    const found = reading.problems.find((problem) => message.test(problem.message));
    assert.ok(found !== undefined, `${text} -> ${JSON.stringify(reading.problems)}`);
    assert.equal(found.line, line, text);
  }
});

const agentRows: readonly [
  yaml: string,
  flag: string | undefined,
  agents: unknown,
  ladder: readonly string[],
][] = [
  ["agent: claude\n", undefined, { claude: { adapter: "claude" } }, ["claude"]],
  ["", "codex", { codex: { adapter: "codex" } }, ["codex"]],
  [
    "agents: {codex: {command: my-codex}}\n",
    undefined,
    { codex: { adapter: "command", command: "my-codex" } },
    ["codex"],
  ],
  [
    "agents: {mine: {adapter: claude, command: /opt/claude}}\n",
    undefined,
    { mine: { adapter: "claude", command: "/opt/claude" } },
    ["mine"],
  ],
  [
    "models: [{agent: claude, model: a}, {agent: claude, model: b, tier: 2}, {agent: pi}]\n",
    undefined,
    { claude: { adapter: "claude" }, pi: { adapter: "pi" } },
    ["claude", "claude", "pi"],
  ],
  [
    "models: [{agent: claude}]\n",
    "my-agent {prompt}",
    { claude: { adapter: "claude" }, agent: { adapter: "command", command: "my-agent {prompt}" } },
    ["agent"],
  ],
  [
    "agent: claude-like\n",
    undefined,
    { agent: { adapter: "command", command: "claude-like" } },
    ["agent"],
  ],
];
for (const [yaml, flag, agents, ladder] of agentRows)
  test(`agents of ${JSON.stringify(yaml)} with --agent ${flag ?? "not given"}`, () => {
    const flags = { goal: "g", ...(flag === undefined ? {} : { agent: flag }) };
    const found = read(yaml, flags);
    assert.deepEqual(found.agents, agents);
    assert.deepEqual(
      found.plan.ladder.map(({ agent }) => agent),
      ladder,
    );
  });

test("an agent over a protocol, or of an unknown name, has to name its command", () => {
  for (const yaml of ["agents: {x: {adapter: acp}}\n", "agents: {x: {disabled: false}}\n"]) {
    const reading = readPlan(yaml, { goal: "g" }, PLAN_AGENTS);
    assert.ok(!reading.ok);
    assert.match(reading.problems[0]?.message ?? "", /x needs a command/);
    assert.equal(reading.problems[0]?.line, 1);
  }
});

test("full permissions come from the user's own word only", () => {
  assert.equal(read("agent: a\n", { goal: "g" }).permissions.full, false);
  assert.equal(read("agent: a\n", { goal: "g", full: true }).permissions.full, true);
  const reading = readPlan("agent: a\ngoal: g\npermissions: {full: true}\n", {}, PLAN_AGENTS);
  assert.ok(!reading.ok, "a plan file cannot ask for them");
});
