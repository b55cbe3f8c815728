// proves: D4, D5, D7, U4
import assert from "node:assert/strict";
import { test } from "node:test";
import { needsPerson, phases } from "../../../src/core/run/view.ts";
import { Driver, plan, subtask } from "./driver.ts";

const still = { treeBefore: "t", treeAfter: "t" };
const parked = (): Driver => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b", { dependsOn: ["a"] })]));
  run.fails("a", "auth_required", { remains: still });
  return run;
};

test("a parked run waits for its person, and dependents show as blocked", () => {
  const run = parked();
  assert.deepEqual(phases(run.state), ["asking", "blocked"]);
  assert.equal(needsPerson(run.state), true);
  run.answer("a/c1", { kind: "retry", words: "logged in" });
  assert.equal(needsPerson(run.state), false);
  assert.deepEqual(phases(run.state), ["running", "pending"]);
});

test("a person's words stand in each prompt until an attempt that had them gets a verdict", () => {
  const run = parked();
  run.answer("a/c1", { kind: "retry", words: "use port 8080" });
  const words = (): string | undefined => run.of("a").running[0]?.spec.prompt.words;
  assert.equal(words(), "use port 8080");
  run.fails("a", "lost", { remains: still });
  assert.equal(words(), "use port 8080", "a lost attempt is no verdict");
  run.fails("a", "server_error", { failure: { origin: "provider" }, remains: still });
  run.fire("a");
  assert.equal(words(), "use port 8080", "infrastructure is no verdict");
  run.red("a");
  assert.equal(words(), undefined, "after a verdict they are history");
});

test("the first answer stands; later ones change nothing", () => {
  const run = parked();
  run.answer("a/c1", { kind: "skip" });
  const before = run.state;
  run.answer("a/c1", { kind: "retry", words: "no, try" });
  assert.equal(run.state, before);
  assert.equal(run.last?.ignored, "the run has ended");
});

test("an answer that was not offered changes nothing", () => {
  const run = parked();
  run.answer("a/c1", { kind: "top-up", by: { usd: 5 } });
  assert.equal(run.last?.ignored, "this checkpoint does not offer top-up");
  run.answer("a/c9", { kind: "skip" });
  assert.equal(run.last?.ignored, "no such open checkpoint: the first answer stands");
  run.answer("c1", { kind: "skip" });
  assert.equal(run.last?.ignored, "no such open checkpoint: the first answer stands");
});

test("handled by hand: taken once, then done, then checked", () => {
  const run = parked();
  run.answer("a/c1", { kind: "manual", done: false });
  assert.equal(run.of("a").checkpoint?.takenBy, "alice");
  assert.equal(run.of("a").phase, "asking");
  run.answer("a/c1", { kind: "manual", done: false });
  assert.equal(run.last?.ignored, "somebody has taken it");
  run.answer("a/c1", { kind: "manual", done: true });
  assert.deepEqual(run.commands.at(-1)?.id, "r1/a/2/check/1");
  run.checked("a", "passed");
  run.merged("a");
  assert.equal(run.of("a").phase, "verified");
});

test("handled by hand without checks is unverified", () => {
  const run = new Driver("standard", plan([subtask("a", { checks: 0 })]));
  run.fails("a", "auth_required", { remains: still });
  run.answer("a/c1", { kind: "manual", done: true });
  assert.equal(run.of("a").phase, "unverified");
});

test("a word of a person begins counters and rungs anew, history stays", () => {
  const run = new Driver("tier-ladder", plan([subtask("a")]));
  while (run.of("a").checkpoint === undefined) run.red("a");
  run.answer("a/c1", { kind: "retry", words: "look at the config" });
  const own = run.of("a");
  assert.deepEqual([own.uses, own.banned, own.progress.noProgress, own.spokenAt], [{}, [], 0, 4]);
  assert.equal(own.attempts.length, 4);
  run.red("a");
  assert.equal(run.of("a").checkpoint?.id, "a/c2");
});

test("a used-up run budget asks once, and a top-up goes on where it stood", () => {
  const run = new Driver(
    "standard",
    plan([subtask("a"), subtask("b")], { budget: { usd: 2 }, attemptCap: { usd: 2 } }),
  );
  run.green("a", { remains: { used: { usd: 2 } } });
  assert.equal(run.state.checkpoint?.trigger, "BUDGET");
  assert.deepEqual(
    run.state.checkpoint?.options.map(({ answer }) => answer),
    ["top-up", "skip"],
  );
  assert.deepEqual(run.all("budget-warned"), [
    { kind: "budget-warned", of: "run", measure: "usd", spent: 2, limit: 2 },
  ]);
  run.answer("c1", { kind: "top-up", by: { usd: 2 } });
  run.green("b", { remains: { used: { usd: 1 } } });
  assert.equal(run.state.outcome?.kind, "verified");
});

test("a run budget that is not raised ends the run", () => {
  const run = new Driver("standard", plan([subtask("a")], { budget: { attempts: 1 } }));
  run.red("a");
  run.answer("c1", { kind: "skip" });
  assert.deepEqual(run.state.outcome, {
    kind: "budget",
    reason: "budget of the run: 1 of 1 attempt used, too little for another attempt",
  });
});

test("a subtask's own budget parks only that subtask and keeps what it was about to do", () => {
  const limits = { budget: { attempts: 1 } };
  const run = new Driver("standard", plan([subtask("a", { limits }), subtask("b")]));
  run.red("a");
  assert.equal(run.of("a").phase, "asking");
  assert.equal(run.running("b"), 1);
  run.green("b");
  run.answer("a/c1", { kind: "top-up", by: { attempts: 3 } });
  assert.equal(run.of("a").running[0]?.spec.recovery, "feedback");
});

test("a larger cap at the top tier is reserved before the attempt starts", () => {
  const run = new Driver(
    "tier-ladder",
    plan([subtask("a")], { budget: { usd: 100 }, attemptCap: { usd: 5 } }),
  );
  for (let attempt = 1; attempt <= 3; attempt += 1) run.red("a", { remains: { used: { usd: 1 } } });
  assert.deepEqual(run.state.ledger, {
    spent: { usd: 3, attempts: 3 },
    reserved: { usd: 10, attempts: 1 },
    untold: { tokens: 3, timeMs: 3 },
  });
});
