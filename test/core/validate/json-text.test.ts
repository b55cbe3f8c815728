// proves: E9, J17
import assert from "node:assert/strict";
import { test } from "node:test";
import { validateJsonAnswer } from "../../../src/core/validate/json-answer.ts";
import { findJson, MAX_ANSWER_CHARS } from "../../../src/core/validate/json-text.ts";
import { parseStrict } from "../../../src/core/validate/strict-json.ts";

const found = (text: string, repaired: boolean): unknown[] =>
  findJson(text)
    .candidates.filter((candidate) => candidate.repaired === repaired)
    .map(({ value }) => value);
const fence = (inner: string, language = ""): string => `\`\`\`${language}\n${inner}\n\`\`\``;

test("JSON and nothing else is the one find, whatever blanks stand around it", () => {
  for (const text of ['{"a":1}', ' \n{"a":1}\t', '\u00a0{"a":1}\ufeff'])
    assert.deepEqual(findJson(text), {
      candidates: [{ value: { a: 1 }, repaired: false }],
      error: "",
    });
});

const STRICT: readonly [string, string, readonly unknown[]][] = [
  ["a fence", fence("5"), [5]],
  ["a fence with a language", fence("5", "json"), [5]],
  ["a fence with a long language", fence("5", "objective-c++.v2#"), [5]],
  ["a language with blanks behind it", "```json \t\r\n5\n```", [5]],
  ["a fence on one line", "```5```", [5]],
  ["a fence that is not closed", "so:\n```json\n55", [55]],
  ["blanks of all sorts inside", fence("\u00a05\u00a0"), [5]],
  ["two fences", `${fence("1")}\ntext\n${fence("2")}`, [1, 2]],
  ["a fence of words", fence("so it is"), []],
  ["an object in prose, whole", 'x {"a": {"b": 1}} y', [{ a: { b: 1 } }]],
  ["a list in prose, whole", "x [1, [2, 3]] y", [[1, [2, 3]]]],
  ["a bracket in a string", 'x {"a": "}"} y', [{ a: "}" }]],
  ["a quote in a string", 'x {"a": "\\"}"} y', [{ a: '"}' }]],
  ["a backslash at a string's end", 'x {"a": "\\\\"} y', [{ a: "\\" }]],
  ["an open bracket of prose before it", 'x [ see {"a": 1}', [{ a: 1 }]],
  ["a list that is cut off after it", 'x [ {"a": 1}', []],
  ["an open string after it", 'x {"a": 1} {"b', [{ a: 1 }]],
  ["an object before a longer list", 'x [1,2,3,4] {"a":1} y', [{ a: 1 }, [1, 2, 3, 4]]],
  ["and so in the other order", 'x {"a":1} [1,2,3,4] y', [{ a: 1 }, [1, 2, 3, 4]]],
  ["the longer of two lists", "x [1] [2,3]", [[2, 3], [1]]],
  ["brackets of prose", "as he said [sic] {so}", []],
];
for (const [name, text, values] of STRICT)
  test(`JSON in an answer: ${name}`, () => {
    assert.deepEqual(found(text, false), values);
  });

const REPAIRED: readonly [string, string, readonly unknown[]][] = [
  ["names without quotes", "x {a: 1} y", [{ a: 1 }]],
  ["blanks before and after a name", "{   a : 1}", [{ a: 1 }]],
  ["cut off", 'Here: {"a": 1, "b": [1, 2', []],
  ["cut off after an inner object", '{"a": {"b": 1} , "c": 2', []],
  ["a link in a bare word", "{a: http://b.example/c}", [{ a: "http://b.example/c" }]],
  ["prose with commas and quotes behind it", '{a: 1} and then, "so": it is', [{ a: 1 }]],
  ["nothing to mend", "no JSON here", []],
  ["what cannot be mended", '{"a" 1 : 2', []],
  ["what is mended into something too deep", `{a: ${"[".repeat(201)}`, []],
  ["brackets of prose", "x [sic] y", []],
];
for (const [name, text, values] of REPAIRED)
  test(`broken JSON in an answer: ${name}`, () => {
    assert.deepEqual(found(text, true), values);
  });

test("how much is looked at: fifty fences, twenty brackets, three repairs of 32,000 characters", () => {
  const many = (count: number, part: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => part(index)).join("\n");
  const fences = (count: number) =>
    found(
      many(count, (index) => fence(String(index))),
      false,
    );
  assert.deepEqual([fences(50).length, fences(51).length], [50, 50]);
  const brackets = (count: number) => found(`x ${many(count, (index) => `[${index}]`)}`, false);
  assert.deepEqual([brackets(20).length, brackets(21).length], [20, 20]);
  const broken = (count: number) =>
    found(
      many(count, (index) => fence(`{a: ${index}}`)),
      true,
    );
  assert.deepEqual(broken(2).length, 3, "each of them, and the text as a whole");
  assert.deepEqual(broken(5), [{ a: 0 }, { a: 1 }, { a: 2 }]);
  const words = many(3, () => fence("words"));
  assert.deepEqual(found(`${words}\n${fence("{a: 1}")}`, true)[0], { a: 1 }, "words do not count");
  const sized = (length: number) => `{a: "${"x".repeat(length - 7)}"}`;
  assert.equal(sized(32_000).length, 32_000);
  assert.deepEqual([found(sized(32_000), true).length, found(sized(32_001), true).length], [1, 0]);
});

test("two hundred levels are read, one more is refused before anything recursive sees it", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  const objects = (depth: number): string => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
  const tooDeep = { ok: false, error: "nested deeper than 200 levels" };
  for (const deep of [nested, objects]) {
    assert.equal(parseStrict(deep(200)).ok, true);
    assert.deepEqual(parseStrict(deep(201)), tooDeep);
  }
  const wide = `[${Array.from({ length: 300 }, () => '[{"a":1}]').join(",")}]`;
  assert.equal(parseStrict(wide).ok, true, "what was closed is not deep");
  assert.equal(parseStrict(`"${"]}".repeat(300)}${"[".repeat(200)}"`).ok, true);
  assert.deepEqual(parseStrict(`"${"]".repeat(300)}${"[".repeat(201)}"`), tooDeep);
  assert.equal(parseStrict(`"${"a".repeat(5000)}"`).ok, true);
});

test("an answer of a million characters is read, a longer one is not", () => {
  const answer = (length: number): string => `"${"x".repeat(length - 2)}"`;
  assert.equal(validateJsonAnswer(answer(MAX_ANSWER_CHARS)).valid, true);
  assert.deepEqual(validateJsonAnswer(answer(MAX_ANSWER_CHARS + 1)), {
    valid: false,
    repaired: false,
    error: "The answer has 1000001 characters; at most 1000000 are read.",
    suggestion: "Answer with less.",
  });
});

test("without a schema any JSON is an answer", () => {
  assert.deepEqual(validateJsonAnswer("[1]"), { valid: true, value: [1], repaired: false });
});

test("where it ends is found in linear time, whatever brackets, quotes and slashes there are", () => {
  for (const part of ["[", "{[", "[}", '{"', "{'", "{//", "{/*", "[/", '["],', "{]"])
    assert.ok(findJson(part.repeat(300_000 / part.length)).error !== "", part);
});
