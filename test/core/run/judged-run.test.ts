// proves: U5, U11
import assert from "node:assert/strict";
import { test } from "node:test";
import type { InputOf } from "../../../src/core/run/input.ts";
import { Driver, plan, subtask } from "./driver.ts";

const judgedPlan = plan([subtask("a"), subtask("b", { dependsOn: ["a"] })], { judged: true });
const started = (): Driver => new Driver("standard", judgedPlan);

type Given<K extends "baseline-ended" | "final-check-ended"> = Omit<
  InputOf<K>,
  "at" | "chance" | "kind"
>;
const baseline = (run: Driver, more: Partial<Given<"baseline-ended">> = {}) =>
  run.give({ kind: "baseline-ended", round: 1, outcomes: {}, problems: [], ...more });
const final = (run: Driver, more: Partial<Given<"final-check-ended">> = {}) =>
  run.give({
    kind: "final-check-ended",
    ...{ round: 1, result: { kind: "passed" }, confirmed: [], ...more },
  });
const kinds = (decisions: readonly { readonly kind: string }[]): string[] =>
  decisions.map(({ kind }) => kind);

test("nothing starts before it is known what the checks say of the base", () => {
  const run = started();
  assert.deepEqual(kinds(run.all("baseline-dispatched")), ["baseline-dispatched"]);
  assert.equal(run.all("attempt-dispatched").length, 0);
  assert.deepEqual(kinds(baseline(run, { goodCommit: "base" })), ["attempt-dispatched"]);
  assert.equal(run.of("a").goodCommit, "base");
  assert.equal(
    run.give({ kind: "baseline-ended", round: 1, outcomes: {}, problems: [] }).length,
    0,
  );
});

test("a plan that is not judged, or has no checks, begins at once", () => {
  for (const one of [plan([subtask("a")]), plan([subtask("a", { checks: 0 })], { judged: true })]) {
    const run = new Driver("standard", one);
    assert.equal(run.all("baseline-dispatched").length, 0);
    assert.equal(run.all("attempt-dispatched").length, 1);
  }
});

const problems = [{ check: "npm test", why: "mocha: not found", mend: "use --setup 'npm ci'" }];

test("V23: a check that cannot judge anybody is asked about before anything is spent", () => {
  const run = started();
  assert.deepEqual(kinds(baseline(run, { problems })), ["checkpoint-opened"]);
  assert.equal(run.all("attempt-dispatched").length, 0);
  const { checkpoint } = run.state;
  assert.equal(checkpoint?.trigger, "CHECKS");
  assert.match(checkpoint?.question ?? "", /npm test cannot judge the work: mocha: not found/);
  assert.deepEqual(checkpoint?.context.questions, ["use --setup 'npm ci'"]);
  assert.deepEqual(
    checkpoint?.options.map(({ answer }) => answer),
    ["retry", "without", "skip"],
  );
});

test("what every check needs cannot be gone without", () => {
  const run = started();
  const needed = { check: "npm ci", why: "set-up failed: no network", mend: "x", needed: true };
  baseline(run, { problems: [needed] });
  const { question, options } = run.state.checkpoint ?? { question: "", options: [] };
  assert.equal(question, "Checks cannot run: set-up failed: no network. What next?");
  assert.deepEqual(
    options.map(({ answer }) => answer),
    ["retry", "skip"],
  );
});

test("mended, the checks run again; without them the result is not verified; or the run ends", () => {
  const answer = (kind: "retry" | "without" | "skip") => {
    const run = started();
    baseline(run, { problems });
    const given = kind === "retry" ? ({ kind, words: "" } as const) : ({ kind } as const);
    run.give({ kind: "checkpoint-answered", checkpoint: "c1", answer: given, by: "ada" });
    return run;
  };
  const retried = answer("retry");
  assert.deepEqual(
    retried.all("baseline-dispatched").map(({ round }) => round),
    [1, 2],
  );
  assert.equal(retried.all("attempt-dispatched").length, 0);
  baseline(retried, { round: 2 });
  assert.equal(retried.all("attempt-dispatched").length, 1);

  const without = answer("without");
  assert.deepEqual(without.state.baseline.dropped, ["npm test"]);
  assert.equal(without.all("attempt-dispatched").length, 1);

  const ended = answer("skip");
  assert.equal(ended.state.outcome?.kind, "cancelled");
  assert.equal(ended.all("attempt-dispatched").length, 0);
});

function allDone(): Driver {
  const run = started();
  baseline(run);
  for (const id of ["a", "b"]) {
    run.ended(id);
    run.checked(id, "passed");
    run.merged(id);
  }
  return run;
}

test("the very commit that is published is checked before the run is called verified", () => {
  const run = allDone();
  assert.equal(run.state.phase, "active");
  assert.deepEqual(kinds(run.all("final-check-dispatched")), ["final-check-dispatched"]);
  assert.deepEqual(kinds(final(run)), ["run-ended"]);
  assert.equal(run.state.outcome?.kind, "verified");
});

test("a result that fails its own check is unverified, and says why; what may be flaky runs again first", () => {
  const failed = {
    kind: "failed",
    failing: ["t"],
    evidence: { message: "boom", command: "npm test" },
  } as const;
  const run = allDone();
  assert.deepEqual(kinds(final(run, { result: failed })), ["final-check-dispatched"]);
  final(run, { round: 2, result: failed });
  assert.deepEqual(run.state.outcome, {
    kind: "unverified",
    reason: "the check of the result itself failed: boom",
  });
  const absent = allDone();
  const couldNot = { kind: "could-not-run", evidence: { message: "no sh" } } as const;
  for (const round of [1, 2, 3]) final(absent, { round, result: couldNot });
  assert.match(absent.state.outcome?.reason ?? "", /could not run: no sh/);
  assert.equal(absent.state.outcome?.kind, "unverified");
});

test("a stop while the base or the result is checked ends the run", () => {
  for (const run of [started(), allDone()]) {
    run.give({ kind: "cancel-requested", reason: "x" });
    assert.equal(run.state.outcome?.kind, "cancelled");
  }
});

test("notes that take the verdict away make the subtask and the run unverified; dependents go on", () => {
  const run = started();
  baseline(run);
  run.ended("a");
  const notes = [{ kind: "own-tests", files: ["a.test.js"] }] as const;
  run.give({
    ...{ kind: "checks-ended", subtask: "a", attempt: 1, round: 1 },
    result: { kind: "passed", notes },
  });
  run.merged("a");
  assert.equal(run.of("a").phase, "unverified");
  assert.deepEqual(run.of("a").notes, notes);
  run.ended("b");
  run.checked("b", "passed");
  run.merged("b");
  assert.equal(run.of("b").phase, "verified");
  final(run);
  assert.deepEqual(run.state.outcome, {
    kind: "unverified",
    reason: "a passes with its own tests only: a.test.js",
  });
});

test("V18: an agent that ended badly and a flaky pass are said, and take nothing away", () => {
  const run = new Driver("standard", plan([subtask("a")]));
  run.fails("a", "agent_crash");
  run.checked("a", ["t"]);
  run.checked("a", "passed");
  run.merged("a");
  assert.equal(run.of("a").phase, "verified");
  assert.deepEqual(
    run.of("a").notes.map(({ kind }) => kind),
    ["agent-failed", "flaky"],
  );
});
