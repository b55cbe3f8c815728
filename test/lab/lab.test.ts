// proves: J27, C7
import assert from "node:assert/strict";
import { test } from "node:test";
import { behave, type Start, type Tree } from "../../bench/lab/behaviour.ts";
import { checkOutput } from "../../bench/lab/check.ts";
import { playTasks } from "../../bench/lab/dry.ts";
import { figuresOf } from "../../bench/lab/figures.ts";
import { runTasks } from "../../bench/lab/place.ts";
import { KNOWING_BY_CAUSE, POLICIES } from "../../bench/lab/policies.ts";
import { isCured, whatReached, type Reached } from "../../bench/lab/reached.ts";
import { drawTasks } from "../../bench/lab/tasks.ts";
import { CAUSES } from "../../src/core/adaptive/causes.ts";
import { readWorld } from "../../bench/lab/world.ts";
import { inLargeForm } from "../large-form.ts";

const world = readWorld();
const UNTOUCHED: Tree = { lines: [], leftover: false };

test("adaptive verifies no less than standard, with fewer starts and at lower cost", () => {
  const tasks = [1, 2, 3].flatMap((seed) => drawTasks(world, seed, 40));
  const [adaptive, standard] = ["adaptive", "standard"].map((name) =>
    figuresOf(name, playTasks(world, tasks, POLICIES[name] ?? {})),
  );
  assert.ok(adaptive !== undefined && standard !== undefined);
  const figures = JSON.stringify([adaptive, standard]);
  assert.ok(adaptive.verified >= standard.verified && adaptive.verified >= 0.88, figures);
  assert.ok(adaptive.startsPerSuccess < standard.startsPerSuccess, figures);
  assert.ok(adaptive.startsPerSuccess <= 2.8 && adaptive.costPerSuccess <= 4.5, figures);
  assert.ok((adaptive.startsBeforeQuestion ?? 0) <= 4, figures);
  assert.ok(adaptive.withAgentsWords >= 0.8 * adaptive.questionsRight, figures);
});

test("a seed always draws the same tasks, all causes among them, and the same luck", () => {
  const tasks = drawTasks(world, 7, 40);
  assert.deepEqual(drawTasks(world, 7, 40), tasks);
  assert.notDeepEqual(drawTasks(world, 8, 40), tasks);
  assert.deepEqual(new Set(tasks.map(({ cause }) => cause)), new Set(CAUSES));
  const policy = KNOWING_BY_CAUSE.mistake;
  assert.deepEqual(
    playTasks(world, tasks.slice(0, 4), policy),
    playTasks(world, tasks.slice(0, 4), policy),
  );
});

const [task = assert.fail()] = drawTasks(world, 1, 1);
const [item = assert.fail()] = task.items;
const REACHED: readonly (readonly [what: keyof Reached, prompt: string, isSo: boolean])[] = [
  ["failure", `it printed: ${item.name}: expected ${item.want}`, true],
  ["failure", `it printed: ${item.name}: expected ${item.want}7`, false],
  ["failure", "it failed", false],
  ["repair", `Do this:\n\`\`\`bash\nls ./${task.tool}\n\`\`\`\nThen go on.`, true],
  ["repair", `It said:\n\`\`\`text\n${task.tool}: not found\n\`\`\`\n`, false],
  ["repair", `${task.tool} is missing`, false],
  ["otherWords", "Read this as if for the first time. Then write down what it asks for.", true],
  ["otherWords", "Make the thing work. Mind the gap between them.", false],
  [
    "otherWords",
    "Make the thing work. Mind the gap between them.\n```\nOther words, quoted.\n```",
    false,
  ],
  ["answer", `A person answered: ${task.unknown.answer}`, true],
  ["answer", task.unknown.asks, false],
];

test("what reached an attempt is read from its prompt and its tree", () => {
  const heard = new Set(["make the thing work", "mind the gap between them"]);
  const ground = { task, heard, tier: 1, newWords: 0.4, leftover: false };
  for (const [what, prompt, isSo] of REACHED)
    assert.equal(whatReached({ ...ground, prompt })[what], isSo, `${what}: ${prompt}`);
  assert.equal(whatReached({ ...ground, prompt: "" }).cleanTree, true);
  assert.equal(whatReached({ ...ground, prompt: "", leftover: true }).cleanTree, false);
});

test("each cause is cured by one thing, and by nothing else", () => {
  const nothing: Reached = {
    ...{ failure: false, otherWords: false, cleanTree: false, repair: false, answer: false },
    tier: 1,
  };
  const cures = { mistake: "failure", misread: "otherWords", pollution: "cleanTree" } as const;
  const others = { environment: "repair", person: "answer" } as const;
  for (const [cause, cure] of Object.entries({ ...cures, ...others })) {
    const all = {
      ...nothing,
      failure: true,
      otherWords: true,
      cleanTree: true,
      repair: true,
      answer: true,
    };
    assert.ok(isCured(cause as keyof typeof cures, { ...nothing, [cure]: true }), cause);
    assert.ok(!isCured(cause as keyof typeof cures, { ...all, [cure]: false }), cause);
  }
});

test("first attempts fail, and a solved task passes its check", () => {
  const before: Start[] = [];
  let tree = UNTOUCHED;
  for (let time = 0; time < 200 && before.at(-1)?.solved !== true; time += 1) {
    const met = { prompt: task.unknown.answer, tier: 3, tree, before: before.slice(0, 1) };
    const behaved = behave(world, { ...task, cause: "person", number: time }, met);
    before.push(behaved.start);
    tree = behaved.tree;
    assert.equal(checkOutput(task, tree) === "", behaved.start.solved);
  }
  assert.deepEqual([before[0]?.solved, before.at(-1)?.solved], [false, true]);
});

test("real runs end as dry ones do", inLargeForm("lab"), async () => {
  const tasks = drawTasks(world, 1, 8);
  const policy = POLICIES["adaptive"] ?? {};
  const real = await runTasks(world, tasks, policy);
  const dry = playTasks(world, tasks, policy);
  const verified = (outcomes: typeof real): number => figuresOf("adaptive", outcomes).verified;
  assert.ok(Math.abs(verified(real) - verified(dry)) <= 0.25, JSON.stringify([real, dry]));
  assert.ok(real.every(({ starts }) => starts.length > 1));
});
