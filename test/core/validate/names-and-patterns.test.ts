// proves: E8
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nearestName } from "../../../src/core/validate/nearest-name.ts";
import { guardedPattern } from "../../../src/core/validate/schema.ts";
import { validateToolCall } from "../../../src/core/validate/tool-call.ts";

const LETTERS = ["a", "b", "c"];
const words = (length: number): string[] =>
  length === 0 ? [""] : words(length - 1).flatMap((word) => LETTERS.map((char) => word + char));

/** Everything one slip away: a letter too many, too few, another one, or two neighbours swapped. */
function slips(word: string): Set<string> {
  const all = new Set([word]);
  for (let at = 0; at <= word.length; at += 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    for (const char of LETTERS) all.add(head + char + tail).add(head + char + tail.slice(1));
    all.add(head + tail.slice(1));
    all.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
  }
  return all;
}

test("of three or four letters one may be wrong: against every word of two to five", () => {
  const others = [2, 3, 4, 5].flatMap(words);
  for (const asked of ["abca", "aabb", "abab", "cbaa", "abc"]) {
    const near = slips(asked);
    for (const name of others)
      assert.equal(
        nearestName(asked, [name]),
        near.has(name) ? name : undefined,
        `${asked} ${name}`,
      );
  }
});

test("the nearest wins, of equals the first; nothing is near to nothing", () => {
  assert.equal(nearestName("read_fle", ["reads", "read_files", "read_file"]), "read_file");
  assert.equal(nearestName("abcd", ["abce", "abcf"]), "abce");
  assert.equal(nearestName("", ["a", ""]), undefined);
  assert.equal(nearestName("--", ["--"]), undefined);
  assert.equal(nearestName("ab", ["ac"]), undefined, "two letters allow no slip");
  assert.equal(nearestName("abcdef", ["abcdxy"]), "abcdxy", "six allow two");
  assert.equal(nearestName("abcdef", ["abcxyz"]), undefined);
});

test("only the first five hundred names, and of each the first 64 characters, are looked at", () => {
  const filler = Array.from({ length: 499 }, (_, index) => `zzzzzzzz${index}`);
  assert.equal(nearestName("read", [...filler, "raed"]), "raed");
  assert.equal(nearestName("read", [...filler, "zz", "raed"]), undefined);
  const long = "a".repeat(64);
  assert.equal(nearestName(long + "b".repeat(60), [long]), long);
});

const tested = [
  "^(a|b)$",
  "^(a)+$",
  "^(?:a)+$",
  "^(?<name>a)+$",
  "^(a\\|b)+$",
  "^([a|b])+$",
].concat(
  ["^([\\]|])+$", "^(ab)[cd]+$", "^\\\\1$", "^[(?=]$", "^[(?<=]$", "^\\d+$", "^a{2,3}$"],
  ["^(ab)(c|d)$", "^a+?b*$"],
);
const passedOver = [
  "^(a|b)+$",
  "^(?:a|b)*$",
  "^(?<n>a|b)+$",
  "^((a|b)c)+$",
  "^(((a|b)x)+)$",
].concat(
  ["^(a+)+$", "^(a{12})+$", "^(a{3})+$", "^(a{2,34})+$", "^(a{2,})+$", "^(a?){9}$", "^((a*))?$"],
  [
    "^(?=z)z",
    "^(?!a)q",
    "(?<=z)z",
    "(?<!!)z",
    "^(a)\\1$",
    "^(?<n>a)\\k<n>$",
    `^${"a".repeat(1000)}$`,
  ],
);

describe("patterns of schemas", () => {
  for (const source of tested)
    test(`${source} is tested`, () => {
      assert.equal(guardedPattern(source, "u").test("!"), false);
    });
  for (const source of passedOver)
    test(`${source.slice(0, 40)} is passed over: everything matches`, () => {
      assert.equal(guardedPattern(source, "u").test("!"), true);
    });
  test("a pattern of a thousand characters is tested, a longer one not", () => {
    assert.equal(guardedPattern(`^${"a".repeat(999)}`, "u").test("!"), false);
    assert.equal(guardedPattern(`^${"a".repeat(1000)}`, "u").test("!"), true);
  });
  test("the more repeats, the shorter the text that is tested", () => {
    const limit = (source: string, length: number) =>
      guardedPattern(source, "u").test("!".repeat(length));
    assert.deepEqual([limit("^a*$", 3162), limit("^a*$", 3163)], [false, true]);
    assert.deepEqual([limit("^a*b*$", 215), limit("^a*b*$", 216)], [false, true]);
    const six = "^a*b*c*d*e*f*$";
    assert.deepEqual([limit(six, 9), limit(six, 10)], [false, true]);
  });
});

const TOOLS = [{ name: "read", schema: { type: "object", required: ["path"] } }, { name: "list" }];
const call = { name: "list", arguments: {} };

test("a hundred calls at once, not more; a million characters, not more", () => {
  const calls = (count: number) =>
    validateToolCall(
      Array.from({ length: count }, () => call),
      TOOLS,
    );
  assert.equal(calls(100).valid, true);
  assert.deepEqual(calls(101), {
    valid: false,
    repaired: false,
    error: "More than 100 calls at once.",
    suggestion: "Send fewer calls.",
  });
  const text = (length: number): string => JSON.stringify(call).padEnd(length, " ");
  assert.equal(validateToolCall(text(1_000_000), TOOLS).valid, true);
  assert.equal(validateToolCall(text(1_000_001), TOOLS).error, "The call is too long.");
});

test("a list with one call in it is taken for calls, and its other entries are refused by number", () => {
  const text = `first {"note": 1}, then ${JSON.stringify([call, 5])}`;
  assert.equal(validateToolCall(text, TOOLS).error, "Call 2 is not a tool call.");
});

test("arguments as text: nothing is no argument", () => {
  for (const args of ["", "  ", "{}"])
    assert.deepEqual(validateToolCall({ name: "list", arguments: args }, TOOLS), {
      valid: true,
      value: [{ tool: "list", args: {} }],
      repaired: false,
    });
});

test("a tool whose schema cannot be used is said to be that", () => {
  const verdict = validateToolCall(call, [{ name: "list", schema: 5 }]);
  assert.deepEqual(verdict, {
    valid: false,
    repaired: false,
    schemaError: "expected a JSON Schema: an object or true or false",
    error: "The schema of list cannot be used.",
  });
});
