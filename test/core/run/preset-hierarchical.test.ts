// proves: D2, D3, D5, D6, D9
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FailureKind } from "../../../src/core/kinds.ts";
import { Driver, plan, subtask } from "./driver.ts";

const one = plan([subtask("a")]);
const still = { treeBefore: "t", treeAfter: "t" };

test("test_level1_retries_three_times", () => {
  const run = new Driver("hierarchical", one);
  const delays: number[] = [];
  for (let retry = 0; retry < 3; retry += 1) {
    run.fails("a", "rate_limited", { failure: { origin: "provider" }, remains: still });
    delays.push((run.of("a").timer?.dueAt ?? 0) - run.now);
    assert.equal(run.of("a").phase, "waiting");
    run.fire("a");
  }
  assert.deepEqual(delays, [5000, 10_000, 20_000]);
  run.fails("a", "rate_limited", { failure: { origin: "provider" }, remains: still });
  assert.deepEqual(run.recoveries(), ["wait", "wait", "wait", "ask"]);
  assert.equal(run.of("a").attempt, 4);
  assert.equal(run.of("a").counted, 0);
  assert.equal(run.of("a").phase, "asking");
});

test("each transient kind of provider or agent is retried, and a success ends it", () => {
  const kinds: FailureKind[] = [
    "rate_limited",
    "server_overloaded",
    "server_error",
    "timeout",
    "network_error",
  ];
  for (const kind of kinds) {
    const run = new Driver("hierarchical", one);
    run.fails("a", kind, { failure: { origin: "provider" }, remains: still });
    run.fire("a");
    run.green("a");
    assert.deepEqual(run.recoveries(), ["wait"]);
    assert.deepEqual(
      run
        .all("episode-recorded")
        .map(({ episode }) => [episode.success, episode.retry_count, episode.recovery_level]),
      [[true, 1, "same"]],
    );
  }
});

test("the server's time wins over the schedule", () => {
  const run = new Driver("hierarchical", one);
  run.fails("a", "rate_limited", {
    failure: { origin: "provider", retryAfterMs: 1234 },
    remains: still,
  });
  assert.equal((run.of("a").timer?.dueAt ?? 0) - run.now, 1234);
  run.fire("a");
  const resetAt = new Date(run.now + 600_000).toISOString();
  run.fails("a", "rate_limited", { failure: { origin: "provider", resetAt }, remains: still });
  assert.equal((run.of("a").timer?.dueAt ?? 0) - run.now, 660_000);
});

test("test_level2_falls_through_to_escalate", () => {
  for (const kind of ["agent_crash", "malformed_output"] as const) {
    const run = new Driver("hierarchical", one);
    run.fails("a", kind, { remains: still });
    assert.deepEqual(run.recoveries(), ["ask"]);
    assert.deepEqual(run.all("fell-through"), [
      { kind: "fell-through", subtask: "a", failure: kind, at: run.now },
    ]);
    assert.equal(run.of("a").attempt, 1);
  }
});

test("test_level3_triggered_by_human_choice", () => {
  const run = new Driver("hierarchical", one);
  run.fails("a", "agent_crash", { remains: still });
  run.answer("a/c1", { kind: "retry", words: "use the other parser" });
  assert.equal(run.of("a").running[0]?.spec.prompt.words, "use the other parser");
  run.green("a");
  assert.equal(run.all("episode-recorded").at(-1)?.episode.recovery_level, "clarify");
  for (const event of run.all("recovery-chosen"))
    assert.ok(
      event.recoveries.every(({ kind }) => kind === "ask"),
      "a machine never clarifies",
    );
});

test("test_level4_escalates_immediately", () => {
  for (const kind of [
    "auth_required",
    "auth_expired",
    "agent_missing",
    "billing",
    "unsafe_action",
  ] as const) {
    const run = new Driver("hierarchical", one);
    run.fails("a", kind, { remains: still });
    assert.equal(run.of("a").attempt, 1);
    assert.deepEqual(run.all("fell-through"), []);
    const checkpoint = run.all("checkpoint-opened")[0]?.checkpoint;
    assert.equal(checkpoint?.trigger, "HICCUP");
    // The source's three answers, whatever they are called for this cause, and what else it offers.
    const answers = checkpoint?.options.map(({ answer }) => answer) ?? [];
    assert.deepEqual(answers.filter((answer) => answer !== "other-agent").toSorted(), [
      "manual",
      "retry",
      "skip",
    ]);
    assert.ok(checkpoint?.recommendation !== undefined && checkpoint.context.goal === "do a");
    assert.equal(run.all("approval-requested")[0]?.checkpoint, "a/c1");
  }
});

test("unknown failures escalate at once", () => {
  const run = new Driver("hierarchical", one);
  run.fails("a", "unknown", { remains: still });
  assert.deepEqual(run.recoveries(), ["ask"]);
});

test("test_episode_logs_retry_count", () => {
  const run = new Driver("hierarchical", one);
  for (let retry = 0; retry < 2; retry += 1) {
    run.fails("a", "timeout", { failure: { origin: "agent" }, remains: still });
    run.fire("a");
  }
  run.green("a");
  assert.equal(run.all("episode-recorded")[0]?.episode.retry_count, 2);
  assert.equal(run.of("a").errors, 2);
});

test("test_episode_logs_recovery_level", () => {
  const first = new Driver("hierarchical", one);
  first.green("a");
  assert.equal(first.all("episode-recorded")[0]?.episode.recovery_level, null);
  const escalated = new Driver("hierarchical", one);
  escalated.fails("a", "auth_required", { remains: still });
  const episode = escalated.all("episode-recorded")[0]?.episode;
  assert.deepEqual(
    [episode?.recovery_level, episode?.success, episode?.id],
    ["escalate", false, "ep-r1/a/1"],
  );
});

test("test_integration_with_autopilot_runner", () => {
  const run = new Driver(
    "hierarchical",
    plan([subtask("a"), subtask("b", { dependsOn: ["a"] }), subtask("c")]),
  );
  run.fails("a", "timeout", { failure: { origin: "provider" }, remains: still });
  run.green("c");
  run.fire("a");
  run.green("a");
  run.green("b");
  assert.equal(run.state.outcome?.kind, "verified");
});

test("an episode has every field of the source", () => {
  const run = new Driver(
    "hierarchical",
    plan([subtask("a")], { budget: { usd: 10 }, attemptCap: { usd: 1 } }),
  );
  run.now += 60_000;
  run.fails("a", "agent_crash", {
    remains: { ...still, used: { usd: 0.25 } },
    evidence: { message: "boom" },
  });
  assert.deepEqual(run.all("episode-recorded")[0]?.episode, {
    id: "ep-r1/a/1",
    time: "1970-01-01T00:17:40.000Z",
    goal: "a",
    success: false,
    cost: 0.25,
    duration: 60,
    error: "boom",
    retry_count: 0,
    recovery_level: "escalate",
  });
});
