// proves: J2, J16, U21
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOfCall } from "../../../src/core/shell/command-of-call.ts";

const ROWS: readonly (readonly [args: unknown, command: string | undefined])[] = [
  ["npm test", "npm test"],
  [{ command: "npm test", cmd: "x" }, "npm test"],
  [{ cmd: "make" }, "make"],
  [{ script: "a\nb" }, "a\nb"],
  [{ command: ["bash", "-lc", "rm -rf /"] }, "rm -rf /"],
  [{ command: ["git", "status"] }, "git status"],
  [{ command: ["git", 1] }, undefined],
  [{ command: 3, cmd: "make" }, "make"],
  [{ file_path: "a.ts" }, undefined],
  [undefined, undefined],
  [["bash", "-c", "x"], undefined],
];

for (const [args, command] of ROWS)
  test(`${JSON.stringify(args)}: ${command}`, () => assert.equal(commandOfCall(args), command));
