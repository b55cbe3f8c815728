// proves: B1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";
import { COMPILED_REPORTS } from "./cases/compiled-reports.ts";
import { OTHER_REPORTS } from "./cases/other-reports.ts";
import { SCRIPT_REPORTS } from "./cases/script-reports.ts";

const REPORTS = Object.entries({ ...SCRIPT_REPORTS, ...COMPILED_REPORTS, ...OTHER_REPORTS });

/** What the code under test is about; none of it happened to the one who ran the tests. */
const BAIT = [
  "429 Too Many Requests",
  "You have hit your usage limit. Try again at 3pm",
  "overloaded_error",
  "503 Service Unavailable",
  "ENOSPC: no space left on device, write",
  "Command timed out after 30 seconds",
  "EACCES: permission denied, open '/etc/x'",
  "bash: foo: command not found",
  "Not logged in. Please run /login",
  "token expired, please log in again",
  "Your credit balance is too low",
  "connect ECONNREFUSED 127.0.0.1:5432",
  "500 Internal Server Error",
  "JavaScript heap out of memory",
  "prompt is too long: 210000 tokens > 200000 maximum",
  "ENOENT: no such file or directory, open 'x'",
  "unknown option '--foo'",
  "CONFLICT (content): Merge conflict in a.txt",
];

/** The evidence of a command, of a tool call and of an agent that shows what it ran. */
const SOURCES = [
  { tool: "run_bash", field: "stdout" },
  { tool: "run_bash", field: "stderr" },
  { tool: "tool_call", field: "message" },
  { tool: "agent_cli", field: "message" },
] as const;

for (const [runner, report] of REPORTS)
  test(`a failed test is one, whatever its text speaks of: ${runner}`, () => {
    for (const bait of BAIT)
      for (const { tool, field } of SOURCES) {
        const failure = classify({ tool, [field]: report.replaceAll("{X}", bait) });
        const said = `${bait}, ${tool}: ${failure.because.join("; ")}`;
        assert.equal(failure.kind, "verification_failed", said);
      }
  });

const ENDS = [
  ["You've hit your usage limit. Try again at 3:00 PM.", "rate_limited"],
  ['API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}', "server_overloaded"],
  ["ERROR: Invalid API key. Please run /login", "auth_required"],
  ["Your credit balance is too low to access the API", "billing"],
] as const;

test("an agent that shows a failed test and then ends by a limit ended by the limit", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...REPORTS),
      fc.constantFrom(...ENDS),
      fc.constantFrom(...BAIT),
      ([runner, report], [end, kind], bait) => {
        const stderr = `${report.replaceAll("{X}", bait)}\n\n${end}`;
        assert.equal(classify({ tool: "agent_cli", stderr }).kind, kind, runner);
      },
    ),
  );
});

test("what only sounds like a report of tests keeps its own kind", () => {
  for (const [text, kind] of [
    ["src/a.ts(3,5): error TS2554: Expected 2 arguments, but got 1.", "broken_build"],
    ["a.c:3:5: error: expected ';' before 'return'", "broken_build"],
    [
      "error: expected one of `!`, `.`, `::` or an operator, found `x`\n --> src/main.rs:2:5",
      "broken_build",
    ],
    ["Uploaded: 3 files succeeded, 1 failed\nError: ENOSPC: no space left on device", "disk_full"],
    ["12 requests succeeded, 1 failed: 429 Too Many Requests", "rate_limited"],
    ["retrying: 2 attempts failed, 0 succeeded\nconnect ECONNREFUSED ::1:80", "network_error"],
    ["expected 200 OK but got 503 Service Unavailable from https://a.example", "server_overloaded"],
    ["HTTP 429: rate limit exceeded. Expected reset in: 20s", "rate_limited"],
    ["bash: line 3: 4: command not found\nexpected: a tool", "command_not_found"],
    ["E: Unable to fetch some archives\n  Could not resolve 'deb.example.org'", "network_error"],
  ] as const)
    assert.equal(classify({ tool: "run_bash", stderr: text }).kind, kind, text);
});
