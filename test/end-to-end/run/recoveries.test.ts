// proves: A4, C2, C5, C6, C9, D4, U12, E6
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { repository, type Repository } from "./repository.ts";

const GOAL = ["run", "--goal", "make the value 2", "--check", "sh check.sh", "--no-grounding"];

function within(body: (here: Repository) => void): void {
  const here = repository();
  try {
    body(here);
  } finally {
    here.remove();
  }
}

function planFile(here: Repository, lines: readonly string[]): string {
  const plan = join(here.path, "plan.yaml");
  writeFileSync(plan, ["grounding: false", ...lines, ""].join("\n"));
  return plan;
}

test(
  "a mutation is written by the cheap model of the plan, with the goal's own words kept",
  inLargeForm("run"),
  () => {
    within((here) => {
      const cheap = here.agent({
        goal: [{ print: "Put the digit two into the file called value." }],
      });
      const main = here.agent({
        goal: [
          { print: "I did nothing" },
          {
            expectPrompt:
              "Put the digit two into the file called value.\n\nThe task in its own words, which count where the two differ:\nmake the value 2",
            write: { "value.txt": "2\n" },
          },
        ],
      });
      const plan = planFile(here, [
        "goal: make the value 2",
        "checks: [sh check.sh]",
        `agents: {main: {command: ${JSON.stringify(main)}}, cheap: {command: ${JSON.stringify(cheap)}}}`,
        "models: [{agent: main}]",
        "rewrite: {agent: cheap}",
      ]);
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 0, ran.err + ran.out);
      assert.match(ran.out, /mutate/);
    });
  },
);

test("a rewrite that fails leaves the template's words", inLargeForm("run"), () => {
  within((here) => {
    const cheap = here.agent({ goal: [{ error: "no credit", exit: 1 }] });
    const main = here.agent({
      goal: [
        { print: "I did nothing" },
        { expectPrompt: "small steps, in this order", write: { "value.txt": "2\n" } },
        { expectPrompt: "make the value 2", write: { "value.txt": "2\n" } },
      ],
    });
    const plan = planFile(here, [
      "goal: make the value 2",
      "checks: [sh check.sh]",
      `agents: {main: {command: ${JSON.stringify(main)}}, cheap: {command: ${JSON.stringify(cheap)}}}`,
      "models: [{agent: main}]",
      "rewrite: {agent: cheap}",
    ]);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 0, ran.err + ran.out);
  });
});

test(
  "a failing tool's repair steps reach the next attempt, without what nobody allowed",
  inLargeForm("run"),
  () => {
    within((here) => {
      const agent = here.agent({
        goal: [
          { error: "bash: line 1: jqq: command not found", exit: 127 },
          {
            expectPrompt: "This failure has a known repair (alternative_command). Do this first",
            write: { "value.txt": "2\n" },
          },
        ],
      });
      const ran = here.unstuck(...GOAL, "--agent", agent);
      assert.equal(ran.code, 0, ran.err + ran.out);
      assert.match(ran.out, /program missing[^]*apply a known repair/);
    });
  },
);

test("three subtasks that meet a logged-out agent start it once, ask once, and go on with one answer", () => {
  within((here) => {
    const out = { error: "Error: Invalid API key. Please run /login", exit: 1 };
    const fine = { append: { "starts.txt": "" }, print: "done" };
    const agent = here.agent({ a: [out, fine], b: [out, fine], c: [out, fine] });
    const plan = planFile(here, [
      `agent: ${JSON.stringify(agent)}`,
      "subtasks: [{id: a, prompt: pa}, {id: b, prompt: pb}, {id: c, prompt: pc}]",
    ]);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.err + ran.out);
    const kinds = here.events().map(({ event }) => event.kind);
    assert.equal(kinds.filter((kind) => kind === "checkpoint-opened").length, 1);
    assert.equal(kinds.filter((kind) => kind === "checkpoint-joined").length, 2);
    const started = here.events().filter(({ event }) => {
      const { input } = event as { input?: { kind: string } };
      return input?.kind === "attempt-started";
    });
    assert.equal(started.length, 1, "the two others never started an agent that cannot work");
  });
});

test("secrets that an agent prints are in no event, report or line", inLargeForm("run"), () => {
  within((here) => {
    const secret = `sk-ant-api03-${"Ab3".repeat(20)}`;
    const own = "my-very-own-passphrase-77";
    const agent = here.agent({
      goal: [
        { error: `401 with key ${secret}; token ${own}`, print: `export KEY=${secret}`, exit: 2 },
        { write: { "value.txt": "2\n" }, print: "done" },
      ],
    });
    const env = { MY_SERVICE_TOKEN: own };
    const ran = here.unstuckWith(env, ...GOAL, "--agent", agent);
    const said = [
      ran.out,
      ran.err,
      here.unstuck("events", "--json").out,
      here.unstuck("explain", "--verbose").out,
      here.unstuck("report").out,
      here.unstuck("inbox").out,
    ].join("\n");
    assert.ok(said.includes("[secret 1]"), said);
    assert.ok(!said.includes(secret), "the key is gone");
    assert.ok(!said.includes(own), "the user's own secret is gone");
    for (const name of readdirSync(here.home).filter((file) => file.startsWith("unstuck.db")))
      assert.ok(!readFileSync(join(here.home, name)).includes(secret), name);
  });
});
