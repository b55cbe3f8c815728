// proves: A10, B6, B8, D6, D7, U8, U15
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { repository } from "../../end-to-end/run/repository.ts";

const here = repository();
after(() => here.remove());

const EVIL = "![x](http://e.vil) \x1b]0;t\x07";
const agent = here.agent({
  login: [
    { error: "Error: the gate said no to us", exit: 1 },
    { error: "Error: the gate said no to us", exit: 1 },
    { write: { "login.ok": "ok\n" }, print: "done" },
  ],
  value: [
    { write: { "value.txt": "3\n" }, print: `<approach>three ${EVIL}</approach>` },
    { write: { "value.txt": "2\n" }, print: "<approach>two</approach>" },
  ],
});
const plan = join(here.path, "plan.yaml");
writeFileSync(
  plan,
  [
    "goal: two things",
    `agent: ${JSON.stringify(agent)}`,
    "grounding: false",
    "concurrency: 2",
    "subtasks:",
    "  - {id: login, prompt: log in, checks: [test -f login.ok]}",
    "  - {id: after, prompt: later, dependsOn: [login]}",
    "  - {id: value, prompt: make it 2, checks: [sh check.sh]}",
    "",
  ].join("\n"),
);
const ran = here.unstuck("run", plan, "--trust");
const [first = ""] = here.runs();

test("without a terminal: plain lines and a summary, with the questions and what to do", () => {
  assert.equal(ran.code, 3, ran.out + ran.err);
  assert.match(ran.out, /\[value\] checks failed: /);
  assert.match(ran.out, /── run \S+: needs you/);
  assert.match(ran.out, / ✓ value +verified, 2 attempts, \S+: sent the failing output back/);
  assert.match(ran.out, / - after +blocked: it waits for a subtask that is not done/);
  assert.match(ran.out, / \? login\/c1 {2}Subtask login failed[^]*unstuck review \S+/);
  assert.ok(!ran.out.includes("\x1b"));
});

test("report: the run and a stuck subtask as Markdown, foreign text escaped", () => {
  const { out } = here.unstuck("report");
  assert.match(out, /^# Run .*: waits for a person$/m);
  assert.match(out, /\| login \| asking \| 2 \|/);
  assert.match(out, /^1\. Attempt 1: three \\!\\\[x\\\]/m);
  const subtask = here.unstuck("report", "--subtask", "login").out;
  assert.match(subtask, /^## Stuck Subtask: login[^]*the gate said no[^]*- Blocks after/);
  assert.match(here.unstuck("report", "--subtask", "value").out, /^## Subtask: value[^]*succeeded/);
  assert.equal(here.unstuck("report", "--subtask", "nobody").code, 2);
});

test("metrics: of the run and of all, as text and as JSON", () => {
  const { out } = here.unstuck("metrics", first, "--json");
  const metrics = JSON.parse(out) as { runs: number; stage_success: object };
  assert.deepEqual(metrics, {
    runs: 1,
    recovery_triggers: 2,
    recovery_success: 1,
    stage_success: { feedback: 1 },
    recovery_iterations: 2,
  });
  assert.match(here.unstuck("metrics").out, /recovery_success +1 \(50 %\)[^]*feedback +1/);
});

test("export and import: the same history again, as a run that every command can read", () => {
  const exported = here.unstuck("export", first).out;
  const { subtasks, stuck_subtasks: stuck } = JSON.parse(exported) as {
    subtasks: Record<string, { status: string; attempts: { approach: string }[] }>;
    stuck_subtasks: unknown[];
  };
  assert.deepEqual(
    Object.entries(subtasks).map(([id, { status, attempts }]) => [id, status, attempts.length]),
    [
      ["login", "stuck", 2],
      ["after", "pending", 0],
      ["value", "completed", 2],
    ],
  );
  assert.equal(stuck.length, 1);
  const file = join(here.path, "history.json");
  writeFileSync(file, exported);
  const imported = here.unstuck("import", file, "--json");
  const { run, skipped } = JSON.parse(imported.out) as { run: string; skipped: number };
  assert.equal(skipped, 0);
  assert.equal(here.unstuck("export", run).out, exported);
  assert.match(here.unstuck("report").out, new RegExp(first), "it is meant only where it is named");
  assert.match(here.unstuck("report", run).out, /\| value \| unverified \| 2 \|/);
  assert.match(
    here.unstuck("explain", run, "--verbose").out,
    /nothing verifies it: only the agent's word/,
  );
  assert.equal(here.unstuck("import", file).code, 2, "once");
  writeFileSync(file, "hello");
  assert.equal(here.unstuck("import", file).code, 2);
});

test("episodes: exported as JSON lines, imported with malformed lines counted", () => {
  const lines = here.unstuck("export", first, "--episodes").out;
  assert.equal(lines.trim().split("\n").length, 2);
  const file = join(here.path, "episodes.jsonl");
  writeFileSync(file, `${lines}oops\n`);
  const { out } = here.unstuck("import", file);
  assert.match(out, /2 episodes as run imported-[^]*left out 1 malformed entry/);
  const [, run = ""] = /run (imported-\w+)/.exec(out) ?? [];
  assert.equal(here.unstuck("export", run, "--episodes").out, lines);
  assert.ok(readFileSync(file, "utf8").endsWith("oops\n"));
});

test("explain: each kind of decision, of one subtask, or one alone", () => {
  const { out } = here.unstuck("explain", "--verbose");
  for (const words of [
    /feedback \(feedback\): chosen/,
    /unknown-retry \(retry\): used 1 of 1 times/,
    /merge attempt/,
    /ask a person \(login\/c1\)/,
    /may be flaky/,
  ])
    assert.match(out, words);
  const ofLogin = here.unstuck("explain", "--subtask", "login", "--json").out.trim().split("\n");
  const told = ofLogin.map((line) => JSON.parse(line) as { seq: number; subtask: string });
  assert.ok(told.length > 1 && told.every(({ subtask }) => subtask === "login"));
  const one = here.unstuck("explain", "--event", String(told[0]?.seq));
  assert.equal(one.out.match(/^\[/gm)?.length, 1);
  assert.equal(here.unstuck("explain", "--event", "99999").code, 2);
});

test("explain: nothing that is told is empty, whatever was decided, also of imported history", () => {
  const { runs } = JSON.parse(here.unstuck("status", "--all", "--json").out) as {
    runs: { id: string }[];
  };
  for (const { id } of runs)
    for (const line of here.unstuck("explain", id, "--json").out.trim().split("\n")) {
      if (line === "") continue;
      const told = JSON.parse(line) as { seen: string[]; considered: object[]; why: string };
      assert.ok(told.seen.length > 0 && !told.seen.includes(""), line);
      assert.ok(told.considered.length > 0 && told.why !== "", line);
    }
});

test("inbox, review and resolve: an answer finds its run; two that ask alike have to be named", () => {
  assert.match(here.unstuck("inbox").out, /login\/c1[^]*Blocks after[^]*unstuck review/);
  const review = here.unstuck("review");
  assert.equal(review.code, 0, "without a terminal it is read, not answered");
  assert.match(review.out, /login\/c1[^]*unstuck resolve login\/c1 --run \S+ --skip/);
  assert.equal(here.unstuckWith({ UNSTUCK_ATTEMPT: "x" }, "review").code, 2);
  assert.equal(here.unstuck("resolve", "login/c1", "--skip", "--done").code, 2);
  assert.equal(here.unstuck("resolve", "login/c1", "--top-up", "usd=1").code, 2, "not offered");
  assert.equal(here.unstuck("run", plan).code, 3);
  const both = here.unstuck("resolve", "login/c1", "--skip");
  assert.equal(both.code, 2);
  assert.match(both.err, /several runs ask login\/c1/);
  const [second = ""] = here.runs();
  assert.equal(here.unstuck("resolve", "login/c1", "--run", second, "--skip").code, 0);
  assert.equal(here.unstuck("resume", second).code, 1);
  assert.match(
    here.unstuck("resolve", "login/c1", "--retry", "the key is set").out,
    new RegExp(first),
  );
  const resumed = here.unstuck("resume", first);
  assert.equal(resumed.code, 6, resumed.out + resumed.err);
  assert.match(resumed.out, / ✓ login +verified, 3 attempts, \S+: tried again/);
  assert.match(here.unstuck("inbox").out, /No open questions/);
  assert.match(
    here.unstuck("explain", first, "--verbose").out,
    /the question was answered: retry: the key is set/,
  );
});
