// proves: B1, D1
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import type { Evidence } from "../../../src/core/evidence.ts";
import type { FailureKind } from "../../../src/core/kinds.ts";

type Row = readonly [evidence: Evidence, kind: FailureKind];

function check(rows: readonly Row[]): void {
  for (const [evidence, kind] of rows) {
    const failure = classify(evidence);
    assert.equal(failure.kind, kind, `${JSON.stringify(evidence)}: ${failure.because.join("; ")}`);
    assert.ok(failure.because.length > 0);
  }
}

test("exit codes alone", () => {
  check([
    [{ exitCode: 127 }, "command_not_found"],
    [{ exitCode: 126 }, "permission_denied"],
    [{ exitCode: 124 }, "timeout"],
    [{ exitCode: 137 }, "out_of_memory"],
    [{ exitCode: 139 }, "agent_crash"],
    [{ exitCode: 134 }, "agent_crash"],
    [{ exitCode: 130 }, "unknown"],
    [{ exitCode: 1 }, "unknown"],
    [{ exitCode: 0 }, "unknown"],
    [{ exitCode: 9009 }, "command_not_found"],
    [{ exitCode: -1073741819 }, "agent_crash"],
    [{ exitCode: 3221225477 }, "agent_crash"],
    [{ exitCode: 3221225495 }, "out_of_memory"],
  ]);
});

test("signals alone, with or without their prefix", () => {
  check([
    [{ signal: "SIGSEGV" }, "agent_crash"],
    [{ signal: "segv" }, "agent_crash"],
    [{ signal: "SIGKILL" }, "agent_crash"],
    [{ signal: "SIGTERM" }, "timeout"],
    [{ signal: "SIGINT" }, "unknown"],
  ]);
});

test("system error names", () => {
  check([
    [{ errno: "ENOSPC" }, "disk_full"],
    [{ errno: "eacces" }, "permission_denied"],
    [{ errno: "ENOENT", message: "no such file" }, "file_not_found"],
    [{ errno: "ENOENT", message: "spawn cartctl ENOENT" }, "command_not_found"],
    [{ errno: "ETIMEDOUT", message: "the operation gave up" }, "timeout"],
    [{ errno: "ECONNREFUSED" }, "network_error"],
    [{ errno: "EAI_AGAIN" }, "network_error"],
    [{ errno: "ENOMEM" }, "out_of_memory"],
    [{ errno: "EADDRINUSE" }, "unknown"],
    [{ errno: "constructor" }, "unknown"],
    [{ errno: "__proto__" }, "unknown"],
  ]);
});

test("HTTP statuses, of a model service and of a command", () => {
  check([
    [{ tool: "llm", httpStatus: 401 }, "auth_required"],
    [{ tool: "llm", httpStatus: 402 }, "billing"],
    [{ tool: "llm", httpStatus: 404 }, "invalid_arguments"],
    [{ tool: "run_bash", httpStatus: 404 }, "file_not_found"],
    [{ tool: "llm", httpStatus: 413 }, "context_exhausted"],
    [{ tool: "llm", httpStatus: 429 }, "rate_limited"],
    [{ tool: "llm", httpStatus: 500 }, "server_error"],
    [{ tool: "llm", httpStatus: 503 }, "server_overloaded"],
    [{ tool: "llm", httpStatus: 529 }, "server_overloaded"],
    [{ tool: "llm", httpStatus: 599 }, "server_error"],
    [{ tool: "llm", httpStatus: 418 }, "invalid_arguments"],
    [{ tool: "llm", httpStatus: 200 }, "unknown"],
  ]);
});

test("a message knows better than a status that only says the request was wrong", () => {
  check([
    [{ tool: "llm", httpStatus: 429, message: "insufficient_quota" }, "billing"],
    [{ tool: "llm", httpStatus: 400, message: "prompt is too long for us" }, "context_exhausted"],
    [{ tool: "llm", httpStatus: 400, message: "API key not valid" }, "auth_required"],
    [{ tool: "llm", httpStatus: 401, message: "your token has expired" }, "auth_expired"],
    [{ tool: "llm", httpStatus: 400, message: "blocked by our content policy" }, "content_refused"],
  ]);
});

test("typed errors of providers, clouds and agents", () => {
  const typed = (type: string, message = "sorry"): Evidence => ({
    tool: "llm",
    message,
    providerError: { type },
  });
  check([
    [typed("overloaded_error"), "server_overloaded"],
    [typed("rate_limit_error"), "rate_limited"],
    [typed("authentication_error"), "auth_required"],
    [typed("RESOURCE_EXHAUSTED"), "rate_limited"],
    [typed("google.rpc.UNAUTHENTICATED"), "auth_required"],
    [typed("ThrottlingException"), "rate_limited"],
    [typed("com.amazon.coral#ExpiredTokenException"), "auth_expired"],
    [typed("ContextOverflowError"), "context_exhausted"],
    [typed("content_filter"), "content_refused"],
    [typed("billing_error"), "billing"],
    [typed("MALFORMED_FUNCTION_CALL"), "malformed_output"],
    [typed("invalid_request_error"), "invalid_arguments"],
    [typed("invalid_request_error", "credit balance is too low"), "billing"],
    [typed("toString"), "unknown"],
  ]);
  const code: Evidence = {
    tool: "llm",
    providerError: { type: "invalid_request_error", code: "context_length_exceeded" },
  };
  check([[code, "context_exhausted"]]);
});

test("killed is not out of memory, unless the kernel or a text says so (J12)", () => {
  const heap = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory";
  check([
    [{ tool: "agent_cli", signal: "SIGKILL" }, "agent_crash"],
    [{ tool: "agent_cli", exitCode: 137 }, "agent_crash"],
    [{ tool: "agent_cli", signal: "SIGKILL", outOfMemory: false }, "agent_crash"],
    [{ tool: "agent_cli", signal: "SIGKILL", outOfMemory: true }, "out_of_memory"],
    [{ tool: "agent_cli", exitCode: 137, outOfMemory: true }, "out_of_memory"],
    [{ tool: "agent_cli", exitCode: 137, stderr: "Killed" }, "out_of_memory"],
    [{ tool: "agent_cli", signal: "SIGABRT", stderr: heap }, "out_of_memory"],
    [{ tool: "agent_cli", signal: "SIGSEGV", outOfMemory: true }, "agent_crash"],
    [{ tool: "agent_cli", exitCode: 1, outOfMemory: true }, "unknown"],
    [
      { tool: "agent_cli", signal: "SIGKILL", stderr: "You've hit your usage limit." },
      "rate_limited",
    ],
  ]);
});

test("text corrects a misleading exit code, and agrees with a right one", () => {
  check([
    [{ exitCode: 127, stderr: "sh: 1: cartctl: not found" }, "command_not_found"],
    [{ exitCode: 137, stderr: "error: the job timed out after 10 s, killed" }, "timeout"],
    [{ exitCode: 124, command: "timeout 9 npm test", stdout: "starting" }, "timeout"],
    [{ exitCode: 1, stdout: "✖ 4 problems (3 errors, 1 warning)" }, "verification_failed"],
  ]);
});

test("the command's own words never decide; what it is for is only a last guess", () => {
  const silent = { tool: "run_bash", exitCode: 1, command: "grep -rn 'permission denied' src" };
  check([
    [silent, "unknown"],
    [{ ...silent, stdout: "done with trouble" }, "unknown"],
    [
      { exitCode: 1, command: "cd shop && npx jest cart", stdout: "strange end" },
      "verification_failed",
    ],
    [{ exitCode: 2, command: "make all", stderr: "strange end" }, "broken_build"],
    [{ exitCode: 1, command: "npm ci", stderr: "strange end" }, "dependency_error"],
    [{ exitCode: 0, command: "make all", stdout: "fine" }, "unknown"],
    [{ exitCode: 130, command: "make all", stdout: "^C" }, "unknown"],
    [{ exitCode: 2, stderr: "error: that is not how it goes" }, "invalid_arguments"],
  ]);
  assert.ok(
    classify({ exitCode: 2, command: "make all", stderr: "strange end" }).confidence <= 0.6,
  );
});

test("a failing check without any known words is a failed verification", () => {
  const failure = classify({ origin: "check", exitCode: 3, stdout: "hm" });
  assert.deepEqual([failure.kind, failure.origin], ["verification_failed", "check"]);
});

test("above 100 a field beats any error line, below 72 it yields to one", () => {
  const line = "cat: carts: No such file or directory";
  assert.equal(classify({ errno: "ENOSPC", stderr: line }).kind, "disk_full");
  assert.equal(classify({ errno: "EPIPE", stderr: line }).kind, "file_not_found");
  assert.equal(classify({ exitCode: 126, stderr: line }).kind, "file_not_found");
});
