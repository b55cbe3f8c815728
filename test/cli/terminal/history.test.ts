// proves: A10, B8, D6
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { exportHistory, exportedSubtask } from "../../../src/core/history/attempt-history.ts";
import type { SubtaskHistory } from "../../../src/core/history/attempt-history.ts";
import { episodeLine, type Episode } from "../../../src/core/history/episode.ts";
import { salvage } from "../../../src/core/history/imported-history.ts";
import { importedEvents } from "../../../src/core/history/imported-run.ts";
import { standardRules } from "../../../src/core/rules/standard.ts";
import { addMetrics, NO_RECOVERIES } from "../../../src/core/history/recovery-metrics.ts";
import { historyOf } from "../../../src/core/history/collect-history.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { foldAll } from "../../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import { phases } from "../../../src/core/run/view.ts";
import { eventText } from "../../../src/journal/event-text.ts";
import { dispatched, ended, failed, queued, started, T0 } from "./events.ts";

function exported(events: readonly RunEvent[]): SubtaskHistory[] {
  const state = foldAll(NEW_RUN, events);
  const { subtasks } = historyOf(events);
  return phases(state).flatMap((phase, index) => {
    const past = subtasks.get(state.plan.subtasks[index]?.id ?? "");
    return past === undefined ? [] : [exportedSubtask(past, phase)];
  });
}

const words = fc.stringMatching(/^[a-z][a-z ]{0,20}[a-z]$/);
const attempt = fc
  .record({
    session: fc.nat(1000),
    time: fc.integer({ min: 1, max: 2e12 }),
    approach: words,
    failure: fc.option(words),
  })
  .map(({ session, time, approach, failure }) => ({
    session,
    timestamp: new Date(time).toISOString(),
    approach,
    success: failure === null,
    error: failure,
  }));
const tried = fc.array(attempt, { minLength: 1, maxLength: 60 });
const history: fc.Arbitrary<SubtaskHistory> = fc
  .tuple(
    fc.oneof(fc.constantFrom("__proto__", "constructor"), words),
    fc.oneof(
      fc.record({ status: fc.constant("pending" as const), attempts: fc.constant([]) }),
      fc.record({ status: fc.constant("in_progress" as const), attempts: tried }),
      fc.record({ status: fc.constant("failed" as const), attempts: tried }),
      fc.record({ status: fc.constant("completed" as const), attempts: fc.array(attempt) }),
      fc.record({ status: fc.constant("stuck" as const), attempts: tried, stuckReason: words }),
    ),
  )
  .map(([id, rest]) => ({ id, ...rest }));
const histories = fc.uniqueArray(history, { selector: ({ id }) => id, maxLength: 6 });

test("imported history is a run that folds, is written as rows, and exports to what was imported", () => {
  fc.assert(
    fc.property(histories, (subtasks) => {
      const read = salvage(JSON.stringify(exportHistory(subtasks)));
      assert.ok(!("problem" in read));
      assert.equal(read.skipped, 0);
      const events = importedEvents({ run: "i", title: "t", at: 5e12, ...read }, standardRules());
      assert.doesNotThrow(() => events.map(eventText));
      assert.equal(foldAll(NEW_RUN, events).phase, "ended");
      assert.deepEqual(exportHistory(exported(events)), exportHistory(subtasks));
    }),
    { numRuns: 60 },
  );
});

test("what is exported of a subtask: only attempts that were judged, and where it stands", () => {
  const status = (...more: readonly RunEvent[]): unknown[] => {
    const [a] = exported([started("a", "b"), ...more]);
    return [a?.status, a?.attempts.map(({ session, success, error }) => [session, success, error])];
  };
  const first = [dispatched("a", 1, T0), ended("a", 1, T0)];
  const red = [...first, failed("a", 1, "verification_failed"), queued("a")];
  assert.deepEqual(status(), ["pending", []]);
  assert.deepEqual(status(...first), ["in_progress", []]);
  assert.deepEqual(status(...red), ["in_progress", [[1, false, "verification_failed"]]]);
  assert.deepEqual(
    status(...red, dispatched("a", 2, T0), ended("a", 2, T0), {
      kind: "subtask-done",
      subtask: "a",
      attempt: 2,
      phase: "verified",
    }),
    [
      "completed",
      [
        [1, false, "verification_failed"],
        [1, true, null],
      ],
    ],
  );
});

test("nothing imported is said to be verified", () => {
  const subtasks = [{ id: "a", status: "completed" as const, attempts: [] }];
  const events = importedEvents(
    { run: "i", title: "t", at: 1, subtasks, episodes: [] },
    standardRules(),
  );
  assert.deepEqual(phases(foldAll(NEW_RUN, events)), ["unverified"]);
  assert.equal(foldAll(NEW_RUN, events).outcome?.kind, "unverified");
});

const GOOD = { session: 1, timestamp: "2026-01-24T10:00:00Z", approach: "x", success: true };

for (const [name, value, kept, skipped] of [
  ["a wrong attempt", { subtasks: { a: { status: "failed", attempts: [GOOD, 1] } } }, 1, 1],
  [
    "a date that is none",
    { subtasks: { a: { status: "failed", attempts: [{ ...GOOD, timestamp: "soon" }] } } },
    1,
    1,
  ],
  ["a wrong subtask", { subtasks: { a: 5, b: { status: "failed", attempts: [] } } }, 1, 1],
  ["an unknown status", { subtasks: { a: { status: "done", attempts: [GOOD] } } }, 0, 1],
  ["a wrong reason", { subtasks: {}, stuck_subtasks: ["a", 7] }, 1, 1],
  ["nothing wrong", { subtasks: { a: { status: "failed", attempts: [GOOD] } } }, 1, 0],
] as const)
  test(`salvage leaves out and counts: ${name}`, () => {
    const read = salvage(JSON.stringify(value));
    assert.ok(!("problem" in read));
    assert.equal(read.subtasks.length, kept);
    assert.equal(read.skipped, skipped);
  });

const EPISODE: Episode = {
  id: "ep-1",
  time: "2026-01-24T10:00:00.000Z",
  goal: "a",
  success: false,
  cost: 0.5,
  duration: 3,
  error: "e",
  retry_count: 2,
  recovery_level: "same",
};

test("episodes come back as they were exported; malformed lines are counted", () => {
  const later = { ...EPISODE, id: "ep-2", success: true };
  const read = salvage(`${episodeLine(EPISODE)}not json\n\n${episodeLine(later)}{"id":1}\n`);
  assert.ok(!("problem" in read));
  assert.equal(read.skipped, 2);
  const events = importedEvents({ run: "i", title: "t", at: 1, ...read }, standardRules());
  assert.deepEqual(historyOf(events).episodes, [EPISODE, later]);
  assert.deepEqual(phases(foldAll(NEW_RUN, events)), ["unverified"]);
});

test("salvage refuses what is neither, and never throws", () => {
  assert.ok("problem" in salvage("hello"));
  assert.ok("problem" in salvage('{"subtasks":[]}'));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((v) => `{"subtasks":${v}}`),
      ),
      (text) => {
        salvage(text);
      },
    ),
  );
});

test("metrics of runs add up, stage by stage", () => {
  const one = {
    recovery_triggers: 2,
    recovery_success: 1,
    stage_success: { feedback: 1 },
    recovery_iterations: 3,
  };
  assert.deepEqual(addMetrics(one, { ...one, stage_success: { feedback: 2, constructor: 1 } }), {
    recovery_triggers: 4,
    recovery_success: 2,
    stage_success: { feedback: 3, constructor: 1 },
    recovery_iterations: 6,
  });
  assert.deepEqual(addMetrics(NO_RECOVERIES, one), one);
});
