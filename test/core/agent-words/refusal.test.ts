// proves: U21, J10
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  distinctRefusals,
  isShellRefusal,
  isReadOnlyCall,
  refusalOf,
  refusalText,
  isGateRefusal,
} from "../../../src/core/agent-words/refusal.ts";

const REFUSED = [
  "This command requires approval",
  "Claude requested permissions to use Bash, but you haven't granted it yet.",
  "Permission to use Bash with command npm install has been denied.",
  "The user rejected permission to use this specific tool call.",
  "The user has specified a rule which prevents you from using this specific tool call.",
  "exec command rejected by user",
  "declined by the approval policy",
  "Tool execution denied by policy.",
  "Tool execution for 'Shell' requires user confirmation, which is not supported here.",
  "Error: command not allowed in this mode",
  "failed in sandbox: denied by policy",
  "sandbox denied exec error, exit code 1",
];

for (const output of REFUSED)
  test(`refused by a gate: ${output}`, () => assert.equal(isGateRefusal(output), true));

const FAILED = [
  "bash: ./run.sh: Permission denied",
  "EACCES: permission denied, open '/etc/hosts'",
  "Access denied for user 'root'@'localhost'",
  "remote: pre-receive hook declined",
  "npm error code E403: forbidden",
  "sudo: a password is required",
  "rm: cannot remove 'x': Operation not permitted",
  "fatal: could not read Username: terminal prompts disabled",
  "",
];

for (const output of FAILED)
  test(`failed without a gate: ${output}`, () => assert.equal(isGateRefusal(output), false));

test("the exact command, path or address; a question is no refusal", () => {
  assert.deepEqual(refusalOf("Bash", { command: "npm install" }), {
    tool: "Bash",
    command: "npm install",
  });
  assert.equal(refusalOf("shell", { command: ["npm", "ci"] })?.command, "npm ci");
  assert.equal(refusalOf("Write", { file_path: "/etc/x", content: "y" })?.command, "/etc/x");
  assert.deepEqual(refusalOf("WebSearch", {}), { tool: "WebSearch", command: "" });
  assert.equal(refusalOf("AskUserQuestion", { question: "Which?" }), undefined);
});

test("a command stands for itself, anything else with its tool", () => {
  const [shell, fetched] = [
    { tool: "run_shell_command", command: "npm ci" },
    { tool: "WebFetch", command: "https://example.org/a" },
  ];
  assert.deepEqual([shell, fetched].map(isShellRefusal), [true, false]);
  assert.deepEqual([shell, fetched].map(refusalText), ["npm ci", "WebFetch https://example.org/a"]);
});

test("what only looks", () => {
  const looks = ["ls", "cat a b", "git status -s", "grep -r x ."];
  const acts = ["npm install", "lsof", "git push", "catch", "rm -r x", "make"];
  for (const command of looks) assert.ok(isReadOnlyCall({ tool: "Bash", command }), command);
  for (const command of acts) assert.ok(!isReadOnlyCall({ tool: "Bash", command }), command);
});

test("any calls: each once, a handful, in one line each", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.jsonValue())), (calls) => {
      const all = calls.flatMap(([tool, args]) => refusalOf(tool, args) ?? []);
      const kept = distinctRefusals(all);
      assert.ok(kept.length <= 5);
      assert.equal(new Set(kept.map(refusalText)).size, kept.length);
      for (const { command } of kept) assert.ok(!command.includes("\n") && command.length <= 500);
    }),
  );
});
