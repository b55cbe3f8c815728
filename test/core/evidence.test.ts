// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import { ORIGINS, readEvidence } from "../../src/core/evidence.ts";

const WHOLE = {
  tool: "run_bash",
  command: "npm test",
  signal: "SIGTERM",
  errno: "ENOSPC",
  retryAfter: "30",
  stdout: "out",
  stderr: "err",
  message: "said",
  exitCode: 1,
  httpStatus: 429,
  observedAt: 1_700_000_000_000,
  utcOffsetMinutes: -300,
  origin: "tool",
  providerError: { type: "t", code: "c", message: "m" },
};
const TEXTS = [
  "tool",
  "command",
  "signal",
  "errno",
  "retryAfter",
  "stdout",
  "stderr",
  "message",
] as const;
const NUMBERS = ["exitCode", "httpStatus", "observedAt", "utcOffsetMinutes"] as const;

test("every field is read as it stands, unknown ones are ignored", () => {
  assert.deepEqual(readEvidence(WHOLE), { ok: true, evidence: WHOLE });
  assert.deepEqual(readEvidence({ ...WHOLE, cart: 1, exit_code: 2 }), {
    ok: true,
    evidence: WHOLE,
  });
  assert.deepEqual(readEvidence({}), { ok: true, evidence: {} });
});

test("null and undefined mean absent, in every field", () => {
  for (const nothing of [null, undefined]) {
    const empty = Object.fromEntries(Object.keys(WHOLE).map((field) => [field, nothing]));
    assert.deepEqual(readEvidence(empty), { ok: true, evidence: {} });
  }
});

test("what is no object is refused", () => {
  for (const value of [null, undefined, "text", 7, true, [], [WHOLE]])
    assert.deepEqual(readEvidence(value), {
      ok: false,
      field: "",
      problem: "expected a JSON object",
    });
});

test("a text field holds a string; only the delay a server sent may be a number", () => {
  for (const field of TEXTS) {
    const refused = { ok: false, field, problem: "expected a string" };
    for (const wrong of [true, {}, ["a"]])
      assert.deepEqual(readEvidence({ [field]: wrong }), refused);
    assert.deepEqual(
      readEvidence({ [field]: 30 }),
      field === "retryAfter" ? { ok: true, evidence: { retryAfter: "30" } } : refused,
    );
    assert.deepEqual(readEvidence({ [field]: "" }), { ok: true, evidence: { [field]: "" } });
  }
});

test("a number field holds a finite number, or a whole one written out", () => {
  for (const field of NUMBERS) {
    const read = (value: unknown): unknown => readEvidence({ [field]: value });
    const refused = { ok: false, field, problem: "expected a number" };
    for (const value of [0, -1, 1.5, 137])
      assert.deepEqual(read(value), { ok: true, evidence: { [field]: value } });
    for (const [text, value] of [
      ["0", 0],
      ["137", 137],
      ["-1073741819", -1_073_741_819],
      ["123456789012345", 123_456_789_012_345],
    ] as const)
      assert.deepEqual(read(text), { ok: true, evidence: { [field]: value } });
    for (const wrong of [
      "",
      "-",
      "one",
      "1x",
      "x1",
      "1.5",
      "--1",
      "1234567890123456",
      Number.NaN,
      Number.POSITIVE_INFINITY,
      true,
      {},
      ["1"],
    ])
      assert.deepEqual(read(wrong), refused, typeof wrong);
  }
});

test("an origin is one of the list", () => {
  for (const origin of ORIGINS)
    assert.deepEqual(readEvidence({ origin }), { ok: true, evidence: { origin } });
  for (const wrong of ["moon", "", 1, ["tool"]])
    assert.deepEqual(readEvidence({ origin: wrong }), {
      ok: false,
      field: "origin",
      problem: "expected one of provider, agent, tool, check, workspace",
    });
});

for (const [name, given, read] of [
  ["a bare type", "overloaded_error", { type: "overloaded_error" }],
  ["nothing in it", {}, {}],
  [
    "an API's envelope",
    { error: { type: "t", code: 5, message: "m" } },
    { type: "t", code: "5", message: "m" },
  ],
  ["a text beside the fields", { error: "odd", type: "t" }, { type: "t" }],
  [
    "an RPC status",
    { status: "UNAVAILABLE", reason: "r", detail: "d" },
    { type: "UNAVAILABLE", code: "r", message: "d" },
  ],
  ["a thrown error", { name: "APIError", message: "m" }, { type: "APIError", message: "m" }],
  [
    "the first name of several",
    { type: "t", status: "s", name: "n", code: "c", reason: "r", message: "m", detail: "d" },
    { type: "t", code: "c", message: "m" },
  ],
  ["the second name before the third", { status: 503, name: "n" }, { type: "503" }],
  [
    "values that are no text",
    { type: {}, status: null, name: "n", code: true, message: ["m"] },
    { type: "n" },
  ],
] as const)
  test(`a provider's error: ${name}`, () => {
    assert.deepEqual(readEvidence({ providerError: given }), {
      ok: true,
      evidence: { providerError: read },
    });
  });

test("a provider's error that is neither text nor object is refused", () => {
  for (const wrong of [7, true, [], ["overloaded_error"]])
    assert.deepEqual(readEvidence({ providerError: wrong }), {
      ok: false,
      field: "providerError",
      problem: "expected a string or {type, code, message}",
    });
});
