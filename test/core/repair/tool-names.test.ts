// proves: C2
import assert from "node:assert/strict";
import { test } from "node:test";
import { basicToolOf, bindCall, toolBench } from "../../../src/core/repair/tool-names.ts";
import type { BasicTool } from "../../../src/core/repair/tool-names.ts";

const SAMPLE = {
  run_bash: { script: "ls" },
  read_file: { file: "a" },
  read_dir: { dir: "d" },
  write_file: { file: "a", content: "c" },
} as const;

function bound(name: string, basic: BasicTool): unknown {
  const binding = toolBench([name]).bindings.get(basic);
  assert.ok(binding !== undefined, name);
  return bindCall(binding, basic, SAMPLE[basic]);
}

for (const [name, basic, args] of [
  ["run_bash", "run_bash", { script: "ls" }],
  ["Bash", "run_bash", { command: "ls" }],
  ["bash", "run_bash", { command: "ls" }],
  ["run_shell_command", "run_bash", { command: "ls" }],
  ["execute_command", "run_bash", { command: "ls" }],
  ["execute_bash", "run_bash", { command: "ls" }],
  ["run_terminal_cmd", "run_bash", { command: "ls" }],
  ["shell", "run_bash", { command: "ls" }],
  ["shell_command", "run_bash", { command: "ls" }],
  ["local_shell", "run_bash", { command: "ls" }],
  ["exec_command", "run_bash", { cmd: "ls" }],
  ["read_file", "read_file", { file: "a" }],
  ["Read", "read_file", { file_path: "a" }],
  ["read", "read_file", { filePath: "a" }],
  ["mcp__files__read_file", "read_file", { file: "a" }],
  ["read_dir", "read_dir", { dir: "d" }],
  ["LS", "read_dir", { path: "d" }],
  ["list_directory", "read_dir", { path: "d" }],
  ["list_dir", "read_dir", { path: "d" }],
  ["list_files", "read_dir", { path: "d" }],
  ["list", "read_dir", { path: "d" }],
  ["Glob", "read_dir", { pattern: "*", path: "d" }],
  ["glob", "read_dir", { pattern: "*", path: "d" }],
  ["write_file", "write_file", { file: "a", content: "c" }],
  ["Write", "write_file", { file_path: "a", content: "c" }],
  ["write", "write_file", { filePath: "a", content: "c" }],
  ["create_file", "write_file", { path: "a", content: "c" }],
  ["write_to_file", "write_file", { path: "a", content: "c" }],
  ["Edit", "write_file", { file_path: "a", content: "c" }],
  ["edit", "write_file", { filePath: "a", content: "c" }],
  ["apply_patch", "write_file", { path: "a", content: "c" }],
] as const)
  test(`${name} is the agent's ${basic}, with its own argument names`, () => {
    assert.equal(basicToolOf(name), basic);
    assert.deepEqual(bound(name, basic), { tool: name, args });
  });

test("an agent with nothing but a shell reads through it, quoted", () => {
  const bench = toolBench(["shell", "apply_patch"]);
  assert.deepEqual([...bench.bindings.keys()].sort(), [
    "read_dir",
    "read_file",
    "run_bash",
    "write_file",
  ]);
  const binding = bench.bindings.get("read_dir");
  assert.ok(binding !== undefined);
  assert.deepEqual(bindCall(binding, "read_dir", { dir: "-a b" }), {
    tool: "shell",
    args: { command: "ls -la -- './-a b'" },
  });
  assert.deepEqual(bindCall(binding, "read_file", { file: "it's" }), {
    tool: "shell",
    args: { command: "cat -- 'it'\\''s'" },
  });
});

test("a shell of an agent that has reading tools of its own does not stand in for them", () => {
  assert.deepEqual([...toolBench(["Bash"]).bindings.keys()], ["run_bash"]);
  assert.equal(toolBench(["shell", "Read"]).bindings.get("read_file")?.name, "Read");
});

test("the better of two tools for one job is taken, wherever it stands in the list", () => {
  assert.equal(toolBench(["Edit", "Write"]).bindings.get("write_file")?.name, "Write");
  assert.equal(toolBench(["Glob", "LS"]).bindings.get("read_dir")?.name, "LS");
  assert.equal(toolBench(["Bash", "run_bash"]).bindings.get("run_bash")?.name, "run_bash");
});

test("unknown, empty, repeated and very many names do no harm", () => {
  const bench = toolBench(["web_search", "", "web_search", "__proto__", "constructor"]);
  assert.deepEqual(bench.names, ["web_search", "__proto__", "constructor"]);
  assert.equal(bench.bindings.size, 0);
  assert.equal(basicToolOf("constructor"), undefined);
  assert.equal(toolBench(Array.from({ length: 900 }, (_, n) => `t${n}`)).names.length, 500);
});
