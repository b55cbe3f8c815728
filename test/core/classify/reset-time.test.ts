// proves: D1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import { parseDuration, parseReset, resetOf } from "../../../src/core/classify/reset-time.ts";
import type { Reset } from "../../../src/core/classify/reset-time.ts";
import type { Evidence } from "../../../src/core/evidence.ts";

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

test("fields in milliseconds and bare seconds, as servers write them", () => {
  for (const [text, ms] of [
    ["retryAfterMs=2500", 2_500],
    ["retry-after-ms:2500", 2_500],
    [`"retry_after_ms": "2500.5"`, 2_501],
    ["'retry-after-ms' : '12'", 12],
    ["retry-after-ms = 7", 7],
    ["retry after 20", 20_000],
    ["Retry after 1234, please", 1_234_000],
    ["retry-after: 34560000", 34_560_000_000],
    ["retry-after-ms: 34560000000", 34_560_000_000],
    ["try again in 400 days", 34_560_000_000],
    ["retry-after-ms: 5 and try again in 9s", 5],
    ["retry-after: 30, try again in 9s", 9_000],
  ] as const)
    assert.equal(delay(text), ms, text);
  for (const text of [
    "retry after 20 carts",
    "retry after 20x",
    "retry after 20.5",
    "retry after 12:30",
    "retry after",
    "retry-after: 34560001",
    "retry-after-ms: 34560000001",
    "try again in 401 days",
    "retry-after-ms carts 5",
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

test("an ISO time without a zone is local, a bare day begins in UTC", () => {
  for (const [text, offset, iso] of [
    ["resets at 2026-11-15 18:00", 60, "2026-11-15T17:00:00.000Z"],
    ["resets at 2026-11-15 18:00", -60, "2026-11-15T19:00:00.000Z"],
    ["resets at 2026-11-15 18:00", 900, "2026-11-15T04:00:00.000Z"],
    ["resets at 2026-11-15 18:00", -900, "2026-11-16T08:00:00.000Z"],
    ["resets at 2026-11-15 18:00Z", 60, "2026-11-15T18:00:00.000Z"],
    ["resets at 2026-11-15 18:00-0330", 60, "2026-11-15T21:30:00.000Z"],
    ["resets at 2026-11-15 18:00+15:00", 60, "2026-11-15T17:00:00.000Z"],
    ["resets on 2026-12-01", 60, "2026-12-01T00:00:00.000Z"],
    ["resets at 2026-11-15 23:59 UTC", 0, "2026-11-15T23:59:00.000Z"],
  ] as const)
    assert.equal(at(text, offset), iso, text);
  for (const text of [
    "resets on 2026-00-10",
    "resets on 2026-13-10",
    "resets on 2026-11-00",
    "resets on 2026-11-99",
    "resets at 2026-11-15 24:00",
    "resets at 2026-11-15 12:60",
    "retry-after: Sun, 99 Nov 2026 12:30:00 GMT",
  ])
    assert.deepEqual(parseReset(text, { observedAt: NOON }), {}, text);
});

test("every month and every day of the week, whole or short", () => {
  const MONTHS =
    "January February March April May June July August September October November December";
  MONTHS.split(" ").forEach((month, index) => {
    const iso = `2027-${String(index + 1).padStart(2, "0")}-09T09:00:00.000Z`;
    assert.equal(at(`resets ${month} 9, 2027 at 9am`), iso);
    assert.equal(at(`resets 9 ${month.slice(0, 3)} 2027 9:00`), iso);
  });
  const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday";
  DAYS.split(" ").forEach((day, index) => {
    const iso = `2026-11-${15 + index}T15:00:00.000Z`;
    assert.equal(at(`resets ${day} 3pm`), iso);
    assert.equal(at(`resets ${day.slice(0, 3)} at 15:00`), iso);
  });
});

test("a weekday is the next one, seen from any day", () => {
  const wednesday = Date.UTC(2026, 10, 18, 12, 0);
  for (const [text, day] of [
    ["Wednesday 3pm", 18],
    ["Thursday 9am", 19],
    ["Saturday 9am", 21],
    ["Sunday 9am", 22],
    ["Monday 9am", 23],
    ["Tuesday 9am", 24],
    ["Wednesday 9am", 25],
  ] as const)
    assert.match(at(`resets ${text}`, 0, wednesday) ?? "", new RegExp(`^2026-11-${day}T`), text);
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
  assert.equal(at("resets at noon"), "2026-11-15T12:00:00.000Z");
  assert.equal(at("resets 11:58am"), "2026-11-16T11:58:00.000Z", "two minutes ago is past");
  assert.equal(at("resets today at 9am"), "2026-11-16T09:00:00.000Z");
  assert.equal(at("resets today at 3pm"), "2026-11-15T15:00:00.000Z");
  assert.equal(at("resets Sunday 3pm"), "2026-11-15T15:00:00.000Z");
  assert.equal(at("resets 0:30am"), "2026-11-16T00:30:00.000Z");
  assert.equal(at("resets 23:59"), "2026-11-15T23:59:00.000Z");
  assert.equal(at("resets 12:60"), undefined);
  assert.equal(at("resets 24:00"), undefined);
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
  assert.equal(at("resets Nov 20"), "2026-11-20T00:00:00.000Z");
  assert.equal(at("resets Nov 20, 25:00"), "2026-11-20T00:00:00.000Z", "a day is still a day");
  assert.equal(at("resets Nov 20, 24:00"), "2026-11-20T00:00:00.000Z");
  assert.equal(at("resets Nov 20, 12:60"), "2026-11-20T00:00:00.000Z");
  assert.equal(at("resets Nov 20, 13pm"), "2026-11-20T00:00:00.000Z");
  assert.equal(at("resets Nov 0, 9am"), undefined);
  assert.equal(at("resets Oct 16, 12:01pm"), "2026-10-16T12:01:00.000Z", "not yet 30 days ago");
  assert.equal(at("resets Oct 16, 12pm"), "2027-10-16T12:00:00.000Z");
  assert.equal(at("resets Jan 2, 2026, 9am"), "2026-01-02T09:00:00.000Z");
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

test("an observation time that no calendar has says nothing", () => {
  assert.notEqual(at("resets 3pm", 0, 8e15), undefined);
  assert.equal(at("resets 3pm", 0, 8e15 + 1), undefined);
  assert.equal(at("resets 3pm", 0, -8e15 - 1), undefined);
  const late = parseReset("resets at 9999-12-31 23:59 UTC", {});
  assert.equal(late.resetAt, "9999-12-31T23:59:00.000Z");
});

test("of a text the first 6,000 characters are read", () => {
  assert.equal(delay(`${" ".repeat(5_985)}retry-after: 30`), 30_000);
  assert.equal(delay(`${" ".repeat(6_000)}retry-after: 30`), undefined);
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

test("without a header: the deciding text, the provider's message, then the ends of the others", () => {
  const wait = (seconds: number): string => `try again in ${seconds}s`;
  const all = {
    providerError: { message: wait(1) },
    message: wait(2),
    stderr: wait(3),
    stdout: wait(4),
  };
  const of = (evidence: Evidence, text = ""): Reset => resetOf(evidence, "rate_limited", text);
  assert.deepEqual(of(all, wait(5)), { retryAfterMs: 5_000 });
  assert.deepEqual(of(all, "no time"), { retryAfterMs: 1_000 });
  assert.deepEqual(of({ ...all, providerError: {} }), { retryAfterMs: 2_000 });
  assert.deepEqual(of({ stderr: wait(3), stdout: wait(4) }), { retryAfterMs: 3_000 });
  assert.deepEqual(of({ stdout: wait(4) }), { retryAfterMs: 4_000 });
  assert.deepEqual(of({}), {});
  assert.deepEqual(of({ stderr: `${wait(3)}${" ".repeat(6_000)}` }), {});
  assert.deepEqual(of({ stderr: `${" ".repeat(6_000)}${wait(3)}` }), { retryAfterMs: 3_000 });
});

test("a header: seconds, a date, or nothing to go by", () => {
  const of = (retryAfter: unknown): Reset =>
    resetOf({ retryAfter, message: "try again in 9s" } as Evidence, "rate_limited", "");
  for (const [value, reset] of [
    ["5", { retryAfterMs: 5_000 }],
    [" 120 ", { retryAfterMs: 120_000 }],
    ["1.5", { retryAfterMs: 1_500 }],
    ["0", { retryAfterMs: 0 }],
    ["1500ms", { retryAfterMs: 1_500 }],
    ["90 s", { retryAfterMs: 90_000 }],
    ["Sun, 15 Nov 2026 12:30:09 GMT", { resetAt: "2026-11-15T12:30:09.000Z", resetIsExact: true }],
    ["2026-11-15T12:30:09Z", { resetAt: "2026-11-15T12:30:09.000Z", resetIsExact: true }],
    ["2026-11-15T12:30Z", { resetAt: "2026-11-15T12:30:00.000Z" }],
    ["30 carts", { retryAfterMs: 9_000 }],
    ["", { retryAfterMs: 9_000 }],
    [30, { retryAfterMs: 9_000 }],
    [`${" ".repeat(200)}5`, { retryAfterMs: 9_000 }],
  ] as const)
    assert.deepEqual(of(value), reset, String(value));
});

test("a time stamp before a message is no reset time", () => {
  const stamped = "2026-11-15T12:30:00Z the service is overloaded";
  assert.deepEqual(resetOf({ stderr: stamped }, "server_overloaded", stamped), {});
});

test("only failures that pass with time have one; clocks count where time and place are known", () => {
  const resets = "resets 3pm";
  const base = { message: resets, observedAt: NOON, utcOffsetMinutes: 60 };
  const PASSING = [
    "rate_limited",
    "server_overloaded",
    "server_error",
    "timeout",
    "network_error",
    "billing",
  ] as const;
  for (const kind of PASSING)
    assert.deepEqual(resetOf(base, kind, ""), { resetAt: "2026-11-15T14:00:00.000Z" }, kind);
  for (const kind of ["auth_required", "verification_failed", "unknown"] as const)
    assert.deepEqual(resetOf(base, kind, ""), {}, kind);
  const { utcOffsetMinutes: _, ...inUtc } = base;
  assert.deepEqual(resetOf(inUtc, "timeout", ""), { resetAt: "2026-11-15T15:00:00.000Z" });
  for (const wrong of [Number.NaN, "60", Number.POSITIVE_INFINITY]) {
    const nowhere = { ...base, utcOffsetMinutes: wrong } as Evidence;
    assert.deepEqual(resetOf(nowhere, "timeout", ""), { resetAt: "2026-11-15T15:00:00.000Z" });
    assert.deepEqual(resetOf({ ...base, observedAt: wrong } as Evidence, "timeout", ""), {});
  }
});

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
