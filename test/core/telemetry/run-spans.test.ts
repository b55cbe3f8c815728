import assert from "node:assert/strict";
import { test } from "node:test";
import { metricCollector } from "../../../src/core/telemetry/run-metrics.ts";
import { spanCollector } from "../../../src/core/telemetry/run-spans.ts";
import type { Budget } from "../../../src/core/budget.ts";
import type { Considered } from "../../../src/core/policy/situation.ts";
import { Driver, plan, subtask } from "../run/driver.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import {
  checkpoint,
  chosen,
  dispatched,
  ended,
  failed,
  started,
  T0,
} from "../../cli/terminal/events.ts";

const spansOf = (...events: readonly RunEvent[]) => {
  const collector = spanCollector("r1");
  return events.flatMap((event) => collector.add(event));
};

test("each span is told once, when it has ended; children before their parents", () => {
  const spans = spansOf(
    started("a", "b"),
    dispatched("a", 1, T0 + 1000),
    ended("a", 1, T0 + 3000, "words of an agent"),
    failed("a", 1, "verification_failed", "words of an error"),
    chosen("a", [{ kind: "feedback" }], "feedback"),
    dispatched("a", 2, T0 + 4000, "feedback"),
    ended("a", 2, T0 + 6000),
    { kind: "subtask-done", subtask: "a", attempt: 2, phase: "verified" },
    dispatched("b", 1, T0 + 7000),
    { kind: "subtask-parked", subtask: "b", phase: "stuck", reason: "words" },
    { kind: "run-ended", outcome: "failed", reason: "words" },
  );
  assert.deepEqual(
    spans.map(({ key, parent, startedAt, endedAt, failed: why }) => [
      ...[key, parent, startedAt - T0, endedAt - T0, why],
    ]),
    [
      ["attempt a/1", "subtask a", 1000, 3000, "verification_failed"],
      ["attempt a/2", "subtask a", 4000, 6000, undefined],
      ["subtask a", "run", 1000, 6000, undefined],
      ["subtask b", "run", 7000, 7000, "stuck"],
      ["attempt b/1", "subtask b", 7000, 7000, undefined],
      ["run", undefined, 0, 7000, "failed"],
    ],
  );
  assert.equal(spans[2]?.happenings[0]?.attributes["recovery.chosen_by"], "feedback");
  assert.doesNotMatch(JSON.stringify(spans), /words/);
});

test("a subtask that is taken up again is a new span; what a pause cut off says so", () => {
  const spans = spansOf(
    started("a"),
    dispatched("a", 1, T0),
    { kind: "attempt-cut-off", subtask: "a", attempt: 1, spec: specOf(dispatched("a", 1, T0)) },
    { kind: "subtask-parked", subtask: "a", phase: "asking", reason: "" },
    dispatched("a", 2, T0 + 1000),
    { kind: "subtask-done", subtask: "a", attempt: 2, phase: "unverified" },
  );
  assert.deepEqual(
    spans.map(({ key, attributes }) => [
      key,
      attributes["unstuck.attempt.outcome"] ?? attributes["unstuck.subtask.state"],
    ]),
    [
      ["attempt a/1", "cut off"],
      ["subtask a", "asking"],
      ["attempt a/2", "passed"],
      ["subtask a, again 2", "unverified"],
    ],
  );
});

test("what ends after its subtask was given up still belongs to it, not to the next round", () => {
  const spans = spansOf(
    started("a"),
    dispatched("a", 1, T0),
    { kind: "subtask-parked", subtask: "a", phase: "asking", reason: "" },
    dispatched("a", 2, T0 + 1000),
    failed("a", 1, "lost"),
    failed("a", 2, "timeout"),
  );
  assert.deepEqual(
    spans.map(({ key, parent }) => [key, parent]),
    [
      ["subtask a", "run"],
      ["attempt a/1", "subtask a"],
      ["attempt a/2", "subtask a, again 2"],
    ],
  );
});

test("spans say who worked on what, with what memory, what it used, and how it ended", () => {
  const considered = [
    { recovery: "retry", verdict: "considered", success: 0.9, cost: 9 },
    { recovery: "feedback", verdict: "chosen", success: 0.4, cost: 1.5 },
  ] as unknown as readonly Considered[];
  const none = { misread: 0, capability: 0, pollution: 0, environment: 0, person: 0 };
  const belief = { ...none, transient: 0.2, mistake: 0.7, misread: 0.1 };
  const [first, second, subtask, run] = spansOf(
    started("a"),
    withModel(dispatched("a", 1, T0 + 1000)),
    using(ended("a", 1, T0 + 3000), { usd: 0.5, tokens: 900 }),
    failed("a", 1, "verification_failed"),
    { ...chosen("a", [{ kind: "feedback" }], "feedback", considered), belief },
    dispatched("a", 2, T0 + 4000, "feedback"),
    using(ended("a", 2, T0 + 6000), {}),
    { kind: "subtask-done", subtask: "a", attempt: 2, phase: "verified" },
    { kind: "run-ended", outcome: "verified", reason: "" },
  );
  const both = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "agent",
    "gen_ai.conversation.id": "r1",
    "unstuck.subtask.id": "a",
    "unstuck.attempt.memory": "new",
    "unstuck.attempt.thinking": false,
  };
  assert.deepEqual(first?.attributes, {
    ...both,
    "gen_ai.request.model": "m1",
    "unstuck.attempt.number": 1,
    "unstuck.usage.tokens": 900,
    "unstuck.usage.usd": 0.5,
    "unstuck.attempt.outcome": "failed",
    "error.type": "verification_failed",
  });
  assert.deepEqual(second?.attributes, {
    ...both,
    "unstuck.attempt.number": 2,
    "recovery.kind": "feedback",
    "unstuck.attempt.outcome": "passed",
  });
  assert.deepEqual(subtask?.attributes, {
    "unstuck.subtask.id": "a",
    "unstuck.subtask.state": "verified",
  });
  assert.deepEqual(subtask.happenings, [
    {
      name: "recovery.chosen",
      at: T0 + 3000,
      attributes: {
        "recovery.kinds": ["feedback"],
        "recovery.chosen_by": "feedback",
        "recovery.options": 2,
        "recovery.expected_success": 0.4,
        "recovery.expected_cost": 1.5,
        "recovery.cause": "mistake",
        "recovery.cause.share": 0.7,
      },
    },
  ]);
  assert.deepEqual(run?.attributes, {
    "gen_ai.operation.name": "invoke_workflow",
    "gen_ai.workflow.name": "unstuck",
    "gen_ai.conversation.id": "r1",
    "unstuck.subtasks": 1,
    "unstuck.run.outcome": "verified",
  });
  assert.ok(!("failed" in run) && !("failed" in second));
  assert.deepEqual([...first.happenings, ...run.happenings], [], "decisions are the subtask's");
});

test("what the end of a run finds open ends with it; what was never begun is not told", () => {
  const spans = spansOf(
    failed("a", 9, "timeout"),
    ended("a", 9, T0),
    chosen("a", [{ kind: "retry" }], "retry"),
    started("a"),
    dispatched("a", 1, T0 + 1000),
    { kind: "run-ended", outcome: "cancelled", reason: "" },
    { kind: "run-ended", outcome: "cancelled", reason: "" },
  );
  assert.deepEqual(
    spans.map(({ key, attributes: told, failed: why }) => [
      key,
      told["unstuck.attempt.outcome"] ?? told["unstuck.subtask.state"],
      why,
    ]),
    [
      ["attempt a/1", "ended with the run", undefined],
      ["subtask a", "not done", undefined],
      ["run", undefined, "cancelled"],
    ],
  );
});

test("no span ends before it began, also where a clock went back", () => {
  const spans = spansOf(
    started("a"),
    dispatched("a", 1, T0 + 5000),
    ended("a", 1, T0 + 2000),
    failed("a", 1, "timeout"),
    { kind: "run-ended", outcome: "failed", reason: "" },
  );
  assert.deepEqual(
    spans.map(({ endedAt }) => endedAt - T0),
    [5000, 5000, 5000],
  );
});

function using(event: RunEvent, used: Budget): RunEvent {
  assert.ok(event.kind === "received" && event.input.kind === "attempt-ended");
  const { input } = event;
  return { ...event, input: { ...input, remains: { ...input.remains, used } } };
}

function withModel(event: RunEvent): RunEvent {
  const spec = specOf(event);
  return { ...event, spec: { ...spec, entry: { ...spec.entry, model: "m1" } } } as RunEvent;
}

function specOf(event: RunEvent) {
  assert.ok(event.kind === "attempt-dispatched");
  return event.spec;
}

test("failures, attempts, money and questions are counted as they are recorded", () => {
  const collector = metricCollector();
  const measured = [
    started("a"),
    dispatched("a", 1, T0),
    ended("a", 1, T0 + 1500),
    failed("a", 1, "timeout"),
    { kind: "checkpoint-opened", checkpoint: checkpoint("a") } as const,
  ].flatMap((event) => collector.add(event));
  assert.deepEqual(
    measured.map(({ name, value, attributes }) => [name, value, ...Object.values(attributes)]),
    [
      ["unstuck.attempts", 1, "finished"],
      ["unstuck.cost", 0.5],
      ["unstuck.attempt.duration", 1.5],
      ["unstuck.failures", 1, "timeout"],
      ["unstuck.questions", 1],
    ],
  );
});

test("tokens and money count where they were told; a clock that went back makes no time negative", () => {
  const collector = metricCollector();
  const measured = (event: RunEvent) =>
    collector.add(event).map(({ name, value }) => [name, value]);
  for (const event of [started("a"), dispatched("a", 1, T0 + 9000)])
    assert.deepEqual(measured(event), []);
  assert.deepEqual(measured(using(ended("a", 1, T0), { tokens: 70 })), [
    ["unstuck.attempts", 1],
    ["unstuck.tokens", 70],
    ["unstuck.attempt.duration", 0],
  ]);
});

test("the counters of recovery grow to what the run itself has counted", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b")]));
  run.red("a");
  run.green("a");
  run.red("b");
  run.red("b");
  run.green("b");
  const collector = metricCollector();
  const all = run.journal.flatMap((event) => collector.add(event));
  const sum = (name: string, stage?: string): number =>
    all
      .filter((one) => one.name === name && one.attributes["recovery.stage"] === stage)
      .reduce((total, { value }) => total + value, 0);
  const { metrics } = run.state;
  assert.ok(metrics.recovery_success === 2 && metrics.recovery_iterations >= 3);
  assert.equal(sum("recovery.triggers"), metrics.recovery_triggers);
  assert.equal(sum("recovery.success"), metrics.recovery_success);
  assert.equal(sum("recovery.iterations"), metrics.recovery_iterations);
  for (const [stage, number] of Object.entries(metrics.stage_success))
    assert.equal(sum("recovery.stage.success", stage), number);
  assert.ok(all.every(({ name, value }) => value > 0 || name === "unstuck.attempt.duration"));
});
