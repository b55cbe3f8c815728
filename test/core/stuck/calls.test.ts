// What makes two calls the same, what a tool is, what a command does, and what a failing text says.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readCall } from "../../../src/core/stuck/call.ts";
import { DEFAULT_STUCK_CONFIG } from "../../../src/core/stuck/config.ts";
import type { ToolKind } from "../../../src/core/stuck/config.ts";
import {
  errorKindHash,
  failingTestsHash,
  firstErrorLine,
  isInfrastructureText,
  isUnknownTool,
} from "../../../src/core/stuck/result-text.ts";
import { factsOf, plainCommand, readCommand } from "../../../src/core/stuck/tools.ts";

const toolOf = (name: string) => factsOf(name, DEFAULT_STUCK_CONFIG);
const keyOf = (name: string, args: unknown): number => readCall(toolOf(name), args).key;

const KINDS: Readonly<Record<ToolKind, string>> = {
  read: "Read read_file view LS list_directory Glob read_many_files mcp__fs__read_file getFile",
  search: "Grep grep_search WebSearch web_fetch search_file_content directory_lookup",
  write:
    "Edit Write MultiEdit replace write_file apply_patch str_replace_editor file_change new_edit",
  shell: "Bash run_shell_command shell exec execute_command terminal",
  poll: "BashOutput wait read_command_output check_status",
  plan: "TodoWrite update_plan write_todos",
  delegate: "Task dispatch_unit delegate_task",
  other: "notify calculator stuck_tool",
};

test("tools of the known agents, and others by their words", () => {
  for (const [kind, names] of Object.entries(KINDS))
    for (const name of names.split(" ")) assert.equal(toolOf(name).kind, kind, name);
});

test("the same call in another spelling", () => {
  assert.equal(
    keyOf("t", { a: 1, b: [{ c: 2, d: 3 }] }),
    keyOf("t", { b: [{ d: 3, c: 2 }], a: 1 }),
  );
  assert.equal(
    keyOf("Bash", { command: "ls  -la ./src" }),
    keyOf("Bash", { command: "ls -al src" }),
  );
  assert.equal(keyOf("Bash", { command: "make 2>&1" }), keyOf("Bash", { command: "make || true" }));
  assert.equal(keyOf("Read", { file_path: "./a//b.ts" }), keyOf("Read", { file_path: "a/b.ts" }));
  assert.equal(keyOf("run", { code: "x", name: "one" }), keyOf("run", { code: "x", name: "two" }));
  assert.equal(keyOf("replace", { old: "a" }), keyOf("edit", { old: "a" }));
  assert.equal(
    keyOf("TodoWrite", { todos: [{ content: "a", status: "pending" }] }),
    keyOf("TodoWrite", { todos: [{ content: "b", status: "pending" }] }),
  );
});

test("not the same call", () => {
  assert.notEqual(keyOf("t", { a: 1 }), keyOf("t", { a: "1" }));
  assert.notEqual(keyOf("t", [1, 2]), keyOf("t", [2, 1]));
  assert.notEqual(keyOf("t", {}), keyOf("u", {}));
  assert.notEqual(keyOf("Bash", { command: "ls a" }), keyOf("Bash", { command: "ls b" }));
  assert.notEqual(
    keyOf("Bash", { command: "ls", cwd: "a" }),
    keyOf("Bash", { command: "ls", cwd: "b" }),
  );
  assert.notEqual(keyOf("lookup", { name: "ann" }), keyOf("lookup", { name: "bob" }));
  assert.notEqual(keyOf("create_issue", { title: "a" }), keyOf("create_issue", { title: "b" }));
});

test("a person's config decides what counts", () => {
  const tools = { fetch: { identity: ["url"] }, log: { ignore: ["at"] } };
  const config = { ...DEFAULT_STUCK_CONFIG, tools };
  const key = (name: string, args: unknown): number => readCall(factsOf(name, config), args).key;
  assert.equal(key("fetch", { url: "u", trace: 1 }), key("fetch", { url: "u", trace: 2 }));
  assert.equal(key("log", { text: "t", at: 1 }), key("log", { text: "t", at: 2 }));
  assert.notEqual(key("log", { text: "t", at: 1 }), key("log", { text: "s", at: 1 }));
});

test("reading a call never throws", () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue({ maxDepth: 12 }), (name, args) => {
      assert.ok(Number.isSafeInteger(keyOf(name, args)));
    }),
  );
  const deep: Record<string, unknown> = {};
  let inner = deep;
  for (let level = 0; level < 5000; level += 1)
    inner = inner["next"] = {} as Record<string, unknown>;
  assert.ok(Number.isSafeInteger(keyOf("t", deep)));
});

const COMMANDS: readonly (readonly [string, "waits" | "looks" | "checks" | "changes"])[] = [
  ["", "waits"],
  ["sleep 60 && tail -1 build.log", "waits"],
  ["ls -la", "looks"],
  ["git status --short", "looks"],
  ["git -C . diff --stat", "looks"],
  ["cat a.txt | grep x 2>/dev/null", "looks"],
  ["FOO=1 grep -r x . 2>&1", "looks"],
  ["npm test", "checks"],
  ["npx vitest run", "checks"],
  ["python -m pytest -q", "checks"],
  ["cargo build", "checks"],
  ["cat a > b", "changes"],
  ["sed -i s/a/b/ f", "changes"],
  ["git commit -m x", "changes"],
  ["find . -delete", "changes"],
  ["./frobnicate", "changes"],
];

describe("commands", () => {
  for (const [command, kind] of COMMANDS)
    test(command, () => {
      const { waits, looksOnly, checks } = readCommand(command);
      const found = waits ? "waits" : looksOnly ? "looks" : checks ? "checks" : "changes";
      assert.equal(found, kind);
    });
  test("one spelling keeps what matters", () => {
    assert.notEqual(plainCommand("git log a b"), plainCommand("git log b a"));
    assert.notEqual(plainCommand("echo 'a  b'"), plainCommand("echo 'a b' c"));
  });
});

const OUTAGES = [
  "HTTP/1.1 503 Service Unavailable",
  "Error: 429 Too Many Requests",
  '{"error":{"type":"overloaded_error","message":"busy"}}',
  "getaddrinfo ENOTFOUND api.example.com",
  "curl: (6) Could not resolve host: example.com",
  "Working...\nError: 502 Bad Gateway",
];
const NO_OUTAGES = [
  "Result 3: Error 404 not found - causes and solutions",
  "expected 200 got 401",
  "connect ECONNREFUSED 127.0.0.1:3000",
  `${"x".repeat(100)} how we answer 429 Too Many Requests`,
  `503 Service Unavailable\n${"documentation ".repeat(60)}`,
  "permission denied",
];

test("outages are told from content that speaks of them", () => {
  for (const text of OUTAGES) assert.equal(isInfrastructureText(text, false), true, text);
  for (const text of NO_OUTAGES) assert.equal(isInfrastructureText(text, false), false, text);
  assert.equal(isInfrastructureText("connection refused by localhost", true), false);
  for (const text of [
    "connection reset by peer",
    "upstream request timeout",
    "provider unavailable",
  ])
    assert.equal(isInfrastructureText(text, true), true, text);
  for (const text of ["timeout", "model is undefined", "api.ts: syntax error"])
    assert.equal(isInfrastructureText(text, true), false, text);
});

test("what a failing text says", () => {
  assert.equal(
    firstErrorLine("Exit code 2\n\n  make: *** missing rule\nmore"),
    "make: *** missing rule",
  );
  assert.equal(firstErrorLine("  \n only this\n"), "only this");
  assert.equal(firstErrorLine(`${"line\n".repeat(3000)}TypeError: boom`), "TypeError: boom");
  assert.equal(firstErrorLine("\x1b[31merror\x1b[0m: \u202ebad"), "error: bad");
  assert.equal(isUnknownTool("Tool exec not found"), true);
  assert.equal(isUnknownTool("Error: No such tool available: frob"), true);
  assert.equal(isUnknownTool("bash: frob: command not found"), false);
});

test("the kind of an error leaves names and numbers apart", () => {
  const same = (one: string, other: string): void =>
    assert.equal(errorKindHash(one), errorKindHash(other), one);
  same("sh: rg: command not found", "bash: fd: command not found");
  same("cannot open '/a/b' at line 3", "cannot open '/c' at line 14");
  assert.notEqual(errorKindHash("file is too large"), errorKindHash("file is not there"));
});

test("failing tests are read where the format is known", () => {
  const same = (one: string, other: string): void =>
    assert.equal(failingTestsHash(one), failingTestsHash(other), one);
  same("FAILED t/a.py::x - assert 1 == 2", "2 passed\nFAILED t/a.py::x - assert 3 == 4");
  same(
    "--- FAIL: TestA (0.00s)\n--- FAIL: TestB (0.10s)",
    "--- FAIL: TestB (1.2s)\n--- FAIL: TestA (0s)",
  );
  same("  ✗ logs in (12 ms)", "  ✗ logs in (7 ms)");
  same("not ok 3 - adds", "not ok 4 - adds");
  assert.notEqual(failingTestsHash("test a ... FAILED"), failingTestsHash("test b ... FAILED"));
  assert.equal(failingTestsHash("all 3 tests passed"), 0);
});
