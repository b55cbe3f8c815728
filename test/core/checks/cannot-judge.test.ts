// proves: U11
import assert from "node:assert/strict";
import { test } from "node:test";
import { cannotJudge, setupProblem } from "../../../src/core/checks/judgement.ts";
import type { CheckOutcome } from "../../../src/core/checks/outcome.ts";

const ran = (outcome: CheckOutcome, stderr = "") => ({ outcome, stdout: "", stderr });
const unable = (why: Extract<CheckOutcome, { kind: "could-not-run" }>["why"], detail = "d") =>
  ran({ kind: "could-not-run", why, detail });

for (const [name, run, why, mend] of [
  [
    "a program that is not there",
    unable("command-not-found", "mocha: not found"),
    /mocha/,
    /--setup.*--carry/,
  ],
  ["a tool that is missing", unable("missing-tool"), /^d$/, /--setup/],
  ["no such script", unable("no-such-script"), /^d$/, /--check/],
  ["no network", unable("no-network"), /^d$/, /network/],
  ["a port in use", unable("port-in-use"), /^d$/, /port/],
  ["killed", unable("killed", ""), /^killed$/, /by hand/],
  ["no end", ran({ kind: "timed-out", limitMs: 90_000 }), /1m 30s/, /longer limit.*watch mode/],
] as const)
  test(`cannot judge: ${name}`, () => {
    const found = cannotJudge("npm test", run);
    assert.equal(found?.check, "npm test");
    assert.match(found?.why ?? "", why);
    assert.match(found?.mend ?? "", mend);
    assert.ok(!("needed" in (found ?? {})));
  });

for (const [name, run] of [
  ["passed", ran({ kind: "passed" })],
  ["failed", ran({ kind: "failed", items: ["a"], complete: true })],
  ["failed without names", ran({ kind: "failed", items: [], complete: true })],
  ["nothing to run yet", unable("nothing-to-run")],
] as const)
  test(`can judge: ${name}`, () => assert.equal(cannotJudge("npm test", run), undefined));

const OUT_OF_STEP = `npm error code EUSAGE
npm error
npm error \`npm ci\` can only install packages when your package.json and package-lock.json are in sync.
npm error
npm error Missing: left-pad@1.3.0 from lock file
npm error
npm error Usage:
npm error npm ci
npm error
npm error Options:
npm error [--strict-peer-deps] [--foreground-scripts] [--ignore-scripts] [--no-audit]
npm error
npm error Run "npm help ci" for more info
npm error A complete log of this run can be found in: /home/me/.npm/_logs/debug-0.log
`;

// proves: P4
test("set-up that fails is told by its cause, and nothing can go on without it", () => {
  const failed: CheckOutcome = { kind: "failed", items: [], complete: true };
  const cause = setupProblem("npm ci", ran(failed, OUT_OF_STEP));
  assert.match(cause.why, /^set-up failed: `npm ci` can only install packages when/);
  assert.match(cause.excerpt ?? "", /Missing: left-pad@1\.3\.0 from lock file/);
  assert.doesNotMatch(cause.excerpt ?? "", /npm error|--no-audit|npm help|complete log/);
  const found = setupProblem("npm ci", ran(failed, "npm warn x\nnpm error network\n\n"));
  assert.equal(found.why, "set-up failed: network");
  assert.equal(found.needed, true);
  assert.match(found.mend, /--no-setup/);
  const missing = setupProblem("uv sync", unable("command-not-found", "uv: not found"));
  assert.equal(missing.why, "set-up failed: uv: not found");
});
