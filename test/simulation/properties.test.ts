/** Each property can be violated, and is not by what only looks like it. Histories are made by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plan } from "../../src/core/plan/plan.ts";
import { PRESETS } from "../../src/core/policy/presets.ts";
import type { AttemptSpec } from "../../src/core/run/attempt.ts";
import type { Decision } from "../../src/core/run/decision.ts";
import type { RunInput } from "../../src/core/run/input.ts";
import { failureOf } from "../core/run/driver.ts";
import { violationsOf } from "./properties/all.ts";
import type { Ending, Happening, History } from "./world/history.ts";

const PLAN: Plan = {
  ...{ goal: "g", ladder: [{ agent: "small", tier: 1 }], concurrency: 1, attemptCap: {} },
  subtasks: [
    { id: "a", prompt: "do a", dependsOn: [], checks: 1 },
    { id: "look", prompt: "look", dependsOn: [], checks: 0, readOnly: true },
  ],
  budget: { attempts: 2 },
};
const SPEC: AttemptSpec = {
  entry: { agent: "small", tier: 1 },
  thinking: false,
  budgetFactor: 1,
  context: "new",
  tree: { kind: "keep" },
  prompt: {},
  iteration: false,
};
const ID = "run-1/a/1";

let seq = 0;
const recorded = (
  event: Decision | { kind: "received"; input: RunInput },
  by = "o1",
): Happening => ({
  ...{ kind: "committed", seq: (seq += 1), event, by },
});
const received = (input: Record<string, unknown>, by?: string): Happening =>
  recorded({ kind: "received", input: { at: 1, chance: 0, ...input } as unknown as RunInput }, by);

const begun = (): Happening => received({ kind: "run-started", run: "run-1", plan: PLAN });
const dispatched = (attempt = 1, more = {}): Happening =>
  recorded({
    ...{ kind: "attempt-dispatched", subtask: "a", attempt, cap: { attempts: 1 }, at: 1 },
    ...{ spec: { ...SPEC, ...more }, from: "ready" },
  });
const started = (by?: string): Happening =>
  received({ kind: "attempt-started", subtask: "a", attempt: 1, slot: "1", identity: {} }, by);
const startedIn = (slot: string): Happening =>
  received({ kind: "attempt-started", subtask: "a", attempt: 2, slot, identity: {} });
/** The last of those that stand is the one that was made. */
const treeMade = (by: string, ...standing: string[]): Happening => ({
  ...{ kind: "tree-made", slot: standing.at(-1) ?? "", by, standing },
});
const ended = (more = {}, by?: string): Happening =>
  received(
    {
      ...{ kind: "attempt-ended", subtask: "a", attempt: 1, outcome: "finished", evidence: {} },
      remains: { treeBefore: "1", treeAfter: "2", approach: "", signals: {}, used: {} },
      ...more,
    },
    by,
  );
const agent = (kind: "agent-started" | "agent-released", by = "o1"): Happening =>
  kind === "agent-started"
    ? { kind, attemptId: ID, by, prompt: "do a" }
    : { kind, attemptId: ID, by };
const permitted = (allowed: boolean): Happening =>
  recorded({
    ...{ kind: "permission-settled", subtask: "a", attempt: 1, request: 1, allowed },
    call: { tool: "execute", command: "npm ci" },
  });
const heardYes = (): Happening => ({ kind: "permission-heard", attemptId: ID, allowed: true });
const dead = (activeMs = 5): Happening => ({
  ...{ kind: "agent-ended", attemptId: ID, how: "exited", activeMs },
});
const PAUSE: RunInput = {
  ...{ kind: "pause-requested", pause: 1, by: "user", reason: "enough", at: 1, chance: 0 },
};
const RESUME: RunInput = { kind: "resume-requested", pause: 1, by: "a", at: 1, chance: 0 };
const STOP: RunInput = { kind: "cancel-requested", reason: "enough", at: 1, chance: 0 };
const told = (input: RunInput): Happening => recorded({ kind: "received", input });
const stopped = (): Happening => told(STOP);
const runEnded = (outcome: "verified" | "failed" | "cancelled" = "cancelled"): Happening =>
  recorded({ kind: "run-ended", outcome, reason: "" });
const merging = (): Happening[] => [
  recorded({ kind: "merge-queued", subtask: "a", attempt: 1 }),
  recorded({ kind: "merge-dispatched", subtask: "a", attempt: 1 }),
];
const moved = (tree = "t"): Happening => ({
  ...{ kind: "result-moved", attemptId: ID, by: "o1", from: "base", to: "c1", tree },
});
const checked = (tree: string): Happening => ({
  ...{ kind: "check-ended", attemptId: ID, tree, result: "passed" },
});
type DonePhase = "verified" | "unverified" | "answered";
const done = (phase: DonePhase = "verified"): Happening =>
  recorded({ kind: "subtask-done", subtask: "a", attempt: 1, phase, commit: "c1" });
const looked = (phase: DonePhase): Happening =>
  recorded({ kind: "subtask-done", subtask: "look", attempt: 1, phase });
const lookFailed = (attempt: number, counted: boolean): Happening =>
  recorded({
    ...{ kind: "failure-classified", subtask: "look", attempt, counted, verdict: true },
    ...{ failure: failureOf("agent_crash"), error: "", failing: [] },
  });
const lookDispatched = (attempt: number): Happening =>
  recorded({
    ...{ kind: "attempt-dispatched", subtask: "look", attempt, cap: {}, at: 1 },
    ...{ spec: SPEC, from: "ready" },
  });
const wait = (dueAt: number): Happening =>
  recorded({
    ...{ kind: "wait-scheduled", subtask: "a", timer: 1, dueAt, reason: "schedule", since: 0 },
    spec: SPEC,
  });
const fired = (at: number): Happening =>
  received({ kind: "timer-fired", subtask: "a", timer: 1, at });
const said = { kind: "retry", words: "mind the gap" } as const;
const answered = (answer: object): Happening =>
  received({ kind: "checkpoint-answered", checkpoint: "a/c1", answer, by: "alice" });
const closed = (answer: typeof said | { readonly kind: "skip" }): Happening =>
  recorded({ kind: "checkpoint-closed", checkpoint: "a/c1", answer, by: "alice", subtask: "a" });
const given: Happening = { kind: "answer-given", checkpoint: "a/c1", answer: said, by: "alice" };

function found(happenings: readonly Happening[], ending: Ending["kind"] = "ended"): Set<string> {
  const policy = PRESETS.standard;
  const details = { prompt: "do a", checks: [], inputs: [], totalMs: 1, idleMs: 1 };
  const history = {
    ...{
      run: "run-1",
      ending: { kind: ending },
      plan: { plan: PLAN, policy, subtasks: { a: details } },
    },
    happened: happenings.map((one, index) => ({ ...one, at: index, wall: index })),
  } as unknown as History;
  return new Set(violationsOf(history).map(({ property }) => property));
}

/** Property, a history that violates it, and one that nearly does. */
const CASES: readonly (readonly [string, () => Happening[], () => Happening[]])[] = [
  [
    "acknowledged is recorded",
    () => [{ kind: "acknowledged", input: STOP, how: "recorded", by: "o1" }],
    () => [stopped(), { kind: "acknowledged", input: STOP, how: "recorded", by: "o1" }],
  ],
  [
    "posted is taken",
    () => [begun(), { kind: "acknowledged", input: STOP, how: "posted", by: "t1" }],
    () => [
      begun(),
      received({ ...STOP, at: 9 }),
      { kind: "acknowledged", input: STOP, how: "posted", by: "t1" },
    ],
  ],
  [
    "no more trees than places",
    () => [{ kind: "owner-took", by: "o1" }, treeMade("o1", "1"), treeMade("o1", "1", "2")],
    () => [
      { kind: "owner-took", by: "o1" },
      treeMade("o1", "1"),
      treeMade("a person", "1", "2"),
      { kind: "tree-stays", slot: "3" },
      treeMade("o1", "1", "2", "3"),
    ],
  ],
  [
    "no tree stays after the end",
    () => [{ kind: "trees-gone", standing: ["2"] }],
    () => [treeMade("o1", "2"), { kind: "trees-gone", standing: [] }],
  ],
  [
    "a subtask keeps its path",
    () => [started(), startedIn("2")],
    () => [
      started(),
      startedIn("1"),
      received({ kind: "retry-requested", subtask: "a" }),
      startedIn("2"),
    ],
  ],
  [
    "every attempt has an end",
    () => [begun(), dispatched(), runEnded()],
    () => [begun(), dispatched(), ended(), runEnded()],
  ],
  [
    "no tree without its snapshot",
    () => [{ kind: "tree-replaced", slot: "1", tree: "t" }],
    () => [
      { kind: "snapshot-taken", label: "l", tree: "t" },
      { kind: "tree-replaced", slot: "1", tree: "t" },
    ],
  ],
  [
    "effects happen once",
    () => [agent("agent-started"), agent("agent-started")],
    () => [agent("agent-started"), agent("agent-released")],
  ],
  [
    "stale and duplicate inputs are ignored",
    () => [begun(), dispatched(), ended(), ended()],
    () => [begun(), dispatched(), ended()],
  ],
  [
    "a re-entered attempt is lost",
    () => [begun(), dispatched(), agent("agent-started"), dead(), ended({}, "o2")],
    () => [
      begun(),
      dispatched(),
      agent("agent-started"),
      dead(),
      ended({ observed: { kind: "lost" } }, "o2"),
    ],
  ],
  [
    "effects are journaled before",
    () => [begun(), dispatched(), agent("agent-started"), agent("agent-released"), started()],
    () => [begun(), dispatched(), agent("agent-started"), started(), agent("agent-released")],
  ],
  [
    "effects are journaled before",
    () => [begun(), dispatched(), permitted(false), heardYes()],
    () => [begun(), dispatched(), permitted(true), heardYes()],
  ],
  [
    "an ended attempt is dead",
    () => [begun(), dispatched(), agent("agent-started"), ended()],
    () => [begun(), dispatched(), agent("agent-started"), dead(), ended()],
  ],
  [
    "one at a time in a tree",
    () => [{ kind: "tree-disturbed", slot: "1", by: "o1", living: [ID] }],
    () => [{ kind: "check-begun", attemptId: ID, by: "o1", cwd: "s", tree: "t", beside: 0 }],
  ],
  [
    "spent and reserved stay within the budget",
    () => [begun(), dispatched(1), dispatched(2), dispatched(3)],
    () => [begun(), dispatched(1), dispatched(2)],
  ],
  [
    "iterations stay within the recovery budget",
    () => [
      begun(),
      ...Array.from({ length: 21 }, (_, n) => dispatched(n + 1, { iteration: true })),
    ],
    () => [
      begun(),
      ...Array.from({ length: 20 }, (_, n) => dispatched(n + 1, { iteration: true })),
    ],
  ],
  [
    "no more agents than places",
    () => [agent("agent-released"), { kind: "agent-released", attemptId: "run-1/b/1", by: "o1" }],
    () => [
      agent("agent-released"),
      dead(),
      { kind: "agent-released", attemptId: "run-1/b/1", by: "o1" },
    ],
  ],
  ["timers keep their time", () => [wait(900), fired(800)], () => [wait(900), fired(900)]],
  ["timers are never lost", () => [begun(), wait(9)], () => [begun(), wait(9), fired(9)]],
  [
    "merges are serial",
    () => [...merging(), recorded({ kind: "merge-dispatched", subtask: "b", attempt: 1 })],
    () => merging(),
  ],
  [
    "verified means checked",
    () => [checked("other"), moved("t"), done()],
    () => [checked("t"), moved("t"), done()],
  ],
  [
    "a reader only reads",
    () => [looked("verified")],
    () => [looked("answered"), ...merging(), checked("t"), moved("t"), done()],
  ],
  [
    "a reader only reads",
    () => [recorded({ kind: "merge-queued", subtask: "look", attempt: 1 })],
    () => [lookFailed(1, true), lookFailed(2, false), lookDispatched(3)],
  ],
  [
    "a reader only reads",
    () => [lookFailed(1, true), lookFailed(2, true), lookDispatched(3)],
    () => [lookFailed(1, true), lookFailed(2, true), looked("answered")],
  ],
  ["a reader only reads", () => [done("answered")], () => [done("unverified")]],
  [
    "the first answer stands, as it was given",
    () => [given, answered(said), closed({ kind: "skip" })],
    () => [given, answered({ ...said }), closed(said)],
  ],
  [
    "a person's words stand exactly once",
    () => [closed(said), dispatched(), agent("agent-started")],
    () => [
      closed(said),
      dispatched(),
      { ...agent("agent-started"), prompt: "mind the gap" } as Happening,
    ],
  ],
  [
    "the journal has no gaps",
    () => [begun(), { ...dispatched(), seq: 9 } as Happening],
    () => [begun(), dispatched()],
  ],
  [
    "owners are sound",
    () => [{ kind: "asked-in-vain", what: "a snapshot" }],
    () => [{ kind: "owner-died", by: "o1", where: "anywhere" }],
  ],
  [
    "one owner at a time",
    () => [
      { kind: "owner-took", by: "o1" },
      { kind: "owner-took", by: "o2" },
    ],
    () => [
      { kind: "owner-took", by: "o1" },
      { kind: "owner-left", by: "o1" },
      { kind: "owner-took", by: "o2" },
    ],
  ],
  [
    "every subtask is judged",
    () => [begun(), dispatched(), ended(), runEnded("failed")],
    () => [begun(), dispatched(), ended(), runEnded("cancelled")],
  ],
  [
    "the result is published",
    () => [moved(), { kind: "published", commit: "base", tip: "c1" }],
    () => [moved(), { kind: "published", commit: "c1", tip: "c1" }],
  ],
  [
    "nothing starts while it is paused or cancelled",
    () => [begun(), stopped(), dispatched()],
    () => [begun(), dispatched(), stopped()],
  ],
  [
    "nothing starts while it is paused or cancelled",
    () => [begun(), told(PAUSE), dispatched()],
    () => [begun(), told(PAUSE), told(RESUME), dispatched()],
  ],
];

for (const [property, bad, nearMiss] of CASES)
  test(`${property}: seen where it is violated, and only there`, () => {
    seq = 0;
    assert.ok(found(bad()).has(property), "not seen");
    seq = 0;
    assert.ok(!found(nearMiss()).has(property), "seen where it holds");
  });

test("an interrupted agent stops: one that goes on for minutes is seen", () => {
  const history = (lateMs: number): History =>
    ({
      ...{
        run: "run-1",
        ending: { kind: "ended" },
        plan: { plan: PLAN, policy: PRESETS.standard },
      },
      happened: [
        { ...agent("agent-started"), at: 0, wall: 0 },
        { ...interrupted(), at: 10, wall: 10 },
        { ...dead(), at: 10 + lateMs, wall: 10 },
      ],
    }) as unknown as History;
  const seen = (lateMs: number): boolean =>
    violationsOf(history(lateMs)).some(({ property }) => property === "an interrupted agent stops");
  assert.ok(seen(120_000));
  assert.ok(!seen(20_000));
});

const interrupted = (): Happening =>
  recorded({ kind: "attempt-interrupted", subtask: "a", attempt: 1, reason: "" });

test("folding the journal gives the live state: another state is seen", () => {
  seq = 0;
  const seen = (frozen: string): Set<string> =>
    found([begun(), { kind: "state-seen", seq: 1, frozen }]);
  assert.ok(seen("{}").has("folding the journal gives the live state"));
});

test("the run ends: a run that stalls or goes on for ever is seen", () => {
  for (const ending of ["stalled", "endless"] as const)
    assert.ok(found([], ending).has("the run ends"));
  assert.ok(!found([], "ended").has("the run ends"));
});
