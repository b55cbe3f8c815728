// proves: E1
// A read-only subtask ends `answered`, with an answer or without, and never holds up, asks, checks or merges.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FAILURE_KINDS, type FailureKind } from "../../../src/core/kinds.ts";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import { NO_RECOVERIES } from "../../../src/core/history/recovery-metrics.ts";
import { NOT_STUCK } from "../../../src/core/progress/stuck-state.ts";
import { phases } from "../../../src/core/run/view.ts";
import { Driver, plan, subtask } from "./driver.ts";

const look = subtask("look", { checks: 0, readOnly: true });
const work = subtask("work", { dependsOn: ["look"] });
const both = plan([look, work]);
const same = { treeBefore: "t", treeAfter: "t" };
const said = { answer: { empty: false, text: "there is one file" } };
const silent = { answer: { empty: true, text: "" } };

test("an answer ends it, whatever it changed; the others go on and the run is verified", () => {
  for (const remains of [same, {}]) {
    const run = new Driver("standard", both);
    run.ended("look", { ...said, remains });
    assert.deepEqual(
      [run.of("look").phase, run.of("look").answer],
      ["answered", "there is one file"],
    );
    assert.equal(run.commands.filter(({ kind }) => kind === "check" || kind === "merge").length, 0);
    assert.equal(run.running("work"), 1);
    run.green("work");
    assert.deepEqual(run.state.outcome, {
      kind: "verified",
      reason: "every subtask is verified or answered",
    });
  }
});

test("no answer: tried again once, then the others go on without one", () => {
  const run = new Driver("standard", both);
  run.ended("look", silent);
  assert.equal(run.all("failure-classified")[0]?.failure.kind, "verification_failed");
  assert.deepEqual(
    run
      .all("recovery-chosen")
      .map(({ recoveries, chosenBy, usesRung }) => [recoveries, chosenBy, usesRung]),
    [[[{ kind: "retry" }], { by: "guard", id: "read-only" }, false]],
  );
  assert.equal(run.of("look").running[0]?.spec.iteration, false);
  run.fails("look", "agent_crash", { answer: { empty: false, text: "half a word" } });
  const { phase, answer, unanswered, attempt } = run.of("look");
  assert.deepEqual(
    [phase, answer, unanswered, attempt],
    ["answered", undefined, "agent_crash: seen", 2],
  );
  run.green("work");
  assert.equal(run.state.outcome?.kind, "verified");
  assert.deepEqual(run.state.metrics, NO_RECOVERIES);
});

test("the second try may succeed, and nobody calls that a recovery", () => {
  const run = new Driver("standard", both);
  run.ended("look", silent);
  run.ended("look", said);
  assert.deepEqual([run.of("look").phase, run.of("look").unanswered], ["answered", undefined]);
  assert.deepEqual(run.state.metrics, NO_RECOVERIES);
});

test("what was said by an attempt that failed is not told to others", () => {
  const run = new Driver("standard", both);
  run.fails("look", "agent_crash", said);
  run.ended("look", silent);
  assert.deepEqual(
    [run.of("look").answer, run.of("look").unanswered],
    [undefined, "it ended without saying anything"],
  );
});

for (const kind of ["auth_required", "agent_missing"] as const)
  test(`${kind} ends it at once; the next subtask is who asks`, () => {
    const run = new Driver("standard", both);
    run.fails("look", kind);
    assert.deepEqual([run.of("look").phase, run.of("look").attempt], ["answered", 1]);
    assert.equal(run.state.openCheckpoints, 0);
    run.fails("work", kind);
    assert.equal(run.of("work").phase, "asking");
  });

test("waits and losses are not tries", () => {
  const run = new Driver("standard", both);
  run.fails("look", "lost");
  run.fails("look", "rate_limited");
  assert.equal(run.of("look").phase, "waiting");
  run.fire("look");
  run.ended("look", silent);
  assert.equal(run.of("look").attempt, 4);
  run.ended("look", said);
  assert.deepEqual([run.of("look").phase, run.of("look").unanswered], ["answered", undefined]);
});

test("an outage that outlasts every wait ends it without an answer", () => {
  const run = new Driver("standard", both);
  for (let waits = 0; run.of("look").phase !== "answered" && waits < 500; waits += 1) {
    run.fails("look", "server_overloaded");
    if (run.of("look").phase === "waiting") run.fire("look");
  }
  assert.deepEqual(
    [run.of("look").phase, run.of("look").unanswered],
    ["answered", "server_overloaded: seen"],
  );
  assert.equal(run.state.openCheckpoints, 0);
});

test("an answer in the wrong shape is asked for twice more, uncounted, and then counts", () => {
  const run = new Driver("standard", plan([{ ...look, structuredOutput: true }, work]));
  const wrong = { answer: { empty: false, text: "no", problem: "no JSON" } };
  for (let attempt = 1; attempt < 4; attempt += 1) run.ended("look", wrong);
  assert.deepEqual(
    run.all("failure-classified").map(({ counted }) => counted),
    [false, false, true],
  );
  run.ended("look", wrong);
  assert.deepEqual([run.of("look").phase, run.of("look").attempt], ["answered", 4]);
  assert.deepEqual(run.state.metrics, NO_RECOVERIES);
});

test("a plan that allows no retry allows none here", () => {
  for (const of of [
    plan([{ ...look, limits: { maxRetries: 0 } }, work]),
    plan([look, work], { maxSubtaskRetries: 0 }),
  ]) {
    const run = new Driver("standard", of);
    run.ended("look", silent);
    assert.deepEqual([run.of("look").phase, run.of("look").attempt], ["answered", 1]);
  }
});

test("its own budget used up is no question: the others go on", () => {
  const limits = { budget: { attempts: 1 } };
  const run = new Driver(
    "standard",
    plan([{ ...look, limits }, work], { attemptCap: { attempts: 1 } }),
  );
  run.ended("look", { ...silent, remains: { used: { attempts: 1 } } });
  assert.deepEqual(
    [run.of("look").phase, run.of("look").unanswered],
    ["answered", "its own budget is used up"],
  );
  assert.equal(run.state.openCheckpoints, 0);
  assert.equal(run.running("work"), 1);
});

test("the run ends by its other subtasks", () => {
  const unchecked = new Driver("standard", plan([look, { ...work, checks: 0 }]));
  unchecked.ended("look", said);
  unchecked.ended("work", { remains: same });
  assert.deepEqual(unchecked.state.outcome, {
    kind: "unverified",
    reason: "1 subtask has no check",
  });
  const questions = plan([look, { ...look, id: "other" }]);
  const told = new Driver("standard", questions);
  told.ended("look", said);
  told.ended("other", said);
  assert.deepEqual(told.state.outcome, { kind: "verified", reason: "every subtask is answered" });
  const untold = new Driver("standard", questions);
  untold.ended("look", said);
  untold.fails("other", "auth_required");
  assert.deepEqual(untold.state.outcome, { kind: "failed", reason: "1 subtask has no answer" });
});

test("whatever happens to it, under every policy: it ends answered, asks nobody and holds up nobody", () => {
  const kinds = fc.constantFrom<(FailureKind | "silent")[]>(...FAILURE_KINDS, "silent");
  const policies = fc.constantFrom(...(Object.keys(PRESETS) as PresetName[]));
  fc.assert(
    fc.property(policies, fc.array(kinds, { minLength: 60, maxLength: 60 }), (policy, fates) => {
      const run = new Driver(policy, both, { goodCommit: "g" });
      for (const fate of fates) {
        if (run.of("look").phase === "answered") break;
        if (run.of("look").phase === "waiting") run.fire("look");
        if (fate === "silent") run.ended("look", silent);
        else run.fails("look", fate);
        const { phase, counted, progress, branches } = run.of("look");
        assert.ok(["running", "waiting", "answered"].includes(phase), phase);
        assert.ok(counted <= 2);
        assert.deepEqual([progress, branches, run.state.openCheckpoints], [NOT_STUCK, [], 0]);
        assert.ok(phase === "answered" || phases(run.state)[1] === "pending");
      }
      assert.equal(run.of("look").phase, "answered");
      assert.equal(run.running("work"), 1);
      assert.deepEqual(run.state.metrics, NO_RECOVERIES);
    }),
    { numRuns: 150 },
  );
});
