// proves: U11
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CheckResult } from "../../../src/core/run/check-result.ts";
import { Driver, plan, subtask } from "./driver.ts";

/** Failing items that all failed on the base, of which `fixed` are gone. */
const before = (failing: readonly string[], fixed: readonly string[]): CheckResult => ({
  ...{ kind: "failed", failing, fixed, onBase: true },
  evidence: { stdout: failing.map((item) => `not ok - ${item}`).join("\n") },
});
const broke = (failing: readonly string[]): CheckResult => ({
  ...{ kind: "failed", failing, evidence: { stdout: failing.join("\n") } },
});

function attempt(run: Driver, result: CheckResult): void {
  const { attempt: number } = run.of("a").running[0] ?? { attempt: 0 };
  run.ended("a");
  const ended = { kind: "checks-ended", subtask: "a", attempt: number } as const;
  run.give({ ...ended, round: 1, result });
  if (result.kind === "failed" && result.onBase !== true) run.give({ ...ended, round: 2, result });
}

const started = (): Driver =>
  new Driver("standard", plan([subtask("a"), subtask("b", { dependsOn: ["a"] })]));

test("V28: what fails as it did on the base is not run twice", () => {
  const run = started();
  attempt(run, before(["x"], []));
  assert.deepEqual(
    run.all("checks-dispatched").map(({ round }) => round),
    [1],
  );
  assert.equal(run.all("failure-classified").length, 1);
});

test("V22: fewer failing than on the base and none new is kept, once the rest does not move", () => {
  const run = started();
  attempt(run, before(["net", "root"], ["goal"]));
  assert.deepEqual(run.recoveries(), ["feedback"]);
  attempt(run, before(["net", "root"], ["goal"]));
  assert.equal(run.all("merge-queued")[0]?.attempt, 1, "the first that came so far");
  run.give({
    ...{ kind: "merge-ended", subtask: "a", attempt: 1 },
    result: { kind: "merged", commit: "c", failing: ["net", "root"] },
  });
  assert.equal(run.of("a").phase, "unverified");
  assert.deepEqual(run.of("a").notes, [
    { kind: "failed-before", fixed: 1, items: ["net", "root"] },
  ]);
  assert.equal(run.running("b"), 1, "dependents go on");
});

test("as long as the rest moves it is worked on", () => {
  const run = started();
  attempt(run, before(["x", "y"], ["z"]));
  attempt(run, before(["x"], ["y", "z"]));
  assert.equal(run.all("merge-queued").length, 0);
  attempt(run, before(["x"], ["y", "z"]));
  assert.equal(run.all("merge-queued")[0]?.attempt, 2);
});

test("an attempt that breaks something is not what is kept", () => {
  const run = started();
  attempt(run, before(["x"], ["y"]));
  attempt(run, broke(["new", "x"]));
  assert.equal(run.all("merge-queued")[0]?.attempt, 1);
  const never = started();
  attempt(never, broke(["new"]));
  attempt(never, broke(["new"]));
  assert.equal(never.all("merge-queued").length, 0);
});

test("an agent that broke off, or a check that could not run, ends nothing: it says nothing of what is left", () => {
  const hung = started();
  attempt(hung, before(["x"], ["y"]));
  const number = hung.of("a").running[0]?.attempt ?? 0;
  hung.fails("a", "hung");
  const ended = { kind: "checks-ended", subtask: "a", attempt: number, round: 1 } as const;
  hung.give({ ...ended, result: before(["x"], ["y"]) });
  assert.equal(hung.all("merge-queued").length, 0);
  assert.equal(hung.all("failure-classified").at(-1)?.failure.kind, "hung");
  const unable = started();
  attempt(unable, before(["x"], ["y"]));
  const second = unable.of("a").running[0]?.attempt ?? 0;
  unable.ended("a");
  for (const round of [1, 2, 3])
    unable.give({
      ...{ kind: "checks-ended", subtask: "a", attempt: second, round },
      result: { kind: "could-not-run", evidence: { message: "killed" } },
    });
  assert.equal(unable.all("merge-queued").length, 0);
});

test("what only a person can mend is asked, whatever was kept", () => {
  const run = started();
  attempt(run, before(["x"], ["y"]));
  run.fails("a", "auth_required");
  assert.equal(run.all("merge-queued").length, 0);
  assert.equal(run.of("a").checkpoint?.context.kind, "auth_required");
});

test("nothing fixed is nothing to keep", () => {
  const run = started();
  attempt(run, before(["x"], []));
  attempt(run, before(["x"], []));
  assert.equal(run.all("merge-queued").length, 0);
});

test("what others mended meanwhile is no longer said; all of it mended, it is verified", () => {
  const run = started();
  attempt(run, before(["x", "y"], ["z"]));
  attempt(run, before(["x", "y"], ["z"]));
  run.give({
    ...{ kind: "merge-ended", subtask: "a", attempt: 1 },
    result: { kind: "merged", commit: "c" },
  });
  assert.equal(run.of("a").phase, "verified");
  assert.deepEqual(run.of("a").notes, []);
});

test("after the run's end a person lets it try on, on top of the result; dependents stay done", () => {
  const run = started();
  attempt(run, before(["x"], ["z"]));
  attempt(run, before(["x"], ["z"]));
  const merged = { kind: "merge-ended", subtask: "a", attempt: 1 } as const;
  run.give({ ...merged, result: { kind: "merged", commit: "c", failing: ["x"] } });
  run.ended("b");
  run.checked("b", "passed");
  const asked = { kind: "retry-requested", subtask: "a", words: "mind x", by: "ada" } as const;
  assert.equal(run.give(asked).length, 0, "not before the end");
  run.merged("b");
  assert.equal(run.state.outcome?.kind, "unverified");
  assert.equal(run.give({ ...asked, subtask: "b" }).length, 0, "b is verified");
  run.give(asked);
  assert.equal(run.state.phase, "active");
  const { spec } = run.of("a").running[0] ?? {};
  assert.deepEqual(
    [spec?.tree, spec?.prompt],
    [{ kind: "keep" }, { feedback: true, words: "mind x" }],
  );
  run.ended("a");
  run.checked("a", "passed");
  run.merged("a");
  assert.deepEqual([run.of("a").phase, run.of("b").phase], ["verified", "verified"]);
  assert.equal(run.state.outcome?.kind, "verified");
});

test("the result may pass what a subtask left failing: it is verified at the end", () => {
  const run = new Driver("standard", plan([subtask("a")], { judged: true }));
  run.give({ kind: "baseline-ended", round: 1, outcomes: {}, problems: [] });
  attempt(run, before(["x"], ["z"]));
  attempt(run, before(["x"], ["z"]));
  run.give({
    ...{ kind: "merge-ended", subtask: "a", attempt: 1 },
    result: { kind: "merged", commit: "c", failing: ["x"] },
  });
  run.give({ kind: "final-check-ended", round: 1, result: { kind: "passed" }, confirmed: ["a"] });
  assert.equal(run.of("a").phase, "verified");
  assert.equal(run.state.outcome?.kind, "verified");
});
