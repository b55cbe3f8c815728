// proves: D1
import assert from "node:assert/strict";
import { test } from "node:test";
import { wallDate, zoneNamed } from "../../../src/core/classify/time-zones.ts";

test("zones: minutes east of UTC, as the calendar of the place has them", () => {
  const winter = Date.UTC(2026, 0, 1, 0, 0, 59, 999);
  const summer = Date.UTC(2026, 6, 1, 22, 30);
  for (const [name, inWinter, inSummer] of [
    ["UTC", 0, 0],
    ["z", 0, 0],
    ["pst", -480, -480],
    ["CEST", 120, 120],
    ["+02:00", 120, 120],
    ["-0330", -210, -210],
    ["+2", 120, 120],
    ["utc+2", 120, 120],
    ["GMT-5:30", -330, -330],
    ["+14:00", 840, 840],
    ["Europe/Berlin", 60, 120],
    ["America/St_Johns", -210, -150],
    ["Asia/Kolkata", 330, 330],
    ["Etc/GMT+5", -300, -300],
    ["America/Argentina/Buenos_Aires", -180, -180],
  ] as const) {
    const offset = zoneNamed(name);
    assert.deepEqual([offset?.(winter), offset?.(summer)], [inWinter, inSummer], name);
  }
  for (const name of [
    "",
    "Japan",
    "cart",
    "+14:01",
    "+15",
    "2",
    "+2x",
    "x+2",
    "UTC2",
    "Middle/Nowhere",
    "/",
    "1Europe/Berlin",
  ])
    assert.equal(zoneNamed(name), undefined, name);
});

test("abbreviations, with and without summer time", () => {
  const HOURS = {
    ...{ UTC: 0, GMT: 0, WET: 0, WEST: 1, BST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3 },
    ...{ IST: 5.5, JST: 9, KST: 9, AEST: 10, AEDT: 11 },
    ...{ EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  };
  for (const [name, hours] of Object.entries(HOURS))
    assert.equal(zoneNamed(name)?.(0), hours * 60, name);
});

test("the calendar day of a zone turns at its own midnight", () => {
  const eve = Date.UTC(2026, 11, 31, 23, 30);
  const shown = (minutes: number): string =>
    wallDate(eve, () => minutes)
      .toISOString()
      .slice(0, 16);
  assert.deepEqual(
    [shown(0), shown(60), shown(-1440)],
    ["2026-12-31T23:30", "2027-01-01T00:30", "2026-12-30T23:30"],
  );
});
