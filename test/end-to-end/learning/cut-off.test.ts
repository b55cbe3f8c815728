// proves: C2, C7, C8
// What a first run teaches, a second goes by: an attempt that takes far longer than usual and brings nothing is ended, a
// repair counts for its strategy, and what the user never wants reaches no agent.
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { replayHistory, type ReplayedHistory } from "../../../src/operations/simulate/history.ts";
import { configFile, repository } from "../run/repository.ts";
import { recordingAgent } from "../run/recording-agent.ts";
import { eventsOf, failuresOf, inputsOf, planFile } from "../run/runs.ts";

const here = repository(undefined, "default");
after(() => here.remove());
appendFileSync(configFile(here.home), "never: [install, sudo]\n");

/** Busy, so that it does not hang, and without a word or a change. */
const stalls = { run: [["sh", "-c", "while :; do sleep 0.3; done"]] };
const right = (file: string) => ({ write: { [file]: "2\n" }, print: "done" });
const QUICK = ["a", "b", "c", "d", "e"];

const agent = recordingAgent(here, {
  ...Object.fromEntries(QUICK.map((id) => [id, [{ print: "looked at it" }]])),
  stall: [stalls, right("stall.txt")],
  tool: [{ error: "sh: 1: jq: command not found", exit: 127 }, right("tool.txt")],
  ways: [{ ...right("ways.txt"), write: { "ways.txt": "3\n" } }, right("ways.txt")],
});
const check = (id: string): string => `checks: [grep -q '^2$' ${id}.txt]`;

before(() => {
  const first = planFile(
    ...([here, agent.command, QUICK.map((id) => `id: ${id}, prompt: look`)] as const),
    ["grounding: false", "concurrency: 5"],
  );
  assert.equal(here.unstuck("run", first, "--trust").code, 6);
  const second = planFile(
    here,
    agent.command,
    [
      `id: stall, prompt: do it, ${check("stall")}`,
      `id: tool, prompt: do it, ${check("tool")}`,
      `id: ways, prompt: do it, exploratory: true, ${check("ways")}`,
    ],
    [
      ...["grounding: false", "concurrency: 3", "permissions: { install: allow, sudo: allow }"],
      "attempt: { idleMinutes: 0.1 }",
    ],
  );
  const ran = here.unstuck("run", second, "--trust");
  assert.equal(ran.code, 0, ran.out + ran.err);
});

test("an attempt that takes far longer than usual and brings nothing new is ended, and recovered", () => {
  const events = here.events();
  const [start] = inputsOf(events, "run-started");
  const { "agent|1": usual = 0 } = start?.["usualMs"] as Record<string, number>;
  assert.ok(usual > 0 && usual < 60_000, `usual: ${usual}`);
  assert.ok(failuresOf(events).includes("stall no_progress"), failuresOf(events).join());
  const failed = eventsOf(events, "failure-classified").find(({ subtask }) => subtask === "stall");
  assert.match(
    JSON.stringify(failed?.["failure"]),
    /it ran for \S+( \S+)?, where \S+( \S+)? is usual, and brought nothing new in the last/,
  );
  assert.doesNotMatch(here.unstuck("explain").out, /circles/);
});

test("a repair is counted for its strategy; what is never wanted is in no prompt and no strategy", () => {
  const [chosen] = eventsOf(here.events(), "recovery-chosen").filter(
    ({ subtask }) => subtask === "tool",
  );
  const [{ kind, strategy }] = chosen?.["recoveries"] as [{ kind: string; strategy: string }];
  assert.equal(kind, "repair");
  assert.doesNotMatch(strategy, /install/);
  const learned = here.unstuck("stats", "--json").out;
  assert.match(learned, new RegExp(`repair/${strategy.split("/")[1] ?? "none"}`));
  const told = agent.promptOf("tool/2");
  assert.doesNotMatch(told, /apt-get install|brew install|sudo apt/);
});

test("the same runs under another policy: where it would have chosen otherwise, and what is known of that", async () => {
  const replay = (...args: readonly string[]) => here.unstuck("simulate", "--history", ...args);
  const told = JSON.parse(replay("--policy", "hierarchical", "--json").out) as unknown;
  const { output } = (await replayHistory.schemas()) as {
    output: { parse(given: unknown): unknown };
  };
  output.parse(told);
  const { runs, decisions, otherwise } = told as ReplayedHistory;
  assert.deepEqual([runs, decisions >= 3], [2, true]);
  assert.deepEqual([...new Set(otherwise.map(({ would }) => would))], ["ask"]);
  assert.deepEqual([...new Set(otherwise.map(({ came }) => came))], ["worked"]);
  const text = replay("--policy", "hierarchical").out;
  assert.match(text, /^hierarchical would have chosen otherwise at 3 of 3 decisions in 2 runs\.$/m);
  assert.match(
    text,
    /tool, \D+: it applied a known repair, which worked\. It would ask you\. That was/,
  );
  assert.match(
    replay().out,
    /^adaptive would have chosen otherwise at 0 of 3 decisions in 2 runs\.$/m,
  );
  assert.match(replay("--policy", "standart").err, /--policy: .* did you mean standard/);
  assert.match(here.unstuck("simulate", "--stuck-after", "2").err, /--stuck-after needs --history/);
});

test("what is exploratory is pinned with the plan", () => {
  const [start] = inputsOf(here.events(), "run-started");
  const { subtasks } = start?.["plan"] as { subtasks: { id: string; exploratory?: boolean }[] };
  assert.deepEqual(
    subtasks.map(({ exploratory }) => exploratory),
    [undefined, undefined, true],
  );
});
