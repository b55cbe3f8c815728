// What makes two calls the same, and what a tool is.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readCall } from "../../../src/core/stuck/call.ts";
import { DEFAULT_STUCK_CONFIG, type ToolKind } from "../../../src/core/stuck/config.ts";
import { factsOf } from "../../../src/core/stuck/tools.ts";

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
