// proves: U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { stepText } from "../../../src/operations/follow/follow.ts";

const call = (args: unknown, tool = "Bash"): string =>
  JSON.stringify({ kind: "tool_call", tool, args });
const assistant = (...content: readonly unknown[]): string =>
  JSON.stringify({ type: "assistant", message: { id: "m", content } });

for (const [name, tail, format, words] of [
  ["nothing yet", "", undefined, ""],
  ["the last line that says something", "one\ntwo\n\n", undefined, "two"],
  ["terminal commands are not obeyed", "a\x1b[2J\x1b]0;title\x07b\r\n", undefined, "ab"],
  ["a tool call of steps", `${call({ command: "npm test" })}\n`, undefined, "Bash npm test"],
  ["a list of words as command", call({ command: ["ls", "-l"] }), undefined, "Bash ls -l"],
  ["other arguments", call({ depth: 2 }, "Tree"), undefined, 'Tree {"depth":2}'],
  [
    "a result is passed over for the call before it",
    `${call({ file_path: "a.ts" }, "Read")}\n${JSON.stringify({ kind: "tool_result", output: "x" })}\n`,
    undefined,
    "Read a.ts",
  ],
  ["JSON of another kind is not shown", '{"jsonrpc":"2.0","id":1}\n', undefined, ""],
  [
    "an agent's own format, after a line that was cut",
    `":"cut"}\n${assistant({ type: "text", text: "First.\nNow the tests." })}\n`,
    "claude",
    "Now the tests.",
  ],
  [
    "a tool call in an agent's own format",
    `${assistant({ type: "tool_use", id: "t", name: "Bash", input: { command: "make" } })}\n`,
    "claude",
    "Bash make",
  ],
] as const)
  test(`current step: ${name}`, () => {
    assert.equal(stepText(tail, format), words);
  });

test("current step: never throws, always one tame line", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.json()),
      fc.constantFrom(undefined, "claude" as const, "codex" as const, "steps" as const),
      (tail, format) => {
        const words = stepText(tail, format);
        assert.ok(words.length <= 200);
        assert.doesNotMatch(words, /[\x00-\x1f\x7f-\x9f\u202e]/);
      },
    ),
  );
});
