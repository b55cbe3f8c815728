// proves: J3, J4, J23, U20
// What a failing check says reaches the agent and the person as the part that matters, under the check's own kind.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FULL, inLargeForm } from "../../large-form.ts";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { recordingAgent } from "../run/recording-agent.ts";
import { repository, type Repository } from "../run/repository.ts";
import { eventsOf, failuresOf, phasesOf, planFile, recoveriesOf } from "../run/runs.ts";

function within(files: Readonly<Record<string, string>>, body: (here: Repository) => void): void {
  const here = repository(files);
  try {
    body(here);
  } finally {
    here.remove();
  }
}

const PROJECT = {
  "package.json": JSON.stringify({
    name: "calc",
    version: "1.0.0",
    scripts: { test: `"${process.execPath}" --test` },
  }),
  "calc.js": "exports.add = (a, b) => a + b;\n",
  "calc.test.js": [
    'const test = require("node:test");',
    'const assert = require("node:assert/strict");',
    'const c = require("./calc.js");',
    ...Array.from({ length: 40 }, (_, at) => `test("adds ${at}", () => c.add(${at}, 1));`),
    'test("multiplies", () => assert.equal(c.mul(6, 7), 42));',
    "",
  ].join("\n"),
};

const calc = (mul: string): ScriptedAttempt => ({
  write: { "calc.js": `exports.add = (a, b) => a + b;\n${mul}\n` },
  print: `<approach>${mul}</approach>`,
});

/** Why the newest failure is what it is, in a line. */
const reasonsOf = (here: Repository): string[] =>
  eventsOf(here.events(), "failure-classified").map(
    ({ failure }) => (failure as { because: string[] }).because[0] ?? "",
  );

test("J4, U20: the failing assertion reaches prompt, screen, explain and report; banners and counts do not", () =>
  within(PROJECT, (here) => {
    const agent = recordingAgent(here, {
      goal: [
        calc("exports.mull = (a, b) => a * b;"),
        calc("exports.mul = (a, b) => a + b;"),
        calc("exports.mul = (a, b) => a * b;"),
      ],
    });
    const ran = here.unstuck(
      ...["run", "--goal", "multiply", "--check", "npm test", "--no-grounding", "--trust"],
      ...["--agent", agent.command],
    );
    assert.equal(ran.code, 0, ran.out + ran.err);
    const [, second = "", third = ""] = agent.prompts();
    assert.match(second, /multiplies/);
    assert.match(second, /TypeError.*c\.mul is not a function|c\.mul is not a function/);
    assert.match(second, /calc\.test\.js:44/);
    assert.match(third, /13 !== 42/);
    for (const prompt of [second, third])
      assert.doesNotMatch(prompt, /cancelled 0|calc@1\.0\.0|adds 3\b|duration_ms|node:internal/);
    assert.doesNotMatch(ran.out, /line \d+: # fail/);
    const [first = ""] = reasonsOf(here);
    assert.match(first, /multiplies.*c\.mul is not a function|c\.mul is not a function/);
    assert.ok(ran.out.includes(first.slice(0, 60)), "the screen says the headline");
    const explained = here.unstuck("explain", "--verbose").out;
    assert.match(explained, /c\.mul is not a function/);
    assert.match(explained, /13 !== 42/);
    assert.match(here.unstuck("report").out, /multiplies/);
  }));

test("J3: a syntax error under node --test is a broken build, and the agent is shown where it is", () =>
  within(PROJECT, (here) => {
    const agent = recordingAgent(here, {
      goal: [calc("exports.mul = (a, b => a * b;"), calc("exports.mul = (a, b) => a * b;")],
    });
    const ran = here.unstuck(
      ...["run", "--goal", "multiply", "--check", "npm test", "--no-grounding", "--trust"],
      ...["--agent", agent.command],
    );
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.deepEqual(failuresOf(here.events()), ["goal broken_build"]);
    const [, second = ""] = agent.prompts();
    assert.match(second, /SyntaxError/);
    assert.match(reasonsOf(here)[0] ?? "", /SyntaxError/);
  }));

test(
  "J3: a check that misses a file is a failed check: no repair, and the question shows what it said",
  inLargeForm("excerpt"),
  () =>
    within({ "value.txt": "1\n" }, (here) => {
      const agent = recordingAgent(here, {
        goal: Array.from({ length: 12 }, (_, at) => ({ write: { "value.txt": `${at + 2}\n` } })),
      });
      const ran = here.unstuck(
        ...["run", "--goal", "say hello", "--check", "grep hello hello.txt", "--no-grounding"],
        ...["--trust", "--agent", agent.command, "--recovery-budget", "2"],
      );
      assert.equal(ran.code, 3, ran.out + ran.err);
      assert.deepEqual([...new Set(failuresOf(here.events()))], ["goal verification_failed"]);
      assert.ok(!recoveriesOf(here.events()).some((one) => one.includes("repair")));
      for (const prompt of agent.prompts()) assert.doesNotMatch(prompt, /empty content/);
      const [opened] = eventsOf(here.events(), "checkpoint-opened");
      const { context } = opened?.["checkpoint"] as { context: { error: string; questions?: [] } };
      assert.match(context.error, /grep: hello\.txt: No such file or directory/);
      assert.equal(context.questions, undefined, "nobody asks for a path");
      assert.match(here.unstuck("status", here.runs()[0] ?? "").out, /hello\.txt/);
    }),
);

test("J23: subtasks whose own tests fail on the base go on beside each other, each with a failure of its own", () => {
  const ids = ["cart", "tax", "ship"];
  const testOf = (id: string): string =>
    [
      'const test = require("node:test");',
      'const assert = require("node:assert/strict");',
      'const { readFileSync } = require("node:fs");',
      `test("${id} is done", () => assert.equal(readFileSync("${id}.txt", "utf8"), "done\\n"));`,
      "",
    ].join("\n");
  const files = Object.fromEntries(
    ids.flatMap((id) => [
      [`${id}.test.js`, testOf(id)],
      [`${id}.txt`, "open\n"],
    ]),
  );
  within(files, (here) => {
    const work = (id: string): ScriptedAttempt[] =>
      [...(FULL ? ["no"] : []), "never", "done"].map((word) => ({
        write: { [`${id}.txt`]: `${word}\n` },
        print: `<approach>${word} for ${id}</approach>`,
      }));
    const agent = here.agent(Object.fromEntries(ids.map((id) => [id, work(id)])));
    const check = (id: string): string => `'"${process.execPath}" --test ${id}.test.js'`;
    const plan = planFile(
      here,
      agent,
      ids.map((id) => `id: ${id}, prompt: p, checks: [${check(id)}]`),
      ["grounding: false", "concurrency: 3"],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 0, ran.out + ran.err);
    const events = here.events();
    assert.deepEqual(eventsOf(events, "checkpoint-opened"), [], "nobody waits for another");
    assert.deepEqual(phasesOf(here), { cart: "verified", tax: "verified", ship: "verified" });
    const signatures = new Map<string, Set<string>>();
    for (const { subtask, failure } of eventsOf(events, "failure-classified")) {
      const known = signatures.get(String(subtask)) ?? new Set();
      signatures.set(String(subtask), known.add((failure as { signature: string }).signature));
    }
    const all = [...signatures.values()].flatMap((own) => [...own]);
    assert.equal(new Set(all).size, all.length, "no two subtasks share one");
  });
});
