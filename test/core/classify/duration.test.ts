// proves: D1
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration } from "../../../src/core/classify/reset-time.ts";

test("durations in words: every unit, joined, rounded", () => {
  for (const [text, ms] of [
    ["20ms", 20],
    ["5 millis", 5],
    ["5 milliseconds", 5],
    ["1s", 1_000],
    ["2 secs", 2_000],
    ["3 Seconds", 3_000],
    ["1m", 60_000],
    ["2 mins", 120_000],
    ["1 hr", 3_600_000],
    ["2H", 7_200_000],
    ["1d", 86_400_000],
    ["2 weeks", 1_209_600_000],
    ["1.5s", 1_500],
    ["1 hour and 20 minutes, 3s", 4_803_000],
    ["0.0014s", 1],
    ["0s", 0],
    ["a few seconds", 5_000],
    ["400 days", 34_560_000_000],
  ] as const)
    assert.equal(parseDuration(text), ms, text);
  for (const text of ["", "soon", "5", "5 carts", "5 sx", "400 days 1ms"])
    assert.equal(parseDuration(text), undefined, text);
});
