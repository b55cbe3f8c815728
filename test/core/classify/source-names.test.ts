// proves: D1, D8, D9
// The source's own names for its classification tests; its types are mapped in requirements D1.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";

test("test_classify_transient_error", () => {
  for (const [message, kind] of [
    ["carts: rate limit exceeded", "rate_limited"],
    ["usage limit reached, resets 3pm (UTC)", "rate_limited"],
    ["server overloaded, come back later", "server_overloaded"],
    ["500 Internal Server Error", "server_error"],
    ["Request timed out", "timeout"],
  ] as const) {
    const failure = classify({ tool: "llm", message });
    assert.deepEqual([failure.kind, failure.category], [kind, "transient"], message);
  }
});

test("test_classify_systematic_error", () => {
  for (const [message, kind] of [
    ["Segmentation fault (core dumped)", "agent_crash"],
    ["Failed to parse JSON response", "malformed_output"],
    ["prompt is too long", "context_exhausted"],
  ] as const) {
    const failure = classify({ tool: "agent_cli", message });
    assert.deepEqual([failure.kind, failure.category], [kind, "systematic"], message);
  }
  const unknown = classify({ tool: "agent_cli", message: "it went sideways" });
  assert.deepEqual([unknown.kind, unknown.category], ["unknown", "systematic"]);
});

test("test_classify_fatal_error", () => {
  for (const [message, kind] of [
    ["Not logged in. Run /login first", "auth_required"],
    ["OAuth token has expired", "auth_expired"],
    ["the credit balance is too low for a cart", "billing"],
  ] as const) {
    const failure = classify({ tool: "agent_cli", message });
    assert.deepEqual([failure.kind, failure.category], [kind, "fatal"], message);
  }
});

test("a result that says failed without throwing is classified like any other failure", () => {
  const failure = classify({
    tool: "agent_cli",
    exitCode: 0,
    stdout: '{"status":"error","error":"API Error: 529 Overloaded"}',
  });
  assert.deepEqual([failure.kind, failure.category], ["server_overloaded", "transient"]);
});
