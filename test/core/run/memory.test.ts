// proves: A10, D4, D7, U4, U9
import assert from "node:assert/strict";
import { test } from "node:test";
import { ladder } from "../../../src/core/policy/ladder.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { needsPerson, phases } from "../../../src/core/run/view.ts";
import { Driver, NO_PROGRESS, plan, subtask } from "./driver.ts";

const one = plan([subtask("a")]);
const still = { treeBefore: "t", treeAfter: "t" };
const GETS_ON = { outputNovelty: 1, change: 1, markers: 0, checklist: 0 };
const down = { failure: { origin: "provider" as const }, remains: still };

test("an attempt is remembered whole: what it was, what it left, how it was judged", () => {
  const run = new Driver("tier-ladder", one);
  run.now += 5000;
  run.ended("a", { remains: { approach: "first", files: ["x.ts"] } });
  const entry = one.ladder[0];
  const record = {
    attempt: 1,
    at: 1_005_000,
    entry,
    counted: true,
    approach: "first",
    success: true,
    failing: [],
    treeBefore: "t0",
    treeAfter: "t1",
    files: ["x.ts"],
    signals: GETS_ON,
  };
  assert.deepEqual(run.of("a").attempts, [record]);
  run.checked("a", ["one"]);
  const [judged] = run.all("failure-classified");
  const first = {
    ...record,
    success: false,
    kind: "verification_failed",
    signature: judged?.failure.signature,
    error: "failing: one 1",
    failing: ["one"],
    score: 0.6,
  };
  assert.deepEqual(run.of("a").attempts, [first]);
  run.ended("a");
  const { files: _, ...plain } = record;
  assert.deepEqual(run.of("a").attempts, [
    first,
    {
      ...plain,
      attempt: 2,
      recovery: "feedback",
      approach: "approach 2",
      treeBefore: "t1",
      treeAfter: "t2",
    },
  ]);
});

test("the last forty attempts are remembered, the oldest goes first", () => {
  const run = new Driver("standard", one);
  for (let time = 1; time <= 45; time += 1) run.fails("a", "context_exhausted");
  const numbers = run.of("a").attempts.map(({ attempt }) => attempt);
  assert.deepEqual(
    numbers,
    Array.from({ length: 40 }, (_, index) => index + 6),
  );
});

test("while it runs: where, as what, and what it was told", () => {
  const run = new Driver("standard", plan([subtask("a")], { attemptCap: { usd: 3 } }));
  const [running] = run.of("a").running;
  assert.deepEqual(running, {
    attempt: 1,
    spec: running?.spec,
    cap: { usd: 3, attempts: 1 },
    startedAt: 1_000_000,
    slot: undefined,
    identity: undefined,
    nudged: false,
    interrupted: false,
    paused: false,
  });
  run.give({ kind: "attempt-started", subtask: "a", attempt: 1, slot: "w1", identity: { pid: 7 } });
  run.give({
    ...{ kind: "loop-seen", subtask: "a", attempt: 1, level: "nudge" },
    ...{ pattern: "p", words: "w" },
  });
  assert.deepEqual(run.of("a").running, [
    { ...running, slot: "w1", identity: { pid: 7 }, nudged: true },
  ]);
  assert.deepEqual(run.of("a").slots, { "": "w1" });
});

test("a session is kept with its agent until another replaces it or it is lost", () => {
  const run = new Driver("tier-ladder", one);
  run.red("a", { remains: { session: "s1" } });
  assert.deepEqual(run.of("a").sessions, { "": { agent: "small", id: "s1" } });
  run.red("a");
  assert.deepEqual(run.of("a").sessions, { "": { agent: "small", id: "s1" } });
  run.red("a", { remains: { session: "s2" } });
  assert.deepEqual(run.of("a").sessions, { "": { agent: "codex", id: "s2" } });
  run.red("a", { remains: { session: "s3", sessionLost: true } });
  assert.deepEqual(run.of("a").sessions, {});
});

test("the last answer and the last output stand until there are newer ones", () => {
  const run = new Driver("tier-ladder", one);
  const told = () => [run.of("a").answer, run.of("a").lastOutput];
  run.red("a");
  assert.deepEqual(told(), [undefined, ""]);
  run.red("a", { answer: { empty: false, text: "blue" }, remains: { output: "said" } });
  assert.deepEqual(told(), ["blue", "said"]);
  run.red("a", { answer: { empty: true } });
  assert.deepEqual(told(), ["blue", "said"]);
});

test("money: reserved while it runs, spent after; an estimate is known as one from then on", () => {
  const run = new Driver("tier-ladder", plan([subtask("a")], { attemptCap: { usd: 3 } }));
  const reserved = { spent: {}, reserved: { usd: 3, attempts: 1 }, untold: {} };
  assert.deepEqual([run.state.ledger, run.of("a").ledger], [reserved, reserved]);
  assert.deepEqual(run.state.recovery.ledger, { spent: {}, reserved: {}, untold: {} });
  run.red("a", { remains: { used: { usd: 1 } } });
  const after = {
    ...{ spent: { usd: 1, attempts: 1 }, reserved: { usd: 3, attempts: 1 } },
    untold: { tokens: 1, timeMs: 1 },
  };
  assert.deepEqual([run.state.ledger, run.of("a").ledger], [after, after]);
  assert.deepEqual(run.state.recovery.ledger, reserved, "the second is one of recovery");
  assert.equal(run.state.estimated, false);
  run.red("a", { remains: { used: { usd: 2 }, estimated: true } });
  assert.deepEqual(run.state.recovery.ledger.spent, { usd: 2, attempts: 1 });
  assert.equal(run.state.estimated, true);
  run.red("a", { remains: { used: { usd: 2 } } });
  assert.equal(run.state.estimated, true);
});

test("the good commit a subtask may go back to is the one it started from", () => {
  const two = plan([subtask("a"), subtask("b")], { concurrency: 2 });
  const run = new Driver("tier-ladder", two, { goodCommit: "g" });
  run.green("b");
  run.red("a");
  assert.equal(run.state.goodCommit, "commit-b-1");
  assert.equal(run.of("a").goodCommit, "g");
});

test("progress out of a recovery begins the rungs anew; its credit comes with the verified end", () => {
  const run = new Driver("stuck-recovery", one);
  for (let time = 0; time < 4; time += 1) run.red("a", { remains: { signals: NO_PROGRESS } });
  const before = run.of("a");
  assert.deepEqual(
    [before.uses, before.mutationsTried, before.rung],
    [{ "prompt-mutation": 2 }, ["rephrase", "decompose"], "prompt-mutation"],
  );
  run.red("a");
  const { uses, mutationsTried, rung } = run.of("a");
  assert.deepEqual([uses, mutationsTried, rung], [{}, [], undefined]);
  assert.equal(run.state.metrics.recovery_success, 0);
  run.green("a");
  assert.deepEqual(run.state.metrics.stage_success, { "prompt-mutation": 1 });
});

test("a model that was tried stays the subtask's; thinking and a larger budget come with it", () => {
  const run = new Driver("tier-ladder", one);
  run.red("a");
  run.red("a");
  const [weak, , middle, strong] = one.ladder;
  const own = () => {
    const { entry, entriesUsed, thinking, budgetFactor } = run.of("a");
    return [entry, entriesUsed, thinking, budgetFactor];
  };
  assert.deepEqual(own(), [middle, [weak, middle], false, 1]);
  run.red("a");
  assert.deepEqual(own(), [strong, [weak, middle, strong], true, 2]);
  const out = new Driver("standard", one);
  for (let time = 0; time < 4; time += 1) {
    if (out.of("a").phase === "waiting") out.fire("a");
    out.fails("a", "server_overloaded", down);
  }
  const { entry, thinking, budgetFactor, outage } = out.of("a");
  assert.deepEqual([entry, thinking, budgetFactor, outage], [one.ladder[1], false, 1, undefined]);
});

test("an outage counts its waits from its first; a verdict on the work ends it", () => {
  const run = new Driver("standard", one);
  run.fails("a", "server_error", down);
  assert.deepEqual(run.of("a").outage, { streak: 1, since: 1_000_000 });
  assert.deepEqual([run.of("a").timers, run.of("a").timer?.id], [1, 1]);
  run.fire("a");
  run.fails("a", "server_error", down);
  assert.deepEqual(run.of("a").outage, { streak: 2, since: 1_000_000 });
  assert.deepEqual([run.of("a").timers, run.of("a").timer?.id], [2, 2]);
  run.fire("a");
  assert.equal(run.of("a").timer, undefined);
  run.red("a");
  assert.equal(run.of("a").outage, undefined);
});

test("how far recovery had to go is never forgotten", () => {
  const run = new Driver("standard", one);
  const levels: unknown[] = [run.of("a").level];
  run.fails("a", "lost", { remains: still });
  levels.push(run.of("a").level);
  run.red("a");
  levels.push(run.of("a").level);
  run.fails("a", "lost", { remains: still });
  levels.push(run.of("a").level);
  assert.deepEqual(levels, [null, "same", "alternative", "alternative"]);
});

test("what an attempt saw and marked for the first time is remembered for those after it", () => {
  const run = new Driver("standard", one);
  assert.deepEqual(run.of("a").seen, []);
  run.red("a", { remains: { observed: [1, 2], marked: [3] } });
  run.red("a", { remains: still });
  run.red("a", { remains: { marked: [4] } });
  assert.deepEqual(run.of("a").seen, [1, 2, 3, 4]);
  assert.deepEqual(
    run.of("a").attempts.map(({ sawNew }) => sawNew),
    [true, undefined, undefined],
  );
  const many = Array.from({ length: 3001 }, (_, index) => index);
  run.red("a", { remains: { observed: many } });
  assert.deepEqual(run.of("a").seen, many.slice(1));
});

test("continuations are counted in all, and since the last net progress: a new tree, not new words", () => {
  const run = new Driver("standard", one);
  const counts = () => [run.of("a").continues, run.of("a").continuesTotal];
  run.fails("a", "context_exhausted", { remains: still });
  run.fails("a", "context_exhausted", { remains: still });
  assert.deepEqual(counts(), [2, 2]);
  run.fails("a", "context_exhausted", { remains: { signals: NO_PROGRESS } });
  assert.deepEqual(counts(), [1, 3], "a new tree, without a word");
  run.fails("a", "context_exhausted", { remains: { treeBefore: "t3", treeAfter: "t" } });
  assert.deepEqual(counts(), [2, 4], "a tree that was there before");
  run.fails("a", "lost", { remains: { treeBefore: "t", treeAfter: "t9" } });
  assert.deepEqual(counts(), [1, 5], "what was cut off has changed something too");
});

test("who is blocked: everything behind what was given up or waits for a person, and nothing else", () => {
  const chain = plan(
    [
      subtask("a"),
      subtask("b", { dependsOn: ["a"] }),
      subtask("c", { dependsOn: ["b"] }),
      subtask("d"),
      subtask("e", { dependsOn: ["d"] }),
    ],
    { concurrency: 2 },
  );
  const run = new Driver("standard", chain);
  assert.deepEqual(phases(run.state), ["running", "pending", "pending", "running", "pending"]);
  run.fails("a", "auth_required", { remains: still });
  assert.deepEqual(phases(run.state), ["asking", "blocked", "blocked", "running", "pending"]);
  assert.equal(needsPerson(run.state), false, "d still runs");
  run.answer("a/c1", { kind: "skip" });
  assert.deepEqual(phases(run.state), ["skipped", "blocked", "blocked", "running", "pending"]);
  run.green("d");
  assert.deepEqual(phases(run.state), ["skipped", "blocked", "blocked", "verified", "running"]);
});

test("a run is paused only when a person is all it waits for", () => {
  const two = plan([subtask("a"), subtask("b")], { concurrency: 2 });
  const stuck = ladder({ ...PRESETS.standard, rungs: [{ id: "end", do: ["skip", "ask"] }] });
  const run = new Driver(stuck, two);
  assert.equal(needsPerson(run.state), false, "nobody is asked");
  run.red("a");
  assert.deepEqual(phases(run.state), ["stuck", "running"]);
  assert.equal(needsPerson(run.state), false, "b runs");
  run.fails("b", "server_error", down);
  assert.equal(needsPerson(run.state), false, "b waits");
  run.fire("b");
  run.ended("b");
  assert.equal(needsPerson(run.state), false, "b is checked");
  run.checked("b", "passed");
  assert.equal(needsPerson(run.state), false, "b is merged");
  run.merged("b");
  assert.equal(needsPerson(run.state), true);
  run.answer("a/c1", { kind: "skip" });
  assert.equal(needsPerson(run.state), false, "it has ended");
});
