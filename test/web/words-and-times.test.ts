// What the page works out by itself: prompts, time axes, which runs are shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { promptBlocks } from "../../web/attempt/prompt-lines.ts";
import { byDay } from "../../web/insights/spending.ts";
import { placeOn, timeMarks } from "../../web/run/time-axis.ts";
import { counts, filterOf, found, ordered } from "../../web/runs/run-filter.ts";

test("a prompt's lines belong to the first attempt from which on they stayed", () => {
  const blocks = promptBlocks([
    { attempt: 1, text: "task\nonce" },
    { attempt: 2, recovery: "feedback", text: "task\nfailed:\n```text\nlog" },
    { attempt: 3, recovery: "mutate (rephrase)", text: "task\nfailed:\n```text\nlog\nonce\n\nnew" },
  ]);
  assert.deepEqual(
    blocks.map(({ text, since }) => [text, since?.attempt]),
    [
      ["task", undefined],
      ["failed:\n```text\nlog", 2],
      ["once\n\nnew", 3],
    ],
  );
  assert.deepEqual(promptBlocks([{ attempt: 1 }]), []);
});

test("a time axis has a few round marks, whatever its length", () => {
  for (const span of [1, 900, 61_000, 3_600_000, 90_000_000, 400 * 86_400_000]) {
    const marks = timeMarks({ from: 1000, to: 1000 + span });
    assert.ok(marks.length >= 1 && marks.length <= 8, `${span}: ${marks.length}`);
    assert.equal(new Set(marks.map(({ words }) => words)).size, marks.length);
  }
  const wordsOf = (span: number) => timeMarks({ from: 0, to: span }).map(({ words }) => words);
  assert.deepEqual(wordsOf(95_000), ["0", "15s", "30s", "45s", "1m", "1m 15s", "1m 30s"]);
  assert.deepEqual(wordsOf(7_200_000), ["0", "30m", "1h", "1h 30m", "2h"]);
  assert.equal(placeOn({ from: 10, to: 20 }, 15), 0.5);
  assert.equal(placeOn({ from: 10, to: 20 }, 99), 1);
  assert.equal(placeOn({ from: 10, to: 10 }, 5), 0);
});

const run = (id: string, state: string, more: object = {}) =>
  ({ id, state, title: id, repository: "/x/shop", questions: 0, created: 1, ...more }) as never;

test("what needs a person comes first, then what goes on, then the newest", () => {
  const runs = [
    run("old", "verified", { created: 1 }),
    run("new", "failed", { created: 9 }),
    run("busy", "running", { created: 2 }),
    run("asks", "running", { questions: 1 }),
    run("stands", "needs you", { created: 5 }),
  ];
  const names = ordered(runs).map(({ id }) => id);
  assert.deepEqual(names, ["stands", "asks", "busy", "new", "old"]);
  assert.deepEqual(counts(runs), { all: 5, "needs you": 2, "going on": 1, stopped: 0, done: 2 });
  assert.equal(filterOf(run("x", "interrupted")), "stopped");
  assert.deepEqual(
    found(runs, "all", "SHOP ne").map(({ id }) => id),
    ["new", "stands"],
  );
  assert.deepEqual(found(runs, "going on", "asks"), []);
});

test("money and time by day: days without runs are there, what nobody told counts nothing", () => {
  const noon = new Date(2026, 2, 28, 12).getTime();
  const day = 86_400_000;
  const days = byDay(
    [
      { created: noon, changed: noon + 3_600_000, cost: { amount: 2 } },
      { created: noon + 3 * day, cost: { amount: null } },
    ] as never,
    0,
  );
  assert.equal(days.length, 14);
  assert.deepEqual(
    days.slice(-4).map(({ runs, usd, hours }) => [runs, usd, hours]),
    [
      [1, 2, 1],
      [0, 0, 0],
      [0, 0, 0],
      [1, 0, 0],
    ],
  );
  assert.deepEqual(byDay([], 0), []);
});
