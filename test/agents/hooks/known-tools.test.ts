// proves: J31
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { knownToolProblem } from "../../../src/agents/hooks/known-tools.ts";
import { HOOK_AGENTS, hooksOf } from "../../../src/agents/registry.ts";

const KNOWN = { Bash: ["command"], read_file: ["file_path|path"], Grep: ["pattern"], list: [] };
const problem = (tool: string, args: unknown): string =>
  knownToolProblem(KNOWN, { tool, args }) ?? "";

test("what is refused, and in which words", () => {
  const rows: readonly (readonly [string, unknown, RegExp])[] = [
    ["Bash", {}, /Bash needs command; it has no arguments/],
    ["Bash", { cmd: "ls" }, /Bash needs command; it has only: cmd/],
    ["Bash", { command: null }, /Bash needs command/],
    ["Bash", "ls", /Bash needs command/],
    ["read_file", { file: "a" }, /needs file_path or path/],
    ["bash", { command: "ls" }, /no tool bash: did you mean Bash\?/],
    ["ReadFile", {}, /did you mean read_file\?/],
    ["read_fil", {}, /did you mean read_file\?/],
    ["reed_file", {}, /did you mean read_file\?/],
  ];
  for (const [tool, args, words] of rows) assert.match(problem(tool, args), words, tool);
});

test("what is let through", () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ["Bash", { command: "" }],
    ["Bash", { command: 3, more: true }],
    ["read_file", { path: "a" }],
    ["list", undefined],
    ["lists", {}],
    ["Bush", {}],
    ["read_files", {}],
    ["write_file", {}],
    ["mcp__x__Bash", {}],
    ["mcp_read_file", {}],
    ["toString", {}],
    ["", {}],
  ];
  for (const [tool, args] of rows) assert.equal(problem(tool, args), "", tool);
});

test("every agent with hooks has its tools, its hints' own among them; no call of any shape throws", () => {
  for (const agent of HOOK_AGENTS) {
    const { calls, tools } = hooksOf(agent)!;
    assert.ok(calls !== undefined && Object.keys(calls).length > 0, agent);
    const missing = tools.filter((tool) => !Object.hasOwn(calls, tool));
    assert.deepEqual(missing, agent === "codex" ? ["shell"] : [], agent);
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom(...Object.keys(calls))),
        fc.jsonValue(),
        (tool, args) => {
          const words = knownToolProblem(calls, { tool, args });
          assert.ok(words === undefined || words.length < 600);
        },
      ),
    );
  }
});
