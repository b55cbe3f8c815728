// proves: J32, U1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseReset } from "../../../src/core/classify/reset-time.ts";
import { unstuck } from "../../cli/command.ts";

const BERLIN = "Europe/Berlin";
const NEW_YORK = "America/New_York";

/** Seen at (UTC), in a zone, these words mean this instant (UTC). Clocks change between most of them. */
const CASES = [
  // Autumn: Berlin goes back at 2026-10-25 01:00 UTC, New York at 2026-11-01 06:00 UTC.
  [BERLIN, "2026-10-24T20:00Z", "resets 3am", "2026-10-25T02:00Z"],
  [BERLIN, "2026-10-24T20:00Z", "resets 1am", "2026-10-24T23:00Z"],
  [BERLIN, "2026-10-24T20:00Z", "resets 9am", "2026-10-25T08:00Z"],
  [BERLIN, "2026-10-24T20:00Z", "resets Oct 28 at 9am", "2026-10-28T08:00Z"],
  [BERLIN, "2026-10-24T20:00Z", "try again at 2026-10-26 09:30", "2026-10-26T08:30Z"],
  [BERLIN, "2026-10-24T20:00Z", "resets Mon 9am", "2026-10-26T08:00Z"],
  [BERLIN, "2026-10-24T20:00Z", "resets 2:30am", "2026-10-25T00:30Z"],
  [BERLIN, "2026-10-25T01:10Z", "resets 2:30am", "2026-10-25T01:30Z"],
  [BERLIN, "2026-10-25T02:10Z", "resets 2:30am", "2026-10-26T01:30Z"],
  [BERLIN, "2026-10-25T09:00Z", "resets 11pm", "2026-10-25T22:00Z"],
  [NEW_YORK, "2026-11-01T01:00Z", "resets 3am", "2026-11-01T08:00Z"],
  [NEW_YORK, "2026-11-01T01:00Z", "resets 9am", "2026-11-01T14:00Z"],
  [NEW_YORK, "2026-10-30T15:00Z", "resets Nov 3, 9am", "2026-11-03T14:00Z"],
  [NEW_YORK, "2026-10-30T15:00Z", "try again at Nov 2nd, 2026 3:05 PM", "2026-11-02T20:05Z"],
  [NEW_YORK, "2026-11-01T01:00Z", "resets 1:30am", "2026-11-01T05:30Z"],
  [NEW_YORK, "2026-11-01T06:05Z", "resets 1:30am", "2026-11-01T06:30Z"],
  // Spring: New York goes forward at 2026-03-08 07:00 UTC, Berlin at 2026-03-29 01:00 UTC.
  [NEW_YORK, "2026-03-07T20:00Z", "resets 3am", "2026-03-08T07:00Z"],
  [NEW_YORK, "2026-03-07T20:00Z", "resets 9am", "2026-03-08T13:00Z"],
  [NEW_YORK, "2026-03-07T20:00Z", "resets 2:30am", "2026-03-08T07:30Z"],
  [NEW_YORK, "2026-03-06T20:00Z", "resets tomorrow 11pm", "2026-03-08T04:00Z"],
  [BERLIN, "2026-03-28T20:00Z", "resets 3am", "2026-03-29T01:00Z"],
  [BERLIN, "2026-03-28T20:00Z", "resets 9am", "2026-03-29T07:00Z"],
  [BERLIN, "2026-03-28T20:00Z", "resets 2:30am", "2026-03-29T01:30Z"],
  [BERLIN, "2026-03-28T20:00Z", "resets Mar 30 at 9am", "2026-03-30T07:00Z"],
  // A zone that the text names, and one that never changes.
  [BERLIN, "2026-10-24T20:00Z", "resets 9am (America/New_York)", "2026-10-25T13:00Z"],
  ["Asia/Tokyo", "2026-10-24T20:00Z", "resets 9am", "2026-10-25T00:00Z"],
] as const;

test("a clock time without a zone goes by the rules that hold where it is read, at the time it names", () => {
  for (const [timeZone, seen, words, meant] of CASES) {
    const { resetAt } = parseReset(words, { observedAt: Date.parse(seen), timeZone });
    const wanted = new Date(meant).toISOString();
    assert.equal(resetAt, wanted, `${timeZone}, seen at ${seen}: ${words}`);
  }
});

test("a zone without a name goes by its offset, and a name that nobody knows by the offset beside it", () => {
  const observedAt = Date.parse("2026-10-24T20:00Z");
  const at = (zone: object): string | undefined =>
    parseReset("resets 9am", { observedAt, ...zone }).resetAt;
  assert.equal(at({ utcOffsetMinutes: 120 }), "2026-10-25T07:00:00.000Z");
  assert.equal(at({ utcOffsetMinutes: 120, timeZone: "No/Where" }), "2026-10-25T07:00:00.000Z");
  assert.equal(at({ utcOffsetMinutes: 120, timeZone: BERLIN }), "2026-10-25T08:00:00.000Z");
  assert.equal(at({ timeZone: "EST5EDT" }), "2026-10-25T13:00:00.000Z");
  assert.equal(at({}), "2026-10-25T09:00:00.000Z");
});

test("whatever the day and the zone, the reset is within a day or so and its clock shows the time", () => {
  const zones = fc.constantFrom(BERLIN, NEW_YORK, "Australia/Lord_Howe", "America/St_Johns", "UTC");
  const days = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
  fc.assert(
    fc.property(zones, days, fc.integer({ min: 4, max: 11 }), (timeZone, observedAt, hour) => {
      const { resetAt = "" } = parseReset(`resets ${hour}am`, { observedAt, timeZone });
      const reset = Date.parse(resetAt);
      assert.ok(reset > observedAt - 120_000 && reset <= observedAt + 25 * 3_600_000);
      const clock = new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", hour12: true });
      assert.equal(clock.format(reset).replace(/\s/g, ""), `${hour}AM`);
    }),
  );
});

test("the command goes by the zone of the machine", () => {
  for (const [timeZone, seen, words, meant] of [CASES[0], CASES[12], CASES[16], CASES[23]]) {
    const evidence = {
      tool: "agent_cli",
      message: `You've hit your limit · ${words}`,
      observedAt: Date.parse(seen),
    };
    const ran = unstuck(["classify", "--json"], {
      input: JSON.stringify(evidence),
      env: { TZ: timeZone },
    });
    const { kind, resetAt } = JSON.parse(ran.out) as { kind: string; resetAt: string };
    assert.deepEqual([kind, resetAt], ["rate_limited", new Date(meant).toISOString()], ran.out);
  }
});
