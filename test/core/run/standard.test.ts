// proves: D3, E5, U11
import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILURE_KINDS, type FailureKind } from "../../../src/core/kinds.ts";
import type { FirstMove } from "../../../src/core/kind-traits.ts";
import { firstMoveOf, isInfrastructure } from "../../../src/core/failure.ts";
import type { Origin } from "../../../src/core/evidence.ts";
import { PRESETS, type PresetName } from "../../../src/core/policy/presets.ts";
import type { RecoveryName } from "../../../src/core/recovery.ts";
import { evidenceFor } from "../repair/every-strategy.ts";
import { Driver, failureOf, NO_PROGRESS, plan, subtask } from "./driver.ts";

const one = plan([subtask("a")]);
const still = { treeBefore: "t", treeAfter: "t" };
const first = (
  kind: FailureKind,
  origin: Origin,
  more: { good?: boolean; changed?: boolean } = {},
): string => {
  const run = new Driver("standard", one, more.good === true ? { goodCommit: "g" } : {});
  if (kind === "verification_failed") run.red("a");
  else if (kind === "no_progress") run.red("a", { remains: still });
  else
    run.fails("a", kind, {
      ...{ failure: { origin }, evidence: evidenceFor(kind) },
      ...(more.changed === true ? {} : { remains: still }),
    });
  while (run.of("a").stages.some((stage) => stage.kind === "checks")) run.checked("a", ["t"]);
  return run.recoveries().join();
};

/** The table of requirements, "Kinds": the words for what comes first, as recoveries. */
const MOVES: { readonly [move in FirstMove]: RecoveryName } = {
  wait: "wait",
  repair: "repair",
  "re-ask": "retry",
  retry: "retry",
  continue: "continue",
  fresh: "fresh",
  feedback: "feedback",
  mutate: "mutate",
  different: "mutate",
  ask: "ask",
};

test("every kind gets first what the table says", () => {
  const origins: readonly Origin[] = ["provider", "agent", "tool"];
  let seen = 0;
  for (const kind of FAILURE_KINDS.filter((name) => name !== "circular_fix"))
    for (const origin of origins) {
      const infrastructure = isInfrastructure(failureOf(kind, { origin }));
      const move = firstMoveOf(kind, origin);
      if (move === "wait" && !infrastructure) continue;
      seen += 1;
      assert.equal(
        first(kind, origin, { good: true, changed: move === "continue" }),
        MOVES[move],
        `${kind} of ${origin}`,
      );
    }
  assert.ok(seen > 80, `only ${seen} rows`);
});

test("no repair chain applies to what a check finds, whatever its kind", () => {
  for (const kind of FAILURE_KINDS)
    assert.notEqual(first(kind, "check", { changed: true }), "repair", kind);
  assert.equal(first("timeout", "check", { changed: true }), "feedback");
  assert.equal(first("command_not_found", "check", { changed: true }), "feedback");
});

test("without a good commit a broken build goes back to the start, or gets feedback where that is what failed", () => {
  assert.equal(first("broken_build", "tool", { changed: true }), "fresh");
  assert.equal(first("broken_build", "tool"), "feedback");
});

test("hung, interrupted and lost attempts: continued if the tree changed, else started again", () => {
  for (const kind of ["interrupted", "lost"] as const) {
    assert.equal(first(kind, "agent", { changed: true }), "continue");
    assert.equal(first(kind, "agent"), "retry");
  }
});

test("lost and interrupted attempts are uncounted, at most three in a row", () => {
  const run = new Driver("standard", one);
  for (let time = 0; time < 3; time += 1) run.fails("a", "lost", { remains: still });
  assert.deepEqual(run.recoveries(), ["retry", "retry", "retry"]);
  assert.equal(run.of("a").counted, 0);
  assert.equal(run.of("a").iterations, 0);
  run.fails("a", "lost", { remains: still });
  assert.notEqual(run.recoveries().at(-1), "retry");
});

test("the whole ladder: feedback, mutate, escalate, think, explore, skip and ask", () => {
  const run = new Driver("standard", one);
  const tests = ["t"];
  let turn = 0;
  while (run.of("a").phase === "running" || run.of("a").phase === "pending") {
    turn += 1;
    run.red("a", {
      failing: tests,
      remains: {
        signals: turn > 1 ? NO_PROGRESS : { ...NO_PROGRESS, change: 1 },
        approach: `way ${turn}`,
      },
    });
  }
  assert.deepEqual(
    [...new Set(run.recoveries())],
    ["feedback", "mutate", "escalate", "explore", "skip+ask"],
  );
  const specs = run.all("attempt-dispatched").map(({ spec }) => spec);
  const tiers = specs
    .filter(({ recovery }) => recovery === "escalate")
    .map(({ entry, thinking }) => [entry.tier, thinking]);
  assert.deepEqual(tiers, [
    [2, false],
    [3, true],
  ]);
  assert.equal(run.recoveries().filter((name) => name === "feedback").length, 2);
  assert.equal(run.recoveries().filter((name) => name === "mutate").length, 3);
});

test("a circular fix rules out retry and feedback and forces another recovery", () => {
  const run = new Driver("standard", one);
  const trees = ["A", "B", "A"];
  let before = "start";
  for (const tree of trees) {
    run.red("a", { remains: { treeBefore: before, treeAfter: tree } });
    before = tree;
  }
  assert.deepEqual(run.recoveries().slice(0, 2), ["feedback", "feedback"]);
  assert.equal(run.recoveries()[2], "mutate");
  assert.deepEqual(run.of("a").banned, ["retry", "feedback"]);
});

test("a failing check is run again before blaming the code", () => {
  const run = new Driver("standard", one);
  run.ended("a");
  run.checked("a", ["t"]);
  assert.deepEqual(run.all("failure-classified"), []);
  run.checked("a", "passed");
  run.merged("a");
  assert.equal(run.of("a").phase, "verified");
  assert.deepEqual(
    run.all("checks-dispatched").map(({ round }) => round),
    [1, 2],
  );
});

test("a check that cannot run is run again, not the work; then it is its own failure", () => {
  const run = new Driver("standard", one);
  run.ended("a");
  const evidence = { exitCode: 127, stderr: "sh: 1: vitest: not found" };
  for (let round = 1; round <= 3; round += 1)
    run.give({
      kind: "checks-ended",
      subtask: "a",
      attempt: 1,
      round,
      result: { kind: "could-not-run", evidence },
    });
  assert.equal(run.all("checks-dispatched").length, 3);
  assert.equal(run.all("failure-classified").length, 1);
});

test("malformed output is asked for again with a reminder, twice at most and uncounted, then the ladder goes on", () => {
  const run = new Driver("standard", plan([subtask("a", { structuredOutput: true })]));
  const bad = { answer: { empty: false, problem: "no JSON found" } };
  run.ended("a", bad);
  assert.deepEqual(run.of("a").running[0]?.spec.prompt, { remind: "format" });
  run.ended("a", bad);
  assert.deepEqual(run.of("a").running[0]?.spec.prompt, { remind: "format" });
  assert.equal(run.of("a").counted, 0);
  run.ended("a", bad);
  assert.equal(run.recoveries()[2], "feedback");
  assert.equal(run.of("a").counted, 1);
});

test("outages: 5, 10, 20 s, then another model of the tier, then growing waits, then a person", () => {
  const run = new Driver("standard", one);
  const down = { failure: { origin: "provider" as const }, remains: still };
  const seen: string[] = [];
  for (let time = 0; run.of("a").phase !== "asking" && time < 400; time += 1) {
    run.fails("a", "server_overloaded", down);
    seen.push(run.recoveries().at(-1) ?? "");
    if (run.of("a").phase === "waiting") run.fire("a");
  }
  assert.deepEqual(seen.slice(0, 8), [
    "wait",
    "wait",
    "wait",
    "sidegrade",
    "wait",
    "wait",
    "wait",
    "wait",
  ]);
  assert.equal(seen.at(-1), "ask");
  assert.ok(seen.length > 20, "tens of minutes are survived");
  assert.equal(run.of("a").counted, 0);
  assert.equal(run.of("a").iterations, 0);
});

test("a usage limit sleeps until its reset plus one minute, uncounted", () => {
  const run = new Driver("standard", one);
  const resetAt = new Date(run.now + 5 * 3_600_000).toISOString();
  run.fails("a", "rate_limited", { failure: { origin: "provider", resetAt }, remains: still });
  assert.equal(run.of("a").timer?.dueAt, run.now + 5 * 3_600_000 + 60_000);
  assert.equal(run.of("a").counted, 0);
});

test("continuations are capped at five without net progress", () => {
  const run = new Driver("standard", one);
  const talk = { outputNovelty: 1, change: 0, markers: 1, checklist: 1 };
  const idle = { remains: { ...still, signals: talk } };
  for (let time = 0; time < 5; time += 1) run.fails("a", "context_exhausted", idle);
  assert.deepEqual(run.recoveries(), ["continue", "continue", "continue", "continue", "continue"]);
  run.fails("a", "context_exhausted", idle);
  assert.notEqual(run.recoveries().at(-1), "continue");
  const busy = new Driver("standard", one);
  for (let time = 0; time < 12; time += 1) busy.fails("a", "context_exhausted");
  assert.ok(
    busy.recoveries().every((name) => name === "continue"),
    "with progress they go on",
  );
});

test("continuations with progress are capped too, in every policy, so that a run cannot go on for ever", () => {
  for (const preset of Object.keys(PRESETS) as PresetName[]) {
    const run = new Driver(preset, one);
    let times = 0;
    while (run.of("a").phase === "running" && times < 200) {
      run.fails("a", "context_exhausted");
      times += 1;
    }
    const continued = run.recoveries().filter((name) => name === "continue").length;
    assert.ok(continued <= 50, `${preset} continued ${continued} times`);
    assert.ok(times < 200, `${preset} never gave up`);
  }
});

test("an exploration's verified branch wins at once and the others are interrupted", () => {
  const run = new Driver("standard", { ...one, concurrency: 3 });
  const idle = (turn: number) => ({ remains: { signals: NO_PROGRESS, approach: `way ${turn}` } });
  for (let turn = 0; run.of("a").branches.length === 0; turn += 1) run.red("a", idle(turn));
  const attempts = run.of("a").running.map(({ attempt }) => attempt);
  assert.equal(attempts.length, 3);
  run.ended("a", { attempt: attempts[1] ?? 0 });
  run.checked("a", "passed");
  const interrupted = run.commands.filter(({ kind }) => kind === "interrupt");
  assert.equal(interrupted.length, 2);
  run.merged("a");
  assert.equal(run.of("a").phase, "verified");
  assert.equal(run.state.phase, "active", "losers still run");
  run.fails("a", "interrupted", { attempt: attempts[0] ?? 0 });
  run.fails("a", "interrupted", { attempt: attempts[2] ?? 0 });
  assert.equal(run.state.outcome?.kind, "verified");
});

test("an unverified winner becomes the next starting tree and is never merged as done", () => {
  const run = new Driver("standard", { ...one, concurrency: 3 });
  const idle = (turn: number) => ({ remains: { signals: NO_PROGRESS, approach: `way ${turn}` } });
  for (let turn = 0; run.of("a").branches.length === 0; turn += 1) run.red("a", idle(turn));
  const attempts = run.of("a").running.map(({ attempt }) => attempt);
  const scores = [0, 1, 0];
  for (const [index, attempt] of attempts.entries()) {
    const signals = {
      ...NO_PROGRESS,
      outputNovelty: scores[index] ?? 0,
      change: scores[index] ?? 0,
    };
    run.red("a", { attempt, remains: { signals } });
  }
  while (run.of("a").branches.length > 0)
    run.red("a", { remains: { signals: { ...NO_PROGRESS } } });
  const ended = run.all("exploration-ended")[0];
  const started = run.all("exploration-started")[0]?.branches.map(({ id }) => id);
  assert.deepEqual(
    started,
    ["research-first", "top-down", "example-driven"],
    "not the ways that mutations have tried",
  );
  assert.equal(ended?.winner?.branch, "top-down");
  assert.equal(ended?.winner?.verified, false);
  assert.deepEqual(run.of("a").running[0]?.spec.tree, {
    kind: "attempt",
    attempt: ended?.winner?.attempt,
  });
  assert.deepEqual(run.all("merge-queued"), []);
});
