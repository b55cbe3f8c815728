// proves: D1, D8, U1
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import { acp, claude, codex, gemini, opencode, pi, readReport } from "./events.ts";

type Row = readonly [format: string, kind: string, lines: readonly unknown[]];

const GOOGLE = (code: number, status: string, message: string, reason?: string): string =>
  `[API Error: ${JSON.stringify({
    error: { code, message, status, ...(reason === undefined ? {} : { details: [{ reason }] }) },
  })}]`;

/** `finished`: the agent said so itself and named no error. */
const ROWS: readonly Row[] = [
  ["claude", "finished", [claude.init, claude.call, claude.text("Did it."), claude.result()]],
  [
    "claude",
    "rate_limited",
    [
      claude.failure("rate_limit", 429, "API Error: too much"),
      claude.result({ is_error: true, terminal_reason: "api_error", api_error_status: 429 }),
    ],
  ],
  // a request rejected over the usage limit, not over a usage policy
  [
    "claude",
    "rate_limited",
    [
      claude.failure("rate_limit", 429, "Request rejected (429) · The usage limit is reached."),
      claude.result({ is_error: true, terminal_reason: "api_error", api_error_status: 429 }),
    ],
  ],
  [
    "claude",
    "content_refused",
    [claude.failure("invalid_request", 400, "Request rejected under our usage policy.")],
  ],
  [
    "claude",
    "auth_required",
    [
      claude.failure("authentication_failed", 401, "Not logged in"),
      claude.result({ is_error: true }),
    ],
  ],
  [
    "claude",
    "context_exhausted",
    [claude.result({ is_error: true, terminal_reason: "prompt_too_long", result: "No room left" })],
  ],
  [
    "claude",
    "billing",
    [claude.result({ is_error: true, subtype: "error_max_budget_usd", errors: ["Reached it"] })],
  ],
  // a hook that ends the run is no success, whatever is_error says
  ["claude", "unknown", [claude.text("Hm."), claude.result({ terminal_reason: "hook_stopped" })]],
  // an announced retry that worked is over
  [
    "claude",
    "finished",
    [claude.retry("overloaded", 529), claude.call, claude.text("Yes."), claude.result()],
  ],
  ["claude", "server_overloaded", [claude.init, claude.retry("overloaded", 529)]],
  ["claude", "malformed_output", [claude.init, claude.result({ result: "" })]],
  ["codex", "finished", [codex.start, codex.call, codex.text("Did it."), codex.done]],
  ["codex", "auth_required", [codex.failed("unexpected status 401 Unauthorized: wrong key")]],
  [
    "codex",
    "context_exhausted",
    [codex.failed('{"error":{"message":"too big","code":"context_length_exceeded"}}')],
  ],
  [
    "codex",
    "finished",
    [codex.error("Reconnecting... 1/5 (last status: 429 Too Many)"), codex.text("Ok."), codex.done],
  ],
  ["codex", "rate_limited", [codex.error("Reconnecting... 5/5 (last status: 429 Too Many)")]],
  ["codex", "malformed_output", [codex.start, codex.done]],
  ["gemini", "finished", [gemini.start, gemini.text("Did it."), gemini.result("success")]],
  [
    "gemini",
    "auth_required",
    [gemini.result("error", GOOGLE(400, "INVALID_ARGUMENT", "no", "API_KEY_INVALID"))],
  ],
  ["gemini", "invalid_arguments", [gemini.result("error", GOOGLE(400, "INVALID_ARGUMENT", "no"))]],
  ["gemini", "server_error", [gemini.result("error", GOOGLE(500, "INTERNAL", "broke"))]],
  // "success" after it stopped itself is no success
  [
    "gemini",
    "unknown",
    [
      gemini.text("On it."),
      gemini.error("warning", "Loop detected, stopping execution"),
      gemini.result("success"),
    ],
  ],
  // any other warning is only a warning
  [
    "gemini",
    "finished",
    [gemini.error("warning", "An old setting"), gemini.text("Ok."), gemini.result("success")],
  ],
  ["opencode", "finished", [opencode.text("Did it."), opencode.finish("stop")]],
  ["opencode", "context_exhausted", [opencode.text("Di"), opencode.finish("length")]],
  ["opencode", "malformed_output", [opencode.text("Di"), opencode.finish("unknown")]],
  ["opencode", "content_refused", [opencode.error("ContentFilterError", { message: "no" })]],
  [
    "opencode",
    "rate_limited",
    [opencode.error("APIError", { message: "slow down", statusCode: 429 })],
  ],
  [
    "opencode",
    "billing",
    [
      opencode.error("APIError", {
        message: "stop",
        statusCode: 429,
        responseBody: '{"error":{"message":"stop","code":"insufficient_quota"}}',
      }),
    ],
  ],
  ["pi", "finished", [pi.start, pi.end("stop")]],
  ["pi", "auth_required", [pi.start, pi.end("error", { errorMessage: "401 wrong key" })]],
  ["pi", "context_exhausted", [pi.start, pi.end("length")]],
  ["pi", "finished", [pi.end("error", { errorMessage: "503 busy" }), pi.end("stop")]],
  ["acp", "finished", [acp.text("Did it."), acp.stop("end_turn")]],
  ["acp", "context_exhausted", [acp.text("Di"), acp.stop("max_tokens")]],
  ["acp", "content_refused", [acp.stop("refusal")]],
  ["acp", "auth_required", [acp.error(-32_000, "Authentication required")]],
  ["acp", "rate_limited", [acp.error(-32_603, "Internal error", { errorKind: "rate_limit" })]],
  ["acp", "server_overloaded", [acp.error(503, GOOGLE(503, "UNAVAILABLE", "busy"))]],
];

test("each agent's typed output is told as what it is, whatever its exit code", () => {
  for (const [format, kind, lines] of ROWS) {
    const { report } = readReport(format, lines);
    const told = report.error === undefined ? "finished" : classify(report.error).kind;
    assert.equal(told, kind, `${format} ${JSON.stringify(lines.at(-1))}`);
    assert.equal(report.completed, kind === "finished", `${format} ${kind}`);
  }
});

test("a stop from outside is not an error of the agent", () => {
  const end = { kind: "killed", reason: "stop", detail: "", with: "SIGINT" } as const;
  const aborted = claude.result({ is_error: true, terminal_reason: "aborted_streaming" });
  for (const [format, lines] of [
    ["claude", [claude.init, claude.call, aborted]],
    ["claude", [claude.init, claude.call]],
    ["pi", [pi.start, pi.end("aborted")]],
    ["acp", [acp.text("Di"), acp.stop("cancelled")]],
  ] as const) {
    const { report } = readReport(format, lines, { end });
    assert.equal(report.completed, false);
    assert.equal(report.error, undefined, format);
  }
});

test("an agent that ends without a typed word leaves its text and its exit code", () => {
  const end = { kind: "exited", code: 3 } as const;
  const { report } = readReport("codex", [codex.start], { stderr: "error: bad flag --x\n", end });
  assert.equal(report.completed, false);
  assert.equal(report.error?.exitCode, 3);
  assert.match(report.error.stderr ?? "", /bad flag/);
});

test("what it said, answered, used and was called comes from the same lines", () => {
  const own = { ...claude.result(), model_usage_since_last_result: { m: { costUSD: 0.25 } } };
  const rows = [
    ["claude", [claude.init, claude.text("One."), claude.text("Two."), claude.result()], "s-1"],
    ["codex", [codex.start, codex.text("One."), codex.text("Two."), codex.done], "th-1"],
    ["opencode", [opencode.text("One."), opencode.text("Two."), opencode.finish("stop")], "ses_1"],
  ] as const;
  for (const [format, lines, session] of rows) {
    const { report } = readReport(format, lines);
    assert.equal(report.answer, "Two.", format);
    assert.match(report.said, /One\.\n?Two\./, format);
    assert.equal(report.session, session);
  }
  assert.deepEqual(readReport("claude", rows[0][1]).report.usage, { tokens: 120, usd: 0.5 });
  assert.equal(readReport("claude", [claude.text("x"), own]).report.usage.usd, 0.25);
  assert.deepEqual(readReport("codex", rows[1][1]).report.usage, { tokens: 77 });
  assert.deepEqual(readReport("opencode", rows[2][1]).report.usage, { tokens: 40, usd: 0.25 });
});

test("a resumed session's running totals are not counted twice", () => {
  const lines = [codex.start, codex.text("Ok."), codex.done];
  const usage = (askedFor: { session: string; before?: { tokens: number } }) =>
    readReport("codex", lines, { askedFor }).report.usage;
  assert.deepEqual(usage({ session: "th-1", before: { tokens: 50 } }), { tokens: 27 });
  assert.deepEqual(usage({ session: "th-1" }), {});
});

test("a session that is gone, or another one, is told as lost", () => {
  const askedFor = { session: "s-1" };
  const lost = (lines: readonly unknown[], stderr = "") =>
    readReport("claude", lines, { askedFor, stderr }).report.sessionLost;
  const gone = "No conversation found with session ID: s-1\n";
  assert.equal(lost([claude.result({ is_error: true })], gone), true);
  assert.equal(
    lost([{ ...claude.init, session_id: "s-2" }, claude.text("Hi."), claude.result()]),
    true,
  );
  assert.equal(lost([claude.init, claude.text("Hi."), claude.result()], gone), undefined);
});

test("the reset of a limit and a server's delay reach the evidence", () => {
  const limit = {
    type: "rate_limit_event",
    rate_limit_info: { status: "rejected", resetsAt: 1e9 },
  };
  const hit = claude.failure("rate_limit", 429, "You hit your limit");
  const evidence = readReport("claude", [limit, hit]).report.error;
  assert.equal(evidence?.retryAfter, "Sun, 09 Sep 2001 01:46:40 GMT");
  const allowed = { ...limit, rate_limit_info: { status: "allowed", resetsAt: 1e9 } };
  assert.equal(readReport("claude", [allowed, hit]).report.error?.retryAfter, undefined);
  const headers = { message: "x", statusCode: 429, responseHeaders: { "retry-after": "7" } };
  const told = readReport("opencode", [opencode.error("APIError", headers)]).report.error;
  assert.equal(told?.retryAfter, "7");
});

test("permissions that were not given and untested versions are warnings", () => {
  const denied = [{ tool_name: "Bash", tool_input: { command: "curl x" } }];
  const { warnings } = readReport("claude", [
    { ...claude.init, claude_code_version: "9.0.1" },
    claude.result({ permission_denials: denied }),
  ]).report;
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? "", /9\.0\.1 is not tested/);
  assert.match(warnings[1] ?? "", /Bash curl x/);
  assert.deepEqual(readReport("claude", [claude.init, claude.result()]).report.warnings, []);
});
