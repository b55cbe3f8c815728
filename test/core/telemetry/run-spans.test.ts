import assert from "node:assert/strict";
import { test } from "node:test";
import { measureCollector } from "../../../src/core/telemetry/run-measures.ts";
import { spanCollector } from "../../../src/core/telemetry/run-spans.ts";
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

function specOf(event: RunEvent) {
  assert.ok(event.kind === "attempt-dispatched");
  return event.spec;
}

test("failures, attempts, money and questions are counted as they are recorded", () => {
  const collector = measureCollector();
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
