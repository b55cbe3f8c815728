// proves: C8, U8
// What a person's time costs: by their price, and by the hour.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isQuiet, priceOfAsking } from "../../../src/core/adaptive/person-price.ts";
import { ADAPTIVE } from "../../../src/core/adaptive/policy-data.ts";
import { policyOf } from "../../../src/core/adaptive/policy-of.ts";
import type { PastAttempt } from "../../../src/core/policy/situation.ts";
import type { RecoveryName } from "../../../src/core/recovery.ts";
import { attempt, situationOf } from "./situations.ts";

const at = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
};
const NIGHT = "22:00-07:00";

test("in quiet hours the wait until their end is added, an hour for three attempts", () => {
  const rows: readonly (readonly [string, string | undefined, number])[] = [
    ["21:59", NIGHT, 12],
    ["22:00", NIGHT, 12 + 27],
    ["00:00", NIGHT, 12 + 21],
    ["06:30", NIGHT, 12 + 1.5],
    ["07:00", NIGHT, 12],
    ["12:30", "12:00-13:00", 12 + 1.5],
    ["13:00", "12:00-13:00", 12],
    ["03:00", undefined, 12],
    ["08:00", "08:00-08:00", 12],
  ];
  for (const [time, quiet, price] of rows) {
    assert.equal(priceOfAsking(12, quiet, at(time)), price, `${time} of ${quiet}`);
    assert.equal(isQuiet(quiet, at(time)), price > 12);
  }
  assert.equal(priceOfAsking(12, NIGHT), 12, "where nobody told the time");
});

test("never below the price, never more than a day's wait above it", () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const time = minute.map((all) =>
    [Math.floor(all / 60), all % 60].map((part) => String(part).padStart(2, "0")).join(":"),
  );
  fc.assert(
    fc.property(time, time, minute, (from, to, now) => {
      const price = priceOfAsking(5, `${from}-${to}`, now);
      assert.ok(price >= 5 && price <= 5 + 72);
    }),
  );
});

test("at night a move that still has value goes before a question, and by day the question does", () => {
  const policy = policyOf({ ...ADAPTIVE, quietHours: NIGHT });
  const chosen = (past: readonly PastAttempt[], time: string) =>
    policy.choose({ ...situationOf(past), minuteOfDay: at(time) }).chosenBy.id;
  let past: readonly PastAttempt[] = [attempt()];
  for (let move = chosen(past, "15:00"); move !== "ask"; move = chosen(past, "15:00")) {
    const { tierStep: before } = past.at(-1) ?? attempt();
    const tierStep = before + (move === "escalate" ? 1 : 0);
    const recovery = move === "think" ? "escalate" : (move as RecoveryName);
    past = [
      ...past,
      attempt({ recovery, tierStep, tier: tierStep + 1, items: "same", progress: false }),
    ];
    assert.ok(past.length < 20, "somebody is asked at last");
  }
  assert.notEqual(chosen(past, "23:00"), "ask");
  assert.equal(chosen(past, "06:59"), "ask", "the morning is near");
});
