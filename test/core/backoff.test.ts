// proves: D2
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nextWait, type WaitRequest, type WaitSchedule } from "../../src/core/backoff.ts";

const LEVEL_1: WaitSchedule = {
  delaysMs: [5000, 10_000, 20_000],
  resetMarginMs: 60_000,
  maxWaitMs: 3_600_000,
};
const PATIENT: WaitSchedule = { ...LEVEL_1, outage: { baseMs: 60_000, capMs: 900_000 } };
const ask = (streak: number, more: Partial<WaitRequest> = {}): WaitRequest => ({
  streak,
  now: 1_000_000,
  since: 1_000_000,
  chance: 0.5,
  rateLimited: false,
  ...more,
});

test("three retries after exactly 5, 10 and 20 s, then none", () => {
  const delays = [0, 1, 2, 3].map((streak) => nextWait(LEVEL_1, ask(streak)));
  assert.deepEqual(
    delays.map((wait) => wait && wait.dueAt - 1_000_000),
    [5000, 10_000, 20_000, undefined],
  );
  assert.equal(delays[0]?.reason, "schedule");
});

test("the server's own time wins over the schedule", () => {
  assert.deepEqual(nextWait(LEVEL_1, ask(0, { retryAfterMs: 1500 })), {
    dueAt: 1_001_500,
    reason: "retry-after",
  });
  assert.deepEqual(nextWait(LEVEL_1, ask(2, { resetAt: 1_300_000, retryAfterMs: 1500 })), {
    dueAt: 1_360_000,
    reason: "reset",
  });
  assert.deepEqual(nextWait(LEVEL_1, ask(0, { resetAt: 900_000 })), {
    dueAt: 1_065_000,
    reason: "reset",
  });
});

test("a reset to the second is kept to the second, one to the minute gets the margin (J9)", () => {
  const due = (more: Partial<WaitRequest>, schedule = LEVEL_1): number | undefined =>
    nextWait(schedule, ask(0, { resetAt: 1_008_000, ...more }))?.dueAt;
  assert.equal(due({ resetIsExact: true }), 1_009_000);
  assert.equal(due({}), 1_068_000);
  assert.equal(due({ resetIsExact: true, resetAt: 900_000 }), 1_006_000);
  assert.equal(due({ resetIsExact: true }, { ...LEVEL_1, resetMarginMs: 0 }), 1_008_000);
});

test("a used-up schedule is not stretched by the server's time", () => {
  assert.equal(nextWait(LEVEL_1, ask(3, { retryAfterMs: 1000 })), undefined);
  assert.equal(nextWait(LEVEL_1, ask(3, { resetAt: 1_300_000 })), undefined);
});

test("in an outage the server's time counts also after the schedule; one that has passed, from now on", () => {
  assert.deepEqual(nextWait(PATIENT, ask(3, { retryAfterMs: 1500 })), {
    dueAt: 1_001_500,
    reason: "retry-after",
  });
  assert.deepEqual(nextWait(PATIENT, ask(3, { resetAt: 1_300_000 })), {
    dueAt: 1_360_000,
    reason: "reset",
  });
  for (const resetAt of [900_000, 1_000_000]) {
    assert.equal(nextWait(PATIENT, ask(0, { resetAt }))?.dueAt, 1_065_000);
    assert.equal(nextWait(PATIENT, ask(1, { resetAt }))?.dueAt, 1_070_000);
    assert.equal(nextWait(PATIENT, ask(3, { resetAt }))?.dueAt, 1_065_000);
  }
  assert.equal(nextWait(PATIENT, ask(0, { resetAt: 1_000_001 }))?.dueAt, 1_060_001);
});

test("a rate limit without a time waits as long as the policy says", () => {
  const schedule = { ...LEVEL_1, rateLimitMs: 60_000 };
  assert.deepEqual(nextWait(schedule, ask(0, { rateLimited: true })), {
    dueAt: 1_060_000,
    reason: "rate-limit",
  });
  assert.equal(nextWait(schedule, ask(0))?.reason, "schedule");
  assert.equal(nextWait(LEVEL_1, ask(0, { rateLimited: true }))?.reason, "schedule");
});

test("after the schedule full jitter doubles up to the cap and never goes below five seconds", () => {
  const due = (streak: number, chance: number): number =>
    (nextWait(PATIENT, ask(streak, { chance }))?.dueAt ?? 0) - 1_000_000;
  assert.deepEqual(
    [3, 4, 5, 6, 7, 40].map((streak) => due(streak, 0.5)),
    [30_000, 60_000, 120_000, 240_000, 450_000, 450_000],
  );
  assert.equal(due(3, 0), 5000);
  assert.equal(nextWait(PATIENT, ask(3))?.reason, "outage");
});

test("the maximum wait is counted from the first failure of the outage", () => {
  assert.equal(nextWait(PATIENT, ask(0, { resetAt: 1_000_000 + 3_540_000 }))?.reason, "reset");
  assert.equal(nextWait(PATIENT, ask(0, { resetAt: 1_000_000 + 3_540_001 })), undefined);
  assert.equal(nextWait(PATIENT, ask(0, { since: 1_000_000 - 3_596_000 })), undefined);
});

test("a wait is never due before now", () => {
  fc.assert(
    fc.property(
      fc.nat(100),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.option(fc.nat()),
      (streak, chance, resetAt) => {
        const wait = nextWait(
          PATIENT,
          ask(streak, { chance, ...(resetAt === null ? {} : { resetAt }) }),
        );
        assert.ok(wait === undefined || wait.dueAt >= 1_000_000);
      },
    ),
  );
});
