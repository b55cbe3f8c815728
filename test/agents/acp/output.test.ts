// proves: D1, D8
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { classifyByStandardRules } from "../../../src/core/rules/standard.ts";
import type { AgentReport } from "../../../src/runtime/agent-result.ts";
import { acp, readReport, readerOf } from "../output/events.ts";

const kindOf = ({ error, completed }: AgentReport): string =>
  completed ? "finished" : error === undefined ? "nothing" : classifyByStandardRules(error).kind;
const kindAfter = (...lines: readonly unknown[]): string =>
  kindOf(readReport("acp", [acp.text("I look."), CALL, ...lines]).report);

const CALL = acp.update({
  sessionUpdate: "tool_call",
  toolCallId: "c",
  title: "x",
  kind: "read",
  status: "completed",
});
const INTERNAL = -32_603;
const internal = (data?: unknown, message = "Internal error"): unknown =>
  acp.error(INTERNAL, message, data);

test("every reason to stop is told as what it is, also in other spellings", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["end_turn", "finished"],
    ["endTurn", "finished"],
    ["completed", "finished"],
    ["max_tokens", "context_exhausted"],
    ["max_turn_requests", "context_exhausted"],
    ["refusal", "content_refused"],
    ["cancelled", "unknown"],
    ["canceled", "unknown"],
    ["error", "unknown"],
    ["budget_exceeded", "billing"],
    ["rate_limit", "rate_limited"],
    ["end_turn_failed", "unknown"],
    ["", "unknown"],
  ];
  for (const [reason, kind] of rows) assert.equal(kindAfter(acp.stop(reason)), kind, reason);
});

test("a turn that was cut off at its limit of calls is told as capped", () => {
  const cut = readReport("acp", [acp.text("I look."), acp.stop("max_turn_requests")]).report;
  assert.equal(cut.capped, "turns");
  const done = readReport("acp", [acp.text("I look."), acp.stop("max_tokens")]).report;
  assert.equal(done.capped, undefined);
});

test("an answer without a reason is no end", () => {
  for (const result of [{}, null, { stopReason: 7 }, { stop_reason: "end_turn" }])
    assert.equal(kindAfter({ id: 3, result }), "unknown", JSON.stringify(result));
});

test("errors are read wherever an agent puts its words for them", () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ["rate_limited", internal({ errorKind: "rate_limit" })],
    ["rate_limited", internal({ details: "429 Too Many Requests" })],
    ["rate_limited", internal({ httpStatus: 429 })],
    ["rate_limited", internal(undefined, "Internal error: Rate limit exceeded: too many tokens")],
    ["rate_limited", internal({ codex_error_info: "usage_limit_exceeded", message: "later" })],
    ["rate_limited", acp.error(429, '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}')],
    ["rate_limited", acp.error(-32_000, "Rate limit reached for requests")],
    ["server_overloaded", internal({ error: { type: "overloaded_error", message: "Overloaded" } })],
    ["server_overloaded", internal({ details: { message: "x", statusCode: 503 } })],
    ["server_overloaded", { id: 3, error: "503 Service Unavailable" }],
    ["server_error", internal({ cause: { response: { status: 500 } } })],
    ["server_error", { id: 3, error: { message: "the provider returned HTTP 500" } }],
    ["network_error", internal({ codex_error_info: { x: {} }, message: "stream disconnected" })],
    ["auth_required", internal({ codex_error_info: { response_x: { http_status_code: 401 } } })],
    ["network_error", acp.error(-32_000, "Server error", { message: "connect ECONNREFUSED" })],
    ["auth_required", acp.error(-32_000, "Authentication required")],
    ["auth_required", acp.error(-32_000, "")],
    ["auth_required", acp.error(-32_000, "Please log in first", { details: "run the login" })],
    ["auth_required", internal("Authentication error: Status: 401 Unauthorized. wrong key")],
    ["billing", internal([{ message: "insufficient credits" }])],
    ["billing", internal({ status: 402, title: "Payment Required" })],
    ["context_exhausted", internal({ cause: { message: "prompt is too long: 9 tokens > 8" } })],
    ["invalid_arguments", acp.error(-32_602, "Invalid params")],
    // numbers and names that are no status and no failure
    ["server_error", internal({ status: 200, code: 7, kind: "" })],
    ["server_error", internal({ elapsed: 429, type: {} })],
    ["unknown", internal({ details: "the plan has 429 steps" })],
  ];
  for (const [kind, line] of rows) assert.equal(kindAfter(line), kind, JSON.stringify(line));
});

test("an error that is null, or to a request that does not matter, is none", () => {
  const done = { ...acp.stop("end_turn"), error: null };
  assert.equal(kindAfter(done), "finished");
  const refused = { id: "optional-3", error: { code: -32_602, message: "no such mode" } };
  const { report } = readReport("acp", [acp.text("Done."), refused, acp.stop("end_turn")]);
  assert.equal(report.completed, true);
});

test("a failed model call that is told as the answer is a failure, where nothing was done", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["rate_limited", "Ran into this error: Rate limit exceeded (429). Please retry."],
    ["auth_required", "API Error: 401 Unauthorized: the key is wrong"],
    ["network_error", "Error: connect ECONNREFUSED 127.0.0.1:9"],
    // no failure of the service, or not told as one
    ["finished", "Error: handling is missing in two places; I would add it."],
    ["finished", "Error handling for the rate limit (429) is in place."],
    ["finished", "The client answers 429 with an error: rate limit exceeded."],
    ["finished", "Done."],
  ];
  for (const [kind, words] of rows) {
    const [first, ...rest] = [words.slice(0, 9), words.slice(9)].map(acp.text);
    const told = readReport("acp", [first, ...rest, acp.stop("end_turn")]).report;
    assert.equal(kindOf(told), kind, words);
    assert.equal(told.said, words);
    assert.equal(kindAfter(first, ...rest, acp.stop("end_turn")), "finished", words);
  }
});

test("a failed model call that is the last message, and whole, is a failure whatever was done before", () => {
  const rows: readonly (readonly [string, string])[] = [
    [
      "rate_limited",
      "Error: no answer from the model after 5 tries; last error: 429 Too Many Requests",
    ],
    ["auth_required", "Error: Authentication failed with the provider (HTTP 401)."],
    ["context_exhausted", "Error: the provider rejected the prompt as too long."],
    ["malformed_output", "Error: No response was returned. Send your message again."],
    ["invalid_arguments", "Error: 400 Invalid value: 'x'."],
    ["finished", "Error: handling is missing in two places; I would add it."],
    ["finished", "Info: the request failed (429). Retrying..."],
    ["finished", "Error: 429"],
  ];
  const retrying = acp.text("Info: Request failed. Retrying...");
  for (const [kind, words] of rows) {
    assert.equal(kindAfter(retrying, acp.text(words), acp.stop("end_turn")), kind, words);
    const more = kindAfter(acp.text(words), acp.text("But now it is done."), acp.stop("end_turn"));
    assert.equal(more, "finished", words);
  }
});

test("plans, modes, notices and what nobody knows are no words and no failures", () => {
  const updates = [
    { sessionUpdate: "plan", entries: [{ content: "error: 429", priority: "high" }] },
    { sessionUpdate: "current_mode_update", currentModeId: "code" },
    { sessionUpdate: "from_the_future", content: { type: "text", text: "rate limit" } },
    { sessionUpdate: 7 },
    "text",
    null,
  ].map(acp.update);
  const lines = [...updates, acp.text("Done."), acp.stop("end_turn")];
  const { report } = readReport("acp", lines);
  assert.deepEqual(
    [report.completed, report.said, report.usage, report.warnings],
    [true, "Done.", {}, []],
  );
});

test("usage is read where the protocol has it and where agents put it", () => {
  const rows: readonly (readonly [object, number | undefined])[] = [
    [{ usage: { totalTokens: 30 } }, 30],
    [{ usage: { inputTokens: 20, outputTokens: 5 } }, 25],
    [{ _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 3 } } } }, 10],
    [{ usage: { totalTokens: "30" } }, undefined],
    [{}, undefined],
  ];
  for (const [more, tokens] of rows) {
    const done = { id: 3, result: { stopReason: "end_turn", ...more } };
    const { report } = readReport("acp", [acp.text("Done."), done]);
    assert.equal(report.usage.tokens, tokens, JSON.stringify(more));
  }
});

test("whatever an error holds: read in bounded time, never thrown at", () => {
  const json = fc.jsonValue({ maxDepth: 6 });
  const name = fc.constantFrom("error", "cause", "details", "data", "message", "status", "type");
  const nested = fc.letrec((tie) => ({
    level: fc.oneof({ maxDepth: 8 }, json, fc.dictionary(name, tie("level"))),
  })).level;
  fc.assert(
    fc.property(json, json, nested, (code, message, data) => {
      const reader = readerOf("acp");
      reader.push("stdout", `${JSON.stringify({ id: 1, error: { code, message, data } })}\n`);
      const { completed, error } = reader.report({ kind: "exited", code: 0 });
      assert.equal(completed, false);
      assert.ok(error !== undefined && JSON.stringify(error).length < 200_000);
    }),
  );
  const deep = `${'{"cause":'.repeat(3000)}1${"}".repeat(3000)}`;
  const wide = JSON.stringify(Array.from({ length: 9999 }, () => ({ error: [{ message: "x" }] })));
  for (const data of [deep, wide]) {
    const reader = readerOf("acp");
    reader.push("stdout", `{"id":1,"error":{"code":1,"message":"","data":${data}}}\n`);
    assert.equal(reader.report({ kind: "exited", code: 0 }).completed, false);
  }
});
