// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hashNumber, hashPair, hashRanges, hashText } from "../../src/core/hash.ts";

test("the digits of a text never change: signatures of old runs stay comparable", () => {
  for (const [text, digits] of [
    ["", "c223ada330a00dd6"],
    ["a", "71aaf07017bbb24b"],
    ["b", "3c0ec1085adcf81b"],
    ["ab", "0707024159ddcc89"],
    ["ba", "a33e26002a424f3f"],
    ["permission denied", "34c95fa9c5c135e2"],
    ["x".repeat(1000), "064eb0824ac7e4f6"],
    ["\u{1f6d2}", "3d1d2e48e8338ed7"],
  ] as const)
    assert.equal(hashText(text), digits, text.slice(0, 20));
});

test("ten thousand near texts have ten thousand hashes of sixteen digits", () => {
  const hashes = new Set(Array.from({ length: 10_000 }, (_, n) => hashText(`line ${n}`)));
  assert.equal(hashes.size, 10_000);
  for (const hash of hashes) assert.match(hash, /^[\da-f]{16}$/);
});

test("numbers are whole, below 2^53 and none below zero, for every text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      for (const hash of [hashNumber(text), hashPair(hashNumber(text), 1)])
        assert.ok(Number.isSafeInteger(hash) && hash >= 0);
    }),
  );
});

test("every place counts, in texts of every length", () => {
  for (let length = 1; length <= 60; length += 1) {
    const hashes = new Set([hashNumber("a".repeat(length))]);
    for (let at = 0; at < length; at += 1)
      hashes.add(hashNumber(`${"a".repeat(at)}b${"a".repeat(length - at - 1)}`));
    assert.equal(hashes.size, length + 1, `${length}`);
  }
  const long = (end: string): string => `${"x".repeat(3_000_000)}${end}`;
  assert.notEqual(hashNumber(long("b")), hashNumber(long("c")));
});

test("of ranges, what is in them counts and where one ends", () => {
  assert.equal(hashRanges("xaby", [1, 3]), hashNumber("ab"));
  assert.notEqual(hashRanges("abc", [0, 1, 1, 3]), hashRanges("abc", [0, 2, 2, 3]));
  assert.notEqual(hashRanges("abc", [0, 1, 2, 3]), hashRanges("abc", [0, 1, 1, 2]));
});

test("of two numbers both count, small and large, and their order", () => {
  assert.notEqual(hashPair(1, 2), hashPair(2, 1));
  for (const [from, to] of [
    [1, 31],
    [33, 52],
  ] as const) {
    const seen = new Set<number>();
    for (let bit = from; bit <= to; bit += 1)
      seen.add(hashPair(2 ** bit, 1)).add(hashPair(1, 2 ** bit));
    assert.equal(seen.size, 2 * (to - from + 1));
  }
});
