// proves: E8
import assert from "node:assert/strict";
import { test } from "node:test";
import { guardedPattern } from "../../../src/core/validate/schema.ts";
import { validateJsonAnswer } from "../../../src/core/validate/json-answer.ts";

for (const [pattern, yes, no] of [
  ["^a+$", "aaa", "aab"],
  ["^[a-z]+-[0-9]{2,4}$", "ab-123", "ab-1"],
  ["^(?:ab)*$", "abab", "aba"],
  ["^(?<year>\\d{4})-\\d{2}$", "2026-01", "2026-1"],
  ["^(cat|dog)$", "dog", "cow"],
  ["^[()*+|\\]]+$", "(*)]", "a"],
  ["^\\(\\*\\)$", "(*)", "x"],
  ["^(a)(b)?$", "ab", "b"],
  ["^https?://", "https://x", "ftp://x"],
  ["^[^]]$", "a]", "a"],
] as const)
  test(`${pattern} is tested`, () => {
    const guarded = guardedPattern(pattern, "");
    assert.equal(guarded.test(yes), true);
    assert.equal(guarded.test(no), false);
  });

for (const [pattern, text] of [
  ["^(a+)+$", "x"],
  ["^(a|a)*$", "x"],
  ["^(?:a|ab)+$", "x"],
  ["^(?<n>a+)+$", "x"],
  ["^((a)+b)*$", "x"],
  ["^((a|b))*$", "x"],
  ["^(a*){2,}$", "x"],
  ["^(a)\\1$", "x"],
  ["^(?<n>a)\\k<n>$", "x"],
  ["^(?=a)b$", "x"],
  ["^(?!a)x$", "a"],
  ["(?<=a)b", "x"],
  ["(?<!a)b", "x"],
  [`^${"a".repeat(1000)}$`, "x"],
] as const)
  test(`${pattern.slice(0, 30)} is not tested: it could explode or looks around`, () => {
    assert.equal(guardedPattern(pattern, "").test(text), true);
  });

test("a pattern of up to a thousand characters is tested", () => {
  assert.equal(guardedPattern(`^${"a".repeat(999)}`, "").test("x"), false);
  assert.equal(guardedPattern(`^${"a".repeat(1000)}`, "").test("x"), true);
});

test("a text too long for the number of repeats is not tested", () => {
  assert.equal(guardedPattern("^a+$", "").test("b".repeat(3162)), false);
  assert.equal(guardedPattern("^a+$", "").test("b".repeat(3163)), true);
  assert.equal(guardedPattern("^a+a+$", "").test("b".repeat(215)), false);
  assert.equal(guardedPattern("^a+a+$", "").test("b".repeat(216)), true);
  assert.equal(guardedPattern("^a", "").test("b".repeat(1_000_000)), false);
});

test("what is no regular expression throws, so that the schema is refused", () => {
  assert.throws(() => guardedPattern("(", ""), SyntaxError);
  assert.throws(() => guardedPattern("\\p{Nonsense}", "u"), SyntaxError);
});

test("two patterns of one schema are told apart", () => {
  assert.equal(String(guardedPattern("^a", "u")), "/^a/u");
  const schema = { properties: { x: { pattern: "^a" }, y: { pattern: "^b" } } };
  assert.equal(
    validateJsonAnswer('{"x": "a", "y": "a"}', schema).error,
    '"/y" must match pattern "^b"',
  );
});

test("a pattern made to explode costs nothing", () => {
  const text = JSON.stringify(`${"a".repeat(60_000)}!`);
  for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^a*a*a*a*a*$", "(x+x+)+y"])
    assert.equal(validateJsonAnswer(text, { type: "string", pattern }).valid, true);
});
