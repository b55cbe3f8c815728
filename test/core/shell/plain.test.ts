// proves: C6
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { commandParts, plainWords } from "../../../src/core/shell/plain.ts";

for (const [command, words] of [
  ["npm test", ["npm", "test"]],
  ["  a \t b  ", ["a", "b"]],
  ["cat 'two words' \"and more\"", ["cat", "two words", "and more"]],
  ["a'b'\"c\"d ''", ["abcd", ""]],
  ['grep "it\'s" x', ["grep", "it's", "x"]],
  ["", []],
  ["a | b", undefined],
  ["a; b", undefined],
  ["a && b", undefined],
  ["echo $HOME", undefined],
  ['echo "$HOME"', undefined],
  ['echo "`id`"', undefined],
  ['echo "a\\"b"', undefined],
  ["echo '$HOME'", ["echo", "$HOME"]],
  ["ls *.txt", undefined],
  ["ls ?", undefined],
  ["a > b", undefined],
  ["a # note", undefined],
  ["echo {1,2}", undefined],
  ["(a)", undefined],
  ["a\\ b", undefined],
  ["a\nb", undefined],
  ["ls ~", undefined],
  ["A=1 time x", ["A=1", "time", "x"]],
  [`x ${"y".repeat(5000)}`, ["x", "y".repeat(5000)]],
  ["echo 'open", undefined],
  ['echo "open', undefined],
] as const)
  test(`the words of ${JSON.stringify(command)}`, () => {
    assert.deepEqual(plainWords(command), words);
  });

test("plain words are exactly what a shell would see", () => {
  const part = fc.constantFrom(
    "a",
    "-x",
    "'b c'",
    '"d e"',
    " ",
    "  ",
    "\t",
    "f.g",
    "=",
    "/",
    "'\"'",
    '"\'"',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const command = `x ${parts.join("")}`;
      const words = plainWords(command);
      if (words === undefined) return;
      const script = `set -- ${command}; printf '%s\\0' "$@"`;
      const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
      assert.deepEqual(stdout.split("\0").slice(0, -1), words);
    }),
    { numRuns: 60 },
  );
});

for (const [command, parts] of [
  ["a && b; c\nd", ["a", "b", "c", "d"]],
  ["a 'x && y' && b \"p; q\"", ["a 'x && y'", 'b "p; q"']],
  ["a | b && c", ["a | b", "c"]],
  ["a", ["a"]],
  [" ; a ;; ", ["a"]],
  ["a & b", ["a & b"]],
  ["a || b", undefined],
  ["a $(b; c)", undefined],
  ["a `b`", undefined],
  ["{ a; }", undefined],
  ["a <<X\nb\nX", undefined],
  ["a \\; b", undefined],
  ["if a; then b; fi", undefined],
  ["for x in 1; do y; done", undefined],
  ["a; while b", undefined],
  ["iffy && done2", ["iffy", "done2"]],
  ["a 'open; b", undefined],
] as const)
  test(`the parts of ${JSON.stringify(command)}`, () => {
    assert.deepEqual(commandParts(command), parts);
  });
