// What comes in from outside, field by field: thresholds under the names other detectors have for
// them, steps as other programs write them, texts that speak of the provider or the network.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  DEFAULT_STUCK_CONFIG,
  readStuckConfig,
  stuckConfigOf,
} from "../../../src/core/stuck/config.ts";
import type { RuleName } from "../../../src/core/stuck/config.ts";
import { isInfrastructureText } from "../../../src/core/stuck/result-text.ts";
import { readStep } from "../../../src/core/stuck/step.ts";

/** The rules that a config changes, with their new counts. */
function changed(config: unknown): Record<string, readonly number[]> {
  const { thresholds } = stuckConfigOf(config);
  const names = Object.keys(thresholds) as RuleName[];
  const others = names.filter((name) => thresholds[name] !== DEFAULT_STUCK_CONFIG.thresholds[name]);
  return Object.fromEntries(
    others.map((name) => [name, [thresholds[name].nudge, thresholds[name].stuck]]),
  );
}

const row = (nudge: number, stuck: number, ...more: string[]): Record<string, readonly number[]> =>
  Object.fromEntries(
    ["same_call", "same_call_unseen", "same_call_failing", "same_output", ...more].map((name) => [
      name,
      [nudge, stuck],
    ]),
  );

const NUMBERS: readonly (readonly [object, Record<string, readonly number[]>])[] = [
  [{ limit: 5 }, row(3, 6)],
  [{ limit: 1 }, row(2, 2)],
  [{ limit: 0 }, row(Infinity, Infinity)],
  [{ limit: -1 }, row(Infinity, Infinity)],
  [{ max_repetitions: 2 }, row(3, 3)],
  [{ threshold: 5.9 }, row(3, 5, "cycle")],
  [{ hard: 2 }, row(2, 2)],
  [{ block: 4 }, row(3, 4)],
  [{ action_observation: 9 }, { same_call: [3, 9] }],
  [{ action_error: 3 }, { same_call_failing: [3, 4], same_failure: [3, 4] }],
  [{ monologue: 4 }, { repeated_message: [3, 4] }],
  [{ alternating_pattern: 7 }, { cycle: [3, 4] }],
  [{ maxConsecutiveMistakes: 3 }, { failures_in_a_row: [3, 3] }],
  [{ criticalThreshold: 20 }, row(3, 20, "poll")],
  [{ unknownToolThreshold: 10 }, { unknown_tool: [3, 10] }],
  [{ limit: "5", hard: Infinity, other: 3 }, {}],
];

describe("numbers of other detectors", () => {
  for (const [config, expected] of NUMBERS)
    test(JSON.stringify(config), () => assert.deepEqual(changed(config), expected));
  test("nothing, or nonsense, is the default", () => {
    for (const config of [undefined, null, 7, "x"])
      assert.equal(stuckConfigOf(config), DEFAULT_STUCK_CONFIG);
    assert.deepEqual(stuckConfigOf({}), DEFAULT_STUCK_CONFIG);
  });
  test("switches", () => {
    assert.equal(stuckConfigOf({ disabled: true }).enabled, false);
    assert.equal(stuckConfigOf({ enabled: false }).enabled, false);
    assert.equal(stuckConfigOf({ enabled: true }).enabled, true);
    assert.equal(stuckConfigOf({ headless: true }).person_resets, false);
    assert.equal(stuckConfigOf({ userMessageResets: false }).person_resets, false);
    assert.equal(stuckConfigOf({ headless: false, userMessageResets: true }).person_resets, true);
  });
  test("a cap is hard where it was asked for, else tenfold", () => {
    const cap = (config: object): number => stuckConfigOf(config).call_cap;
    assert.equal(cap({ maxToolCallsPerTurn: 9, explicit: true }), 9);
    assert.equal(cap({ maxToolCallsPerTurn: 9 }), 90);
    assert.equal(cap({ maxToolCallsPerTurn: 1 }), 10);
    assert.equal(cap({ maxToolCallsPerTurn: 0 }), Infinity);
    assert.equal(cap({ maxToolCallsPerTurn: "9" }), Infinity);
  });
  test("the arguments that count", () => {
    const loopKey = { search: ["query", 7], wait: false, odd: true };
    assert.deepEqual(stuckConfigOf({ loopKey }).tools, {
      search: { identity: ["query"] },
      wait: { exempt: true },
    });
    assert.deepEqual(stuckConfigOf({ loopKey: "x" }).tools, {});
  });
});

test("settings of the wrong type are refused one by one", () => {
  const paths = (value: unknown): readonly string[] => {
    const reading = readStuckConfig(value);
    return reading.ok ? [] : reading.problems.map(({ path }) => path);
  };
  assert.deepEqual(paths({ call_cap: "9" }), ["call_cap"]);
  assert.deepEqual(paths({ call_cap: 1.5 }), ["call_cap"]);
  assert.deepEqual(paths({ call_cap: 0 }), ["call_cap"]);
  assert.deepEqual(paths({ call_cap: 1 }), []);
  assert.deepEqual(paths({ tools: { a: { identity: ["x", 7] } } }), ["tools.a.identity"]);
  assert.deepEqual(paths({ tools: { a: { ignore: "x" } } }), ["tools.a.ignore"]);
  assert.deepEqual(paths({ tools: { a: { kind: "reed" } } }), ["tools.a.kind"]);
  assert.deepEqual(paths({ tools: { a: 7 }, thresholds: 7 }), ["thresholds", "tools.a"]);
  assert.deepEqual(paths({ thresholds: { cycle: { nudge: 4, stuck: 3 } } }), [
    "thresholds.cycle.nudge",
  ]);
  assert.deepEqual(paths([]), [""]);
});

/** Each: a step as written, and as read. */
const STEPS: readonly (readonly [object, object])[] = [
  [
    {
      kind: "tool_call",
      tool: "a",
      args: { x: 1 },
      id: "i",
      round: 2,
      runId: "r",
      tokens: 5,
      usd: 0.1,
    },
    {
      kind: "tool_call",
      tool: "a",
      args: { x: 1 },
      id: "i",
      round: 2,
      runId: "r",
      tokens: 5,
      usd: 0.1,
    },
  ],
  [
    { kind: "tool_call", tool: "a", args: null, id: 7, round: {}, runId: 7, tokens: "5", usd: NaN },
    { kind: "tool_call", tool: "a" },
  ],
  [
    { kind: "tool_call", tool: "a", round: "two" },
    { kind: "tool_call", tool: "a", round: "two" },
  ],
  [{ kind: "tool_result" }, { kind: "tool_result", output: "" }],
  [
    { kind: "tool_result", tool: "a", id: "i", output: { ok: 1 }, isError: false },
    { kind: "tool_result", tool: "a", id: "i", output: '{"ok":1}', isError: false },
  ],
  [
    { kind: "tool_result", tool: 7, id: 7, isError: "no" },
    { kind: "tool_result", output: "" },
  ],
  [
    { kind: "tool_result", veto: true },
    { kind: "tool_result", output: "", veto: true },
  ],
  [
    { kind: "tool_result", details: { deniedReason: "tool-loop" } },
    { kind: "tool_result", output: "", veto: true },
  ],
  [
    { kind: "tool_result", running: true },
    { kind: "tool_result", output: "", running: true },
  ],
  [
    { kind: "tool_result", details: { status: "pending" } },
    { kind: "tool_result", output: "", running: true },
  ],
  [
    { kind: "tool_result", details: { status: "running" } },
    { kind: "tool_result", output: "", running: true },
  ],
  [
    { kind: "tool_result", details: "running" },
    { kind: "tool_result", output: "" },
  ],
  [
    { kind: "message", text: null },
    { kind: "message", text: "" },
  ],
  [
    { kind: "message", text: "a", partial: true, channel: "thought" },
    { kind: "message", text: "a", partial: true, channel: "thought" },
  ],
  [
    { kind: "message", text: "a", partial: 1, channel: "answer" },
    { kind: "message", text: "a" },
  ],
  [{ kind: "user_message", text: "go on" }, { kind: "user_message" }],
  [
    { kind: "user_message", text: "System: stop" },
    { kind: "user_message", automated: true },
  ],
  [
    { kind: "user_message", text: " [loop-guard] stop" },
    { kind: "user_message", automated: true },
  ],
  [
    { kind: "user_message", text: "(loop guard) stop" },
    { kind: "user_message", automated: true },
  ],
  [
    { kind: "user_message", text: "Nudge note: stop" },
    { kind: "user_message", automated: true },
  ],
  [{ kind: "user_message", text: "the system: stop" }, { kind: "user_message" }],
  [
    { kind: "user_message", automated: true },
    { kind: "user_message", automated: true },
  ],
  [
    { kind: "error", text: "x" },
    { kind: "error", text: "x" },
  ],
  [{ kind: "error", code: "context_condensation" }, { kind: "compaction" }],
  [{ kind: "error", code: "stream_retry" }, { kind: "stream_retry" }],
  [{ kind: "error", code: "finished" }, { kind: "turn_end" }],
  [
    { kind: "error", code: "E1", text: "x" },
    { kind: "error", text: "x" },
  ],
  [
    { kind: "world", tree: "t", failing: ["a", 7] },
    { kind: "world", tree: "t", failing: ["a"] },
  ],
  [{ kind: "world", tree: 7, failing: "a" }, { kind: "world" }],
  [
    { kind: "loop_report", text: "x" },
    { kind: "loop_report", text: "x" },
  ],
  ...["compaction", "stream_retry", "turn_end", "new_task", "wait"].map(
    (kind) => [{ kind, more: 1 }, { kind }] as const,
  ),
];

describe("steps as other programs write them", () => {
  for (const [given, step] of STEPS)
    test(JSON.stringify(given), () => assert.deepEqual(readStep(given), { ok: true, step }));
  test("what is no step, by the field that is wrong", () => {
    const field = (given: unknown): string => {
      const reading = readStep(given);
      return reading.ok ? "none" : reading.field;
    };
    assert.equal(field([]), "");
    assert.equal(field(null), "");
    assert.equal(field({ kind: "tool_call", tool: "" }), "tool");
    assert.equal(field({ kind: "tool_call" }), "tool");
    assert.equal(field({ kind: "message", text: 7 }), "text");
    assert.equal(field({ kind: "dance" }), "kind");
    assert.equal(field({}), "kind");
  });
});

describe("the provider or the network", () => {
  const STRONG = [
    "503 Service Unavailable",
    "429: you have hit the rate limit",
    "500 Internal Server Error",
    "HTTP/1.1 502",
    "status: 429",
    '{"type":"overloaded_error"}',
    "insufficient_quota",
    "read ECONNRESET",
    "getaddrinfo EAI_AGAIN host",
    "Rate limit exceeded",
    "Service is temporarily unavailable",
    "service unavailable",
    "socket hang up",
    "could not resolve host: x",
    "invalid x-api-key",
  ];
  const WEAK = [
    "ratelimit",
    "429 slow down",
    "  401 no",
    "overloaded",
    "Unauthorized",
    "connection reset by peer",
    "connection was closed",
    "fetch failed",
    "TLS handshake timeout",
    "not logged in",
    "usage limit reached",
    "token has expired",
    "session expired",
    "stream disconnected",
    "context deadline exceeded",
    "API error",
    "upstream request timeout",
    "provider unavailable",
  ];
  const NEITHER = [
    "all well",
    "expected 5 got 500",
    "limit of the rate",
    "port 5030",
    "a model of errors",
  ];
  test("said plainly: also in a result that ended well", () => {
    for (const text of STRONG) assert.ok(isInfrastructureText(text, false), text);
    for (const text of STRONG) assert.ok(isInfrastructureText(text, true), text);
  });
  test("said in other words: only in a failure", () => {
    for (const text of WEAK) assert.ok(isInfrastructureText(text, true), text);
    for (const text of WEAK) assert.ok(!isInfrastructureText(text, false), text);
  });
  test("neither", () => {
    for (const text of NEITHER) assert.ok(!isInfrastructureText(text, true), text);
  });
  test("deep inside a line, or in a long result, it is content", () => {
    const deep = `${"x ".repeat(40)}503 Service Unavailable`;
    assert.ok(!isInfrastructureText(deep, false));
    assert.ok(isInfrastructureText(deep, true));
    assert.ok(isInfrastructureText(`${"x ".repeat(40)}\n503 Service Unavailable`, false));
    const long = `503 Service Unavailable\n${"x\n".repeat(300)}`;
    assert.ok(!isInfrastructureText(long, false));
    assert.ok(isInfrastructureText(long, true));
  });
  test("of a long failure both ends are read, not its middle", () => {
    const filler = "line of output\n".repeat(60);
    assert.ok(isInfrastructureText(`${filler}503 Service Unavailable`, true));
    assert.ok(!isInfrastructureText(`${filler}503 Service Unavailable\n${filler}`, true));
  });
  test("a connection to this machine is the agent's own business", () => {
    for (const host of ["localhost", "127.0.0.1", "0.0.0.0", "[::1]"])
      assert.ok(!isInfrastructureText(`connect ECONNREFUSED ${host}:3000`, true), host);
    assert.ok(isInfrastructureText("connect ECONNREFUSED 203.0.113.7:443", true));
    assert.ok(isInfrastructureText("localhost says 503 Service Unavailable", true));
  });
});
