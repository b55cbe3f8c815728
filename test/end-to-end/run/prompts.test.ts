// proves: J4, J10, J18, J24, J26, B3, B4, E6
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { recordingAgent } from "./recording-agent.ts";
import { repository, type Repository } from "./repository.ts";
import { eventsOf, planFile } from "./runs.ts";

/** Green on the base. Red, it says much, and in every line something that only this attempt's check says. */
const FILES = {
  "value.txt": "2\n",
  "check.sh": [
    "grep -q '^2$' value.txt && exit 0",
    "v=$(cat value.txt)",
    'echo "FAIL value.test: sum of $v"',
    "for n in 1 2 3 4 5 6 7 8 9; do",
    '  echo "AssertionError: case $n of $v: expected 2 but got $v, in row $n of the table, at value.test:$n"',
    "done",
    "exit 1",
    "",
  ].join("\n"),
};

const wrote = (value: string): ScriptedAttempt => ({
  write: { [`${value}.txt`]: "a note\n", "value.txt": `${value}\n` },
  print: `<approach>the ${value} way</approach>`,
});

function inRepository(body: (here: Repository) => void): void {
  const here = repository(FILES);
  try {
    body(here);
  } finally {
    here.remove();
  }
}

const FIX = ["id: fix, prompt: keep the value at 2, checks: [sh check.sh]"];
const timesIn = (text: string, part: string): number => text.split(part).length - 1;

const RUNGS = [
  "  - { id: again, do: feedback, times: 1 }",
  "  - { id: back, do: fresh, times: 1 }",
  "  - { id: mutate, do: mutate, mutations: [decompose], times: 1 }",
  "  - { id: up, do: escalate, to: top, thinking: true, times: 1 }",
  "  - { id: explore, do: explore, times: 1 }",
  "  - { id: stop, do: [skip, ask] }",
];

test("every recovery that starts an agent tells the newest failure whole, once, and what its tree holds", () =>
  inRepository((here) => {
    const fruit = ["apple", "pear", "plum", "fig", "lime", "kiwi", "date"];
    const agent = recordingAgent(here, { fix: fruit.map(wrote) });
    const command = JSON.stringify(agent.command);
    const plan = planFile(here, agent.command, FIX, [
      "grounding: false",
      "concurrency: 1",
      `agents: { main: { command: ${command} } }`,
      "models: [{ agent: main, model: s }, { agent: main, model: l, tier: 3 }]",
      "policy:",
      "  extends: tier-ladder",
      "  structure: true",
      "  maxRetries: 20",
      "  recovery: { branchCount: 2, branchBudget: 1 }",
      "  rungs:",
      ...RUNGS.map((rung) => `  ${rung}`),
    ]);
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    const prompts = fruit.map((_, index) => agent.promptOf(`fix/${index + 1}`));
    const errors = eventsOf(here.events(), "failure-classified").map(({ error }) => String(error));
    assert.equal(errors.length, fruit.length);
    for (const [index, prompt] of prompts.entries()) {
      if (index === 0) continue;
      // Both branches know what was known when they began, and nothing of one another.
      const known = Math.min(index, 5);
      const error = errors[known - 1] ?? "";
      assert.ok(error.length > 300 && error.includes(`expected 2 but got ${fruit[known - 1]}`));
      assert.equal(timesIn(prompt, error), 1, `attempt ${index + 1} is told, once:\n${prompt}`);
      assert.equal(timesIn(prompt, "PREVIOUS ATTEMPTS (all failed)"), 1);
      for (const [at, earlier] of fruit.entries())
        assert.equal(timesIn(prompt, `the ${earlier} way - FAILED`), at < known ? 1 : 0, prompt);
      assert.match(prompt, /DIFFERENT approach/);
    }
    const [, again = "", back = "", mutated = "", up = "", one = "", other = ""] = prompts;
    assert.match(again, /working tree still holds what was changed so far, in `apple.txt`, `value/);
    assert.match(
      back,
      /working tree was rolled back to commit [0-9a-f]{10}[^]*nothing of what they changed is in it\. Gone with it are their changes to `apple.txt`, `value.txt`, `pear.txt`/,
    );
    assert.match(
      mutated,
      /small steps, in this order[^]*still holds [^]*, in `plum.txt`, `value.txt`\./,
    );
    assert.match(up, /Think longer and more thoroughly than usual/);
    assert.ok(!mutated.includes("Think longer"));
    for (const branch of [one, other]) {
      assert.match(branch, /in a tree of your own[^]*nothing of the earlier attempts is in it/);
      assert.ok(!branch.includes("small steps, in this order"), "a mutation that was tried");
      assert.match(branch, /Others try these ways at the same time/);
    }
    const own = (prompt: string): string => prompt.split("If data you need is missing")[0] ?? "";
    assert.match(own(one), /First research how to/);
    assert.ok(!own(other).includes("Read the code, its tests and its documentation"));
    assert.match(own(other), /Allow yourself one file|limits|Start from the top/);
  }));

test("crashes and limits are no approaches that failed: what the work failed of is told across them", () =>
  inRepository((here) => {
    const agent = recordingAgent(here, {
      fix: [
        wrote("apple"),
        { print: "<approach>the crashed way</approach>", signal: "SIGSEGV" },
        { error: "Error: 429 Too Many Requests. Please retry after 1 second.", exit: 1 },
        wrote("2"),
      ],
    });
    const ran = here.unstuck("run", planFile(here, agent.command, FIX), "--trust");
    assert.equal(ran.code, 0, ran.out + ran.err);
    const [error = ""] = eventsOf(here.events(), "failure-classified").map((one) =>
      String(one["error"]),
    );
    const last = agent.prompts().at(-1) ?? "";
    assert.ok(last.includes(error), last);
    assert.match(last, /\(all failed\): 1, newest first/);
    assert.match(last, /Attempt 1 [^\n]*: the apple way - FAILED/);
    assert.doesNotMatch(last, /429|SIGSEGV|crashed|Attempt 2|Attempt 3/);
    for (const prompt of agent.prompts())
      assert.ok(!prompt.includes("You may edit files"), "a plain command has no gate");
  }));

test(
  "thinking reaches a command by its placeholder and by the environment; then its prompt need not ask for it",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const told = join(here.path, "..", "told");
      const agent = join(here.path, "..", "agent.sh");
      writeFileSync(
        agent,
        `printf '%s %s\\n' "$1" "$UNSTUCK_THINKING" >> '${told}'\ncat >> '${told}'\necho "$1" > value.txt\n`,
      );
      const command = JSON.stringify(`sh "${agent}" {thinking}`);
      const plan = planFile(here, command, FIX, [
        "grounding: false",
        `agents: { main: { command: ${command} } }`,
        "models: [{ agent: main, model: s }, { agent: main, model: l, tier: 3 }]",
        "policy:",
        "  extends: tier-ladder",
        "  rungs:",
        "    - { id: up, do: escalate, to: top, thinking: true, times: 1 }",
        "    - { id: stop, do: [skip, ask] }",
      ]);
      assert.equal(here.unstuck("run", plan, "--trust").code, 3);
      const text = readFileSync(told, "utf8");
      assert.match(text, /^off off\nkeep the value[^]*on on\nkeep the value[^]*got off/);
      assert.ok(!text.includes("Think longer"));
    }),
);

test("an agent with a gate is told what it may run, and to name what was refused", () =>
  inRepository((here) => {
    const told = join(here.path, "..", "told");
    const program = join(here.path, "..", "gated.sh");
    writeFileSync(program, `case "$*" in *--version*) echo 2.1.0;; *) cat >> '${told}';; esac\n`);
    const plan = planFile(here, `sh "${program}"`, FIX, [
      "grounding: false",
      `agents: { main: { adapter: gemini, command: ${JSON.stringify(`sh "${program}"`)} } }`,
      "models: [{ agent: main }]",
      "policy: { extends: tier-ladder, rungs: [{ id: stop, do: [skip, ask] }] }",
    ]);
    here.unstuck("run", plan, "--trust");
    assert.match(
      readFileSync(told, "utf8"),
      /sh check\.sh\n```\n\nYou may edit files here and run the commands above\. Other commands may be refused[^]*which command was refused/,
    );
  }));
