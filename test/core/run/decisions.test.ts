// proves: B5, D6, D8, U5, U8, U11
import assert from "node:assert/strict";
import { test } from "node:test";
import { ladder } from "../../../src/core/policy/ladder.ts";
import { PRESETS } from "../../../src/core/policy/presets.ts";
import { Driver, failureOf, plan, subtask } from "./driver.ts";

const still = { treeBefore: "t", treeAfter: "t" };
const short = ladder({
  ...PRESETS.standard,
  rungs: [
    { id: "again", do: "feedback", times: 1 },
    { id: "end", do: ["skip", "ask"] },
  ],
});
const one = plan([subtask("a")]);
const entry = one.ladder[0];
const FIRST = {
  entry,
  thinking: false,
  budgetFactor: 1,
  context: "new",
  tree: { kind: "keep" },
  prompt: {},
  iteration: false,
} as const;
const AGAIN = {
  ...FIRST,
  context: "keep",
  prompt: { feedback: true },
  recovery: "feedback",
  iteration: true,
} as const;
const cap = { attempts: 1 };
const a1 = { subtask: "a", attempt: 1 } as const;
const a2 = { subtask: "a", attempt: 2 } as const;

test("a run that goes well, decision by decision", () => {
  const run = new Driver(short, one);
  assert.deepEqual(run.journal.slice(1), [
    { kind: "attempt-dispatched", ...a1, spec: FIRST, cap, from: "ready", at: 1_000_000 },
  ]);
  assert.deepEqual(run.ended("a"), [{ kind: "checks-dispatched", ...a1, round: 1 }]);
  assert.deepEqual(run.checked("a", "passed"), [
    { kind: "merge-queued", ...a1 },
    { kind: "merge-dispatched", ...a1 },
  ]);
  run.now += 90_000;
  assert.deepEqual(run.merged("a"), [
    { kind: "subtask-done", ...a1, phase: "verified", commit: "commit-a-1" },
    {
      kind: "episode-recorded",
      episode: {
        id: "ep-r1/a/1",
        time: "1970-01-01T00:18:10.000Z",
        goal: "a",
        success: true,
        cost: null,
        duration: 90,
        error: null,
        retry_count: 0,
        recovery_level: null,
      },
    },
    { kind: "run-ended", outcome: "verified", reason: "every subtask is verified" },
  ]);
});

test("red checks: run again, judged, scored, recovered; what helped gets the credit", () => {
  const run = new Driver(short, one);
  run.ended("a", { remains: { used: { usd: 2 } } });
  assert.deepEqual(run.checked("a", ["t"]), [
    { kind: "checks-dispatched", ...a1, round: 2, flaky: ["t"] },
  ]);
  const [judged, ...rest] = run.checked("a", ["t"]);
  assert.ok(judged?.kind === "failure-classified");
  const { failure, ...about } = judged;
  assert.equal(failure.kind, "verification_failed");
  assert.deepEqual(about, {
    kind: "failure-classified",
    ...a1,
    counted: true,
    verdict: true,
    error: "failing: t 1",
    failing: ["t"],
  });
  assert.deepEqual(rest, [
    {
      kind: "progress-scored",
      ...a1,
      score: 0.6,
      state: {
        status: "progressing",
        noProgress: 0,
        noProgressTotal: 0,
        recentScores: [0.6],
        recoveryIterations: 0,
      },
      progressed: true,
      recovered: false,
    },
    {
      kind: "recovery-chosen",
      subtask: "a",
      recoveries: [{ kind: "feedback" }],
      chosenBy: { by: "rung", id: "again" },
      because: "verification failed: again (1 of 1) is the first step of the policy that applies",
      considered: [{ rung: "again", recovery: "feedback", verdict: "chosen" }],
      usesRung: true,
    },
    { kind: "attempt-queued", subtask: "a", specs: [AGAIN] },
    { kind: "attempt-dispatched", ...a2, spec: AGAIN, cap, from: "urgent", at: 1_000_000 },
  ]);
  assert.equal(run.of("a").attempts[0]?.score, 0.6);
  run.ended("a", { remains: { used: { usd: 1 } } });
  run.checked("a", "passed");
  const [done, episode] = run.merged("a");
  assert.deepEqual(done, {
    kind: "subtask-done",
    ...a2,
    phase: "verified",
    commit: "commit-a-2",
    rung: "again",
  });
  assert.ok(episode?.kind === "episode-recorded");
  const { cost, retry_count, recovery_level } = episode.episode;
  assert.deepEqual([cost, retry_count, recovery_level], [3, 1, "alternative"]);
  assert.deepEqual(run.state.metrics, {
    recovery_triggers: 1,
    recovery_success: 1,
    stage_success: { again: 1 },
    recovery_iterations: 1,
  });
});

test("given up: parked with its best tree, said, asked about and remembered; no alert unless the rung says so", () => {
  const run = new Driver(short, plan([subtask("a"), subtask("b", { dependsOn: ["a"] })]));
  run.red("a");
  const decisions = run.red("a").slice(2);
  const because = "verification failed: end is the first step of the policy that applies";
  assert.deepEqual(
    decisions.filter(({ kind }) => kind !== "checkpoint-opened"),
    [
      {
        kind: "recovery-chosen",
        subtask: "a",
        recoveries: [{ kind: "skip" }, { kind: "ask" }],
        chosenBy: { by: "rung", id: "end" },
        because,
        considered: [
          { rung: "again", recovery: "feedback", verdict: "used 1 of 1 times" },
          { rung: "end", recovery: "skip + ask", verdict: "chosen" },
        ],
        usesRung: true,
      },
      { kind: "subtask-parked", subtask: "a", phase: "stuck", reason: because, best: 2 },
      { kind: "subtask-blocked", subtask: "a", reason: because, independent: 0 },
      {
        kind: "approval-requested",
        subtask: "a",
        checkpoint: "a/c1",
        attempts: [1, 2].map((attempt) => ({
          ...{ attempt, tier: 1, model: "s1", approach: `approach ${attempt}` },
          ...{ kind: "verification_failed", error: `failing: t ${attempt}` },
          ...(attempt === 1 ? {} : { recovery: "feedback" }),
        })),
      },
      {
        kind: "episode-recorded",
        episode: {
          id: "ep-r1/a/2",
          time: "1970-01-01T00:16:40.000Z",
          goal: "a",
          success: false,
          cost: null,
          duration: 0,
          error: "failing: t 2",
          retry_count: 1,
          recovery_level: "escalate",
        },
      },
    ],
  );
  const { checkpoint } = run.of("a");
  assert.equal(checkpoint?.cause, undefined);
  assert.ok(!("cause" in (checkpoint ?? {})) && !("expiresAt" in (checkpoint ?? {})));
  assert.deepEqual(
    [checkpoint?.context.error, checkpoint?.context.attempts, checkpoint?.context.best],
    ["failing: t 2", 2, 2],
  );
});

test("given up without a question: nobody is asked, and the run has failed", () => {
  const silent = ladder({ ...PRESETS.standard, rungs: [{ id: "drop", do: "skip" }] });
  const run = new Driver(silent, one);
  assert.deepEqual(
    run.red("a").map(({ kind }) => kind),
    [
      ...["failure-classified", "progress-scored", "recovery-chosen", "subtask-parked"],
      ...["subtask-blocked", "episode-recorded", "run-ended"],
    ],
  );
  assert.deepEqual([run.of("a").phase, run.of("a").checkpoint], ["stuck", undefined]);
});

test("a question tells the last error, of however many attempts", () => {
  const run = new Driver("tier-ladder", one);
  for (let attempt = 1; attempt <= 4; attempt += 1) run.red("a");
  assert.equal(run.of("a").checkpoint?.context.error, "failing: t 4");
});

test("a check that could not even run on the base is a person's matter, and no attempt's fault", () => {
  const cannot = { exitCode: 127, stderr: "sh: vitest: not found" };
  const give = (run: Driver, round: number, onBase: boolean) =>
    run.give({
      kind: "checks-ended",
      ...a1,
      round,
      result: { kind: "could-not-run", evidence: cannot, ...(onBase ? { onBase } : {}) },
    });
  const run = new Driver(short, one);
  run.ended("a");
  assert.deepEqual(give(run, 1, true), [{ kind: "checks-dispatched", ...a1, round: 2 }]);
  assert.deepEqual(give(run, 2, true), [{ kind: "checks-dispatched", ...a1, round: 3 }]);
  const because = "the check cannot run, and could not on the base: no attempt can make it pass";
  const [judged, chosen, parked] = give(run, 3, true);
  assert.ok(judged?.kind === "failure-classified");
  assert.deepEqual(
    [judged.failure.kind, judged.failure.because, judged.counted, judged.verdict],
    ["command_not_found", [because], false, false],
  );
  assert.deepEqual([judged.error, judged.failing], ["sh: vitest: not found", []]);
  assert.deepEqual(chosen, {
    kind: "recovery-chosen",
    subtask: "a",
    recoveries: [{ kind: "ask" }],
    chosenBy: { by: "guard", id: "check-cannot-run" },
    because,
    considered: [],
    usesRung: false,
  });
  assert.deepEqual(parked, {
    kind: "subtask-parked",
    subtask: "a",
    phase: "asking",
    reason: because,
    best: 1,
  });
  const mine = new Driver(short, one);
  mine.ended("a");
  for (const round of [1, 2, 3]) give(mine, round, false);
  assert.deepEqual(
    mine.all("failure-classified").map(({ counted, failing }) => [counted, failing]),
    [[true, []]],
    "one that ran on the base is the attempt's",
  );
});

const HOW = "did not say that it was done";

test("an agent that broke off is judged by its checks, and by its own failure where they are red", () => {
  const run = new Driver(short, one);
  const crash = failureOf("agent_crash");
  assert.deepEqual(run.fails("a", "agent_crash", { failure: crash }), [
    { kind: "checks-dispatched", ...a1, round: 1, failure: crash, how: HOW },
  ]);
  assert.deepEqual(run.checked("a", ["t"]), [
    { kind: "checks-dispatched", ...a1, round: 2, failure: crash, how: HOW, flaky: ["t"] },
  ]);
  const [judged] = run.checked("a", ["t"]);
  assert.deepEqual(judged, {
    kind: "failure-classified",
    ...a1,
    failure: crash,
    counted: true,
    verdict: true,
    error: "failing: t 1",
    failing: ["t"],
  });
});

test("a failure without checks: the answer's problem, else what was printed", () => {
  const errors = (more: object): string[] => {
    const run = new Driver(short, plan([subtask("a", { structuredOutput: true })]));
    const [judged] = run.ended("a", {
      outcome: "failed",
      observed: failureOf("malformed_output"),
      remains: still,
      ...more,
    });
    assert.ok(judged?.kind === "failure-classified");
    assert.deepEqual(judged.failing, []);
    return [judged.error];
  };
  assert.deepEqual(errors({ evidence: { stderr: "boom" } }), ["boom"]);
  const answer = { empty: false, problem: "no JSON" };
  assert.deepEqual(errors({ evidence: { stderr: "boom" }, answer }), ["no JSON"]);
});

test("a merge that fails says so, and the next attempt starts from both", () => {
  for (const result of [
    { kind: "conflict", evidence: { stdout: "CONFLICT in x" } },
    { kind: "red", failing: ["t"], evidence: { stdout: "1 failed" } },
  ] as const) {
    const run = new Driver(short, one);
    run.ended("a");
    run.checked("a", "passed");
    if (result.kind === "red")
      assert.deepEqual(
        run.give({ kind: "merge-ended", ...a1, result }),
        [
          { kind: "merge-queued", ...a1, round: 2 },
          { kind: "merge-dispatched", ...a1, round: 2 },
        ],
        "it may be flaky: once more before the work is blamed",
      );
    const again = result.kind === "red" ? { round: 2 } : {};
    const [judged] = run.give({ kind: "merge-ended", ...a1, ...again, result });
    assert.ok(judged?.kind === "failure-classified");
    assert.deepEqual(
      [judged.failure.kind, judged.error, judged.failing, judged.unmerged],
      result.kind === "red"
        ? ["verification_failed", "1 failed", ["t"], true]
        : ["merge_conflict", "CONFLICT in x", [], true],
    );
    assert.equal(run.of("a").attempts[0]?.unmerged, true);
    assert.deepEqual(run.of("a").running[0]?.spec.tree, { kind: "rebased", attempt: 1 });
  }
  const plain = new Driver(short, one);
  plain.red("a");
  assert.ok(!("unmerged" in (plain.all("failure-classified")[0] ?? {})));
  assert.ok(!("unmerged" in (plain.of("a").attempts[0] ?? {})));
});

test("U16: who cancels waits for agents to end, not for checks and merges; nothing new is begun", () => {
  const three = plan([subtask("a"), subtask("b"), subtask("c")], { concurrency: 3 });
  const run = new Driver(short, three);
  run.ended("a");
  run.checked("a", "passed");
  run.ended("b");
  run.give({ kind: "cancel-requested", reason: "x" });
  assert.equal(run.state.phase, "ending", "c is still at work");
  assert.deepEqual(run.checked("b", ["t"]), []);
  assert.deepEqual(run.ended("c"), [
    { kind: "run-ended", outcome: "cancelled", reason: "cancelled" },
  ]);
  const conflict = { kind: "conflict", evidence: {} };
  assert.deepEqual(run.give({ kind: "merge-ended", ...a1, result: conflict }), [], "too late");
});

test("nothing to merge, nothing to check: done, and the good commit stays what it was", () => {
  const run = new Driver(short, plan([subtask("a", { checks: 0 })]), { goodCommit: "g" });
  const [done] = run.ended("a", { remains: still });
  assert.deepEqual(done, { kind: "subtask-done", ...a1, phase: "unverified" });
  assert.equal(run.state.goodCommit, "g");
  assert.deepEqual(run.state.outcome, {
    kind: "unverified",
    reason: "1 subtask has no check",
  });
  const reader = new Driver(short, plan([subtask("a", { checks: 2, readOnly: true })]), {
    goodCommit: "g",
  });
  const [read] = reader.ended("a", { remains: still, answer: { empty: false, text: "so" } });
  assert.deepEqual(read, { kind: "subtask-done", ...a1, phase: "answered" });
  assert.equal(reader.state.goodCommit, "g", "no commit was made");
});

test("an input that changes nothing decides nothing and asks for nothing", () => {
  const run = new Driver(short, one);
  const before = run.state;
  run.give({ kind: "timer-fired", subtask: "a", timer: 1 });
  assert.deepEqual(run.last, {
    decisions: [],
    commands: [],
    state: before,
    ignored: "this timer is not set",
  });
});
