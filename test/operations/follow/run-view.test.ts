// proves: U15
import assert from "node:assert/strict";
import { test } from "node:test";
import { runView } from "../../../src/operations/follow/run-view.ts";
import type { RunView } from "../../../src/operations/follow/run-lines.ts";
import { historyOf } from "../../../src/core/history/collect-history.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { foldAll } from "../../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import {
  checkpoint,
  chosen,
  dispatched,
  ended,
  failed,
  queued,
  started,
  T0,
} from "../../cli/terminal/events.ts";

const view = (events: readonly RunEvent[], steps: readonly [string, string][] = []): RunView =>
  runView(foldAll(NEW_RUN, events), historyOf(events), new Map(steps));

const RED = [
  started("a", "b"),
  dispatched("a", 1, T0 + 1000),
  ended("a", 1, T0 + 4000, "x"),
] as const;

test("an agent at work: its attempt, since when, its step, tamed", () => {
  const [a, b] = view(
    [started("a", "b"), dispatched("a", 1, T0 + 1000)],
    [
      ["a/1", "make\x1b[2J it\nwork"],
      ["b/1", "not running"],
    ],
  ).subtasks;
  assert.equal(a?.phase, "running");
  assert.deepEqual(a?.running, [{ attempt: 1, startedAt: T0 + 1000, step: "make it work" }]);
  assert.deepEqual([b?.phase, b?.attempts, b?.running.length], ["pending", 0, 0]);
});

test("checks and merges are steps too", () => {
  const step = (...more: readonly RunEvent[]): string | undefined =>
    view([...RED, ...more]).subtasks[0]?.running[0]?.step;
  assert.equal(
    step({ kind: "checks-dispatched", subtask: "a", attempt: 1, round: 1 }),
    "running the checks",
  );
  assert.match(
    step({ kind: "checks-dispatched", subtask: "a", attempt: 1, round: 2 }) ?? "",
    /again \(2\) before blaming the code/,
  );
  const merge: RunEvent = { kind: "merge-queued", subtask: "a", attempt: 1 };
  assert.equal(step(merge), "in line to be merged");
  assert.equal(step(merge, { kind: "merge-dispatched", subtask: "a", attempt: 1 }), "merging");
});

test("the recovery under way is named with what it is for; the story tells all", () => {
  const [a] = view([
    ...RED,
    failed("a", 1, "verification_failed"),
    chosen("a", [{ kind: "feedback" }], "feedback"),
    queued("a", "feedback"),
    dispatched("a", 2, T0 + 5000, "feedback"),
  ]).subtasks;
  assert.equal(a?.recovery, "checks failed: sent the failing output back");
  assert.equal(a?.story, "checks failed → sent the failing output back");
  assert.deepEqual([a?.attempts, a?.startedAt], [2, T0 + 1000]);
  assert.equal(a?.endedAt, undefined);
});

test("what is parked has its reason, question and end; a run with nothing else waits", () => {
  const events: readonly RunEvent[] = [
    started("a"),
    ...RED.slice(1),
    failed("a", 1, "auth_required"),
    chosen("a", [{ kind: "ask" }], "guard:fatal"),
    { kind: "subtask-parked", subtask: "a", phase: "asking", reason: "needs \u202ea person" },
    { kind: "checkpoint-opened", checkpoint: checkpoint("a", { question: "How\x07?" }) },
  ];
  const shown = view(events);
  const [a] = shown.subtasks;
  assert.ok(shown.needsPerson);
  assert.deepEqual([a?.phase, a?.parked, a?.endedAt], ["asking", "needs a person", T0 + 4000]);
  assert.deepEqual(a?.question, { id: "a/c1", question: "How?" });
});

test("the end of a run stops its clock", () => {
  const shown = view([...RED, { kind: "run-ended", outcome: "cancelled", reason: "asked to" }]);
  assert.deepEqual(shown.outcome, { kind: "cancelled", reason: "asked to" });
  assert.deepEqual([shown.startedAt, shown.endedAt], [T0, T0 + 4000]);
});
