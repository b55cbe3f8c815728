// proves: B1, D1
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import { originOf, sourceOf } from "../../../src/core/classify/structured-evidence.ts";
import { ORIGINS } from "../../../src/core/evidence.ts";
import { FAILURE_KINDS, hasTrait } from "../../../src/core/kinds.ts";

test("an origin the observer gave always wins", () => {
  for (const origin of ORIGINS)
    assert.equal(classify({ origin, tool: "llm", message: "overloaded" }).origin, origin);
});

test("otherwise the tool tells the origin", () => {
  const seenOf = (tool: string | undefined, message: string): string =>
    classify({ ...(tool !== undefined && { tool }), message }).origin;
  assert.equal(seenOf("llm", "rate limit exceeded"), "provider");
  assert.equal(seenOf("http", "502 Bad Gateway"), "provider");
  assert.equal(seenOf("agent_cli", "API Error: 529 Overloaded"), "provider");
  assert.equal(seenOf("agent_cli", "Segmentation fault (core dumped)"), "agent");
  assert.equal(seenOf("agent_cli", "error: unknown option '--cart'"), "agent");
  assert.equal(seenOf("run_bash", "bash: cartctl: command not found"), "tool");
  assert.equal(seenOf("Bash", "bash: cartctl: command not found"), "tool");
  assert.equal(seenOf("tool_call", "Unknown tool: cart"), "tool");
  assert.equal(seenOf(undefined, "cat: x: No such file or directory"), "tool");
});

test("a timeout or network error is transient from a model service, systematic from a tool", () => {
  for (const message of ["request timed out", "connect ECONNREFUSED 127.0.0.1:80"]) {
    assert.equal(classify({ tool: "llm", message }).category, "transient");
    assert.equal(classify({ tool: "run_bash", message }).category, "systematic");
  }
});

test("the source's error types map to kinds and categories", () => {
  const of = (tool: string, message: string): readonly string[] => {
    const { kind, category } = classify({ tool, message });
    return [kind, category];
  };
  assert.deepEqual(of("llm", "429 Too Many Requests"), ["rate_limited", "transient"]);
  assert.deepEqual(of("llm", "The model is overloaded"), ["server_overloaded", "transient"]);
  assert.deepEqual(of("llm", "500 Internal Server Error"), ["server_error", "transient"]);
  assert.deepEqual(of("llm", "Request timed out."), ["timeout", "transient"]);
  assert.deepEqual(of("agent_cli", "oh no: Bun has crashed"), ["agent_crash", "systematic"]);
  assert.deepEqual(of("llm", "model output: not valid JSON"), ["malformed_output", "systematic"]);
  assert.deepEqual(of("agent_cli", "Not logged in"), ["auth_required", "fatal"]);
  assert.deepEqual(of("agent_cli", "session has expired"), ["auth_expired", "fatal"]);
  const timed = classify({
    tool: "agent_cli",
    message: "usage limit reached|1763200800",
  });
  assert.deepEqual([timed.kind, timed.resetAt], ["rate_limited", "2025-11-15T10:00:00.000Z"]);
});

test("kinds only the runtime can see are never the answer", () => {
  const texts = [
    "the agent is missing",
    "looping",
    "no progress",
    "hung up",
    "lost",
    "unsafe action",
  ];
  for (const message of texts)
    for (const tool of ["llm", "agent_cli", "run_bash", "tool_call"])
      assert.ok(!hasTrait(classify({ tool, message }).kind, "runtime-only"));
});

test("where a text comes from: by the tool, in any case of letters", () => {
  const TOOLS = {
    model: ["llm", "model", "http", "api", "provider", "LLM"],
    agent: ["agent_cli", "agent", "Agent"],
    shell: [
      "",
      "run_bash",
      "bash",
      "Bash",
      "shell",
      "sh",
      "exec",
      "execute_command",
      "run_command",
      "run_shell_command",
      "local_shell",
      "terminal",
      "powershell",
    ],
    call: ["tool_call", "read_file", "mcp__cart", "x".repeat(50)],
  } as const;
  for (const [source, tools] of Object.entries(TOOLS))
    for (const tool of tools) {
      assert.equal(sourceOf({ tool }), source, tool);
      const typed = sourceOf({ tool, providerError: { type: "cart" } });
      assert.equal(typed, source === "shell" ? "model" : source, `${tool} with a typed error`);
    }
  assert.equal(sourceOf({}), "shell");
  assert.equal(sourceOf({ tool: 7 as never }), "shell");
  assert.equal(sourceOf({ tool: `llm${" ".repeat(40)}` }), "call");
});

test("what an agent CLI reports is the model service's where only that can be the reason", () => {
  const ofProvider = FAILURE_KINDS.filter(
    (kind) => originOf({ tool: "agent" }, kind) === "provider",
  );
  assert.deepEqual(ofProvider.toSorted(), [
    "auth_expired",
    "auth_required",
    "billing",
    "content_refused",
    "context_exhausted",
    "malformed_output",
    "network_error",
    "rate_limited",
    "server_error",
    "server_overloaded",
    "timeout",
  ]);
  for (const kind of FAILURE_KINDS) {
    assert.equal(originOf({ tool: "llm" }, kind), "provider");
    assert.equal(originOf({ tool: "bash" }, kind), "tool");
    assert.equal(originOf({ tool: "tool_call" }, kind), "tool");
    assert.equal(originOf({ tool: "llm", origin: "workspace" }, kind), "workspace");
  }
});
