// The bars of `npm run overnight`: what a row has to hold, with near misses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { judged, summaryOf } from "../../bench/overnight/judge.ts";
import { page, type Night } from "../../bench/overnight/table.ts";
import type { Outcome } from "../../bench/overnight/runners.ts";
import type { NightScenario } from "../../bench/overnight/scenario.ts";
import { AGENT_SCENARIOS } from "../../bench/overnight/agent-scenarios.ts";
import { RUN_SCENARIOS } from "../../bench/overnight/run-scenarios.ts";
import { SERVICE_SCENARIOS } from "../../bench/overnight/service-scenarios.ts";

const GOOD: Outcome = {
  right: true,
  requests: 2,
  refused: 0,
  tokens: 1000,
  seconds: 10,
  intact: true,
  orphans: 0,
  fooled: false,
  end: "0: verified",
};
const UNSOLVED: Outcome = { ...GOOD, right: false };
const SCENARIO: NightScenario = { name: "n", what: "w", script: () => () => ({ kind: "silent" }) };

type Bar = NightScenario["bar"];
const ROWS: readonly (readonly [Bar, Partial<Outcome>, Outcome, RegExp | undefined])[] = [
  [undefined, {}, GOOD, undefined],
  [undefined, { right: false }, GOOD, /ended wrong/],
  [undefined, { intact: false }, GOOD, /user's files/],
  [undefined, { orphans: 1 }, GOOD, /1 processes/],
  [undefined, { seconds: 100, requests: 9 }, GOOD, undefined],
  ["short", { seconds: 16 }, GOOD, undefined],
  ["short", { seconds: 16.1 }, GOOD, /took 16\.1 of 16\.0 s/],
  ["short", { requests: 3 }, GOOD, /3 requests, not 2/],
  [undefined, { tokens: 1100 }, GOOD, undefined],
  [undefined, { tokens: 1101 }, GOOD, /1101 tokens, the loop 1000/],
  ["conflict", { tokens: 1600 }, GOOD, undefined],
  ["conflict", { tokens: 1601 }, GOOD, /tokens/],
  ["none", { tokens: 5000 }, GOOD, undefined],
  [undefined, { tokens: 999 }, UNSOLVED, undefined],
  [undefined, { tokens: 1000 }, UNSOLVED, /tokens/],
  [undefined, { tokens: 1 }, { ...UNSOLVED, tokens: 0 }, /tokens/],
  [undefined, { tokens: 0 }, { ...UNSOLVED, tokens: 0 }, undefined],
  [undefined, { tokens: 1000 }, { ...UNSOLVED, fooled: true }, undefined],
];

test("a row holds exactly where its bars do", () => {
  for (const [bar, unstuck, loop, missed] of ROWS) {
    const scenario = bar === undefined ? SCENARIO : { ...SCENARIO, bar };
    const row = judged("claude", scenario, { ...GOOD, ...unstuck }, loop);
    const words = row.missed.join("; ");
    if (missed === undefined) assert.equal(words, "");
    else assert.match(words, missed);
  }
});

test("where times bind nothing, requests still do", () => {
  const slow = { ...GOOD, seconds: 100 };
  const short: NightScenario = { ...SCENARIO, bar: "short" };
  assert.deepEqual(judged("claude", short, slow, GOOD, { timed: false }).missed, []);
  const more = judged("claude", short, { ...slow, requests: 3 }, GOOD, { timed: false });
  assert.equal(more.missed.length, 1);
});

test("where a person has to be asked, a loop that calls it done has not solved it", () => {
  const row = judged("codex", { ...SCENARIO, ends: [3] }, { ...GOOD, tokens: 1050 }, GOOD);
  assert.equal(row.missed.length, 1);
});

test("where the service refused the loop until it gave up, the price of the work comes on top", () => {
  const missed = (tokens: number, loop: Partial<Outcome>, ends: readonly number[] = [0]) =>
    judged(
      "claude",
      { ...SCENARIO, ends },
      { ...GOOD, tokens },
      { ...UNSOLVED, ...loop },
      { work: 2000 },
    ).missed.length;
  assert.equal(missed(3199, { refused: 5 }), 0);
  assert.equal(missed(3200, { refused: 5 }), 1, "at most 1.1 times the work");
  assert.equal(missed(2199, { refused: 5, tokens: 0 }), 0);
  assert.equal(missed(2200, { refused: 5, tokens: 0 }), 1);
  assert.equal(missed(1001, {}), 1, "nobody refused it");
  assert.equal(missed(1001, { refused: 5, right: true, tokens: 900 }), 1, "it solved it");
  assert.equal(missed(1001, { refused: 5 }, [3]), 1, "there is no work that could be done");
});

test("the median is of each figure, and one wrong run is a wrong row", () => {
  const runs = [3, 1, 2].map((n) => ({ ...GOOD, requests: n, tokens: 10 * n, seconds: 4 - n }));
  const { requests, tokens, seconds, right } = summaryOf(runs, "median");
  assert.deepEqual([requests, tokens, seconds, right], [2, 20, 2, true]);
  assert.equal(summaryOf(runs, "least").seconds, 1);
  assert.equal(summaryOf([...runs, UNSOLVED], "median").right, false);
  assert.equal(summaryOf([...runs, { ...GOOD, orphans: 2 }], "median").orphans, 2);
});

test("scenarios have names of their own, and the small form has some", () => {
  const all = [...SERVICE_SCENARIOS, ...AGENT_SCENARIOS, ...RUN_SCENARIOS];
  assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
  assert.ok(all.length >= 29, `${all.length} scenarios`);
  assert.ok(all.some(({ small }) => small === true));
});

const NIGHT: Night = {
  command: 'npm run overnight -- --write --only "no fault"',
  date: "2026-11-16",
  runs: 1,
  scale: {
    ...{ wait: 4, outage: 8, patience: 15, total: 240 },
    loop: { turn: 20, turns: 30, total: 150 },
  },
  versions: { claude: "1.2.3", codex: "4.5.6" },
  asked: [
    { agent: "claude", scenario: "no fault" },
    { agent: "codex", scenario: "no fault" },
  ],
  whole: 2,
};
const rowOf = (agent: "claude" | "codex", unstuck: Outcome = GOOD) =>
  judged(agent, { ...SCENARIO, name: "no fault" }, unstuck, GOOD);
const BOTH = [rowOf("claude"), rowOf("codex")];

test("the page says how and when it was made, with which agents", () => {
  const text = page(BOTH, NIGHT);
  assert.ok(text.includes(`\`${NIGHT.command}\` on 2026-11-16. All 2 rows are here.`));
  assert.match(text, /Each row is one run/);
  assert.match(page(BOTH, { ...NIGHT, runs: 3 }), /Each row is the median of 3 runs/);
  assert.match(text, /at most 30 times/);
  assert.match(text, /^## claude 1\.2\.3$/m);
  assert.match(text, /^## codex 4\.5\.6$/m);
});

test("the page is never partial without saying so", () => {
  const cut = page([rowOf("claude")], NIGHT);
  assert.match(cut, /\*\*Not complete\*\*: 1 of 2 rows are missing: no fault \(codex\)\./);
  assert.doesNotMatch(cut, /rows are here/);
  const picked = page(BOTH, { ...NIGHT, whole: 80 });
  assert.match(picked, /Only 2 of 80 rows were asked for\. All of those are here\./);
  assert.doesNotMatch(picked, /Not complete/);
  const both = page([rowOf("codex")], { ...NIGHT, whole: 80 });
  assert.match(both, /Only 2 of 80 .* \*\*Not complete\*\*: .* no fault \(claude\)/);
});

test("the page names every bar that is missed", () => {
  assert.match(page(BOTH, NIGHT), /Every row here holds its bars\./);
  const missed = page([rowOf("claude"), rowOf("codex", { ...GOOD, orphans: 2 })], NIGHT);
  assert.match(missed, /1 of 2 rows hold their bars/);
  assert.match(missed, /^- codex, no fault: 2 processes are left$/m);
  assert.doesNotMatch(missed, /Every row here holds/);
});
