// proves: U11, U13, U17
// What the checks said of the base before the start is taken by the run, and by nothing that differs from what it was measured with.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { processChecker } from "../../../src/agents/checks/checker.ts";
import { PLAN_AGENTS } from "../../../src/agents/registry.ts";
import { readPlan } from "../../../src/core/plan/read-plan.ts";
import type { RunPlan } from "../../../src/core/plan/run-plan.ts";
import {
  DETACHED_RUN,
  giveMeasured,
  keepMeasured,
  takeMeasured,
} from "../../../src/operations/runs/measured-base.ts";
import type { CheckRun } from "../../../src/runtime/ports-workspace.ts";

const root = mkdtempSync(join(tmpdir(), "unstuck-measured-"));
after(() => rmSync(root, { recursive: true, force: true }));
const home = {
  ...{ root, database: "", trust: "", runs: join(root, "runs") },
  runDir: (run: string) => join(root, "runs", run),
};

const NAME = "try-0123456789ab";
const CHECK = "npm test";
const NOW = 1_000_000_000;
const MINUTE = 60_000;
const TREE = "a".repeat(40);
const env = { PATH: "/bin", LANG: "C" };
const RED: CheckRun = {
  ...{ exitCode: 1, stdout: "src/a.js\n  3:7  error  'x' is never used\n", stderr: "" },
  ...{ outcome: { kind: "failed", items: [], complete: true }, durationMs: 2000 },
};

function planWith(flags: object = {}, check: object = { run: CHECK }): RunPlan {
  const text = JSON.stringify({ goal: "mend it", agent: "x {prompt}", checks: [check] });
  const reading = readPlan(text, { setup: ["npm ci"], carry: [".env"], ...flags }, PLAN_AGENTS);
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading.value;
}

function taken(about: Partial<Parameters<typeof takeMeasured>[1]>, ran = RED) {
  const measured = { tree: TREE, runs: { [CHECK]: ran } };
  keepMeasured(home, NAME, { ...measured, plan: planWith(), env, now: NOW });
  giveMeasured(home, NAME, "r1");
  const found = takeMeasured(home.runDir("r1"), { plan: planWith(), env, now: NOW, ...about });
  assert.deepEqual(readdirSync(home.runDir("r1")), [], "nothing is left that an agent could write");
  assert.deepEqual(readdirSync(join(root, "tries")), []);
  return found?.runs[CHECK];
}

test("the same plan in the same environment takes it, also in a background process", () => {
  assert.deepEqual(taken({}), RED);
  assert.deepEqual(taken({ env: { LANG: "C", PATH: "/bin", [DETACHED_RUN]: "r1" } }), RED);
  assert.deepEqual(taken({ now: NOW + 9 * MINUTE }), RED);
});

const NOT_TAKEN: Readonly<Record<string, Parameters<typeof taken>[0]>> = {
  "another command": { plan: planWith({}, { run: "npm test -- --all" }) },
  "a shorter limit than it took": { plan: planWith({}, { run: CHECK, minutes: 0.02 }) },
  "another set-up": { plan: planWith({ setup: ["npm install"] }) },
  "no set-up": { plan: planWith({ setup: [] }) },
  "other files carried over": { plan: planWith({ carry: [] }) },
  "another variable": { env: { ...env, NODE_ENV: "production" } },
  "another value": { env: { ...env, LANG: "de" } },
  "a variable less": { env: { PATH: "/bin" } },
  "long ago": { now: NOW + 11 * MINUTE },
};

for (const [name, about] of Object.entries(NOT_TAKEN))
  test(`not taken: ${name}`, () => assert.equal(taken(about), undefined));

test("what cannot be read, or is not there, counts as not measured", () => {
  giveMeasured(home, "try-ffffffffffff", "r2");
  const about = { plan: planWith(), env, now: NOW };
  assert.equal(takeMeasured(home.runDir("r2"), about), undefined);
  writeFileSync(join(home.runDir("r2"), "measured-base.json"), "{");
  assert.equal(takeMeasured(home.runDir("r2"), about), undefined);
});

test("a check that must not get worse is compared by what it found", () => {
  const outcome = taken({ plan: planWith({}, { run: CHECK, expect: "no-worse" }) })?.outcome;
  assert.ok(outcome?.kind === "failed" && (outcome.marks?.length ?? 0) > 0);
});

test("the checker takes it for the first look at that very tree, and for nothing else", async () => {
  const file = join(root, "ran.txt");
  const run = `echo ran >> '${file}'`;
  const ask = (tree: string, fresh = false) => ({
    ...{ attemptId: "r/base/1", subtask: "base", slot: 0, stop: new AbortController().signal },
    tree: { cwd: root, env: { PATH: process.env["PATH"] ?? "" } } as never,
    checks: [{ name: "test", run, timeoutMs: MINUTE }],
    memory: { tree, fresh },
  });
  const checker = () => processChecker("r", undefined, { tree: TREE, runs: { [run]: RED } });
  assert.equal((await checker().baseline(ask(TREE)))[run]?.outcome.kind, "failed");
  assert.ok(!existsSync(file), "it did not run");
  assert.equal((await checker().baseline(ask(TREE, true)))[run]?.outcome.kind, "passed");
  assert.equal((await checker().baseline(ask("b".repeat(40))))[run]?.outcome.kind, "passed");
});
