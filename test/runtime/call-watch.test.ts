// proves: J2
import assert from "node:assert/strict";
import { test } from "node:test";
import { relativeToTree, watchCalls } from "../../src/runtime/call-watch.ts";
import type { Step } from "../../src/core/stuck/step.ts";

const call = (args: unknown, more: Partial<Step> = {}): Step =>
  ({ kind: "tool_call", tool: "Bash", args, id: "1", ...more }) as Step;
const result = (output: string, isError: boolean, more: Partial<Step> = {}): Step =>
  ({ kind: "tool_result", output, isError, id: "1", ...more }) as Step;

const ROWS: readonly (readonly [string, readonly Step[], unknown])[] = [
  ["nothing was called", [], undefined],
  ["nothing failed", [call({ command: "ls" }), result("a", false)], undefined],
  [
    "a command",
    [call({ command: "npm test" }), result("no such script", true)],
    { tool: "Bash", command: "npm test", output: "no such script" },
  ],
  [
    "words with a script behind -lc",
    [call({ command: ["bash", "-lc", "npm test"] }), result("x", true)],
    { tool: "Bash", command: "npm test", output: "x" },
  ],
  [
    "a file",
    [call({ file_path: "a.txt" }, { tool: "Read" }), result("ENOENT", true)],
    { tool: "Read", file: "a.txt", output: "ENOENT" },
  ],
  [
    "the last one that failed, whatever passed after it",
    [
      call({ command: "one" }),
      result("bad", true),
      call({ command: "two" }, { id: "2" }),
      result("good", false, { id: "2" }),
    ],
    { tool: "Bash", command: "one", output: "bad" },
  ],
  [
    "joined by tool where there are no ids",
    [
      { kind: "tool_call", tool: "sh", args: "make" },
      { kind: "tool_result", tool: "sh", output: "bad", isError: true },
    ],
    { tool: "sh", command: "make", output: "bad" },
  ],
  ["a result of nobody", [result("bad", true)], undefined],
];
for (const [title, steps, expected] of ROWS)
  test(`the last failed call: ${title}`, () => {
    const watch = watchCalls();
    for (const step of steps) watch.take(step);
    assert.deepEqual(watch.failed(), expected);
  });

test("paths are told as they are seen from the tree", () => {
  const said = { message: "open '/t/slot 1/src/a.ts' in /t/slot 1", exitCode: 1 };
  assert.deepEqual(relativeToTree(said, "/t/slot 1"), {
    message: "open 'src/a.ts' in .",
    exitCode: 1,
  });
  assert.equal(relativeToTree(undefined, "/t"), undefined);
  assert.deepEqual(relativeToTree({ message: "a/b" }, "/"), { message: "a/b" });
});
