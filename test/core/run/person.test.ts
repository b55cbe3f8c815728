// proves: C9, D4, D5, D7, U4
import assert from "node:assert/strict";
import { test } from "node:test";
import { ladder } from "../../../src/core/policy/ladder.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { Driver, plan, subtask } from "./driver.ts";

const one = plan([subtask("a")]);
const still = { treeBefore: "t", treeAfter: "t" };
const FIRST = {
  entry: one.ladder[0],
  thinking: false,
  budgetFactor: 1,
  context: "new",
  tree: { kind: "keep" },
  prompt: {},
  iteration: false,
} as const;
const queued = { kind: "attempt-queued", subtask: "a" };
const parked = (of = one): Driver => {
  const run = new Driver("standard", of);
  run.fails("a", "auth_required", { remains: still });
  return run;
};
const closed = (answer: object) => ({
  kind: "checkpoint-closed",
  checkpoint: "a/c1",
  answer,
  by: "alice",
  subtask: "a",
});

test("skip: closed, given up, ended", () => {
  const run = parked();
  assert.deepEqual([run.of("a").isHiccup, run.state.openCheckpoints], [true, 1]);
  assert.deepEqual(run.answer("a/c1", { kind: "skip" }), [
    closed({ kind: "skip" }),
    { kind: "subtask-parked", subtask: "a", phase: "skipped", reason: "skipped by alice" },
    {
      kind: "run-ended",
      outcome: "failed",
      reason: "1 subtask was given up",
    },
  ]);
  const { phase, isHiccup, checkpoint, next, words, spokenAt } = run.of("a");
  assert.deepEqual(
    [phase, isHiccup, checkpoint, next, words, spokenAt],
    ["skipped", false, undefined, [], undefined, 0],
  );
  assert.equal(run.state.openCheckpoints, 0);
});

test("retry: with the words, from the best tree, everything begins anew but history and budgets", () => {
  const run = new Driver("tier-ladder", one);
  for (let time = 0; time < 3; time += 1) run.red("a", { failing: ["x"] });
  run.red("a", { failing: ["x", "y"] });
  const before = run.of("a");
  const answer = { kind: "retry", words: "look in lib" } as const;
  const [close, again] = run.answer("a/c1", answer);
  assert.deepEqual(close, closed(answer));
  const { entry, thinking, budgetFactor } = before;
  assert.deepEqual(again, {
    ...queued,
    specs: [
      {
        ...FIRST,
        ...{ entry, thinking, budgetFactor },
        tree: { kind: "attempt", attempt: 3 },
        prompt: { feedback: true, words: "look in lib" },
      },
    ],
  });
  const own = run.of("a");
  assert.deepEqual(
    [own.uses, own.mutationsTried, own.banned, own.outage, own.rung, own.level],
    [{}, [], [], undefined, undefined, "clarify"],
  );
  assert.deepEqual(
    [own.spokenAt, own.cutOffs, own.continues, own.progress.noProgress, own.words],
    [4, 0, 0, 0, "look in lib"],
  );
  assert.deepEqual(
    [own.attempts, own.iterations, own.counted, own.ledger.spent],
    [before.attempts, 3, 4, before.ledger.spent],
  );
});

test("by hand: taken, then done; where there is nothing to check it is done and unverified", () => {
  const run = parked(plan([subtask("a", { checks: 0 })]));
  assert.deepEqual(run.answer("a/c1", { kind: "manual", done: false }), [
    { kind: "checkpoint-taken", checkpoint: "a/c1", by: "alice", subtask: "a" },
  ]);
  const answer = { kind: "manual", done: true } as const;
  assert.deepEqual(run.answer("a/c1", answer), [
    closed(answer),
    { kind: "subtask-done", subtask: "a", attempt: 1, phase: "unverified" },
    {
      kind: "episode-recorded",
      episode: {
        id: "ep-r1/a/1",
        time: "1970-01-01T00:16:40.000Z",
        goal: "a",
        success: true,
        cost: null,
        duration: 0,
        error: null,
        retry_count: 0,
        recovery_level: "escalate",
      },
    },
    { kind: "run-ended", outcome: "unverified", reason: "1 subtask has no check" },
  ]);
});

test("by hand: what a person did is checked as an attempt of its own", () => {
  const run = parked();
  const answer = { kind: "manual", done: true } as const;
  assert.deepEqual(run.answer("a/c1", answer), [
    closed(answer),
    { kind: "checks-dispatched", subtask: "a", attempt: 2, round: 1 },
  ]);
  assert.equal(run.of("a").attempt, 2);
  run.checked("a", "passed");
  run.merged("a");
  const { next, branches, rung, words, outage } = run.of("a");
  assert.deepEqual(
    [next, branches, rung, words, outage],
    [[], [], undefined, undefined, undefined],
  );
});

test("top-up: what was about to be tried is tried; a first attempt that never fitted is made", () => {
  const budget = (usd: number) =>
    plan([subtask("a", { limits: { budget: { usd } } })], { attemptCap: { usd: 4 } });
  const answer = { kind: "top-up", by: { usd: 4 } } as const;
  const never = new Driver("standard", budget(0.5));
  assert.deepEqual(never.journal.slice(1), [
    {
      ...{ kind: "subtask-parked", subtask: "a", phase: "asking" },
      reason: "budget of subtask a: $0.00 of $0.50 used, too little for another attempt",
    },
    { kind: "checkpoint-opened", checkpoint: never.of("a").checkpoint },
  ]);
  assert.deepEqual(
    [never.of("a").checkpoint?.id, never.of("a").checkpoint?.context.goal],
    ["a/c1", "do a"],
  );
  const [, first, started] = never.answer("a/c1", answer);
  assert.deepEqual(first, { ...queued, specs: [FIRST] });
  assert.ok(started?.kind === "attempt-dispatched");
  assert.deepEqual(started.cap, { usd: 4, attempts: 1 });
  const used = new Driver("standard", budget(4));
  used.red("a", { remains: { used: { usd: 4 } } });
  const [, again, dispatched] = used.answer("a/c1", answer);
  assert.deepEqual(again, { ...queued, specs: [] });
  assert.ok(dispatched?.kind === "attempt-dispatched");
  assert.equal(dispatched.spec.recovery, "feedback");
  assert.deepEqual(used.of("a").next, []);
});

test("top-up: branches that were about to start are not, their exploration is over", () => {
  const policy = ladder({ ...PRESETS.standard, rungs: [{ id: "e", do: "explore" }] });
  const limits = { budget: { attempts: 1 } };
  const run = new Driver(policy, plan([subtask("a", { limits })], { concurrency: 3 }));
  run.red("a");
  const { phase, next, branches } = run.of("a");
  assert.deepEqual([phase, next, branches], ["asking", [], []]);
  run.answer("a/c1", { kind: "top-up", by: { attempts: 5 } });
  assert.deepEqual(
    run.of("a").running.map(({ spec }) => spec.prompt),
    [{}],
  );
});

const shared = (): Driver => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")], { concurrency: 2 }));
  for (const id of ["a", "b"]) run.fails(id, "billing", { remains: still });
  return run;
};

test("a shared question: joined in the journal, and its answer followed by each in its own way", () => {
  const run = shared();
  assert.deepEqual(run.all("checkpoint-joined"), [
    { kind: "checkpoint-joined", subtask: "b", of: "a", checkpoint: "a/c1" },
  ]);
  assert.deepEqual(run.state.causes, { "billing small": "a" });
  assert.deepEqual(run.all("approval-requested").length, 1);
  const retry = { kind: "retry", words: "paid" } as const;
  const words = { feedback: true, words: "paid" };
  assert.deepEqual(run.answer("a/c1", retry).slice(1, 4), [
    { kind: "checkpoint-followed", subtask: "b", checkpoint: "a/c1", answer: retry },
    { kind: "attempt-queued", subtask: "b", specs: [{ ...FIRST, prompt: words }] },
    { ...queued, specs: [{ ...FIRST, prompt: words }] },
  ]);
  assert.deepEqual(run.state.causes, {});
  const manual = shared().answer("a/c1", { kind: "manual", done: true });
  assert.deepEqual(manual.slice(2, 3), [{ kind: "attempt-queued", subtask: "b", specs: [FIRST] }]);
  const skip = shared().answer("a/c1", { kind: "skip" });
  assert.deepEqual(skip.slice(2, 3), [
    { kind: "subtask-parked", subtask: "b", phase: "skipped", reason: "skipped by alice" },
  ]);
});

test("one that is given up asks for itself, also where the cause lies outside its work", () => {
  const wait = { ...PRESETS.standard.wait, delaysMs: [], maxWaitMs: 0, sidegrade: false };
  const policy = ladder({
    ...PRESETS.standard,
    wait: { ...wait, then: "ladder" },
    rungs: [{ id: "end", do: ["skip", "ask"] }],
  });
  const run = new Driver(policy, plan([subtask("a"), subtask("b")], { concurrency: 2 }));
  const down = { failure: { origin: "provider" as const }, remains: still };
  run.fails("a", "network_error", down);
  assert.ok(!("cause" in (run.of("a").checkpoint ?? {})));
  assert.deepEqual([run.of("a").phase, run.state.causes], ["stuck", {}]);
  run.fails("b", "network_error", down);
  assert.deepEqual([run.all("checkpoint-joined"), run.of("b").checkpoint?.id], [[], "b/c1"]);
});

test("a question that expires: a timer, and no for an answer", () => {
  const run = parked(plan([subtask("a")], { expireMs: 60_000 }));
  assert.deepEqual(run.all("expiry-scheduled"), [
    {
      kind: "expiry-scheduled",
      subtask: "a",
      checkpoint: "a/c1",
      timer: 1,
      dueAt: run.now + 60_000,
    },
  ]);
  assert.equal(run.of("a").checkpoint?.expiresAt, run.now + 60_000);
  const decisions = run.give({ kind: "timer-fired", subtask: "a", timer: 1 });
  assert.deepEqual(decisions.slice(0, 2), [
    { ...closed({ kind: "skip" }), by: "nobody in time" },
    {
      kind: "subtask-parked",
      subtask: "a",
      phase: "skipped",
      reason: "skipped by nobody in time",
    },
  ]);
  assert.equal(run.of("a").expiry, undefined);
});

test("the fatal question carries the advice that came with the failure, else what is to be done", () => {
  const run = new Driver("standard", one);
  run.fails("a", "agent_missing", { remains: still, advice: "npm i -g small" });
  assert.equal(run.of("a").checkpoint?.context.advice, "npm i -g small");
  const said = parked().of("a").checkpoint?.context.advice;
  assert.equal(said, "Log in or set the key of the service", "no command is known");
  const { best } = parked().of("a").checkpoint?.context ?? {};
  assert.equal(best, undefined, "nothing was changed");
  assert.ok(!("best" in (parked().all("subtask-parked")[0] ?? {})));
});

test("a question names the first twenty that wait for it, and how many there are", () => {
  const waiting = Array.from({ length: 25 }, (_, n) => subtask(`w${n}`, { dependsOn: ["a"] }));
  const run = parked(plan([subtask("a"), ...waiting, subtask("free")]));
  const { blocks, blocksCount } = run.of("a").checkpoint?.context ?? {};
  assert.deepEqual([blocks?.length, blocks?.[0], blocks?.[19], blocksCount], [20, "w0", "w19", 25]);
  assert.equal(run.all("subtask-blocked")[0]?.independent, 1);
});

test("stopping interrupts every attempt that runs, with the reason", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")], { concurrency: 2 }));
  assert.deepEqual(run.give({ kind: "cancel-requested", reason: "enough" }), [
    { kind: "attempt-interrupted", subtask: "a", attempt: 1, reason: "enough" },
    { kind: "attempt-interrupted", subtask: "b", attempt: 1, reason: "enough" },
  ]);
});

test("a run's budget that is not raised: closed and ended, without a further warning", () => {
  const run = new Driver("tier-ladder", plan([subtask("a")], { budget: { attempts: 1 } }));
  run.red("a");
  const answer = { kind: "skip" };
  const reason = run.state.checkpoint?.context.error;
  assert.deepEqual(run.answer("c1", { kind: "skip" }), [
    { kind: "checkpoint-closed", checkpoint: "c1", answer, by: "alice" },
    { kind: "run-ended", outcome: "budget", reason },
  ]);
  assert.deepEqual([run.state.checkpoint, run.state.openCheckpoints], [undefined, 0]);
  assert.deepEqual(run.state.limit, { attempts: 1 });
});
