// proves: D1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { classify } from "../../../src/core/classify/classify.ts";
import { parseReset } from "../../../src/core/classify/reset-time.ts";

/** Sunday 15 November 2026, 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 15, 12, 0);
const at = (text: string, utcOffsetMinutes = 0, observedAt = NOON): string | undefined =>
  parseReset(text, { observedAt, utcOffsetMinutes }).resetAt;
const delay = (text: string): number | undefined => parseReset(text, {}).retryAfterMs;

test("delays in headers, fields and sentences", () => {
  for (const [text, ms] of [
    ["retry-after: 30", 30_000],
    ["Retry-After: 1.5", 1_500],
    ['"retry_after": 12', 12_000],
    ["retry-after-ms: 2500", 2_500],
    ['"retryDelay": "34s"', 34_000],
    ["x-ratelimit-reset-requests: 6m0s", 360_000],
    ["please try again in 2m30s", 150_000],
    ["try again in 4h18m2.016s.", 15_482_016],
    ["Please retry in 25.93s", 25_930],
    ["Suggested retry after 1s.", 1_000],
    ["retry after 20", 20_000],
    ["try again in 20ms", 20],
    ["try again in 6 minutes", 360_000],
    ["resets in 5 days 3 hours", 442_800_000],
    ["available again in 1 hour and 20 minutes", 4_800_000],
    ["wait 90 seconds before the next call", 90_000],
    ["retrying in 3 days 4 hours 12 minutes", 274_320_000],
    ['"resets_in_seconds": 3600', 3_600_000],
  ] as const)
    assert.equal(delay(text), ms, text);
});

test("what is no delay is not taken for one", () => {
  for (const text of [
    "the test took 30 s",
    "retry the cart",
    "wait for the cart",
    "try again in 9000 days",
    "retry-after: tomorrow",
    "line 30 of retry.ts",
  ])
    assert.equal(delay(text), undefined, text);
});

test("instants: epoch, ISO, HTTP dates", () => {
  for (const [text, iso] of [
    ["usage limit reached|1763200800", "2025-11-15T10:00:00.000Z"],
    ['"resets_at": 1763200800', "2025-11-15T10:00:00.000Z"],
    ["x-ratelimit-reset: 1763200800", "2025-11-15T10:00:00.000Z"],
    ["resetsAt: 1763200800000", "2025-11-15T10:00:00.000Z"],
    ["resets at 2026-11-15 18:00 UTC", "2026-11-15T18:00:00.000Z"],
    ["resets at 2026-11-15T18:00:00+02:00", "2026-11-15T16:00:00.000Z"],
    ["carts regain access on 2026-12-01 at 00:00 UTC.", "2026-12-01T00:00:00.000Z"],
    ["carts regain access on 2026-12-01", "2026-12-01T00:00:00.000Z"],
    ["retry-after: Sun, 15 Nov 2026 12:30:00 GMT", "2026-11-15T12:30:00.000Z"],
    ["Sun, 15 Nov 2026 12:30:00 GMT", "2026-11-15T12:30:00.000Z"],
    ["2026-11-15T12:30:00Z", "2026-11-15T12:30:00.000Z"],
  ] as const)
    assert.equal(parseReset(text, {}).resetAt, iso, text);
});

test("clock times: today if still to come, else tomorrow", () => {
  assert.equal(at("resets 3pm"), "2026-11-15T15:00:00.000Z");
  assert.equal(at("resets 3am"), "2026-11-16T03:00:00.000Z");
  assert.equal(at("resets 12am"), "2026-11-16T00:00:00.000Z");
  assert.equal(at("resets 12pm"), "2026-11-15T12:00:00.000Z", "this minute is now");
  assert.equal(at("resets 11:59am"), "2026-11-15T11:59:00.000Z", "read a little late");
  assert.equal(at("resets 11:57am"), "2026-11-16T11:57:00.000Z");
  assert.equal(at("resets at 15:30"), "2026-11-15T15:30:00.000Z");
  assert.equal(at("try again at 6:45 PM"), "2026-11-15T18:45:00.000Z");
  assert.equal(at("resets tomorrow at 5pm"), "2026-11-16T17:00:00.000Z");
  assert.equal(at("resets Monday 9am"), "2026-11-16T09:00:00.000Z");
  assert.equal(at("resets Sunday 9am"), "2026-11-22T09:00:00.000Z");
  assert.equal(at("resets at midnight"), "2026-11-16T00:00:00.000Z");
  assert.equal(at("resets 25:00"), undefined);
  assert.equal(at("resets 13pm"), undefined);
});

test("a time without a zone is in the zone where the text was written", () => {
  assert.equal(at("resets 3pm", 60), "2026-11-15T14:00:00.000Z");
  assert.equal(at("resets 3pm", -300), "2026-11-15T20:00:00.000Z");
  assert.equal(at("resets 2am", 840), "2026-11-15T12:00:00.000Z");
});

test("named zones, by IANA name, abbreviation or offset", () => {
  assert.equal(at("resets 3am (Europe/Berlin)"), "2026-11-16T02:00:00.000Z");
  assert.equal(at("resets 3:50pm (Asia/Tokyo)"), "2026-11-16T06:50:00.000Z");
  assert.equal(at("resets 5pm (America/New_York)"), "2026-11-15T22:00:00.000Z");
  assert.equal(at("resets 5pm PST"), "2026-11-16T01:00:00.000Z");
  assert.equal(at("resets 5pm (UTC+2)"), "2026-11-15T15:00:00.000Z");
  assert.equal(at("resets 5pm (Middle/Nowhere)", 60), "2026-11-15T16:00:00.000Z");
});

test("dates with and without a year", () => {
  assert.equal(at("resets Nov 20, 5pm"), "2026-11-20T17:00:00.000Z");
  assert.equal(at("resets Nov 20 at 5pm (Europe/Berlin)"), "2026-11-20T16:00:00.000Z");
  assert.equal(at("resets on 20 November 2026 at 17:00"), "2026-11-20T17:00:00.000Z");
  assert.equal(at("try again at Nov 20th, 2026 6:45 PM."), "2026-11-20T18:45:00.000Z");
  assert.equal(at("resets Jan 2, 9am"), "2027-01-02T09:00:00.000Z");
  assert.equal(at("resets Nov 14, 9am"), "2026-11-14T09:00:00.000Z");
});

test("daylight saving: gaps go forward, doubles take the first, days keep their clock time", () => {
  const beforeSpring = Date.UTC(2026, 2, 28, 22, 0);
  const berlin = (text: string, observedAt: number): string | undefined =>
    at(`${text} (Europe/Berlin)`, 0, observedAt);
  assert.equal(berlin("resets 2:30am", beforeSpring), "2026-03-29T01:30:00.000Z");
  assert.equal(berlin("resets 3:30am", beforeSpring), "2026-03-29T01:30:00.000Z");
  const beforeAutumn = Date.UTC(2026, 9, 24, 22, 0);
  assert.equal(berlin("resets 2:30am", beforeAutumn), "2026-10-25T00:30:00.000Z");
  assert.equal(berlin("resets 9pm", Date.UTC(2026, 9, 24, 20, 0)), "2026-10-25T20:00:00.000Z");
});

test("without an observation time a clock time says nothing, an instant still does", () => {
  assert.deepEqual(parseReset("resets 3pm", {}), {});
  assert.deepEqual(parseReset("resets Nov 20, 5pm", {}), {});
  assert.equal(
    parseReset("resets at 2026-11-20 17:00 UTC", {}).resetAt,
    "2026-11-20T17:00:00.000Z",
  );
});

test("any text and any base: no throw, no invalid date, a clock time is never in the past", () => {
  const words = fc.constantFrom(
    "resets",
    "try again in",
    "3am",
    "25:99",
    "(Europe/Berlin)",
    "Feb 30",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 5 }).map((all) => all.join(" ")),
  );
  const base = fc.record({ observedAt: fc.double(), utcOffsetMinutes: fc.double() });
  fc.assert(
    fc.property(text, base, (words, values) => {
      const { retryAfterMs, resetAt } = parseReset(words, values);
      if (retryAfterMs !== undefined) assert.ok(retryAfterMs >= 0);
      if (resetAt !== undefined) assert.ok(!Number.isNaN(Date.parse(resetAt)));
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(4e12), (hour, observedAt) => {
      const reset = Date.parse(at(`resets ${hour}am (America/New_York)`, 0, observedAt) ?? "");
      assert.ok(reset > observedAt && reset <= observedAt + 26 * 3_600_000);
    }),
  );
});

test("the failure carries the header's delay, else the text's; only where time helps", () => {
  const limited = { tool: "llm", httpStatus: 429, message: "Rate limit reached. Try again in 9s." };
  assert.equal(classify(limited).retryAfterMs, 9_000);
  assert.equal(classify({ ...limited, retryAfter: "30" }).retryAfterMs, 30_000);
  assert.equal(classify({ ...limited, retryAfter: "soon" }).retryAfterMs, 9_000);
  const dated = { ...limited, retryAfter: "Sun, 15 Nov 2026 12:30:00 GMT" };
  assert.equal(classify(dated).resetAt, "2026-11-15T12:30:00.000Z");
  const stderr = "bash: cartctl: command not found\nplease try again in 9s";
  assert.equal(classify({ stderr }).retryAfterMs, undefined);
});
