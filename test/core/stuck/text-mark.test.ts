// Results are compared without what changes from run to run; counts and places stay.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { join, markOfExact, markOfResult } from "../../../src/core/stuck/text-mark.ts";

const SAME: readonly (readonly [string, string])[] = [
  ["at 2026-11-15T02:37:32.606Z it failed", "at 2025-01-01 01:02:03 it failed"],
  ["[15/Nov/2026:02:37:32 +0000] GET /", "[15/Nov/2026:03:40:01 +0000] GET /"],
  ["started 10:20:30, ended 10:20:31.5", "started 11:02:03, ended 11:02:04.25"],
  ["on 01/02/2026 at last", "on 17/11/2025 at last"],
  ["passed in 0.34s", "passed in 12.5s"],
  ["took 5 seconds", "took 61 seconds"],
  ["Time:        1.234 s", "Time:  11.2 s"],
  ["after 1m23s", "after 59s"],
  ["elapsed 00:12", "elapsed 01:47"],
  ["pid 123 died", "pid 99123 died"],
  ["(pid=12)", "(pid=4)"],
  ["cron[4711]: bad", "cron[12]: bad"],
  ["(node:123) Warning", "(node:98765) Warning"],
  ["attempt 3/5 failed", "attempt 4/5 failed"],
  ["Retry #2", "Retry #3"],
  ["commit a1b2c3d made", "commit f9e8d7c made"],
  [
    "session 550e8400-e29b-41d4-a716-446655440000 lost",
    "session 12345678-aaaa-4bbb-8ccc-1234567890ab lost",
  ],
  ["at 0x7ffe12 in main", "at 0x55 in main"],
  ["token req_01HZX3A9B2C7D4 used", "token req_07KQW8M2N5P1R3 used"],
  ["wrote /tmp/abc/x.log ok", "wrote /tmp/zz-9/y ok"],
  ["in /var/folders/x1/T/run: no", "in /var/folders/b7/T/other: no"],
  ["listening on 127.0.0.1:43817", "listening on 127.0.0.1:55000"],
  ["at epoch 1794710333658 now", "at epoch 1794710399999 now"],
  ['{"messageId": "om_0"}', '{"messageId": "om_17"}'],
  ['{"id":"room-1"}', '{"id":"room-22"}'],
  ['{"durationMs":12,"ok":true}', '{"durationMs":9999,"ok":true}'],
  ['{"startedAt": 5, "n": 1}', '{"startedAt": 6, "n": 1}'],
  ["request_id=a1 done", "request_id=b27 done"],
  ["done  \n", "done"],
];

describe("the same but for what is volatile", () => {
  for (const [one, other] of SAME)
    test(one, () => assert.equal(markOfResult(one), markOfResult(other)));
});

const DIFFERENT: readonly (readonly [string, string])[] = [
  ["40 failed", "39 failed"],
  ["[10%] compiling", "[20%] compiling"],
  ["line 1", "line 2"],
  ["page 0", "page 1"],
  ["revision 3", "revision 4"],
  ["error TS2300: x", "error TS2301: x"],
  ["src/a.ts:12:34 bad", "src/a.ts:12:35 bad"],
  ["src/a.ts:12:34 bad", "src/a.ts:13:34 bad"],
  ["valid 3", "valid 4"],
  ["grid: 3", "grid: 4"],
  ["format: 3", "format: 4"],
  ["3/10", "4/10"],
  ["v1.2.3", "v1.2.4"],
  ["port 8080", "port 8081"],
  ["2026", "2027"],
  ["abc", "abd"],
  ["a b", "ab"],
  ["", "x"],
];

describe("not the same", () => {
  for (const [one, other] of DIFFERENT)
    test(`${one} / ${other}`, () => assert.notEqual(markOfResult(one), markOfResult(other)));
});

test("marks are whole numbers below 2^53, for every text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      for (const mark of [markOfResult(text), markOfExact(text)])
        assert.ok(Number.isSafeInteger(mark) && mark >= 0);
      assert.equal(markOfResult(text), markOfResult(text.slice(0)));
    }),
  );
});

test("any two texts of letters that differ have different marks", () => {
  const letters = fc.stringMatching(/^[a-z ]{1,80}$/).map((text) => text.trim());
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      fc.pre(one !== other);
      assert.notEqual(markOfResult(one), markOfResult(other));
      assert.notEqual(markOfExact(one), markOfExact(other));
    }),
  );
});

test("volatile pieces anywhere in any text make no difference", () => {
  const words = fc.stringMatching(/^[a-z,.;]{1,12}$/);
  const piece = fc
    .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 9999 }))
    .chain(([a, b]) =>
      fc.constantFrom<[string, string]>(
        [`${a}ms`, `${b}ms`],
        [`pid ${a}`, `pid ${b}`],
        [`2026-01-02 03:04:${10 + (a % 50)}`, `2026-03-04 05:06:${10 + (b % 50)}`],
        [`attempt ${a}`, `attempt ${b}`],
      ),
    );
  fc.assert(
    fc.property(fc.array(fc.tuple(words, piece), { maxLength: 12 }), (parts) => {
      const text = (side: 0 | 1): string =>
        parts.map(([word, pair]) => `${word} ${pair[side]}`).join(" ");
      assert.equal(markOfResult(text(0)), markOfResult(text(1)));
    }),
  );
});

test("very long texts are compared by both ends, in bounded time", () => {
  const long = (start: string, end: string): string => start + "x".repeat(3_000_000) + end;
  assert.equal(markOfResult(long("a", "b")), markOfResult(long("a", "b")));
  assert.notEqual(markOfResult(long("a", "b")), markOfResult(long("c", "b")));
  assert.notEqual(markOfResult(long("a", "b")), markOfResult(long("a", "c")));
  assert.notEqual(markOfExact(long("a", "b")), markOfExact(long("a", "c")));
});

test("joining depends on the order", () => {
  assert.notEqual(join(1, 2), join(2, 1));
  assert.equal(join(1, 2), join(1, 2));
});

const letters = (length: number): string => "abcdefghijklmnopqrstuvwxyz".repeat(2).slice(0, length);

test("a volatile piece is found at every place, after and before texts of every length", () => {
  for (let before = 0; before <= 40; before += 1)
    for (let after = 0; after <= 10; after += 1) {
      const text = (piece: string): string => `${letters(before)} ${piece} ${letters(after)}`;
      assert.equal(markOfResult(text("5ms")), markOfResult(text("17.25 s")), text("5ms"));
      assert.notEqual(markOfResult(text("5ms")), markOfResult(text("5")), text("5"));
    }
});

test("every byte around a volatile piece counts, and so does how many there are", () => {
  for (let length = 1; length <= 40; length += 1) {
    const marks = new Set<number>();
    for (let at = 0; at < length; at += 1) {
      const changed = `${letters(at)}#${letters(length).slice(at + 1)}`;
      marks.add(markOfResult(changed)).add(markOfResult(`${changed} 5ms`));
      marks.add(markOfResult(`5ms ${changed}`)).add(markOfResult(`5ms ${changed} 5ms`));
    }
    assert.equal(marks.size, 4 * length, `${length} bytes`);
  }
  const zeros = Array.from({ length: 20 }, (_, count) => markOfResult(`${"\0".repeat(count)}x`));
  assert.equal(new Set(zeros).size, zeros.length);
});

test("what stood in the text before never counts", () => {
  const short = ["", "7", "pid 7", "in 5", "at 10:20:3", "/tmp/a", "0x", "ab"];
  const first = short.map(markOfResult);
  for (const text of ["s 12ms /tmp/x ", "0:30 pid ", "3f 9:20:30Z"])
    short.forEach((each, index) => {
      markOfResult(text.repeat(20));
      assert.equal(markOfResult(each), first[index], each);
    });
});
