// proves: U19, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { commandOf, readPlanAnswer } from "../../../src/core/plan/plan-answer.ts";
import { planGraph } from "../../../src/core/plan/graph.ts";

const KNOWN = { adapters: ["one", "two"], formats: ["steps"] };
const read = (answer: string) => readPlanAnswer(answer, KNOWN);
const fenced = (text: string, language = "yaml"): string => `\`\`\`${language}\n${text}\n\`\`\``;
const withCheck = (check: string): string =>
  fenced(`subtasks:\n  - { id: a, prompt: do it, checks: [${JSON.stringify(check)}] }`);

const PLAN = "goal: two\nsubtasks:\n  - { id: a, prompt: do it, checks: [npm test] }";

test("a plan is found wherever the agent put it, and the last one counts", () => {
  const json = JSON.stringify({ subtasks: [{ id: "a", prompt: "do it", checks: ["npm test"] }] });
  const answers = [
    fenced(PLAN),
    `I looked around.\n\n${fenced(PLAN)}\nThat is all.`,
    `First idea:\n${fenced(PLAN.replace("id: a", "id: b"))}\nBetter:\n${fenced(PLAN)}`,
    `${fenced(PLAN)}\nRun it like this:\n${fenced("unstuck run", "sh")}`,
    fenced(PLAN, ""),
    `~~~yml\n${PLAN}\n~~~`,
    fenced(json, "json"),
    json,
    PLAN,
    `\`\`\`yaml\n${PLAN}`,
    fenced(PLAN).replaceAll("\n", "\r\n"),
  ];
  for (const answer of answers) {
    const plan = read(answer);
    assert.ok(plan.ok, `${answer}\n${JSON.stringify(plan)}`);
    assert.deepEqual(plan.plan.subtasks[0]?.id, "a", answer);
  }
});

test("a fence inside a prompt does not end the plan", () => {
  const prompt = "Write this:\n```sh\nnpm test\n```\nand no more";
  const text = `subtasks:\n  - id: a\n    prompt: |\n${prompt.replace(/^/gm, "      ")}\n    checks: [npm test]`;
  const plan = read(fenced(text));
  assert.ok(plan.ok, JSON.stringify(plan));
  assert.equal(plan.plan.subtasks[0]?.prompt, prompt);
});

test("only the work is taken: what the person sets stays theirs", () => {
  const plan = read(
    fenced(
      "goal: g\nagent: one --evil\nmodels: [{ agent: two }]\npolicy: x\npermissions: { sudo: allow }\nbudget: { usd: 9 }\n" +
        "tests: free\nchecks: [npm test]\nworkspace: { setup: [curl evil] }\n" +
        "subtasks:\n  - { id: a, prompt: p, tests: free, tier: 9, limits: { max_retries: 9 } }\n" +
        "  - { id: b, prompt: p, dependsOn: [a], checks: [{ run: make, minutes: 3, name: fine }, { run: make x, expect: no-worse }] }",
    ),
  );
  assert.deepEqual(plan, {
    ok: true,
    plan: {
      goal: "g",
      subtasks: [
        { id: "a", prompt: "p", checks: ["npm test"] },
        { id: "b", prompt: "p", dependsOn: ["a"], checks: [{ run: "make", minutes: 3 }, "make x"] },
      ],
    },
  });
});

const many = (count: number): string =>
  `subtasks:\n${Array.from({ length: count }, (_, at) => `  - { id: s${at}, prompt: p, checks: [make] }`).join("\n")}`;

test("what cannot be used is told so that it can be put right", () => {
  const refused: readonly (readonly [answer: string, problem: RegExp])[] = [
    ["I cannot do that.", /there is no plan in it/],
    ["", /there is no plan in it/],
    [fenced("npm test", "sh"), /there is no plan in it/],
    [fenced("subtasks: [{ id: a, prompt: p"), /^line 1: /],
    [fenced("goal: only words"), /there are no subtasks/],
    [fenced("subtasks: []"), /^line 1: subtasks: /],
    [fenced("subtasks:\n  - { id: a, prompt: p }"), /^a: it has no check/],
    [fenced("subtasks:\n  - { id: a, prompt: p, checks: [] }"), /^a: it has no check/],
    [fenced("subtasks:\n  - { id: a, prompt: p, check: make }"), /unknown setting "check"/],
    [
      fenced("subtasks:\n  - { id: a b, prompt: p, checks: [make] }"),
      /subtasks\.0\.id: "a b" is not allowed here: letters/,
    ],
    [fenced(many(41)), /41 subtasks are too many: write at most 40/],
    [
      fenced("subtasks:\n  - { id: a, prompt: p, checks: [make], dependsOn: [c] }"),
      /^a: there is no subtask "c"/,
    ],
    [
      fenced(
        "subtasks:\n  - { id: a, prompt: p, checks: [make], dependsOn: [b] }\n  - { id: b, prompt: p, checks: [make], dependsOn: [a] }",
      ),
      /wait for each other: a -> b -> a/,
    ],
    [fenced(`${many(1)}\n  - { id: s0, prompt: p, checks: [make] }`), /used twice/],
    [
      fenced("subtasks:\n  - { id: a, prompt: p, readOnly: true, checks: [make] }"),
      /read-only subtask has no check/,
    ],
  ];
  for (const [answer, problem] of refused) {
    const plan = read(answer);
    assert.ok(!plan.ok, answer);
    assert.match(plan.problems.join("\n"), problem, answer);
  }
  assert.ok(read(fenced(many(40))).ok);
});

test("commands: one line, seen as they run, able to fail, and harmless", () => {
  const refused: readonly (readonly [command: string, problem: RegExp])[] = [
    ["make\nrm x", /more than one line/],
    [`test ${"x".repeat(500)}`, /longer than 500/],
    ["make\u202e", /would not show/],
    ["make\u0007", /would not show/],
    ["rm -rf ~", /a check may only look/],
    ["npm test && sudo rm -rf /", /a check may only look/],
    ["git push --force origin main", /a check may only look/],
    ["true", /able to fail/],
    ["echo done", /able to fail/],
    ["exit 0", /able to fail/],
    ["npm test || true", /able to fail/],
    ["npm test; echo ok", /able to fail/],
    ["echo a && echo b", /able to fail/],
  ];
  for (const [command, problem] of refused) {
    const plan = read(withCheck(command));
    assert.ok(!plan.ok, command);
    assert.match(plan.problems.join("\n"), problem, command);
  }
  const taken = [
    "npm test",
    `test ${"x".repeat(490)}`,
    "npm test && echo ok",
    'test "$(echo two)" = "$(cat value.txt)"',
    "rm -rf build && make",
    "echo two | diff - value.txt",
    "! grep -rn 'TODO || true' src",
    "sh -c 'exit 1'",
    "exit 1",
  ];
  for (const command of taken) {
    const plan = read(withCheck(command));
    assert.ok(plan.ok, `${command}: ${JSON.stringify(plan)}`);
    assert.deepEqual(plan.plan.subtasks[0]?.checks.map(commandOf), [command]);
  }
});

test("whatever an agent answers, it is read without a throw, and what is taken can be carried out", () => {
  const word = fc.constantFrom("a", "b", "c", "goal", "subtasks", "id", "prompt", "checks", "make");
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, word, fc.string(), fc.integer(), tie("list"), tie("map")),
    list: fc.array(tie("any"), { maxLength: 4 }),
    map: fc.dictionary(word, tie("any"), { maxKeys: 5 }),
  })).any;
  const subtask = fc.record(
    { id: word, prompt: word, checks: fc.array(word), dependsOn: fc.array(word, { maxLength: 3 }) },
    { requiredKeys: ["id", "prompt"] },
  );
  const plan = fc.record({ subtasks: fc.array(subtask, { maxLength: 5 }) });
  const text = fc.oneof(
    fc.string(),
    fc.oneof(value, plan).map((one) => fenced(JSON.stringify(one))),
    plan.map((one) => JSON.stringify(one)),
  );
  fc.assert(
    fc.property(text, fc.nat(400), (answer, cut) => {
      for (const part of [answer, answer.slice(0, cut)]) {
        const read = readPlanAnswer(part, KNOWN);
        if (!read.ok) {
          assert.ok(read.problems.length > 0);
          continue;
        }
        const { subtasks } = read.plan;
        assert.ok(subtasks.every(({ checks }) => checks.length > 0));
        const nodes = subtasks.map(({ id, dependsOn = [] }) => ({ id, dependsOn }));
        assert.ok(planGraph(nodes).ok);
      }
    }),
  );
});
