// proves: U4, V16
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { typedOutput } from "../run/agent-words.ts";
import { inRepository, type Repository } from "../run/repository.ts";
import { eventsOf, isStarted, owner, planFile, until } from "../run/runs.ts";

const silent = [{ print: "done" }];
const MONEY = ["grounding: false", "budget: { usd: 10 }"];

interface Status {
  readonly spent: Readonly<Record<string, { amount: number | null; known: boolean }>>;
  readonly unheld: readonly { words: string }[];
}

const statusOf = (here: Repository): Status => {
  const [run = ""] = here.runs();
  return JSON.parse(here.unstuck("status", run, "--json").out) as Status;
};

test("V16: a command agent under a money budget runs all its attempts; its cost is unknown, not spent", () =>
  inRepository((here) => {
    const ids = ["a", "b", "c"];
    const agent = here.agent(Object.fromEntries(ids.map((id) => [id, silent])));
    const plan = planFile(
      here,
      agent,
      ids.map((id) => `id: ${id}, prompt: p`),
      MONEY,
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 6, ran.out + ran.err);
    assert.equal(eventsOf(here.events(), "attempt-dispatched").length, 3);
    assert.doesNotMatch(ran.out + ran.err, /\$10\.00 of \$10\.00|\$0\.00 of/);
    assert.match(ran.out, /unknown of \$10\.00 \(0 of 3 attempts reported their cost\)/);
    const [run = ""] = here.runs();
    assert.match(here.unstuck("status", run).out, /unknown of \$10\.00/);
    assert.match(here.unstuck("report").out, /US dollars: unknown of at most 10/);
    const { spent } = statusOf(here);
    assert.deepEqual(
      [spent["usd"]?.amount, spent["usd"]?.known, spent["attempts"]?.amount],
      [null, false, 3],
    );
  }));

test(
  "V16: where only some attempts tell their cost, it is at least what they told",
  inLargeForm("money"),
  () =>
    inRepository((here) => {
      const tells = [{ print: typedOutput({ words: "Done.", usd: 0.6, tokens: 60 }) }];
      const agent = here.agent({ a: tells, b: silent, c: tells });
      const plan = planFile(
        here,
        agent,
        ["id: a, prompt: p", "id: b, prompt: p", "id: c, prompt: p"],
        MONEY,
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 6, ran.out + ran.err);
      assert.match(
        ran.out,
        /at least \$1\.20 of \$10\.00 \(2 of 3 attempts reported\s+their cost\)/,
      );
      assert.match(here.unstuck("report").out, /US dollars: at least 1\.2 of at most 10/);
      assert.deepEqual(statusOf(here).spent["usd"], {
        ...{ amount: 1.2, known: false, told: 2, attempts: 3, limit: 10 },
      });
    }),
);

test("V16: an attempt whose owner died is unknown too, and charged for nothing but being an attempt", () =>
  inRepository(async (here) => {
    const agent = here.agent({ a: [{ hang: true }, { print: "done" }] });
    const plan = planFile(
      here,
      agent,
      ["id: a, prompt: p"],
      ["grounding: false", "budget: { usd: 10, minutes: 60, attempts: 5 }"],
    );
    const first = owner(here.start("run", plan, "--trust"));
    try {
      await until(here, isStarted);
    } finally {
      await first.kill();
    }
    const resumed = here.unstuck("resume");
    assert.equal(resumed.code, 6, resumed.out + resumed.err);
    const { spent } = statusOf(here);
    assert.equal(spent["usd"]?.amount, null);
    assert.equal(spent["timeMs"]?.known, false);
    assert.ok((spent["timeMs"]?.amount ?? Infinity) < 1_200_000, "no cap of 30 minutes is charged");
    assert.equal(spent["attempts"]?.amount, 2);
  }));

test(
  "V16: the start says which budget cannot hold the agent, and what does",
  inLargeForm("money"),
  () =>
    inRepository((here) => {
      const agent = here.agent({ a: silent });
      const started = (budget: string, ...flags: string[]) =>
        here.unstuck(
          "run",
          planFile(here, agent, ["id: a, prompt: p"], ["grounding: false", budget]),
          ...["--trust", ...flags],
        );
      const ran = started("budget: { usd: 10, tokens: 5000, attempts: 20, minutes: 120 }");
      const words =
        /the money budget of the run \(\$10\.00\) cannot limit agent agent: it is not known to report its cost; what limits it: 2h 00m agent time, 20 attempts/;
      assert.match(ran.out, words);
      assert.match(ran.out, /the token budget of the run \(5\.0k\) cannot limit agent agent/);
      const [run = ""] = here.runs();
      assert.match(here.unstuck("status", run).out, words);
      assert.match(here.unstuck("report").out, /cannot limit agent agent/);
      assert.match(here.unstuck("explain", "--verbose").out, /cannot limit agent agent/);
      assert.match(statusOf(here).unheld[0]?.words ?? "", words);
      const json = started("budget: { usd: 10 }", "--json");
      const [unheld] = json.out
        .split("\n")
        .filter((line) => line.includes('"budget-unheld"'))
        .map((line) => JSON.parse(line) as { event: Readonly<Record<string, unknown>> });
      assert.deepEqual(unheld?.event["agents"], ["agent"]);
      assert.match(
        started("budget: { usd: 10 }").out,
        /what limits it: at most 50 attempts of a subtask, 20 of them for recovery, 1h 00m each/,
      );
      assert.doesNotMatch(started("budget: { attempts: 20 }").out, /cannot limit/);
    }),
);
