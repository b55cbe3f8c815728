// What loops catch: errors of fetch, of the AI SDK, of OpenAI-like clients and of commands.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { createRecovery, type Failure, type FailedAttempt } from "../../src/index.ts";

const failureOf = (thrown: unknown, more: Partial<FailedAttempt> = {}): Failure =>
  createRecovery({ now: () => 0, random: () => 0 }).failed(thrown, { prompt: "task", ...more })
    .failure;

const error = (message: string, fields: object = {}): Error =>
  Object.assign(new Error(message), fields);

const CASES: readonly (readonly [string, unknown, Partial<Failure>])[] = [
  [
    "OpenAI client: status, headers and the body's error",
    error("429 Rate limit reached", {
      status: 429,
      headers: new Headers({ "retry-after": "7" }),
      error: { message: "Rate limit reached", type: "requests", code: "rate_limit_exceeded" },
      ...{ code: "rate_limit_exceeded", type: "requests" },
    }),
    { kind: "rate_limited", origin: "provider", retryAfterMs: 7000 },
  ],
  [
    "OpenAI client: a quota is money, not a rate",
    error("429 You exceeded your current quota", { status: 429, code: "insufficient_quota" }),
    { kind: "billing", category: "fatal" },
  ],
  [
    "Anthropic client: the error within the error",
    error("529", {
      status: 529,
      error: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    }),
    { kind: "server_overloaded", origin: "provider" },
  ],
  [
    "AI SDK: statusCode, plain headers and the body as text",
    error("Too Many Requests", {
      name: "AI_APICallError",
      statusCode: 429,
      responseHeaders: { "Retry-After-Ms": "1500" },
      responseBody: '{"error":{"message":"slow down","code":"rate_limit_exceeded"}}',
    }),
    { kind: "rate_limited", retryAfterMs: 1500 },
  ],
  [
    "AI SDK: the last of several tries",
    error("Failed after 3 attempts", {
      name: "AI_RetryError",
      lastError: error("no", { name: "AI_APICallError", statusCode: 401, responseBody: "<html>" }),
    }),
    { kind: "auth_required", category: "fatal" },
  ],
  ["AI SDK: no key", error("no key", { name: "AI_LoadAPIKeyError" }), { kind: "auth_required" }],
  [
    "axios: what the response says",
    error("Request failed", {
      code: "ERR_BAD_RESPONSE",
      response: { status: 503, headers: { "retry-after": "3" }, data: {} },
    }),
    { kind: "server_overloaded", retryAfterMs: 3000 },
  ],
  [
    "fetch: a response as the cause, its body as the message",
    new Error('{"error":{"message":"no","code":"context_length_exceeded"}}', {
      cause: new Response("", { status: 400 }),
    }),
    { kind: "context_exhausted", origin: "provider" },
  ],
  ["a response itself", new Response("", { status: 500 }), { kind: "server_error" }],
  [
    "Node's fetch: the cause has the code",
    new TypeError("fetch failed", { cause: error("connect", { code: "ECONNREFUSED" }) }),
    { kind: "network_error", origin: "provider", category: "transient" },
  ],
  [
    "Node's fetch: undici's own codes",
    new TypeError("fetch failed", { cause: error("x", { code: "UND_ERR_HEADERS_TIMEOUT" }) }),
    { kind: "timeout", category: "transient" },
  ],
  ["a browser's fetch", new TypeError("Failed to fetch"), { kind: "network_error" }],
  ["a signal that timed out", new DOMException("late", "TimeoutError"), { kind: "timeout" }],
  ["a signal that was aborted", new DOMException("stop", "AbortError"), { kind: "interrupted" }],
  ["a full disk", error("write", { code: "ENOSPC" }), { kind: "disk_full", origin: "agent" }],
  ["plain words", "nobody knows", { kind: "unknown" }],
  ["nothing", undefined, { kind: "unknown" }],
  ["evidence", { httpStatus: 502 }, { kind: "server_error", origin: "provider" }],
  [
    "evidence of a tool",
    { tool: "bash", exitCode: 127 },
    { kind: "command_not_found", origin: "tool" },
  ],
  ["an object of another shape", { exitCode: "no number" }, { kind: "unknown" }],
];

for (const [name, thrown, expected] of CASES)
  test(name, () => {
    const failure = failureOf(thrown);
    for (const [field, value] of Object.entries(expected))
      assert.equal(
        failure[field as keyof Failure],
        value,
        `${field} of ${JSON.stringify(failure)}`,
      );
  });

test("a command that failed: exit code and output", () => {
  const run = (): unknown => {
    try {
      return execFileSync(process.execPath, ["-e", "console.error('no'); process.exit(127)"], {
        stdio: "pipe",
      });
    } catch (thrown) {
      return thrown;
    }
  };
  const failure = failureOf(run());
  assert.equal(failure.kind, "command_not_found");
  assert.equal(failure.origin, "tool");
});

test("a step says that a tool failed and not the model", () => {
  const step = { kind: "tool_call", tool: "fetch_page", args: { url: "x" } } as const;
  const failure = failureOf(error("no", { code: "ECONNREFUSED" }), { step });
  assert.equal(failure.origin, "tool");
  assert.equal(failure.category, "systematic");
});

test("failing checks with a failing service: the service is to blame", () => {
  assert.equal(failureOf({ httpStatus: 503 }, { failing: ["a"] }).kind, "server_overloaded");
});

test("whatever is thrown, there is an answer", () => {
  const bare: unknown = Object.create(null);
  assert.equal(failureOf(bare).kind, "unknown");
  const loop: Record<string, unknown> = { message: "round", status: 500 };
  loop["cause"] = loop;
  assert.equal(failureOf(loop).kind, "server_error");
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      assert.ok(failureOf(thrown).kind.length > 0);
    }),
    { numRuns: 300 },
  );
});
