// proves: D1, D8
import assert from "node:assert/strict";
import { test } from "node:test";
import { looseOutput } from "../../../src/agents/output/loose.ts";
import { createSniffedReader } from "../../../src/agents/command/command-agent.ts";
import { REGISTRY } from "../../../src/agents/registry.ts";
import type { Fields } from "../../../src/agents/output/json.ts";
import { classifyByStandardRules } from "../../../src/core/rules/standard.ts";
import { createLoopWatch } from "../../../src/runtime/loop-watch.ts";
import { acp, claude, codex, EXITED, gemini, jsonl, opencode, pi, readReport } from "./events.ts";

const told = (lines: readonly unknown[], code = 0): string => {
  const { report } = readReport("loose", lines, { end: { kind: "exited", code } });
  return report.error === undefined ? "finished" : classifyByStandardRules(report.error).kind;
};

/** Lines of agents that do not exist. */
const ROWS: readonly (readonly [string, readonly unknown[], number?])[] = [
  ["finished", [{ type: "answer.message", data: { content: "Did it." } }, { type: "result" }]],
  ["finished", [{ event: "assistant.text", text: "Did it." }]],
  ["rate_limited", [{ type: "session.error", data: { errorType: "rate_limit", message: "slow" } }]],
  ["auth_required", [{ type: "run.failed", error: { message: "no", status: 401 } }]],
  ["server_error", [{ type: "error", payload: { body: '{"error":{"code":500}}', message: "x" } }]],
  [
    "context_exhausted",
    [{ type: "end", status: "error", error: { code: "context_length_exceeded" } }],
  ],
  ["server_overloaded", [{ type: "reply_end", message: { errorMessage: "503 try again later" } }]],
  ["billing", [{ type: "result", is_error: true, result: "402 Payment Required" }]],
  // the attempt got over it
  [
    "finished",
    [
      { type: "model.retry", error: { message: "529 busy" } },
      { type: "tool.start", toolCallId: "c", toolName: "sh", args: { x: 1 } },
      { type: "turn.completed" },
    ],
  ],
  // a tool's failure is the agent's to mend
  [
    "finished",
    [{ type: "tool.error", data: { message: "429 from a test server" } }, { type: "done" }],
  ],
  ["finished", [{ type: "tool.complete", success: false, toolCallId: "c" }, { type: "result" }]],
  // said by the model, not by the service
  ["finished", [{ type: "assistant.message", text: "error: 401 was handled" }, { type: "result" }]],
  ["agent_crash", [{ type: "begin" }], 139],
];

test("lines of an agent nobody knows are told by what they have in common", () => {
  for (const [kind, lines, code] of ROWS)
    assert.equal(told(lines, code), kind, JSON.stringify(lines));
});

test("calls and results of an agent nobody knows become steps", () => {
  const read = looseOutput.createReader();
  const steps = [
    {
      type: "tool.execution_start",
      data: { toolCallId: "c1", toolName: "sh", arguments: { c: "ls" } },
    },
    { type: "tool.execution_progress", data: { toolCallId: "c1", toolName: "sh" } },
    { type: "tool.execution_complete", data: { toolCallId: "c1", success: false, output: "no" } },
    { type: "item.completed", item: { id: "i", command: "ls", output: "a", exit_code: 2 } },
  ].flatMap((line) => read(line as Fields).steps ?? []);
  assert.deepEqual(steps, [
    { kind: "tool_call", id: "c1", tool: "sh", args: { c: "ls" } },
    { kind: "tool_result", id: "c1", output: "no", isError: true },
    { kind: "tool_call", id: "i", tool: "command", args: "ls" },
    { kind: "tool_result", id: "i", output: "a", isError: true },
  ]);
});

test("a loop of an agent nobody knows is seen", () => {
  const reader = createSniffedReader();
  const watch = createLoopWatch();
  const steps = Array.from({ length: 8 }, (_, n) => {
    const call = { toolCallId: `c${n}`, toolName: "sh", arguments: { command: "frob --all" } };
    const result = { toolCallId: `c${n}`, success: true, output: "nothing here" };
    const text = jsonl([
      { type: "tool.start", data: call },
      { type: "tool.end", data: result },
    ]);
    return reader.push("stdout", text);
  });
  assert.ok(steps.flat().some((step) => watch(step)?.level === "stuck"));
});

test("the first line tells the format, and words have none", () => {
  const rows = [
    ["claude", claude.init],
    ["codex", codex.start],
    ["gemini", gemini.start],
    ["opencode", opencode.text("x")],
    ["pi", pi.start],
    ["acp", acp.text("x")],
    ["steps", { kind: "message", text: "x" }],
    ["loose", { type: "something" }],
    [undefined, { name: "any JSON" }],
  ] as const;
  for (const [format, line] of rows)
    assert.equal(REGISTRY.outputBeginning(line), format && REGISTRY.outputNamed(format), format);
  for (const text of ["Working...\n", "[1, 2]\n", "{broken\n", '"type"\n']) {
    const reader = createSniffedReader();
    const [step] = reader.push("stdout", text);
    assert.deepEqual(step, { kind: "message", text, partial: true, channel: "output" });
    assert.equal(reader.report(EXITED), undefined);
  }
});

test("an unknown agent's exit code counts only where its events say nothing", () => {
  const lines = [{ type: "begin" }, { type: "message", text: "Hm." }];
  assert.equal(readReport("loose", lines, { end: EXITED }).report.completed, true);
  const failed = readReport("loose", lines, { end: { kind: "exited", code: 1 } }).report;
  assert.equal(failed.completed, false);
  assert.equal(failed.error?.exitCode, 1);
});
