// proves: C6
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import {
  fillTemplate,
  parseTemplate,
  takesPrompt,
  takesThinking,
} from "../../../src/agents/command/template.ts";

const words = (text: string): readonly string[] | string => {
  const parsed = parseTemplate(text);
  return parsed.ok ? parsed.words : parsed.problem;
};

test("words, quotes and escapes are those of sh", () => {
  const cases: [text: string, words: string[]][] = [
    ["my-agent {prompt}", ["my-agent", "{prompt}"]],
    ["  a \t b\n c ", ["a", "b", "c"]],
    ["a 'b c' \"d e\" f\\ g", ["a", "b c", "d e", "f g"]],
    ["a --x='y z'w", ["a", "--x=y zw"]],
    ["a '' \"\"", ["a", "", ""]],
    ['a "\\"\\\\\\$\\n"', ["a", '"\\$\\n']],
    ["a '$HOME' \\$HOME", ["a", "$HOME", "$HOME"]],
    ["a b\\\nc", ["a", "bc"]],
    ['a {"json":1} *.ts b#c', ["a", "{json:1}", "*.ts", "b#c"]],
    ["a x~", ["a", "x~"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(words(text), expected, text);
});

test("what needs a shell, or is not whole, is refused with its place", () => {
  const cases: [text: string, problem: RegExp][] = [
    ["a | b", /\| at character 3 needs a shell/],
    ["a > out", />/],
    ["a ~/x", /~ at character 3 needs a shell/],
    ["a && b", /&/],
    ["a $HOME", /\$ at character 3/],
    ['a "$HOME"', /\$ at character 4/],
    ["a `b`", /`/],
    ["a 'b", /' at character 3 is never closed/],
    ['a "b', /" at character 3 is never closed/],
    ["a \\", /lone backslash/],
    ["", /no command/],
    ["'' a", /no command/],
    ["a \0", /NUL/],
  ];
  for (const [text, problem] of cases) assert.match(String(words(text)), problem, text);
});

test("a prompt can never stand inside a shell's script", () => {
  for (const text of [
    "sh -c 'agent {prompt}'",
    "/bin/bash -lc \"agent '{prompt}'\"",
    "env A=1 zsh -c 'x {promptFile}' y",
    "nice sh -e -c '{model}'",
  ])
    assert.match(String(words(text)), /would let a prompt run as shell text/, text);
  for (const text of [
    "sh -c 'agent \"$1\"' sh {prompt}",
    "sh script.sh {prompt}",
    "agent -c {prompt}",
  ])
    assert.ok(Array.isArray(words(text)), text);
});

test("placeholders are filled once, in place, and unknown braces stay", () => {
  const values = { prompt: "{model} 'x' {prompt}", promptFile: "/f", model: "m{prompt}" };
  assert.deepEqual(
    fillTemplate(["a", "{prompt}", "--in={promptFile}", "{model}{model}", "{other}"], values),
    ["a", "{model} 'x' {prompt}", "--in=/f", "m{prompt}m{prompt}", "{other}"],
  );
  assert.ok(takesPrompt(["a", "--p={promptFile}"]));
  assert.ok(!takesPrompt(["a", "{model}"]));
  assert.deepEqual(fillTemplate(["--think={thinking}"], { ...values, thinking: "on" }), [
    "--think=on",
  ]);
  assert.ok(takesThinking(["a", "--think={thinking}"]) && !takesThinking(["a", "{model}"]));
});

test("whatever the prompt, it stays one argument and is not changed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (prompt) => {
      const filled = fillTemplate(["a", "{prompt}", "z"], { prompt, promptFile: "" });
      assert.deepEqual(filled, ["a", prompt, "z"]);
    }),
  );
});

test("whatever the template without special characters: sh splits it the same way", () => {
  const piece = fc.constantFrom(
    "a",
    "b c",
    "' '",
    '" "',
    "\\ ",
    "''",
    "'\"'",
    '"\'"',
    "\\\\",
    "é",
    " ",
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const text = `x${pieces.join("")}`;
      const parsed = parseTemplate(text);
      assert.ok(parsed.ok);
      const script = `for word in ${text}; do printf '%s\\0' "$word"; done`;
      const bySh = execFileSync("sh", ["-c", script], { encoding: "utf8" });
      assert.deepEqual(parsed.words, bySh.split("\0").slice(0, -1));
    }),
    { numRuns: 40 },
  );
});
