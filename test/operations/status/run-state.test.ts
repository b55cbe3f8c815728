// proves: P2
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunInput } from "../../../src/core/run/input.ts";
import { nextCommands } from "../../../src/operations/status/next-commands.ts";
import { RUN_STATES, standingOf } from "../../../src/operations/status/run-state.ts";

const KNOWN = { repository: "/r", seq: 5, phase: "active", alive: false };
const at = { at: 1, chance: 0 };
const ASKS = { needsPerson: true, questions: 1 };
const ANSWERED: RunInput = {
  ...{ ...at, kind: "checkpoint-answered", checkpoint: "a/c1", by: "me" },
  answer: { kind: "skip" },
};
const PAUSE: RunInput = { ...at, kind: "pause-requested", pause: 1, by: "user", reason: "" };

const TABLE: readonly (readonly [Partial<Parameters<typeof standingOf>[0]>, object])[] = [
  [{ alive: true }, { state: "running" }],
  [{ alive: true, summary: { questions: 1 } }, { state: "running" }],
  [{ alive: true, summary: ASKS }, { state: "needs you" }],
  [
    { alive: true, summary: { waitsUntil: 9 } },
    { state: "waiting", waitsUntil: 9 },
  ],
  [{ alive: true, phase: "pausing", summary: { waitsUntil: 9 } }, { state: "pausing" }],
  // Whoever waited has died: nothing goes on at that time by itself.
  [{ summary: { waitsUntil: 9 } }, { state: "interrupted" }],
  [{}, { state: "interrupted" }],
  [{ phase: "pausing" }, { state: "interrupted" }],
  [{ seq: 0, phase: "new" }, { state: "not started" }],
  [{ seq: 0, phase: "new", alive: true }, { state: "running" }],
  [{ summary: ASKS }, { state: "needs you" }],
  // Somebody answered, and nobody has gone on with it.
  [{ summary: ASKS, told: [ANSWERED] }, { state: "paused" }],
  [{ summary: { ...ASKS, questions: 2 }, told: [ANSWERED] }, { state: "needs you" }],
  [{ summary: { questions: 1 }, told: [] }, { state: "interrupted" }],
  [{ summary: { pausedBy: "system" } }, { state: "paused", pausedBy: "system" }],
  [{ told: [PAUSE] }, { state: "paused", pausedBy: "user" }],
  [
    { summary: { pausedBy: "system" }, told: [PAUSE] },
    { state: "paused", pausedBy: "user" },
  ],
  [{ summary: { ...ASKS, pausedBy: "user" } }, { state: "needs you" }],
  [{ phase: "ended", outcome: "verified" }, { state: "verified" }],
  // It has ended, though its owner still publishes.
  [{ phase: "ended", outcome: "verified", alive: true }, { state: "verified" }],
  [{ phase: "ended", outcome: "unverified" }, { state: "unverified" }],
  [{ phase: "ended", outcome: "failed" }, { state: "failed" }],
  [{ phase: "ended", outcome: "budget" }, { state: "out of budget" }],
  [{ phase: "ended", outcome: "cancelled" }, { state: "cancelled" }],
  [{ phase: "ended", outcome: "stopped" }, { state: "cancelled" }],
  [{ phase: "ended", outcome: "something newer" }, { state: "failed" }],
  [{ repository: "" }, { state: "imported" }],
];

for (const [known, expected] of TABLE)
  test(`${JSON.stringify(known)} is ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(standingOf({ ...KNOWN, ...known }), expected));

const FACTS = { id: "r1", questions: 0, applied: false } as const;
const offered = (more: Partial<Parameters<typeof nextCommands>[0]>): string =>
  nextCommands({ ...FACTS, state: "verified", ...more })
    .map(({ command }) => command.replace("unstuck ", "").replace(" r1", ""))
    .join(", ");

test("the next commands: only what does something now, the best first", () => {
  assert.equal(offered({}), "diff, apply, pr, logs");
  assert.equal(offered({ applied: true }), "diff, undo, logs");
  assert.equal(offered({ inPlace: true }), "diff, undo, logs");
  assert.equal(offered({ isEmpty: true }), "logs, explain");
  assert.equal(offered({ state: "unverified", retry: "a" }).endsWith("resume --retry a"), true);
  assert.equal(offered({ state: "running" }), "attach, logs, stop");
  assert.equal(offered({ state: "running", questions: 1 }), "review, attach, logs, stop");
  assert.equal(offered({ state: "failed", isEmpty: true }), "explain, logs");
  assert.equal(
    offered({ state: "failed", best: "a/2", isEmpty: true }),
    "explain, logs, diff --attempt a/2",
  );
  for (const state of ["paused", "interrupted", "not started"] as const)
    assert.match(offered({ state }), /^resume/);
  for (const state of RUN_STATES)
    for (const { command, about, what } of nextCommands({ ...FACTS, state }))
      assert.ok(/^unstuck [a-z]+ r1/.test(command) && about !== "" && what !== "", command);
  for (const state of RUN_STATES)
    if (!["verified", "unverified"].includes(state))
      assert.doesNotMatch(offered({ state }), /apply|pr\b/, state);
});
