// proves: A1, A2
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  PROGRESS_THRESHOLD,
  changeSignal,
  checklistSignal,
  markerSignal,
  progressMarkers,
  progressScore,
} from "../../../src/core/progress/progress-score.ts";
import { outputNovelty } from "../../../src/core/progress/output-novelty.ts";
import { anyText } from "../repair/any-text.ts";

const NONE = { outputNovelty: 0, change: 0, markers: 0, checklist: 0 };

for (const [name, signals, expected] of [
  ["all zero", {}, 0],
  ["all at their most", { outputNovelty: 1, change: 1, markers: 1, checklist: 1 }, 1],
  ["novelty only", { outputNovelty: 1 }, 0.3],
  ["change only", { change: 1 }, 0.3],
  ["one marker", { markers: markerSignal(1) }, 0.125],
  ["two markers", { markers: markerSignal(2) }, 0.25],
  ["checklist only", { checklist: 1 }, 0.15],
  ["three halves", { outputNovelty: 0.5, change: 0.5, checklist: 0.5 }, 0.375],
  ["out of range", { outputNovelty: 7, change: 9, markers: 2, checklist: 3 }, 1],
  ["below zero", { outputNovelty: -7, change: 1 }, 0.3],
  ["not a number", { outputNovelty: Number.NaN, change: Number.NaN, markers: 1 }, 0.25],
] as const)
  test(`score: ${name} gives ${expected}`, () => {
    assert.equal(progressScore({ ...NONE, ...signals }), expected);
  });

test("score: other weights are honoured", () => {
  const weights = { outputNovelty: 0.1, change: 0.2, markers: 0.3, checklist: 0.4 };
  assert.equal(progressScore({ ...NONE, checklist: 1 }, weights), 0.4);
  assert.equal(
    progressScore({ outputNovelty: 0.5, change: 1, markers: 0.5, checklist: 0 }, weights),
    0.4,
  );
  assert.equal(progressScore({ ...NONE, change: 1 }, { ...weights, change: 5 }), 1);
});

test("score: the threshold's two sides", () => {
  assert.equal(PROGRESS_THRESHOLD, 0.15);
  assert.ok(progressScore({ ...NONE, outputNovelty: 0.49 }) < PROGRESS_THRESHOLD);
  assert.ok(progressScore({ ...NONE, outputNovelty: 0.51 }) >= PROGRESS_THRESHOLD);
  assert.equal(progressScore({ ...NONE, outputNovelty: 0.5 }), PROGRESS_THRESHOLD);
  assert.ok(progressScore({ ...NONE, change: 1 }) < 0.5);
});

test("score: 0..1 whatever the signals and weights", () => {
  const signals = fc.record({
    outputNovelty: fc.double(),
    change: fc.double(),
    markers: fc.double(),
    checklist: fc.double(),
  });
  fc.assert(
    fc.property(signals, signals, (given, weights) => {
      const score = progressScore(given, weights);
      assert.ok(score >= 0 && score <= 1);
    }),
  );
});

for (const [text, expected] of [
  ["a <progress>one</progress> b", ["one"]],
  ["<progress>one</progress><progress>two</progress>", ["one", "two"]],
  ["none at all", []],
  ["", []],
  ["<PROGRESS>Big</Progress>", ["Big"]],
  ["<progress>\n two\nlines \n</progress>", ["two\nlines"]],
  ["<progress></progress><progress>  </progress><progress>x</progress>", ["x"]],
  ["<progress>open", []],
  ["</progress><progress>x</progress>", ["x"]],
  ["<progress>a</progress><progress>never closed", ["a"]],
] as const)
  test(`markers of ${JSON.stringify(text)}`, () => {
    assert.deepEqual(progressMarkers(text), expected);
  });

test("markers: bounded, in linear time, also where lower case changes a text's length", () => {
  assert.equal(progressMarkers("<progress>x</progress>".repeat(50_000)).length, 100);
  assert.deepEqual(progressMarkers("<progress>".repeat(200_000)), []);
  assert.deepEqual(progressMarkers("İİ<progress>Done</progress>"), ["done"]);
});

test("markers: a half each, at most one", () => {
  assert.deepEqual([0, 1, 2, 3, -1, Number.NaN].map(markerSignal), [0, 0.5, 1, 1, 0, 0]);
});

test("change: full at a hundred lines, nothing where there are none", () => {
  assert.deepEqual(
    [0, 10, 30, 100, 1000, -50, Number.NaN].map(changeSignal),
    [0, 0.1, 0.3, 1, 1, 0, 0],
  );
});

test("checklist: only what was ticked since the last attempt", () => {
  assert.equal(checklistSignal({ done: 0, total: 4 }, { done: 2, total: 4 }), 0.5);
  assert.equal(checklistSignal({ done: 4, total: 4 }, { done: 4, total: 4 }), 0);
  assert.equal(checklistSignal({ done: 3, total: 4 }, { done: 1, total: 4 }), 0);
  assert.equal(checklistSignal({ done: 0, total: 0 }, { done: 0, total: 0 }), 0);
  assert.equal(checklistSignal({ done: 0, total: 1 }, { done: 9, total: 1 }), 1);
});

test("novelty: no output before is all new, none now is nothing", () => {
  assert.equal(outputNovelty("", "text"), 1);
  assert.equal(outputNovelty(" \n", "text"), 1);
  assert.equal(outputNovelty("text", ""), 0);
  assert.equal(outputNovelty("", ""), 0);
  assert.equal(outputNovelty("text", "2026-01-02T03:04:05Z"), 0);
});

test("novelty: equal texts, other case, other spacing, other times are no news", () => {
  const text = "Running 12 tests\nlogin ok\nlogout failed: expected 200 got 404";
  assert.equal(outputNovelty(text, text), 0);
  assert.equal(outputNovelty(text, text.toUpperCase()), 0);
  assert.equal(outputNovelty(text, text.replaceAll(" ", "   ").replaceAll("\n", "\n\n\t")), 0);
  const stamped = (time: string, id: string): string => `${time} started ${id}\n${time} it failed`;
  const novelty = outputNovelty(
    stamped("2026-01-02T03:04:05.123Z", "1767323045123"),
    stamped("2026-11-12 13:14:15", "1794489255999"),
  );
  assert.equal(novelty, 0);
  assert.equal(outputNovelty("at 10:11:12 ok", "at 10:11:13.500 ok"), 0);
  assert.equal(outputNovelty("on 2026-01-02 ok", "on 2026-01-03 ok"), 0);
});

for (const time of [
  "2026-01-02",
  "2026-01-02T03:04",
  "2026-01-02 03:04:05",
  "2026-01-02T03:04Z",
  "2026-01-02T03:04:05.123456789Z",
  "2026-01-02T03:04:05,123+01:00",
  "2026-01-02T03:04-0530",
  "10:11:12",
  "1:11:12.5",
  "10:11:12,345678",
  "1767323045",
  "1767323045123456",
])
  test(`novelty: ${time} is no news`, () => {
    assert.equal(outputNovelty("at end", `at ${time} end`), 0);
    assert.equal(outputNovelty("at end", `at${time}`) > 0, true);
  });

for (const word of ["176732304", "10:11", "2026-01", "v2026-01-02x", "x1767323045", "20260102"])
  test(`novelty: ${word} is news`, () => {
    assert.ok(outputNovelty("at end", `at ${word} end`) > 0);
  });

test("novelty: only the last 200,000 characters of a text are compared", () => {
  const tail = "same words ".repeat(18_200);
  assert.equal(outputNovelty(`old ${tail}`, `new ${tail}`), 0);
  assert.ok(outputNovelty(`old ${tail.slice(0, 1000)}`, `new ${tail.slice(0, 1000)}`) > 0);
});

test("novelty: a shorter number is news, and so is each new word", () => {
  assert.ok(outputNovelty("got 404", "got 500") > 0.2);
  assert.equal(outputNovelty("a b c d", "e f g h"), 1);
  assert.equal(outputNovelty("a b", "a c"), 0.5);
  assert.equal(outputNovelty("a bc d", "ab c d"), 1);
  assert.equal(outputNovelty("a b c", "a b c d"), 1 - 6 / 7);
  assert.equal(outputNovelty("a b a b", "a b"), 1 - 2 / 3);
  assert.equal(outputNovelty("a b", "a b a b"), 1 - 2 / 3);
});

test("novelty: 0..1, and linear on a long text", () => {
  fc.assert(
    fc.property(anyText(20), anyText(20), (before, now) => {
      const novelty = outputNovelty(before, now);
      assert.ok(novelty >= 0 && novelty <= 1);
      assert.equal(outputNovelty(now, now), 0);
    }),
  );
  const long = Array.from({ length: 60_000 }, (_, n) => `w${n % 977}`).join(" ");
  assert.equal(outputNovelty(long, long), 0);
  assert.equal(outputNovelty("1".repeat(5_000_000), `${"2".repeat(5_000_000)}a`), 1);
});
