// A policy of your own: start from a preset, change what you want; from a file you get errors with their line.
import assert from "node:assert/strict";
import { readPolicy } from "../src/core.ts";
import { createRecovery, PRESETS } from "../src/index.ts";

const mine = readPolicy(`
extends: standard
name: careful
recovery:
  branchExploration: false
  totalRecoveryBudget: 6
`);
assert.ok(mine.ok);
assert.equal(mine.value.recovery.totalRecoveryBudget, 6);

const impatient = { ...PRESETS.standard, wait: { ...PRESETS.standard.wait, delaysMs: [100, 200] } };
const next = createRecovery({ policy: impatient }).failed({ httpStatus: 503 }, { prompt: "task" });
assert.ok(next.kind === "wait" && next.ms === 100);

const wrong = readPolicy("extends: standard\nrungs:\n  - id: first\n    do: feedbak\n");
assert.ok(!wrong.ok);
console.log(wrong.problems.map(({ line, message }) => `line ${line}: ${message}`).join("\n"));
assert.equal(wrong.problems[0]?.line, 4);
