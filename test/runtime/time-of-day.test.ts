// proves: C8
import assert from "node:assert/strict";
import { test } from "node:test";
import { minuteOfDay } from "../../src/runtime/time-of-day.ts";

test("the time of day is that of the zone, summer time included", () => {
  const winter = Date.UTC(2026, 0, 15, 23, 30);
  const summer = Date.UTC(2026, 6, 15, 23, 30);
  assert.equal(minuteOfDay(winter, "UTC"), 23 * 60 + 30);
  assert.equal(minuteOfDay(winter, "Europe/Berlin"), 30);
  assert.equal(minuteOfDay(summer, "Europe/Berlin"), 90);
  assert.equal(minuteOfDay(Date.UTC(2026, 0, 15), "UTC"), 0);
  assert.equal(minuteOfDay(winter, "Asia/Kolkata"), 5 * 60);
});
