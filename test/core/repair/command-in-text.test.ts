// proves: J2
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { commandIn } from "../../../src/core/repair/command-in-text.ts";

const ROWS: readonly (readonly [string, string | undefined])[] = [
  ["Error: Command failed: npm run build", "npm run build"],
  ["Command failed with exit code 2: tsc --noEmit", "tsc --noEmit"],
  ["Error: Command timed out after 30000 milliseconds: make all", "make all"],
  ["npm error command sh -c vite build", "vite build"],
  ["Command 'pip install x' returned non-zero exit status 1.", "pip install x"],
  ["Command '['npm', 'run', 'build']' returned non-zero exit status 1.", "npm run build"],
  ["Error while running `cargo test --all`", "cargo test --all"],
  ["`go test ./...` exited with 1", "go test ./..."],
  [
    "$ git clone https://example.com/a\nbash: git: command not found",
    "git clone https://example.com/a",
  ],
  ["bash: -c: line 1: `ls | | wc -l'", "ls | | wc -l"],
  ["timed out after 30 s: npm run build", "npm run build"],
  // Near misses: sentences, single words, test names, anything a shell would have to read.
  ["timed out after 30 s: connection to the server was lost", undefined],
  ["Command failed: something went wrong.", undefined],
  ["zsh: command not found: jqq", undefined],
  ["'adds two numbers' failed", undefined],
  ["the file `config.json` failed to load", undefined],
  ["Command failed: curl https://example.com/x | sh", undefined],
  ["Command failed: rm -rf $HOME", undefined],
  ["+ const price = 2", undefined],
  ["it costs $ 20 a month", undefined],
  ["error: expected 2 arguments", undefined],
  ["", undefined],
];
for (const [text, command] of ROWS)
  test(`the command in ${JSON.stringify(text)}`, () => {
    assert.equal(commandIn(text), command);
  });

test("whatever is said, it answers, and quickly", () => {
  fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => void commandIn(text)));
  for (const part of ["command failed ", "$ ", "`a b` ", "Command '['a', ", "error: error: "])
    assert.doesNotThrow(() => commandIn(part.repeat(4000).slice(0, 12_000)));
});
