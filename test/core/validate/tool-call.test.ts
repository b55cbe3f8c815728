// proves: E8
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nearestName } from "../../../src/core/validate/nearest-name.ts";
import { validateToolCall } from "../../../src/core/validate/tool-call.ts";
import { readToolSpecs, type ToolSpec } from "../../../src/core/validate/tool-specs.ts";

const TOOLS: readonly ToolSpec[] = [
  {
    name: "read_file",
    schema: {
      type: "object",
      required: ["path"],
      additionalProperties: false,
      properties: { path: { type: "string" }, lines: { type: "number" } },
    },
  },
  { name: "list_tools" },
];
const READ = { tool: "read_file", args: { path: "a" } };

for (const [name, raw] of [
  ["as text", '{"name": "read_file", "arguments": {"path": "a"}}'],
  ["as an object", { name: "read_file", arguments: { path: "a" } }],
  ["with arguments as JSON text", { name: "read_file", arguments: '{"path": "a"}' }],
  [
    "as OpenAI sends it",
    { type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } },
  ],
  ["as Anthropic sends it", { type: "tool_use", id: "1", name: "read_file", input: { path: "a" } }],
  ["as a hook gets it", { tool_name: "read_file", tool_input: { path: "a" } }],
  ["as tool and args", { tool: "read_file", args: { path: "a" } }],
  ["with parameters", { name: "read_file", parameters: { path: "a" } }],
  ["in a list", [{ name: "read_file", arguments: { path: "a" } }]],
  ["in tool_calls", { tool_calls: [{ name: "read_file", arguments: { path: "a" } }] }],
  ["in calls", { calls: [{ name: "read_file", arguments: { path: "a" } }] }],
  ["in a fence", 'I call:\n```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```'],
  [
    "beside other JSON",
    '{"thought": "a long one, longer than the call", "and": "more of it"} {"name": "read_file", "arguments": {"path": "a"}}',
  ],
] as const)
  test(`valid: a call ${name}`, () => {
    assert.deepEqual(validateToolCall(raw, TOOLS), { valid: true, value: [READ], repaired: false });
  });

test("valid: several calls, none, a tool without a schema, empty arguments", () => {
  const two = [{ name: "read_file", arguments: { path: "a" } }, { name: "list_tools" }];
  assert.deepEqual(validateToolCall(two, TOOLS).value, [READ, { tool: "list_tools", args: {} }]);
  assert.deepEqual(validateToolCall("[]", TOOLS), { valid: true, value: [], repaired: false });
  assert.deepEqual(validateToolCall({ name: "list_tools", arguments: "" }, TOOLS).value, [
    { tool: "list_tools", args: {} },
  ]);
  assert.equal(validateToolCall({ name: "list_tools", arguments: { any: 1 } }, TOOLS).valid, true);
  assert.equal(validateToolCall({ name: "read_file", arguments: { path: "" } }, TOOLS).valid, true);
});

test("valid: a broken call that could be mended", () => {
  assert.deepEqual(validateToolCall("{name: 'read_file', arguments: {path: 'a',}}", TOOLS), {
    valid: true,
    value: [READ],
    repaired: true,
  });
});

const FORM = 'Send {"name": "<tool>", "arguments": {...}}, or a list of such objects.';
for (const [name, raw, error, suggestion] of [
  [
    "an invented tool",
    { name: "readfile" },
    "Unknown tool: readfile.",
    "Did you mean read_file? Available: read_file, list_tools.",
  ],
  [
    "a tool like no other",
    { name: "teleport" },
    "Unknown tool: teleport.",
    "Use one of: read_file, list_tools.",
  ],
  [
    "the name of a method",
    { name: "constructor" },
    "Unknown tool: constructor.",
    "Use one of: read_file, list_tools.",
  ],
  [
    "a missing argument",
    { name: "read_file", arguments: {} },
    "Arguments of read_file: the answer must have required property 'path'",
    'Add the property "path" to the answer.',
  ],
  [
    "a wrong type",
    { name: "read_file", arguments: { path: "a", lines: "3" } },
    'Arguments of read_file: "/lines" must be number',
    'Make "/lines" of type "number", not string.',
  ],
  [
    "an argument too many",
    { name: "read_file", arguments: { path: "a", x: 1 } },
    "Arguments of read_file: the answer must NOT have additional properties",
    'Remove the property "x" from the answer.',
  ],
  [
    "the second of two",
    [{ name: "list_tools" }, { name: "nope_nope" }],
    "Unknown tool: nope_nope.",
    "Use one of: read_file, list_tools.",
  ],
  ["no name", { arguments: {} }, "Call 1 is not a tool call.", FORM],
  ["a number", 7, "Call 1 is not a tool call.", FORM],
  ["nothing", null, "Call 1 is not a tool call.", FORM],
  ["a list in a list", [[{ name: "list_tools" }]], "Call 1 is not a tool call.", FORM],
  [
    "arguments that are a list",
    { name: "list_tools", arguments: [1] },
    "Call 1 is not a tool call.",
    FORM,
  ],
  [
    "arguments that are no JSON",
    { name: "list_tools", arguments: "{" },
    "Call 1 is not a tool call.",
    FORM,
  ],
  [
    "too many calls",
    Array.from({ length: 101 }, () => ({ name: "list_tools" })),
    "More than 100 calls at once.",
    "Send fewer calls.",
  ],
  ["a huge text", "x".repeat(1_000_001), "The call is too long.", "Send a shorter call."],
] as const)
  test(`invalid: ${name}`, () => {
    assert.deepEqual(validateToolCall(raw, TOOLS), {
      valid: false,
      repaired: false,
      error,
      suggestion,
    });
  });

test("invalid: prose", () => {
  const verdict = validateToolCall("I would rather not.", TOOLS);
  assert.equal(verdict.valid, false);
  assert.match(verdict.error ?? "", /^Invalid JSON: /);
  assert.equal(
    verdict.suggestion,
    "Answer with ONLY valid JSON: no Markdown, no code fence, no explanation.",
  );
});

test("a tool's schema that cannot be used is a value", () => {
  const verdict = validateToolCall({ name: "x" }, [
    { name: "x", schema: { $ref: "https://evil.example/s" } },
  ]);
  assert.equal(verdict.valid, false);
  assert.equal(verdict.error, "The schema of x cannot be used.");
  assert.match(verdict.schemaError ?? "", /evil\.example/);
});

test("arguments that go round in a circle do not bring the validator down", () => {
  const args: Record<string, unknown> = { name: "list" };
  args["next"] = args;
  const schema = {
    $defs: { node: { properties: { next: { $ref: "#/$defs/node" } } } },
    $ref: "#/$defs/node",
  };
  const verdict = validateToolCall({ name: "x", arguments: args }, [{ name: "x", schema }]);
  assert.equal(verdict.error, "Arguments of x: the answer cannot be checked");
  assert.equal(verdict.suggestion, "Nest it less deeply.");
});

test("an invented name is tamed before it is shown", () => {
  const verdict = validateToolCall({ name: `evil\u001b[2J\n# Orders ${"x".repeat(200)}` }, TOOLS);
  assert.match(verdict.error ?? "", /^Unknown tool: evil # Orders x{1,80}…\.$/);
});

test("a listed name is tamed too", () => {
  const evil = "do_every\u001b[2Jthing";
  const tools = [{ name: evil, schema: { required: ["a"] } }];
  assert.equal(
    validateToolCall({ name: "do_everything" }, tools).suggestion,
    "Did you mean do_everything? Available: do_everything.",
  );
  assert.match(
    validateToolCall({ name: evil }, tools).error ?? "",
    /^Arguments of do_everything: /,
  );
  const broken = validateToolCall({ name: evil }, [{ name: evil, schema: 7 }]);
  assert.equal(broken.error, "The schema of do_everything cannot be used.");
});

test("never throws, and never lets an unlisted tool pass", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.json(),
        fc.record({ name: fc.string(), arguments: fc.anything() }),
      ),
      (raw) => {
        const { valid, value } = validateToolCall(raw, TOOLS);
        if (valid)
          assert.ok(value?.every(({ tool }) => tool === "read_file" || tool === "list_tools"));
      },
    ),
  );
});

for (const [value, tools] of [
  [[{ name: "a", inputSchema: { type: "object" } }], [{ name: "a", schema: { type: "object" } }]],
  [{ tools: [{ name: "a", input_schema: true }] }, [{ name: "a", schema: true }]],
  [[{ type: "function", function: { name: "a", parameters: {} } }], [{ name: "a", schema: {} }]],
  [[{ name: "a", schema: 1, parameters: 2 }], [{ name: "a", schema: 1 }]],
  [
    ["a", { name: "b" }],
    [{ name: "a" }, { name: "b" }],
  ],
] as const)
  test(`tools are read from ${JSON.stringify(value)}`, () => {
    assert.deepEqual(readToolSpecs(value), { ok: true, tools });
  });

for (const [value, place, problem] of [
  [7, "", "expected a list of tools"],
  [{}, "", "expected a list of tools"],
  [null, "", "expected a list of tools"],
  [["a", 7], "[1].name", "expected a tool name"],
  [[{ name: "" }], "[0].name", "expected a tool name"],
  [[{ function: { name: 1 } }], "[0].name", "expected a tool name"],
] as const)
  test(`tools are refused at "${place}": ${JSON.stringify(value)}`, () => {
    assert.deepEqual(readToolSpecs(value), { ok: false, place, problem });
  });

for (const [asked, names, nearest] of [
  ["readFile", ["write_file", "read_file"], "read_file"],
  ["read-file", ["read_file"], "read_file"],
  ["raed_file", ["read_file", "real_files"], "read_file"],
  ["reed_file", ["read_file"], "read_file"],
  ["grep", ["glob", "grip"], "grip"],
  ["ls", ["la"], undefined],
  ["lss", ["ls"], "ls"],
  ["search", ["read_file"], undefined],
  ["abc", ["abd", "abe"], "abd"],
  ["ab", ["ba"], undefined],
  ["abcdef", ["abdcef"], "abdcef"],
  ["abcdef", ["badcfe"], undefined],
  ["READ_FILE", ["read_file"], "read_file"],
  ["a_b_c_d", ["abcd"], "abcd"],
  ["abcdef", ["abxyef", "bacdef"], "bacdef"],
  ["abcdef", ["abxyef", "abcdfe"], "abcdfe"],
  ["abcdef", ["abcdefg", "abcdef"], "abcdef"],
  ["abcdef", ["abcdefgh"], "abcdefgh"],
  ["abcdef", ["abcdefghi"], undefined],
  ["abcdef", ["xyabcdef"], "xyabcdef"],
  ["abcdef", ["xyzabcdef"], undefined],
  ["abcdef", ["abcd"], "abcd"],
  ["abcdef", ["cdef"], "cdef"],
  ["abcdef", ["abc"], undefined],
  ["abcdef", ["def"], undefined],
  ["abcdef", ["xbcdex"], "xbcdex"],
  ["abcdef", ["xbxdex"], undefined],
  ["abcdef", ["xbcdef", "abcdxy"], "xbcdef"],
  ["abcdef", ["abcdxy", "xbcdef"], "xbcdef"],
  ["abcdef", ["q"], undefined],
  ["", ["a"], undefined],
  ["__", ["a", ""], undefined],
  ["a", [], undefined],
] as const)
  test(`the name nearest to ${JSON.stringify(asked)} among ${names.join(", ")}`, () => {
    assert.equal(nearestName(asked, names), nearest);
  });

test("very long and very many names cost little", () => {
  const names = Array.from({ length: 2000 }, (_, n) => `${"x".repeat(1000)}${n}`);
  assert.equal(nearestName("x".repeat(1000), names), names[0]);
  assert.equal(
    nearestName("target", [...Array.from({ length: 500 }, () => "qqqqqqqqqqqq"), "target"]),
    undefined,
  );
});
