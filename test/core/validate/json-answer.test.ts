// proves: E9, U15, J17
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { validateJsonAnswer } from "../../../src/core/validate/json-answer.ts";
import { anyText } from "../repair/any-text.ts";

const SCHEMA = { type: "object", required: ["a"], properties: { a: { type: "number" } } };
const ONLY_JSON = "Answer with ONLY valid JSON: no Markdown, no code fence, no explanation.";

for (const [name, raw, value, repaired] of [
  ["bare", '{"a": 1}', { a: 1 }, false],
  ["with space around", ' \n{"a": 1}\n ', { a: 1 }, false],
  ["in a fence", '```json\n{"a": 1}\n```', { a: 1 }, false],
  ["in a fence without language", '```\n{"a": 1}\n```', { a: 1 }, false],
  ["in a fence of another language", '```json5 \n{"a": 1}\n```', { a: 1 }, false],
  ["in a fence on one line", '```json {"a": 1}```', { a: 1 }, false],
  ["in a fence with CRLF", '```json\r\n{"a": 1}\r\n```', { a: 1 }, false],
  ["in a fence that is never closed", 'So:\n```json\n{"a": 1}', { a: 1 }, false],
  ["in a longer fence", '````json\n{"a": 1}\n````', { a: 1 }, false],
  ["in a tilde fence", '~~~\n{"a": 1}\n~~~', { a: 1 }, false],
  ["in the second fence", '```sh\nls\n```\nand\n```\n{"a": 2}\n```', { a: 2 }, false],
  ["in prose", 'Here it is: {"a": 1}. Anything else?', { a: 1 }, false],
  ["after a citation", 'As in [1], {"a": 1}', { a: 1 }, false],
  ["the one that fits of several", '{"b": 1} {"a": 2} {"a": 3, "c": 4}', { a: 3, c: 4 }, false],
  ["the one that fits, though shorter", '{"b": 1, "long": "object"} {"a": 2}', { a: 2 }, false],
  [
    "with a fence inside a string",
    'x {"a": 1, "code": "```js\\n1\\n```"} y',
    { a: 1, code: "```js\n1\n```" },
    false,
  ],
  [
    "with brackets inside a string",
    'x {"a": 1, "t": "} ] \\" {"} y',
    { a: 1, t: '} ] " {' },
    false,
  ],
  ["with single quotes", "{'a': 1}", { a: 1 }, true],
  ["with a trailing comma", '{"a": 1,}', { a: 1 }, true],
  ["with bare keys", "{a: 1}", { a: 1 }, true],
  ["with comments", '{"a": 1 /* one */}', { a: 1 }, true],
  ["with Python words", '{"a": 1, "b": True, "c": None}', { a: 1, b: true, c: null }, true],
  ["with a comment of one line", '{"a": 1 // one }\n}', { a: 1 }, true],
  ["with a bracket in single quotes", "{'a': 1, 'b': '}'}", { a: 1, b: "}" }, true],
  ["with an apostrophe in a word", "{'a': 1, b: \"it's\"}", { a: 1, b: "it's" }, true],
  ["with quotes in quotes", '{"a": 1, "b": "say "hi" now"}', { a: 1, b: 'say "hi" now' }, true],
  ["with a list that is not closed inside", '{"a": 1, "b": [1, 2}', { a: 1, b: [1, 2] }, true],
  ["broken in a fence that is never closed", "So:\n```json\n{a: 1,}", { a: 1 }, true],
  ["whole, before one that is cut off", '{"a": 1} and {"b": 2', { a: 1 }, false],
  ["broken in a fence in prose", "Sure!\n```json\n{a: 1,}\n```\nDone.", { a: 1 }, true],
  ["broken in prose", "Sure: {'a': 1} and done", { a: 1 }, true],
] as const)
  test(`valid: ${name}`, () => {
    assert.deepEqual(validateJsonAnswer(raw, SCHEMA), { valid: true, value, repaired });
  });

/** An answer that ends before its JSON does, wherever that is: nothing of it may reach anybody. */
for (const [name, raw] of [
  ["in a string", '{"a": 1, "b": "drop tab'],
  ["in a string, after an escape", '{"a": 1, "b": "drop \\'],
  ["in a key", '{"a": 1, "li'],
  ["after a key", '{"a": 1, "list"'],
  ["after a colon", '{"a": 1, "list":'],
  ["in a number", '{"a": 12'],
  ["in a list", '{"a": 1, "list": [1, 2'],
  ["after a comma", '{"a": 1,'],
  ["after a comma in a list", '[{"a": 1}, {"a": 2},'],
  ["in a word", '{"a": 1, "b": tru'],
  ["before the last bracket", '{"a": 1, "b": {"c": 2}'],
  ["behind a part that would fit", '{"list": [{"a": 1}, {"a": 2}], "b'],
  ["in a fence", 'So:\n```json\n{"a": 1, "b": [\n```\nThat was all.'],
  ["in a fence that is cut off too", 'So:\n```json\n{"a": 1, "b": ['],
  ["with single quotes", "{'a': 1, 'b': 'drop tab"],
  ["in a comment", '{"a": 1 /* one }'],
  ["with a bracket in the string", '{"a": 1, "b": "a } ] b'],
] as const)
  test(`malformed: cut off ${name}`, () => {
    for (const schema of [SCHEMA, undefined])
      assert.deepEqual(validateJsonAnswer(raw, schema), {
        valid: false,
        repaired: false,
        error: "Invalid JSON: it ends before its JSON does",
        suggestion: ONLY_JSON,
      });
  });

test("no beginning of an answer is an answer, in prose or not", () => {
  const objects = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
  const prose = fc.constantFrom("", "Here it is: ", "```json\n");
  fc.assert(
    fc.property(
      objects,
      prose,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (value, said, share) => {
        const whole = JSON.stringify(value);
        const cut = whole.slice(0, Math.floor(share * (whole.length - 1)));
        assert.equal(validateJsonAnswer(said + cut).valid, false, cut);
      },
    ),
  );
});

test("without a schema: whatever is JSON, objects before arrays, the longest first", () => {
  const value = (raw: string): unknown => validateJsonAnswer(raw).value;
  assert.equal(value("7"), 7);
  assert.equal(value('"text"'), "text");
  assert.equal(value("null"), null);
  assert.deepEqual(value("[1, 2]"), [1, 2]);
  assert.deepEqual(value('see [1, 2, 3, 4, 5, 6] or {"a": 1}'), { a: 1 });
  assert.deepEqual(value('{"a": 1} or {"b": 22}'), { b: 22 });
  assert.deepEqual(value('{"longest": "outside"}\n```\n[1]\n```'), [1]);
});

for (const raw of [
  "",
  "   ",
  "hello",
  "I think [sic] is right",
  "use {this} or {that}",
  "{",
  "[",
  "```\n```",
  "}{",
])
  test(`invalid: ${JSON.stringify(raw)} is no JSON`, () => {
    const verdict = validateJsonAnswer(raw);
    assert.equal(verdict.valid, false);
    assert.equal(verdict.repaired, false);
    assert.equal(verdict.suggestion, ONLY_JSON);
    assert.match(verdict.error ?? "", /^Invalid JSON: ./);
    assert.ok(!("value" in verdict));
  });

for (const [raw, schema, error, suggestion] of [
  [
    '{"b": 1}',
    SCHEMA,
    "the answer must have required property 'a'",
    'Add the property "a" to the answer.',
  ],
  ['{"a": "1"}', SCHEMA, '"/a" must be number', 'Make "/a" of type "number", not string.'],
  ["[1]", SCHEMA, "the answer must be object", 'Make the answer of type "object", not array.'],
  ["null", SCHEMA, "the answer must be object", 'Make the answer of type "object", not null.'],
  [
    '{"x": {"y": true}}',
    { properties: { x: { properties: { y: { type: ["string", "null"] } } } } },
    '"/x/y" must be string,null',
    'Make "/x/y" of type ["string","null"], not boolean.',
  ],
  [
    '{"a": 1, "z": 2}',
    { ...SCHEMA, additionalProperties: false },
    "the answer must NOT have additional properties",
    'Remove the property "z" from the answer.',
  ],
  [
    '"c"',
    { enum: ["a", "b"] },
    "the answer must be equal to one of the allowed values",
    'Make the answer one of ["a","b"].',
  ],
  ['"c"', { const: "a" }, "the answer must be equal to constant", 'Make the answer exactly "a".'],
  ["5", { minimum: 6 }, "the answer must be >= 6", "Change the answer: it must be >= 6."],
  [
    "[1, 1]",
    { uniqueItems: true },
    "the answer must not hold the same item twice",
    "Change the answer: it must not hold the same item twice.",
  ],
  [
    '"b"',
    { pattern: "^a" },
    'the answer must match pattern "^a"',
    'Change the answer: it must match pattern "^a".',
  ],
  [
    '{"c": 1}',
    { required: ["a", "b"] },
    "the answer must have required property 'a'; the answer must have required property 'b'",
    'Add the property "a" to the answer. Add the property "b" to the answer.',
  ],
] as const)
  test(`invalid: ${raw} by ${JSON.stringify(schema).slice(0, 60)}`, () => {
    assert.deepEqual(validateJsonAnswer(raw, schema), {
      valid: false,
      repaired: false,
      error,
      suggestion,
      value: JSON.parse(raw) as unknown,
    });
  });

test("a repaired answer that does not fit says both", () => {
  const verdict = validateJsonAnswer("{'b': 1}", SCHEMA);
  assert.deepEqual(verdict, {
    valid: false,
    repaired: true,
    value: { b: 1 },
    error: "the answer must have required property 'a'",
    suggestion: 'Add the property "a" to the answer.',
  });
});

test("at most five complaints at once", () => {
  const verdict = validateJsonAnswer("{}", { required: ["a", "b", "c", "d", "e", "f", "g"] });
  assert.equal(verdict.error?.split("; ").length, 5);
});

test("unique items are compared by content, and only where it is asked for", () => {
  assert.equal(validateJsonAnswer('[{"a": 1}, {"a": 1}]', { uniqueItems: true }).valid, false);
  assert.equal(
    validateJsonAnswer('[{"a": 1}, {"a": 2}, "1", 1]', { uniqueItems: true }).valid,
    true,
  );
  assert.equal(validateJsonAnswer("[1, 1]", { uniqueItems: false }).valid, true);
});

test("schemas: old and new drafts, booleans, and promises do not hide a failure", () => {
  const tuple = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    prefixItems: [{ type: "string" }],
  };
  assert.equal(validateJsonAnswer("[1]", tuple).error, '"/0" must be string');
  assert.equal(validateJsonAnswer('["x"]', tuple).valid, true);
  const older = { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] };
  assert.equal(validateJsonAnswer("[1]", older).error, '"/0" must be string');
  const oldest = {
    $schema: "http://json-schema.org/draft-04/schema#",
    items: { type: "string" },
  };
  assert.equal(validateJsonAnswer("[1]", oldest).error, '"/0" must be string');
  assert.equal(validateJsonAnswer('["x"]', oldest).valid, true);
  assert.equal(validateJsonAnswer("1", true).valid, true);
  assert.equal(validateJsonAnswer("1", false).error, "the answer boolean schema is false");
  assert.equal(
    validateJsonAnswer("1", { $async: true, type: "string" }).error,
    "the answer must be string",
  );
  assert.equal(validateJsonAnswer('"x"', { type: "string", format: "date" }).valid, true);
});

for (const [schema, expected] of [
  [{ type: "nonsense" }, /type/],
  [{ $ref: "https://evil.example/schema.json" }, /can't resolve reference https:\/\/evil\.example/],
  [{ pattern: "(" }, /regular expression|Invalid/i],
  [7, /expected a JSON Schema/],
  [[], /expected a JSON Schema/],
  [null, /expected a JSON Schema/],
  ["x", /expected a JSON Schema/],
] as const)
  test(`a schema that cannot be used is a value: ${JSON.stringify(schema)}`, () => {
    const verdict = validateJsonAnswer("{}", schema);
    assert.equal(verdict.valid, false);
    assert.equal(verdict.repaired, false);
    assert.equal(verdict.error, "The schema cannot be used.");
    assert.match(verdict.schemaError ?? "", expected);
  });

test("a schema that never ends is a value too", () => {
  let deep: unknown = {};
  for (let level = 0; level < 20_000; level += 1) deep = { properties: { a: deep } };
  assert.ok(validateJsonAnswer("{}", deep).schemaError !== undefined);
  const verdict = validateJsonAnswer("{}", {
    $defs: { a: { $ref: "#/$defs/a" } },
    $ref: "#/$defs/a",
  });
  assert.equal(verdict.valid, false);
});

test("__proto__ is neither obeyed nor handed on", () => {
  for (const raw of [
    '{"__proto__": {"polluted": 1}, "a": 1}',
    '{"a": 1, "n": {"__proto__": {"polluted": 1}}}',
    "{'a': 1, '__proto__': {polluted: 1}}",
  ]) {
    const { valid, value } = validateJsonAnswer(raw, SCHEMA);
    assert.equal(valid, true);
    assert.ok(!JSON.stringify(value).includes("polluted"));
    assert.equal((value as { polluted?: number }).polluted, undefined);
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  }
});

test("hostile size and depth are refused, not suffered", () => {
  const size = 20_000;
  const deep = validateJsonAnswer(`${"[".repeat(201)}${"]".repeat(201)}`);
  assert.deepEqual(deep, {
    valid: false,
    repaired: false,
    error: "Invalid JSON: nested deeper than 200 levels",
    suggestion: ONLY_JSON,
  });
  assert.equal(validateJsonAnswer(`${"[".repeat(200)}${"]".repeat(200)}`).valid, true);
  for (const raw of [
    "[".repeat(size),
    '{"a":'.repeat(size / 5),
    `{"a":${'"'.repeat(size)}`,
    '{"'.repeat(size / 2),
    "```\n".repeat(size / 4),
    '```\n{"'.repeat(size / 6),
    `[${"/*".repeat(4000)}`,
    `{"a":"${'\n"x'.repeat(3000)}`,
    "\0".repeat(size),
    "\ud800{",
    'x{"a" '.repeat(size / 6),
  ])
    assert.equal(validateJsonAnswer(raw, SCHEMA).valid, false);
  const long = validateJsonAnswer(`[${"1,".repeat(500_000)}1]`);
  assert.equal(long.error, "The answer has 1000003 characters; at most 1000000 are read.");
  assert.equal(long.suggestion, "Answer with less.");
  assert.equal(validateJsonAnswer(`{'a': 1, 'b': '${"x".repeat(40_000)}'}`, SCHEMA).valid, false);
  assert.equal(validateJsonAnswer(`{'a': 1, 'b': '${"x".repeat(30_000)}'}`, SCHEMA).valid, true);
});

test("whatever JSON a model wraps in prose or fences comes out as it went in", () => {
  const json = fc.dictionary(
    fc.string({ minLength: 1 }).filter((key) => key !== "__proto__"),
    fc.jsonValue({ maxDepth: 3 }),
    { noNullPrototype: true },
  );
  const wrap = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `Here you are:\n\`\`\`json\n${text}\n\`\`\`\nBye.`,
    (text) => `I found ${text} in the end.`,
  );
  fc.assert(
    fc.property(json, wrap, (value, around) => {
      const expected: unknown = JSON.parse(JSON.stringify(value), (key, one: unknown) =>
        key === "__proto__" ? undefined : one,
      );
      const verdict = validateJsonAnswer(around(JSON.stringify(value)));
      assert.deepEqual(verdict, { valid: true, value: expected, repaired: false });
    }),
  );
});

test("never throws, and is valid only with a value that fits", () => {
  const text = fc.array(
    fc.oneof(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        '"',
        ":",
        ",",
        "a",
        "1",
        "```",
        "\n",
        "'",
        "\\",
        "/*",
        "//",
        "null",
      ),
      anyText(4),
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(text, (parts) => {
      const { valid, value } = validateJsonAnswer(parts.join(""), SCHEMA);
      if (valid) assert.equal(typeof (value as { a: unknown }).a, "number");
    }),
    { numRuns: 30 },
  );
});
