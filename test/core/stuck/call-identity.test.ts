// When two calls are one and the same, and what a call aims at: argument by argument.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readCall, type Call } from "../../../src/core/stuck/call.ts";
import { DEFAULT_STUCK_CONFIG, type ToolConfig } from "../../../src/core/stuck/config.ts";
import { factsOf } from "../../../src/core/stuck/tools.ts";

const read = (tool: string, args: unknown, own?: ToolConfig): Call =>
  readCall(
    factsOf(tool, { ...DEFAULT_STUCK_CONFIG, tools: own === undefined ? {} : { [tool]: own } }),
    args,
  );

type Pair = readonly [string, unknown, unknown];

const SAME: readonly Pair[] = [
  ["t", { a: 1, b: 2 }, { b: 2, a: 1 }],
  ["t", { a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }],
  ["t", { path: "a", description: "one" }, { path: "a", description: "two" }],
  ["t", { url: "a", reason: "one" }, { url: "a" }],
  ["t", { query: "a", title: "one" }, { query: "a", title: "two" }],
  ["t", { a: 1, requestId: "x" }, { a: 1, requestId: "y" }],
  ["t", { a: 1, timestamp: 1 }, { a: 1, timestamp: 2 }],
  ["t", { a: 1, displayName: "x" }, { a: 1 }],
  ["run", { code: "x", name: "a" }, { code: "x", name: "b" }],
  ["Task", { prompt: "x", name: "a" }, { prompt: "x", name: "b" }],
  ["Task", { prompt: "x", description: "a" }, { prompt: "x", description: "b" }],
  ["Read", { path: "./a" }, { path: "a" }],
  ["Read", { path: "././a" }, { path: "a" }],
  ["Read", { path: "a/./b" }, { path: "a/b" }],
  ["Read", { path: "a///b" }, { path: "a/b" }],
  ["Read", { path: "a/././b//c" }, { path: "a/b/c" }],
  ["Bash", { command: " ls  -l -a " }, { command: "ls -al" }],
  ["update_plan", { plan: [{ step: "a", status: "x" }] }, { plan: [{ step: "b", status: "x" }] }],
  ["TodoWrite", { todos: [{ status: "x" }] }, { todos: [{ status: "x", id: 3 }] }],
  ["write_todos", { items: [{ status: "x" }] }, { items: [{ status: "x", id: 3 }] }],
];

const DIFFERENT: readonly Pair[] = [
  ["t", { a: 1 }, { a: 2 }],
  ["t", { a: 1 }, { b: 1 }],
  ["t", { a: 1 }, { a: "1" }],
  ["t", { a: null }, { a: "null" }],
  ["t", { a: true }, { a: "true" }],
  ["t", { a: [] }, { a: {} }],
  ["t", { a: [1, 2] }, { a: [2, 1] }],
  ["t", { a: { b: 1 } }, { a: { b: 2 } }],
  ["t", { a: { b: 1 } }, { a: { c: 1 } }],
  ["t", { a: { b: "x" } }, { a: { b: "y" } }],
  ["t", undefined, "x"],
  ["t", "x", "y"],
  ["t", null, 7],
  ["t", ["x"], ["y"]],
  ["t", { description: "one" }, { description: "two" }],
  ["t", { a: 1, reason: "one" }, { a: 1, reason: "two" }],
  ["t", { path: "a", name: "x" }, { path: "a", name: "y" }],
  ["Task", { code: "x", name: "a" }, { code: "x", name: "b" }],
  ["t", { prompt: "x", name: "a" }, { prompt: "x", name: "b" }],
  ["Read", { path: "../a" }, { path: "a" }],
  ["Read", { path: ".a" }, { path: "a" }],
  ["Read", { path: "a//../b" }, { path: "a/.b" }],
  ["Read", { path: "a/.b" }, { path: "a/b" }],
  ["Read", { path: "a/./b", text: "./x" }, { path: "a/b", text: "x" }],
  ["Read", { path: `./${"a".repeat(498)}` }, { path: "a".repeat(498) }],
  ["t", { command: "ls  a" }, { command: "ls a" }],
  ["update_plan", { plan: [{ status: "x" }] }, { plan: [{ status: "y" }] }],
  ["update_plan", { plan: ["a"] }, { plan: ["b"] }],
  ["update_plan", { note: "a" }, { note: "b" }],
  ["update_plan", { plan: "a" }, { plan: "b" }],
];

describe("one and the same call", () => {
  for (const [tool, one, other] of SAME)
    test(`${tool} ${JSON.stringify(one)}`, () =>
      assert.equal(read(tool, one).key, read(tool, other).key));
  test("by the names one tool goes by", () => {
    assert.equal(read("read_file", { path: "a" }).key, read("Read", { path: "a" }).key);
    assert.equal(read("shell", { command: "a" }).key, read("Bash", { command: "a" }).key);
  });
});

describe("another call", () => {
  for (const [tool, one, other] of DIFFERENT)
    test(`${tool} ${JSON.stringify(one) ?? "without arguments"}`.slice(0, 80), () =>
      assert.notEqual(read(tool, one).key, read(tool, other).key),
    );
});

test("the arguments that a person named decide, and only they", () => {
  const key = (args: object): number => read("t", args, { identity: ["a", "timestamp"] }).key;
  assert.equal(key({ a: 1, b: 1 }), key({ a: 1, b: 2 }));
  assert.equal(key({ a: 1, b: 1 }), key({ a: 1 }));
  assert.notEqual(key({ a: 1 }), key({ a: 2 }));
  assert.notEqual(key({ a: 1, timestamp: 1 }), key({ a: 1, timestamp: 2 }));
  const ignoring = (args: object): number => read("t", args, { ignore: ["b"] }).key;
  assert.equal(ignoring({ a: 1, b: 1 }), ignoring({ a: 1 }));
  assert.notEqual(ignoring({ a: 1, b: 1 }), ignoring({ a: 2, b: 1 }));
});

test("arguments are read to a depth and a number, beyond which they look the same", () => {
  const nest = (depth: number, leaf: unknown): unknown =>
    depth === 0 ? leaf : { in: nest(depth - 1, leaf) };
  assert.notEqual(read("t", nest(9, { x: 1 })).key, read("t", nest(9, { x: 2 })).key);
  assert.equal(read("t", nest(10, { x: 1 })).key, read("t", nest(10, { x: 2 })).key);
  const lists = (depth: number, leaf: unknown): unknown =>
    depth === 0 ? leaf : [lists(depth - 1, leaf)];
  assert.notEqual(read("t", lists(8, { x: 1 })).key, read("t", lists(8, { x: 2 })).key);
  assert.equal(read("t", lists(10, { x: 1 })).key, read("t", lists(10, { x: 2 })).key);
  const many = (last: unknown): unknown => ({ a: [...new Array<number>(500).fill(0), last] });
  assert.equal(read("t", many({ x: 1 })).key, read("t", many({ x: 2 })).key);
  const few = (last: unknown): unknown => ({ a: [...new Array<number>(300).fill(0), last] });
  assert.notEqual(read("t", few({ x: 1 })).key, read("t", few({ x: 2 })).key);
  const plan = (items: number, last: string): unknown => ({
    plan: [...new Array<object>(items).fill({ status: "x" }), { status: last }],
  });
  assert.equal(read("update_plan", plan(200, "x")).key, read("update_plan", plan(200, "y")).key);
  assert.notEqual(read("update_plan", plan(199, "x")).key, read("update_plan", plan(199, "y")).key);
});

describe("what a call asks for", () => {
  const target = (tool: string, args: unknown): number => read(tool, args).target;
  test("the same file, in whatever part", () => {
    const whole = target("Read", { file_path: "a" });
    for (const name of ["path", "filePath", "file", "notebook_path", "filename", "target_file"])
      assert.equal(target("Read", { [name]: "./a", offset: 5 }), whole, name);
    assert.notEqual(target("Read", { file_path: "b" }), whole);
    assert.notEqual(target("list_directory", { path: "a" }), whole);
    assert.equal(target("Bash", { command: "cat a" }), target("Bash", { command: "head -5 a" }));
    assert.notEqual(target("Bash", { command: "cat a" }), target("Bash", { command: "cat b" }));
  });
  test("the same words in any order, once or twice, in the same place", () => {
    const words = target("Grep", { pattern: "retry limit" });
    for (const name of ["query", "q", "search", "question", "prompt", "regex", "keywords"])
      assert.equal(target("Grep", { [name]: "the limit of retry, retry" }), words, name);
    assert.equal(target("Grep", { query: ["retry", "limit"] }), words);
    assert.notEqual(target("Grep", { pattern: "retry" }), words);
    assert.notEqual(target("WebSearch", { query: "retry limit" }), words);
    for (const place of ["path", "include", "glob", "url", "type"])
      assert.notEqual(target("Grep", { pattern: "retry limit", [place]: "x" }), words, place);
  });
  test("a search without words that mean something is its own question", () => {
    const call = read("Grep", { pattern: "the of a" });
    assert.deepEqual([call.words, call.scope, call.target], [[], 0, call.key]);
    const punctuation = read("Grep", { pattern: "!= {" });
    assert.equal(punctuation.target, punctuation.key);
  });
  test("anything else is asked as it stands", () => {
    for (const call of [read("Edit", { path: "a" }), read("Read", {}), read("t", { query: "x" })])
      assert.equal(call.target, call.key);
  });
  test("words without their endings, where enough is left", () => {
    const words = (pattern: unknown): readonly string[] => read("Grep", { pattern }).words;
    assert.deepEqual(words("Waiting waited waits caches"), ["wait", "wait", "wait", "cach"]);
    assert.deepEqual(words("uses bed ring keys"), ["uses", "bed", "ring", "keys"]);
    assert.deepEqual(words("parse_json2 größe"), ["parse", "json2", "größe"]);
    assert.deepEqual(words(7), []);
    assert.deepEqual(words(`${"x".repeat(300)} late`), ["x".repeat(300)]);
    assert.equal(words("ab ".repeat(60)).length, 40);
  });
});

describe("which part of a file is read", () => {
  const RANGES: readonly (readonly [object, readonly [number, number]])[] = [
    [{}, [0, 2000]],
    [{ offset: 10 }, [10, 2010]],
    [{ limit: 10 }, [0, 10]],
    [{ lines: 30 }, [0, 30]],
    [{ offset: 5, limit: 10 }, [5, 15]],
    [{ start_line: 5, end_line: 9 }, [5, 9]],
    [{ startLine: 5, endLine: 9 }, [5, 9]],
    [{ line_start: 5, line_end: 9 }, [5, 9]],
    [{ start: 5, end: 9 }, [5, 9]],
    [{ start: 5, end: 9, limit: 100 }, [5, 9]],
    [{ view_range: [3, 8] }, [3, 8]],
    [{ line_range: [3, 8] }, [3, 8]],
    [{ view_range: [3, 3] }, [3, 3]],
    [{ view_range: [3, -1] }, [3, 2003]],
    [{ view_range: ["3", 8] }, [0, 2000]],
    [{ view_range: [3, "8"] }, [0, 2000]],
    [{ view_range: "3-8", offset: 4 }, [4, 2004]],
    [{ offset: NaN, limit: "9" }, [0, 2000]],
  ];
  for (const [part, range] of RANGES)
    test(JSON.stringify(part), () =>
      assert.deepEqual(read("Read", { path: "a", ...part }).range, range),
    );
  test("of a command, what it prints", () => {
    assert.deepEqual(read("Bash", { command: "sed -n 3,8p a" }).range, [3, 8]);
    assert.deepEqual(read("Bash", { cmd: ["head", "-n", "7", "a"] }).range, [0, 7]);
    assert.equal(read("Bash", { command: "ls" }).range, undefined);
    assert.equal(read("Bash", { command: "rm a", path: "a" }).range, undefined);
  });
});

describe("what a call is", () => {
  test("a command that only looks is a read, one that checks is a check", () => {
    const what = (tool: string, args: unknown): unknown => {
      const { kind, poll, checks } = read(tool, args);
      return { kind, poll, checks };
    };
    const shell = { kind: "shell", poll: false, checks: false };
    assert.deepEqual(what("Bash", { command: "ls" }), { ...shell, kind: "read" });
    assert.deepEqual(what("Bash", { cmd: "npm test" }), { ...shell, checks: true });
    assert.deepEqual(what("Bash", { script: "sleep 5; rm a" }), { ...shell, poll: true });
    assert.deepEqual(what("Bash", { command: "rm a" }), shell);
    assert.deepEqual(what("Bash", {}), shell);
    assert.deepEqual(what("Bash", "rm a"), shell);
    assert.deepEqual(what("run_tests", {}), { kind: "other", poll: false, checks: true });
    assert.deepEqual(what("run_lint", { command: "ls" }), {
      kind: "other",
      poll: false,
      checks: true,
    });
    assert.deepEqual(what("t", { command: "sleep 5" }), { ...shell, kind: "other" });
    assert.deepEqual(what("BashOutput", { id: 3 }), { ...shell, kind: "poll", poll: true });
    assert.deepEqual(what("wait", { command: "npm test" }), {
      kind: "poll",
      poll: true,
      checks: true,
    });
  });
  test("an edit goes from one state of a file to another", () => {
    const states = (tool: string, args: object): readonly boolean[] => {
      const { before, after } = read(tool, { path: "a", ...args });
      return [before !== 0, after !== 0];
    };
    for (const name of ["old_string", "old_str", "oldString", "oldText", "old", "search"])
      assert.deepEqual(states("Edit", { [name]: "x" }), [true, false], name);
    for (const name of ["new_string", "new_str", "newString", "newText", "new", "content"])
      assert.deepEqual(states("Edit", { [name]: "x" }), [false, true], name);
    assert.deepEqual(states("Write", { file_text: "x" }), [false, true]);
    assert.deepEqual(states("Read", { old: "x", new: "y" }), [false, false]);
    const one = read("Edit", { path: "a", old: "x", new: "y" });
    const back = read("Edit", { path: "a", old: "y", new: "x" });
    assert.deepEqual([one.before, one.after], [back.after, back.before]);
  });
  test("a list of words is a text, a list of other things or a very long one is none", () => {
    const path = (cmd: unknown): boolean => read("Bash", { cmd }).path !== 0;
    assert.equal(path(["cat", "a"]), true);
    assert.equal(path(["cat", 7]), false);
    assert.equal(path(["cat", "a", ...new Array<string>(47).fill("")]), true);
    assert.equal(path(["cat", "a", ...new Array<string>(48).fill("")]), false);
  });
});
