// proves: J30, A5, B9, E2, E6, E7, E11
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { recordingAgent } from "./recording-agent.ts";
import { repository, type Repository } from "./repository.ts";
import { eventsOf, planFile, recoveriesOf } from "./runs.ts";

const FILES = {
  "value.txt": "1\n",
  "check.sh":
    "grep -q '^2$' value.txt && exit 0\necho \"FAIL value: it says $(cat value.txt)\"\nexit 1\n",
};

const wrote = (value: string): ScriptedAttempt => ({
  write: { "value.txt": `${value}\n` },
  print: `<approach>the ${value} way</approach>`,
});
const FRUIT = ["apple", "pear", "plum", "fig"].map(wrote);

function inRepository(body: (here: Repository) => void): void {
  const here = repository(FILES);
  try {
    body(here);
  } finally {
    here.remove();
  }
}

/** Agents and models of the attempts, in order. */
const entriesOf = (here: Repository): string[] =>
  eventsOf(here.events(), "attempt-dispatched").map((event) => {
    const { entry } = event["spec"] as { entry: { agent: string; model?: string } };
    return `${entry.agent} ${entry.model ?? ""}`.trim();
  });

const MISSING_DATA = "If data you need is missing, report the gap. Never invent it";

test("escalation goes up in the order of `models`, past what is disabled, and ends at the top", () =>
  inRepository((here) => {
    const command = JSON.stringify(here.agent({ fix: FRUIT }));
    const plan = planFile(
      here,
      here.agent({}),
      ["id: fix, prompt: p, checks: [sh check.sh]"],
      [
        "grounding: false",
        `agents: { main: { command: ${command} }, off: { command: ${command}, disabled: true } }`,
        "models:",
        "  - { agent: main, model: one }",
        "  - { agent: main, model: two, disabled: true }",
        "  - { agent: off, model: three }",
        "  - { agent: main, model: four, tier: 3 }",
        "  - { agent: main, model: five, tier: 2 }",
        "policy:",
        "  extends: tier-ladder",
        "  rungs: [{ id: up, do: escalate, to: rank }, { id: stop, do: [skip, ask] }]",
      ],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.deepEqual(entriesOf(here), ["main one", "main four", "main five"]);
    assert.deepEqual(recoveriesOf(here.events()), ["escalate", "escalate", "skip+ask"]);
    const last = eventsOf(here.events(), "recovery-chosen").at(-1);
    assert.deepEqual(last?.["considered"], [
      { rung: "up", recovery: "escalate", verdict: "already at the top of the model ladder" },
      { rung: "stop", recovery: "skip + ask", verdict: "chosen" },
    ]);
  }));

test("`stuck-recovery` without `models` climbs the source's own ladder", inLargeForm("run"), () =>
  inRepository((here) => {
    const command = JSON.stringify(here.agent({ fix: [{ print: "hm" }] }));
    const agents = ["gemini", "codex", "claude"].map(
      (name) => `${name}: { adapter: command, command: ${command} }`,
    );
    const plan = planFile(
      here,
      here.agent({}),
      ["id: fix, prompt: p, checks: [sh check.sh]"],
      [
        "grounding: false",
        "policy: stuck-recovery",
        `agents: { ${agents.join(", ")} }`,
        "loop: { stuck_after: 1, recovery: { prompt_mutations: 0, branch_exploration: false } }",
      ],
    );
    writeFileSync(plan, readFileSync(plan, "utf8").replace(/^agent: .*\n/, ""));
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.deepEqual(
      [...new Set(entriesOf(here))],
      ["gemini gemini-3-flash", "gemini gemini-3-pro"],
    );
  }),
);

test(
  "`stuck-recovery` with one of its source's agents climbs that agent's part of the ladder, and says what is left out",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const command = JSON.stringify(here.agent({ fix: [{ print: "hm" }] }));
      const plan = planFile(
        here,
        "claude",
        ["id: fix, prompt: p, checks: [sh check.sh]"],
        [
          ...["grounding: false", "policy: stuck-recovery"],
          `agents: { claude: { adapter: command, command: ${command} } }`,
          "loop: { stuck_after: 1, recovery: { prompt_mutations: 0, branch_exploration: false } }",
        ],
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 3, ran.out + ran.err);
      assert.deepEqual(entriesOf(here), ["claude claude-sonnet-4", "claude claude-opus-4.5"]);
      assert.match(
        ran.err.replaceAll(/\s+/g, " "),
        /the model ladder of stuck-recovery is claude claude-sonnet-4, claude claude-opus-4\.5: the plan does not name gemini, codex/,
      );
    }),
);

test("four runs by default; each prompt after the first tells every attempt, its tier, its checks and its error", () =>
  inRepository((here) => {
    const agent = recordingAgent(here, { fix: FRUIT });
    const command = JSON.stringify(agent.command);
    const plan = planFile(
      here,
      agent.command,
      ["id: fix, prompt: make the value 2, checks: [sh check.sh]"],
      [
        "grounding: false",
        "policy: tier-ladder",
        `agents: { main: { command: ${command} } }`,
        "models: [{ agent: main, model: s }, { agent: main, model: m, tier: 2 }, { agent: main, model: l, tier: 3 }]",
      ],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.deepEqual(entriesOf(here), ["main s", "main s", "main m", "main l"]);
    const [first = "", second = "", third = "", fourth = ""] = [1, 2, 3, 4].map((number) =>
      agent.promptOf(`fix/${number}`),
    );
    for (const prompt of [first, second, third, fourth]) {
      assert.ok(prompt.startsWith("make the value 2\n"), "the goal's own words come first");
      assert.ok(prompt.includes(MISSING_DATA));
    }
    assert.ok(!first.includes("PREVIOUS ATTEMPTS"));
    assert.match(
      fourth,
      /What failed last[^]*it says plum[^]*PREVIOUS ATTEMPTS \(all failed\):[^]*Attempt 3 \(model tier 2\): the plum way - FAILED[^]*Attempt 2 \(model tier 1\): [^]*it says pear[^]*Attempt 1 \(model tier 1\): the apple way - FAILED[^]*Error: [^]*it says apple[^]*Fix the issues shown above\. Take a different approach if needed\./,
    );
    assert.match(
      second,
      /What failed last[^]*it says apple[^]*Attempt 1 [^\n]*: the apple way - FAILED\n[^]*then take a DIFFERENT approach/i,
    );
    assert.ok(!second.includes("IMPORTANT: Try a DIFFERENT approach"), "not after one failure");
    assert.match(
      third,
      /it says pear[^]*: 2, newest first\n[^]*Attempt 2 [^\n]*: the pear way - FAILED\n[^]*IMPORTANT: Try a DIFFERENT approach than previous attempts\nConsider: different library, different pattern, or simpler implementation/,
    );
  }));

test(
  "a check that says a hundred thousand lines does not swell the prompt",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const agent = recordingAgent(here, { fix: FRUIT });
      const loud =
        "id: fix, prompt: p, checks: [seq 1 100000 && false], limits: { max_retries: 2 }";
      assert.equal(here.unstuck("run", planFile(here, agent.command, [loud]), "--trust").code, 3);
      const third = agent.promptOf("fix/3");
      assert.match(third, /Attempt 1 [^]*Attempt 2 /);
      assert.ok(third.length > 500 && third.length < 48_000, `${third.length} characters`);
    }),
);

test(
  "max_subtask_retries counts runs after the first; a subtask's own limit wins",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const agent = here.agent({ plan: FRUIT, more: FRUIT, none: FRUIT });
      const checks = "prompt: p, checks: [sh check.sh]";
      const plan = planFile(
        here,
        agent,
        [
          `id: plan, ${checks}`,
          `id: more, ${checks}, limits: { max_retries: 2 }`,
          `id: none, ${checks}, limits: { max_retries: 0 }`,
        ],
        ["grounding: false", "policy: tier-ladder", "max_subtask_retries: 1"],
      );
      assert.equal(here.unstuck("run", plan, "--trust").code, 3);
      const started = eventsOf(here.events(), "attempt-dispatched").map(({ subtask }) => subtask);
      const runs = (id: string): number => started.filter((subtask) => subtask === id).length;
      assert.deepEqual(["plan", "more", "none"].map(runs), [2, 3, 1]);
      assert.match(
        here.unstuck("explain", "--verbose", "--subtask", "plan").out,
        /all 1 retries are used/,
      );
    }),
);

test(
  "the history of a subtask is there to be read and learned from: attempts with approach and error",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const agent = here.agent({ fix: [wrote("apple"), wrote("pear"), wrote("2")] });
      const plan = planFile(here, agent, ["id: fix, prompt: p, checks: [sh check.sh]"]);
      assert.equal(here.unstuck("run", plan, "--trust").code, 0);
      const { subtasks } = JSON.parse(here.unstuck("export").out) as {
        subtasks: Record<
          string,
          { attempts: { approach: string; success: boolean; error: string | null }[] }
        >;
      };
      const told = subtasks["fix"]?.attempts.map(({ approach, success, error }) => [
        approach,
        success,
        /it says \w+/.exec(error ?? "")?.[0] ?? error,
      ]);
      assert.deepEqual(told, [
        ["the apple way", false, "it says apple"],
        ["the pear way", false, "it says pear"],
        ["the 2 way", true, null],
      ]);
      const chosen = eventsOf(here.events(), "recovery-chosen");
      assert.equal(chosen.length, 2);
      for (const { chosenBy, because, considered } of chosen) {
        assert.deepEqual(chosenBy, { by: "rung", id: "feedback" });
        assert.match(String(because), /feedback/);
        assert.ok((considered as unknown[]).length > 0);
      }
    }),
);
