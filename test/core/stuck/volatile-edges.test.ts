// Results that differ only in what changes from run to run are the same result; here the edges: every
// word that makes a number volatile, and texts that miss a volatile form by one character.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { join, markOfExact, markOfResult } from "../../../src/core/stuck/text-mark.ts";

const same = (one: string, other: string): boolean => markOfResult(one) === markOfResult(other);

describe("words that make a number volatile", () => {
  const units =
    "ns us ms s sec secs second seconds min mins minute minutes hour hours millisecond milliseconds";
  for (const unit of units.split(" "))
    test(`3 ${unit}`, () => {
      assert.ok(same(`in 3 ${unit}, x`, `in 45 ${unit}, x`));
      assert.ok(same(`in 3${unit}, x`, `in 45${unit}, x`));
      assert.ok(!same(`in 3 q${unit}, x`, `in 4 q${unit}, x`));
    });
  const labels =
    "pid ppid tid process attempt attempts retry retries try elapsed took duration timestamp ts " +
    "nonce durationms duration_ms elapsedms elapsed_ms latencyms latency_ms uptime session";
  for (const label of labels.split(" "))
    test(`${label} 3`, () => {
      assert.ok(same(`${label} 3, x`, `${label} 45, x`));
      assert.ok(same(`${label.toUpperCase()}=3, x`, `${label.toUpperCase()}=45, x`));
      assert.ok(!same(`q${label} 3, x`, `q${label} 4, x`));
    });
  for (const key of ["id", "at", "ms", "time", "uuid", "guid", "uid", "etag", "messageId"])
    test(`${key}: 3`, () => {
      assert.ok(same(`"${key}": 3, x`, `"${key}": 45, x`));
      assert.ok(same(`${key}=3, x`, `${key}=45, x`));
    });
});

/** The same but for what is volatile. */
const SAME: readonly (readonly [string, string])[] = [
  ["at 1400000001, x", "at 1400000002, x"],
  ["at 1794710333, x", "at 1794710444, x"],
  ["x a1g2h3zzzzzz y", "x b4k5m6qqqqqq y"],
  ["x g1h2k3333333 y", "x p4q5r6777777 y"],
  ["x 1g2h3kkkkkkk y", "x 4p5q6rrrrrrr y"],
  ['"id": "room.47"', '"id": "room.57"'],
  [`"id": "${"r".repeat(30)}-47"`, `"id": "${"r".repeat(30)}-57"`],
  ["elapsed 00:12 x", "elapsed 01:13 x"],
  ["cron[4711] x", "cron[12] x"],
  ["(node:4711) x", "(node:12) x"],
];

/** One character away from a volatile form: what differs says something. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ["at 1399999998, x", "at 1399999999, x"],
  ["on 2026-1a-15 x", "on 2027-1a-15 x"],
  ["on 2026-a1-15 x", "on 2027-a1-15 x"],
  ["on 2026-11:15 x", "on 2027-11:15 x"],
  ["on 2026-11-1x x", "on 2027-11-1x x"],
  ["on 2026-11-xx x", "on 2027-11-xx x"],
  ["on 2026-11-15,10:20:30 x", "on 2026-11-15 10:20:30 x"],
  ["on 2026-11-15 :20:30 x", "on 2026-11-15 :21:30 x"],
  ["on 2026-11-15 10.20:30 x", "on 2026-11-15 11.20:30 x"],
  ["at 10:2x:30 y", "at 11:2x:30 y"],
  ["at 10:20.30 y", "at 11:20.30 y"],
  ["at 10:20:30 =0200 x", "at 10:20:30 =0300 x"],
  ["at 10:20:30 -ab12 x", "at 10:20:30 -ab13 x"],
  ["on 15/1x/2026 y", "on 16/1x/2026 y"],
  ["on 15/11-2026 y", "on 16/11-2026 y"],
  ["in 2026/10:20:30 x", "in 2027/10:20:30 x"],
  ["x:10:20:30 y", "x:11:20:30 y"],
  ["elapsed 5. Next", "elapsed 5 Next"],
  ["elapsed 00/12 x", "elapsed 00/13 x"],
  ["cron[4711) x", "cron[4712) x"],
  ["cron[43817 x", "cron[43818 x"],
  ["x a1b2c3d-e29b-41d4-a716-446655440000 y", "x a1b2c3d-e29c-41d4-a716-446655440000 y"],
  ["x a1g2h3zzzzz y", "x b4k5m6qqqqq y"],
  ["x g1h2kkkkkkkk y", "x g1h3kkkkkkkk y"],
  ["x 1g2h33333333 y", "x 1g2h44444444 y"],
  ["x g1h2kkkkkkkk 1 a 2 b y", "x g1h2mmmmmmmm 1 a 2 b y"],
  ["in a5 ms x", "in a6 ms x"],
  ['"id": "a/47"', '"id": "a/57"'],
  [`"id": "${"r".repeat(45)}-47"`, `"id": "${"r".repeat(45)}-57"`],
  ["id:@room-47", "id:@room-57"],
  ["averyveryverylongnameId: 47", "averyveryverylongnameId: 57"],
];

describe("edges", () => {
  for (const [one, other] of SAME)
    test(`the same: ${one.slice(0, 50)}`, () => assert.ok(same(one, other)));
  for (const [one, other] of DIFFERENT)
    test(`not the same: ${one.slice(0, 50)}`, () => assert.ok(!same(one, other)));
});

describe("paths below a temporary folder", () => {
  for (const mark of ['"', "'", ":", ",", ")", " ", "\n"])
    test(`end before ${JSON.stringify(mark)}`, () => {
      assert.ok(same(`in /tmp/a${mark}b x`, `in /tmp/c/d${mark}b x`));
      assert.ok(!same(`in /tmp/a${mark}b x`, `in /tmp/a${mark}c x`));
    });
  for (const folder of [
    "/amp",
    "/tap",
    "/tma",
    "/tmpa",
    "xtmp",
    "/xar/folders",
    "/var/xolders",
    "/var/folderss",
    "/var/log",
  ])
    test(`${folder} is none, also beside one`, () =>
      assert.ok(!same(`in ${folder}/a x /tmp/q`, `in ${folder}/b x /tmp/q`)));
  test("several, and at the very end", () => {
    assert.ok(same("in /tmp/a and /var/folders/b/c", "in /tmp/d/e and /var/folders/f"));
    assert.ok(!same("in /tmp/a and /tmp/b", "in /tmp/a or /tmp/b"));
  });
});

describe("marks", () => {
  test("are whole numbers, none below zero", () => {
    for (const text of ["", "a", "abc 12ms", "x".repeat(41), "x".repeat(40_000)])
      for (const mark of [markOfResult(text), markOfExact(text), join(markOfExact(text), 1)])
        assert.ok(Number.isSafeInteger(mark) && mark >= 0, text.slice(0, 20));
  });
  test("of a text as it stands: every place counts, in texts of every length", () => {
    for (let length = 1; length <= 60; length += 1) {
      const marks = new Set<number>([markOfExact("a".repeat(length))]);
      for (let at = 0; at < length; at += 1)
        marks.add(markOfExact(`${"a".repeat(at)}b${"a".repeat(length - at - 1)}`));
      assert.equal(marks.size, length + 1, `${length}`);
    }
  });
  test("of two marks: both count, small and large", () => {
    for (const [from, to] of [
      [1, 31],
      [33, 52],
    ] as const) {
      const seen = new Set<number>();
      for (let bit = from; bit <= to; bit += 1) {
        seen.add(join(2 ** bit, 1));
        seen.add(join(1, 2 ** bit));
      }
      assert.equal(seen.size, 2 * (to - from + 1));
    }
  });
});
