// The bars of `npm run overnight`: what a row has to hold, with near misses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { judged, summaryOf } from "../../bench/overnight/judge.ts";
import type { Outcome } from "../../bench/overnight/runners.ts";
import type { NightScenario } from "../../bench/overnight/scenario.ts";
import { AGENT_SCENARIOS } from "../../bench/overnight/agent-scenarios.ts";
import { RUN_SCENARIOS } from "../../bench/overnight/run-scenarios.ts";
import { SERVICE_SCENARIOS } from "../../bench/overnight/service-scenarios.ts";

const GOOD: Outcome = {
  right: true,
  requests: 2,
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
  [undefined, { tokens: 1000 }, { ...UNSOLVED, tokens: 0 }, undefined],
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
  assert.deepEqual(judged("claude", short, slow, GOOD, false).missed, []);
  assert.equal(judged("claude", short, { ...slow, requests: 3 }, GOOD, false).missed.length, 1);
});

test("where a person has to be asked, a loop that calls it done has not solved it", () => {
  const row = judged("codex", { ...SCENARIO, ends: [3] }, { ...GOOD, tokens: 1050 }, GOOD);
  assert.equal(row.missed.length, 1);
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
