// proves: J10, U21, U22
// Calls that a gate refused and questions asked with a tool, in the shapes of each agent; made up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readReport } from "./events.ts";

const INPUT = { command: "npm ci" };

const claudeCall = (id: string, input: object, name = "Bash") => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
});
const claudeResult = (id: string, content: string, failed: boolean) => ({
  type: "user",
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content, is_error: failed }],
  },
});
const claudeEnd = (denied: readonly object[] = []) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  permission_denials: denied,
});

const REFUSED: Readonly<Record<string, readonly [string, string, readonly object[]]>> = {
  "claude, by the text of the call": [
    "claude",
    "Bash",
    [claudeCall("a", INPUT), claudeResult("a", "This command requires approval", true)],
  ],
  "claude, by its list at the end": [
    "claude",
    "Bash",
    [claudeEnd([{ tool_name: "Bash", tool_use_id: "a", tool_input: INPUT }])],
  ],
  "codex, by the status": [
    "codex",
    "shell",
    [
      {
        type: "item.completed",
        item: {
          ...{ type: "command_execution", id: "a", command: "bash -lc 'npm ci'" },
          ...{ status: "declined", aggregated_output: "", exit_code: null },
        },
      },
    ],
  ],
  gemini: [
    "gemini",
    "run_shell_command",
    [
      { type: "tool_use", tool_name: "run_shell_command", tool_id: "a", parameters: INPUT },
      {
        ...{ type: "tool_result", tool_id: "a", status: "error" },
        output: "Tool execution denied by policy.",
      },
    ],
  ],
  "opencode, by what it asked": [
    "opencode",
    "bash",
    [{ type: "permission", permission: "bash", patterns: ["npm ci"] }],
  ],
  pi: [
    "pi",
    "bash",
    [
      { type: "tool_execution_start", toolCallId: "a", toolName: "bash", args: INPUT },
      {
        ...{ type: "tool_execution_end", toolCallId: "a", isError: true },
        result: { content: [{ type: "text", text: "Command blocked by user" }] },
      },
    ],
  ],
};

for (const [name, [format, tool, lines]] of Object.entries(REFUSED))
  test(`refused: ${name}`, () => {
    const { refusals } = readReport(format, lines).report;
    assert.deepEqual(refusals, [{ tool, command: "npm ci" }]);
  });

test("a call that fails for another reason, or gets through later, was not refused", () => {
  const failed = [claudeCall("a", INPUT), claudeResult("a", "npm error ERESOLVE", true)];
  assert.equal(readReport("claude", failed).report.refusals, undefined);
  const later = [
    ...[claudeCall("a", INPUT), claudeResult("a", "This command requires approval", true)],
    ...[claudeCall("b", INPUT), claudeResult("b", "added 3 packages", false)],
  ];
  assert.equal(readReport("claude", later).report.refusals, undefined);
});

test("a question tool is a question, not a refusal; one it went on from is none", () => {
  const question = { questions: [{ question: "Which port?" }] };
  const asks = claudeCall("q", question, "AskUserQuestion");
  const denied = claudeEnd([{ tool_name: "AskUserQuestion", tool_input: question }]);
  const { asked, refusals } = readReport("claude", [asks, denied]).report;
  assert.deepEqual([asked, refusals], ["Which port?", undefined]);
  const went = [asks, claudeCall("a", INPUT), claudeEnd()];
  assert.equal(readReport("claude", went).report.asked, undefined);
});
