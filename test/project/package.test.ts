// proves: P1
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsOf } from "../../scripts/package/readme-commands.ts";
import { typeCommand } from "../../scripts/package/typed-command.ts";
import { WITHOUT_TERMINAL } from "../cli/terminal/pseudo-terminal.ts";

test("the commands of a page: lines of its shell blocks, and those that its sentences quote", () => {
  const page = [
    "Say `unstuck doctor`, then `npm test`; `unstuck.yaml` is a file, `not unstuck` a word.",
    "```sh",
    'npx unstuck "make it 2" # the first start',
    "npm ci && npm test",
    "npm test 2>&1 | unstuck classify",
    "unstuck run \\",
    "  --goal x",
    "ls unstuck-home",
    "```",
    "```text",
    "unstuck no-command",
    "```",
    "Again `unstuck doctor`.",
  ].join("\n");
  assert.deepEqual(
    commandsOf(page).map(({ line, isWhole }) => [line.replace(/ +/g, " "), isWhole]),
    [
      ['npx unstuck "make it 2"', true],
      ["npm test 2>&1 | unstuck classify", true],
      ["unstuck run --goal x", true],
      ["unstuck doctor", false],
    ],
  );
});

test("typing a command: questions are answered as they suggest, and all keys are counted", async (t) => {
  if (WITHOUT_TERMINAL !== false) return t.skip(WITHOUT_TERMINAL);
  const asks =
    'printf "checks [2] found\\n"; printf "Start? [Y/n] "; read a; printf "1-2 [1]: "; read b; ' +
    'printf "Sure? [y/N] "; read c; test -z "$a$b" && test "$c" = y';
  const env = { PATH: process.env["PATH"] ?? "" };
  const { code, keystrokes, questions } = await typeCommand("12345", asks, { cwd: "/", env });
  assert.equal(code, 0);
  assert.deepEqual(questions, ["Start? [Y/n]", "1-2 [1]:", "Sure? [y/N]"]);
  assert.equal(keystrokes, 6 + 1 + 1 + 2);
});
