/** A policy of your own: start from a preset, change what you want, get errors with their line. */
import assert from "node:assert/strict";
import { ladder, readPolicy } from "../src/index.ts";

const mine = readPolicy(`
extends: standard
name: careful
recovery:
  branchExploration: false
  totalRecoveryBudget: 6
`);
assert.ok(mine.ok);
assert.equal(ladder(mine.value).settings.recovery.totalRecoveryBudget, 6);

const wrong = readPolicy("extends: standard\nrungs:\n  - id: first\n    do: feedbak\n");
assert.ok(!wrong.ok);
console.log(wrong.problems.map(({ line, message }) => `line ${line}: ${message}`).join("\n"));
assert.equal(wrong.problems[0]?.line, 4);
