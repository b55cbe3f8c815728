// proves: C9
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Driver, plan, subtask } from "./driver.ts";

const FAILS = { exitCode: 1, stdout: "src/base.ts(1,1): error TS1005: ';' expected." };

const three = (more = {}) =>
  plan([subtask("a"), subtask("b"), subtask("c")], { concurrency: 3, ...more });

/** An attempt that is finished and fails its checks as the base does, as often as they are run. */
function failsAsBase(run: Driver, id: string, { onBase = true, evidence = FAILS } = {}): void {
  run.ended(id);
  const attempt = run.of(id).stages[0]?.attempt;
  for (let stage = run.of(id).stages[0]; stage?.kind === "checks" && stage.attempt === attempt;) {
    run.give({
      ...{ kind: "checks-ended", subtask: id, attempt, round: stage.round },
      result: { kind: "failed", failing: ["base"], evidence, ...(onBase ? { onBase } : {}) },
    });
    stage = run.of(id).stages[0];
  }
}

const opened = (run: Driver): string[] =>
  run.journal.flatMap((event) => (event.kind === "checkpoint-opened" ? [event.checkpoint.id] : []));

function broken(more = {}): Driver {
  const run = new Driver("standard", three(more));
  for (const id of ["a", "b", "c"]) failsAsBase(run, id);
  for (const id of ["a", "b", "c"]) failsAsBase(run, id);
  return run;
}

const finish = (run: Driver, id: string): void => {
  run.ended(id);
  run.checked(id, "passed");
  run.give({
    ...{ kind: "merge-ended", subtask: id, attempt: run.of(id).attempt },
    result: { kind: "merged", commit: `commit-${id}` },
  });
};

test("one of those that fail as the base did goes on; the others wait with one question", () => {
  const run = broken();
  assert.equal(run.of("a").phase, "running");
  assert.deepEqual(
    ["b", "c"].map((id) => run.of(id).phase),
    ["asking", "asking"],
  );
  assert.deepEqual(opened(run), ["b/c1"]);
  assert.deepEqual(run.of("b").checkpoint?.also, ["c"]);
  const [chosen] = run.journal
    .filter((event) => event.kind === "recovery-chosen" && event.subtask === "b")
    .slice(-1);
  assert.ok(chosen?.kind === "recovery-chosen");
  assert.deepEqual(chosen.chosenBy, { by: "guard", id: "broken-base" });
  assert.match(chosen.because, /so does a/);
});

test("when it is mended and merged, the question is closed and they go on upon it, with no words of a person", () => {
  const run = broken();
  finish(run, "a");
  assert.equal(run.of("a").phase, "verified");
  assert.equal(run.state.openCheckpoints, 0);
  for (const id of ["b", "c"]) {
    assert.equal(run.of(id).phase, "running", id);
    const spec = run.of(id).running[0]?.spec;
    assert.deepEqual(spec?.tree, { kind: "rebased", attempt: 2 });
    assert.equal(spec?.prompt.words, undefined);
  }
  assert.deepEqual(run.state.suspects, {});
  finish(run, "b");
  finish(run, "c");
  assert.equal(run.state.outcome?.kind, "verified");
});

test("when the one that went on is given up, it is the same question", () => {
  const run = broken();
  for (let turn = 0; turn < 60 && run.of("a").phase === "running"; turn += 1) failsAsBase(run, "a");
  assert.notEqual(run.of("a").phase, "running");
  assert.deepEqual(opened(run), ["b/c1"], "no second question");
  assert.deepEqual(run.of("b").checkpoint?.also, ["c", "a"]);
  run.give({
    ...{ kind: "checkpoint-answered", checkpoint: "b/c1", by: "bob" },
    answer: { kind: "retry", words: "mended on main" },
  });
  for (const id of ["a", "b", "c"])
    assert.equal(run.of(id).running[0]?.spec.prompt.words, "mended on main", id);
});

test("a person who works at it by hand is not interfered with", () => {
  const run = broken();
  run.give({
    ...{ kind: "checkpoint-answered", checkpoint: "b/c1", by: "bob" },
    answer: { kind: "manual", done: false },
  });
  finish(run, "a");
  assert.equal(run.of("b").phase, "asking");
  assert.equal(run.of("b").checkpoint?.takenBy, "bob");
});

describe("nobody waits", () => {
  const goesOn = (run: Driver): void => {
    assert.deepEqual(opened(run), []);
    for (const id of ["a", "b"]) assert.equal(run.of(id).phase, "running", id);
  };

  test("after failing so once", () => {
    const run = new Driver("standard", three());
    for (const id of ["a", "b", "c"]) failsAsBase(run, id);
    goesOn(run);
  });

  test("for a failure that is not on the base", () => {
    const run = new Driver("standard", three());
    for (const id of ["a", "b", "a", "b"]) failsAsBase(run, id, { onBase: false });
    goesOn(run);
  });

  test("for another failure than the own one", () => {
    const run = new Driver("standard", three());
    const other = { exitCode: 1, stdout: "E   ModuleNotFoundError: No module named 'yaml'" };
    for (const id of ["a", "a"]) failsAsBase(run, id);
    for (const id of ["b", "b"]) failsAsBase(run, id, { evidence: other });
    goesOn(run);
  });

  test("for one that failed so, then otherwise, then so again", () => {
    const run = new Driver("standard", three());
    for (const id of ["a", "a", "b"]) failsAsBase(run, id);
    failsAsBase(run, "b", { onBase: false, evidence: { exitCode: 1, stdout: "FAIL b: no" } });
    failsAsBase(run, "b");
    goesOn(run);
  });

  test("with a policy of one of the sources, which knows no such rule", () => {
    const run = new Driver("tier-ladder", three());
    for (const id of ["a", "b", "a", "b"]) failsAsBase(run, id);
    goesOn(run);
  });

  test("for one that is done or skipped", () => {
    const run = new Driver("standard", three());
    for (const id of ["a", "a"]) failsAsBase(run, id);
    finish(run, "a");
    for (const id of ["b", "b"]) failsAsBase(run, id);
    assert.deepEqual(opened(run), []);
    assert.equal(run.of("b").phase, "running");
    assert.deepEqual(Object.values(run.state.suspects), ["b"], "now it is the first");
  });
});

test("checks that could not run on the base: one question for all of them", () => {
  const run = new Driver("standard", three());
  const evidence = { exitCode: 127, stderr: "sh: 1: checkit: not found", command: "checkit" };
  for (const id of ["a", "b", "c"]) {
    run.ended(id);
    for (let stage = run.of(id).stages[0]; stage?.kind === "checks";) {
      const { attempt, round } = stage;
      run.give({
        ...{ kind: "checks-ended", subtask: id, attempt, round },
        result: { kind: "could-not-run", evidence, onBase: true },
      });
      [stage] = run.of(id).stages;
    }
  }
  assert.deepEqual(opened(run), ["a/c1"]);
  assert.deepEqual(run.of("a").checkpoint?.also, ["b", "c"]);
});
