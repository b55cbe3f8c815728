// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import { hashText } from "../../src/core/hash.ts";

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
