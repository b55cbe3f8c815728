// proves: C7
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  readDurations,
  usualDurations,
  withDuration,
} from "../../../src/core/learning/durations.ts";
import type { Durations } from "../../../src/core/learning/durations.ts";
import { teachingCollector } from "../../../src/core/learning/repository-learning.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { mayGiveUpOne, tooLongMs } from "../../../src/core/run/overrun.ts";
import { Driver, plan, subtask } from "../run/driver.ts";

const of = (key: string, all: readonly number[]): Durations =>
  all.reduce<Durations>((known, ms) => withDuration(known, { key, ms }), {});

test("the median of what came to an end by itself, once there are five", () => {
  assert.deepEqual(usualDurations(of("a|1", [1, 2, 3, 4])), {});
  assert.deepEqual(usualDurations(of("a|1", [9, 1, 2, 1000, 3])), { "a|1": 3 });
  const entry = { agent: "a", tier: 1 };
  assert.equal(tooLongMs({ usualMs: { "a|1": 3 } }, entry).tooLong, 9);
  assert.equal(tooLongMs({ usualMs: { "a|2": 3 } }, entry).tooLong, 30 * 60_000);
  assert.equal(tooLongMs({}, { agent: "constructor", tier: 1 }).usual, 10 * 60_000);
});

test("a run teaches how long its attempts took, not those that were stopped", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")], { concurrency: 2 }));
  run.ended("a", { remains: { used: { timeMs: 5000.4 } } });
  run.fails("b", "hung", { remains: { used: { timeMs: 9000 } } });
  const collector = teachingCollector();
  const taught = run.journal.flatMap((event, index) => collector.add(index + 1, event));
  assert.deepEqual(
    taught.flatMap((one) => (one.kind === "duration" ? [one.duration] : [])),
    [{ key: "small|1", ms: 5000 }],
  );
});

test("whatever is read back is bounded", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      for (const all of Object.values(readDurations(value)))
        assert.ok(all.length <= 31 && all.every((ms) => ms > 0));
    }),
  );
  const many = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`agent${n}|1`, [1, "x"]]));
  assert.equal(Object.keys(readDurations(many)).length, 50);
  assert.deepEqual(readDurations({ "a|1": [5, -1, Infinity, "7"], b: [1] }), { "a|1": [5] });
});

test("with three attempts or fewer left, none is cut short", () => {
  const may = (counted: number, iterations: number, maxRetries?: number): boolean =>
    mayGiveUpOne(
      { counted, iterations },
      maxRetries === undefined ? {} : { limits: { maxRetries } },
      {},
      PRESETS.standard,
    );
  assert.deepEqual([may(0, 0), may(3, 16), may(3, 17)], [true, true, false]);
  assert.deepEqual([may(0, 0, 4), may(1, 0, 4), may(0, 0, 3)], [true, false, false]);
});
