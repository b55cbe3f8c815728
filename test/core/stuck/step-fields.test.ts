// Steps as other programs write them, with one field wrong at a time: what is refused is named, what
// is only of the wrong type is left out, and nothing else changes.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readStep } from "../../../src/core/stuck/read-step.ts";

const COMMON = { runId: "r", tokens: 7, usd: 0.5 };
const FULL = {
  tool_call: { tool: "t", args: { a: 1 }, id: "i", round: 3 },
  tool_result: { tool: "t", output: "o", isError: true, id: "i", veto: true, running: true },
  message: { text: "x", partial: true, channel: "thought" },
  user_message: { automated: true },
  error: { text: "x" },
  world: { tree: "t", failing: ["a", "b"] },
  loop_report: { text: "x" },
  compaction: {},
  stream_retry: {},
  turn_end: {},
  new_task: {},
  wait: {},
};

const without = (step: object, ...names: string[]): object =>
  Object.fromEntries(Object.entries(step).filter(([name]) => !names.includes(name)));

describe("a step with all its fields is read as it is", () => {
  for (const [kind, fields] of Object.entries(FULL))
    test(kind, () => {
      const step = { kind, ...fields, ...COMMON };
      assert.deepEqual(readStep(step), { ok: true, step });
      assert.deepEqual(readStep({ ...step, unknown: 1 }), { ok: true, step });
    });
});

describe("what every step may carry is left out where it makes no sense", () => {
  const WRONG: readonly (readonly [string, unknown])[] = [
    ["runId", 7],
    ["runId", null],
    ["tokens", "7"],
    ["tokens", NaN],
    ["tokens", Infinity],
    ["tokens", null],
    ["usd", "0.5"],
    ["usd", -Infinity],
    ["usd", null],
  ];
  for (const [kind, fields] of Object.entries(FULL))
    test(kind, () => {
      const step = { kind, ...fields, ...COMMON };
      for (const [name, value] of WRONG)
        assert.deepEqual(readStep({ ...step, [name]: value }), {
          ok: true,
          step: without(step, name),
        });
    });
});

describe("a field of the wrong type is left out", () => {
  const WRONG: readonly (readonly [keyof typeof FULL, string, unknown])[] = [
    ["tool_call", "args", null],
    ["tool_call", "id", 7],
    ["tool_call", "round", true],
    ["tool_call", "round", null],
    ["tool_result", "tool", 7],
    ["tool_result", "id", {}],
    ["tool_result", "isError", "true"],
    ["tool_result", "veto", 1],
    ["tool_result", "running", "yes"],
    ["message", "partial", "true"],
    ["message", "channel", "answer"],
    ["message", "channel", 7],
    ["user_message", "automated", 1],
    ["world", "tree", 7],
    ["world", "failing", "a"],
    ["world", "failing", { 0: "a" }],
  ];
  for (const [kind, name, value] of WRONG)
    test(`${kind}.${name}: ${JSON.stringify(value)}`, () => {
      const step = { kind, ...FULL[kind] };
      assert.deepEqual(readStep({ ...step, [name]: value }), {
        ok: true,
        step: without(step, name),
      });
    });
  test("any arguments are arguments", () => {
    for (const args of ["x", 0, false, [1], {}])
      assert.deepEqual(readStep({ kind: "tool_call", tool: "t", args }), {
        ok: true,
        step: { kind: "tool_call", tool: "t", args },
      });
  });
  test("no failing checks are told from no word about them", () => {
    assert.deepEqual(readStep({ kind: "world", failing: [] }), {
      ok: true,
      step: { kind: "world", failing: [] },
    });
    assert.deepEqual(readStep({ kind: "world", failing: [1, null] }), {
      ok: true,
      step: { kind: "world", failing: [] },
    });
  });
});

describe("texts that are no strings", () => {
  const TEXTS: readonly (readonly [unknown, string])[] = [
    [undefined, ""],
    [null, ""],
    [7, "7"],
    [{ a: 1 }, '{"a":1}'],
    [["a"], '["a"]'],
    [false, "false"],
  ];
  for (const [given, text] of TEXTS)
    test(JSON.stringify(given) ?? "undefined", () => {
      assert.deepEqual(readStep({ kind: "error", text: given }), {
        ok: true,
        step: { kind: "error", text },
      });
      assert.deepEqual(readStep({ kind: "loop_report", text: given }), {
        ok: true,
        step: { kind: "loop_report", text },
      });
      assert.deepEqual(readStep({ kind: "tool_result", output: given }), {
        ok: true,
        step: { kind: "tool_result", output: text },
      });
    });
});

describe("what is no step, with the field that is wrong", () => {
  const expectObject = { ok: false, field: "", problem: "expected a JSON object" };
  const expectKind = { ok: false, field: "kind", problem: "expected the name of a step kind" };
  const expectTool = { ok: false, field: "tool", problem: "expected a tool name" };
  const expectText = { ok: false, field: "text", problem: "expected a string" };
  const WRONG: readonly (readonly [unknown, object])[] = [
    [undefined, expectObject],
    [null, expectObject],
    [[], expectObject],
    ["tool_call", expectObject],
    [7, expectObject],
    [{}, expectKind],
    [{ kind: 7 }, expectKind],
    [{ kind: ["wait"] }, expectKind],
    [{ kind: "Wait" }, expectKind],
    [{ kind: "toString" }, expectKind],
    [{ kind: "tool_call" }, expectTool],
    [{ kind: "tool_call", tool: "" }, expectTool],
    [{ kind: "tool_call", tool: 7 }, expectTool],
    [{ kind: "message", text: 7 }, expectText],
    [{ kind: "message", text: {} }, expectText],
  ];
  for (const [given, expected] of WRONG)
    test(JSON.stringify(given) ?? "undefined", () => assert.deepEqual(readStep(given), expected));
});

describe("signals as other detectors write them", () => {
  const CODES: readonly (readonly [unknown, string])[] = [
    ["context_condensation", "compaction"],
    ["compaction", "compaction"],
    ["stream_retry", "stream_retry"],
    ["finished", "turn_end"],
    ["new_task", "new_task"],
    ["wait", "wait"],
  ];
  for (const [code, kind] of CODES)
    test(String(code), () =>
      assert.deepEqual(readStep({ kind: "error", code, text: "x", ...COMMON }), {
        ok: true,
        step: { kind, ...COMMON },
      }),
    );
  for (const code of ["other", "", null, 7, "Finished"])
    test(`no signal: ${String(code)}`, () =>
      assert.deepEqual(readStep({ kind: "error", code, text: "x" }), {
        ok: true,
        step: { kind: "error", text: "x" },
      }));
  const resultWith = (details: unknown): unknown =>
    readStep({ kind: "tool_result", output: "o", details });
  test("in the details of a result", () => {
    const step = { kind: "tool_result", output: "o" };
    assert.deepEqual(resultWith({ deniedReason: "tool-loop" }), {
      ok: true,
      step: { ...step, veto: true },
    });
    for (const status of ["running", "pending"])
      assert.deepEqual(resultWith({ status }), { ok: true, step: { ...step, running: true } });
    for (const details of [
      { deniedReason: "person" },
      { status: "done" },
      { status: null },
      null,
      "running",
      ["running"],
    ])
      assert.deepEqual(resultWith(details), { ok: true, step });
  });
});

describe("messages that a program wrote in a person's place", () => {
  const automated = (text: unknown): boolean => {
    const reading = readStep({ kind: "user_message", text });
    assert.ok(reading.ok && reading.step.kind === "user_message");
    return reading.step.automated === true;
  };
  for (const text of [
    "[system] stop",
    "<automated>stop",
    "(nudge) stop",
    "    [loopguard] stop",
    "[loop-guard: stop]",
    "(loop guard) stop",
    "system: stop",
    "SYSTEM MESSAGE: stop",
    "automated note: stop",
    "loop guard: stop",
    "loopguard: stop",
    " nudge: stop",
  ])
    test(text, () => assert.equal(automated(text), true));
  for (const text of [
    "stop [system]",
    "the system: stop",
    "     system: stop",
    "systems: stop",
    "[systems] stop",
    "system stop",
    "loop  guard: stop",
    "{system} stop",
    "",
    null,
    7,
  ])
    test(`a person: ${String(text)}`, () => assert.equal(automated(text), false));
});

for (const code of ["constructor", "toString", "__proto__", "hasOwnProperty"])
  test(`an error whose code is ${code} is an error, and nothing else`, () => {
    const read = readStep({ kind: "error", code, text: "no" });
    assert.deepEqual(read, { ok: true, step: { kind: "error", text: "no" } });
  });

test("whatever is written, it is read or refused with a field", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const reading = readStep(value);
      assert.ok(reading.ok || typeof reading.field === "string");
    }),
  );
});
