// Piece by piece: what is left out of a result when results are compared, where such a piece ends,
// and what looks like one and is not.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { encode, SCRATCH, TABLES, TEXT_START } from "../../../src/core/stuck/bytes.ts";
import { createRecent } from "../../../src/core/stuck/recent.ts";
import { markOfResult } from "../../../src/core/stuck/text-mark.ts";
import { numberEnd, tokenEnd } from "../../../src/core/stuck/volatile.ts";

/** The volatile piece that begins with the first token that holds a digit; empty for none. */
function pieceOf(text: string): string {
  const { bytes } = SCRATCH;
  const { DIGITS, WORD_BYTES } = TABLES;
  const textEnd = encode(text);
  let digit = TEXT_START;
  while (digit < textEnd && DIGITS[bytes[digit]!] === 0) digit += 1;
  let start = digit;
  while (WORD_BYTES[bytes[start - 1]!] === 1) start -= 1;
  let end = digit;
  while (WORD_BYTES[bytes[end]!] === 1) end += 1;
  const isNumber = bytes.slice(start, end).every((byte) => DIGITS[byte] === 1);
  const last = isNumber ? numberEnd(start, end) : tokenEnd(start, end);
  return last === 0 ? "" : new TextDecoder().decode(bytes.slice(start, last));
}

const PIECES: readonly (readonly [string, string])[] = [
  ["on 2026-11-15 at", "2026-11-15"],
  ["on 2026-11-15T10:20:30Z at", "2026-11-15T10:20:30Z"],
  ["on 2026-11-15 10:20:30 at", "2026-11-15 10:20:30"],
  ["on 2026-11-15_10:20:30.123456 at", "2026-11-15_10:20:30.123456"],
  ["on 2026-11-15T10:20:30,5+02:00 at", "2026-11-15T10:20:30,5+02:00"],
  ["on 2026-11-15T10:20:30 -0700 at", "2026-11-15T10:20:30 -0700"],
  ["on 2026-11-15T10:20 at", "2026-11-15"],
  ["on 2026-11-155 at", ""],
  ["on 2026-11 at", ""],
  ["at 9:20:30 it", "9:20:30"],
  ["at 10:20:30, it", "10:20:30"],
  ["at 10:20:30. It", "10:20:30"],
  ["at 10:20:30 +2 it", "10:20:30"],
  ["at 10:20 it", ""],
  ["at 10:2:30 it", ""],
  ["at 10:20:3 it", ""],
  ["x.10:20:30 it", ""],
  ["on 15/11/2026 it", "15/11/2026"],
  ["on 15/11/26 it", ""],
  ["on 150/11/2026 it", ""],
  ["on 15/1/2026 it", ""],
  ["Nov/2026:02:37:32 +0000]", "2026:02:37:32 +0000"],
  ["running (session exec-7, it", "7"],
  ["session 12 it", "12"],
  ["version exec-7 it", ""],
  ["took 5ms it", "5ms"],
  ["in 12.5 s it", "12.5 s"],
  ["in 12.5 seconds it", "12.5 seconds"],
  ["in 3 min.", "3 min"],
  ["in 5 milliseconds it", "5 milliseconds"],
  ["in 5 S it", "5 S"],
  ["in 5  s it", ""],
  ["in 5 sheep it", ""],
  ["in 5 millisecondsx it", ""],
  ["in 5 s3 it", ""],
  ["in 1m23s it", "1m23s"],
  ["in 2h5m it", "2h5m"],
  ["in 2h5 it", ""],
  ["in 2hh it", ""],
  ["in 2d5m it", ""],
  ["at 1794710333 now", "1794710333"],
  ["at 1794710333658 now", "1794710333658"],
  ["at 1234567890 now", ""],
  ["at 17947103331 now", ""],
  ["at 2794710333 now", ""],
  ["no 1234567890123456 now", "1234567890123456"],
  ["no 123456789012345 now", ""],
  ["at 0x7ffe12 in", "0x7ffe12"],
  ["at 0X1F in", "0X1F"],
  ["is 12x8 in", ""],
  ["commit a1b2c3d made", "a1b2c3d"],
  ["commit 1a2b3c4 made", "1a2b3c4"],
  ["commit A1B2C3D made", "A1B2C3D"],
  ["commit x-a1b2c3 made", ""],
  ["commit g1b2c3d made", ""],
  ["commit 12345678 made", ""],
  ["id 550e8400-e29b-41d4-a716-446655440000 x", "550e8400-e29b-41d4-a716-446655440000"],
  ["no 12345678-e29b-41d4-a716-446655440000 x", "12345678-e29b-41d4-a716-446655440000"],
  ["no 12345678-e29z-41d4-a716-446655440000 x", ""],
  ["no 12345678-e29b-41d4-a716-44665544000 x", ""],
  ["no 12345678-e29b-41d4_a716-446655440000 x", ""],
  ["token req_01HZX3A9B2C7D4 used", "req_01HZX3A9B2C7D4"],
  ["name handler12of34and56 used", "handler12of34and56"],
  ["name handler12of34 used", ""],
  ["name gb12cd34ef5 used", ""],
  ["on 127.0.0.1:43817 up", ""],
  ["on localhost:43817 up", "43817"],
  ["on [::x]:43817 up", "43817"],
  ["on localhost:32768 up", "32768"],
  ["on localhost:65535 up", "65535"],
  ["on localhost:32767 up", ""],
  ["on localhost:65536 up", ""],
  ["on localhost: 43817 up", ""],
  ["is :43817 up", ""],
  ["cron[4711]: bad", "4711"],
  ["cron[4711: bad", ""],
  ["cron[4]: bad", ""],
  [" [4711]: bad", ""],
  ["(node:4711) bad", "4711"],
  ["(node:4711] bad", ""],
  ["elapsed 00:12 it", "00:12"],
  ["elapsed: 01:00:12 it", "01:00:12"],
  ["elapsed 5:1 it", "5"],
  ["elapsed 5.25:10 it", "5.25:10"],
  ["elapsed 100:02:03:04:05 it", "100:02:03:04"],
  ["0.123456789012345s it", "0.123456789012345s"],
  ["0.1234567890123456s it", ""],
  ["2:03:04.1234567890 it", "2:03:04.1234567890"],
  ["2:03:04.12345678901 it", "2:03:04.1234567890"],
  ["2:03:04z it", "2:03:04"],
  ["2:03:04+02:0 it", "2:03:04"],
  ["99:20:30 it", "99:20:30"],
  ["1 us", "1 us"],
  ["1 hours", "1 hours"],
  ["1 n", ""],
  ["1.ms", ""],
  ["11", ""],
  ["", ""],
];

describe("where a volatile piece ends", () => {
  for (const [text, piece] of PIECES) test(text, () => assert.equal(pieceOf(text), piece));
});

const LABELLED: readonly (readonly [string, boolean])[] = [
  ["pid 47", true],
  ["PID 47", true],
  ["pid: 47", true],
  ["pid=47", true],
  ["(pid 47)", true],
  ['"pid": "47"', true],
  ["retry #4", true],
  ["attempt   47", true],
  ["attempt     47", false],
  ["rapid 47", false],
  ["my.pid 47", false],
  ["a_pid 47", false],
  ["id: 47", true],
  ["id 47", false],
  ["userId: 47", true],
  ["user_id=47", true],
  ["userid: 47", false],
  ["valid: 47", false],
  ["startedAt: 47", true],
  ["format: 47", false],
  ["at: 47", true],
  ["waitMs: 47", true],
  ["items: 47", false],
  ["startTime: 47", true],
  ["start_time=47", true],
  ["sometime: 47", false],
  ["etag: 47", true],
  ["guid: 47", true],
  ["stage: 47", false],
  ["count: 47", false],
  ["duration_ms 47", true],
  ["averylongnamethatgoesonpid 47", false],
  ['{"id": "room-47"}', true],
  ['{"id": "a.b-47"}', true],
  ['{"name": "room-47"}', false],
  ["pid room-47", false],
];

describe("values that a key before them makes volatile", () => {
  for (const [text, volatile] of LABELLED)
    test(text, () => {
      const other = text.replace("4", "5");
      assert.equal(markOfResult(text) === markOfResult(other), volatile);
    });
});

test("white space around a piece goes with it, and nothing else does", () => {
  assert.equal(markOfResult("a 5ms b"), markOfResult("a   12ms  b"));
  assert.notEqual(markOfResult("a 5ms b"), markOfResult("a 5ms, b"));
  assert.notEqual(markOfResult("a 5ms b"), markOfResult("a 5ms b 5ms"));
  assert.notEqual(markOfResult("a 5ms b"), markOfResult("5ms a b"));
  assert.equal(markOfResult("5ms"), markOfResult("7ms"));
  assert.notEqual(markOfResult("5ms"), markOfResult(""));
});

test("paths below a temporary folder, up to where they end", () => {
  const same = (one: string, other: string): boolean => markOfResult(one) === markOfResult(other);
  for (const end of [" x", '" x', "' x", ": x", ", x", ") x", "\nx"])
    assert.ok(same(`in /tmp/a${end}`, `in /tmp/bcd/e${end}`), end);
  assert.ok(same("in /var/folders/ab/cd x", "in /var/folders/e/f x"));
  assert.ok(same("/tmp/a and /tmp/b end", "/tmp/c and /tmp/d end"));
  assert.ok(!same("in /tmp/a x", "in /tmp/a y"));
  assert.ok(!same("in /tmpa/b x", "in /tmpa/c x"));
  assert.ok(!same("in /var/files/b x", "in /var/files/c x"));
  assert.ok(!same("in /opt/a x /tmp/b", "in /opt/c x /tmp/b"));
});

test("a bounded memory keeps what was used last", () => {
  const recent = createRecent<string>(3);
  for (const key of [1, 2, 3, 4, 5]) recent.set(key, `v${key}`);
  assert.deepEqual([recent.get(5), recent.get(4)], ["v5", "v4"]);
  for (let key = 10; key < 17; key += 1) {
    recent.set(key, "x");
    assert.equal(recent.get(5), "v5", "what is read stays");
  }
  assert.equal(recent.get(4), undefined);
  assert.equal(recent.get(1), undefined);
  recent.delete(5);
  assert.equal(recent.get(5), undefined);
  recent.clear();
  assert.equal(recent.get(16), undefined);
});
