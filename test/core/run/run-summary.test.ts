// proves: P2
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { foldAll } from "../../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import { readSummary, runSummary } from "../../../src/core/run/run-summary.ts";
import { checkpoint, chosen, dispatched, ended, failed } from "../../cli/terminal/events.ts";
import { queued, started, T0 } from "../../cli/terminal/events.ts";

const summary = (...events: readonly RunEvent[]) => runSummary(foldAll(NEW_RUN, events));
const FAILED = [
  ...[started("a", "b"), dispatched("a", 1, T0), ended("a", 1, T0 + 1)],
  ...[failed("a", 1, "rate_limited"), chosen("a", [{ kind: "ask" }], "guard:x")],
] as const;
const spec = queued("a");
const wait = (subtask: string, dueAt: number): RunEvent => ({
  ...{ kind: "wait-scheduled", subtask, timer: 1, dueAt, reason: "r", since: T0 },
  spec: (spec.kind === "attempt-queued" ? spec.specs[0] : undefined) as never,
});

test("what a run waits for: only where nothing else is under way, and the earliest", () => {
  assert.equal(summary(...FAILED, wait("a", 9)).waitsUntil, 9);
  assert.equal(summary(...FAILED, wait("a", 9), dispatched("b", 1, T0)).waitsUntil, undefined);
  assert.equal(summary(...FAILED).waitsUntil, undefined);
  assert.equal(summary(...FAILED, wait("a", 9), wait("b", 5)).waitsUntil, 5);
  assert.equal(summary(...FAILED, wait("a", 5), wait("b", 9)).waitsUntil, 5);
});

test("questions and cost; none are open once it has ended", () => {
  const asked: readonly RunEvent[] = [
    ...FAILED,
    { kind: "subtask-parked", subtask: "a", phase: "asking", reason: "r" },
    { kind: "checkpoint-opened", checkpoint: checkpoint("a") },
  ];
  const { questions, cost } = summary(...asked);
  assert.deepEqual([questions, cost.amount, cost.known], [1, 0.5, true]);
  const over = summary(...asked, { kind: "run-ended", outcome: "cancelled", reason: "r" });
  assert.deepEqual([over.questions, over.needsPerson], [0, false]);
});

test("what is read is what was written; anything else is nothing", () => {
  const written = summary(...FAILED, wait("a", 9));
  assert.deepEqual(readSummary(JSON.stringify(written)), written);
  for (const text of [
    "",
    "null",
    "1",
    "{}",
    '{"cost":null,"questions":1,"needsPerson":true}',
    "[]",
    '{"cost":1,"questions":1,"needsPerson":true}',
    "{",
  ])
    assert.equal(readSummary(text), undefined, text);
  const { needsPerson: _, ...part } = written;
  assert.equal(readSummary(JSON.stringify(part)), undefined);
});
