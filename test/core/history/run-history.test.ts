// proves: B8, D6
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Episode } from "../../../src/core/history/episode.ts";
import { exportedSubtask, type SubtaskHistory } from "../../../src/core/history/attempt-history.ts";
import { historyCollector, historyOf } from "../../../src/core/history/collect-history.ts";
import type { PastAttempt, SubtaskPast } from "../../../src/core/history/run-history.ts";
import { NOT_STUCK } from "../../../src/core/progress/stuck-state.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import type { Phase } from "../../../src/core/run/view.ts";
import {
  checkpoint,
  chosen,
  dispatched,
  ended,
  failed,
  failure,
  queued,
  received,
  started,
  T0,
} from "../../cli/terminal/events.ts";

const past = (...events: readonly RunEvent[]): SubtaskPast | undefined =>
  historyOf([started("a"), ...events]).subtasks.get("a");
const ENTRY = { agent: "agent", tier: 1 };
const UNTOLD = { session: 1, approach: "", counted: true, failing: [], used: {}, succeeded: false };
const FRESH: SubtaskPast = { id: "a", attempts: new Map(), events: [], questions: [] };
const DONE: RunEvent = { kind: "subtask-done", subtask: "a", attempt: 1, phase: "verified" };
const of = { at: T0 + 7, chance: 0, subtask: "a", attempt: 1 } as const;

test("a run begins with its subtasks, of which nothing is known yet", () => {
  assert.deepEqual(historyOf([]), {
    subtasks: new Map(),
    episodes: [],
    asked: new Map(),
    startedAt: undefined,
    at: 0,
  });
  assert.deepEqual(historyOf([started("a", "b")]), {
    subtasks: new Map([
      ["a", FRESH],
      ["b", { ...FRESH, id: "b" }],
    ]),
    episodes: [],
    asked: new Map(),
    startedAt: T0,
    at: T0,
  });
});

test("an attempt from its start to its end", () => {
  const first: PastAttempt = { ...UNTOLD, attempt: 1, startedAt: T0 + 1, entry: ENTRY };
  assert.deepEqual(past(dispatched("a", 1, T0 + 1)), {
    ...FRESH,
    startedAt: T0 + 1,
    attempts: new Map([[1, first]]),
  });
  const over = {
    ...first,
    endedAt: T0 + 5,
    approach: "by the book",
    used: { usd: 0.5 },
    treeBefore: "t0",
    treeAfter: "t1",
  };
  assert.deepEqual(past(dispatched("a", 1, T0 + 1), ended("a", 1, T0 + 5, "by the book")), {
    ...FRESH,
    startedAt: T0 + 1,
    attempts: new Map([[1, over]]),
  });
});

test("why an attempt was made, and in which branch", () => {
  const dispatch = dispatched("a", 2, T0, "fresh");
  assert.ok(dispatch.kind === "attempt-dispatched");
  const branch = { id: "b1", approach: "x", entry: ENTRY, iterations: 1 };
  const inBranch = { ...dispatch, spec: { ...dispatch.spec, prompt: { branch } } };
  const attempts = past(dispatch)?.attempts;
  assert.equal(attempts?.get(2)?.recovery, "fresh");
  assert.equal("branch" in (attempts?.get(2) ?? {}), false);
  assert.equal(past(inBranch)?.attempts.get(2)?.branch, "b1");
});

test("a failure is told of its attempt and of its subtask", () => {
  const told = past({ ...failed("a", 1, "looping", "boom"), counted: false });
  assert.deepEqual(told, {
    ...FRESH,
    attempts: new Map([
      [
        1,
        {
          ...UNTOLD,
          attempt: 1,
          failure: failure("looping"),
          counted: false,
          error: "boom",
          failing: ["adds up"],
        },
      ],
    ]),
    events: [{ kind: "failure", attempt: 1, failure: failure("looping") }],
  });
});

test("what happened is told in order", () => {
  const told = past(failed("a", 1, "looping"), chosen("a", [{ kind: "feedback" }], "rung"), {
    kind: "circular-fix-seen",
    subtask: "a",
    because: "A-B-A",
    ban: true,
  });
  assert.deepEqual(told?.events, [
    { kind: "failure", attempt: 1, failure: failure("looping") },
    {
      kind: "recovery",
      recoveries: [{ kind: "feedback" }],
      chosenBy: { by: "rung", id: "rung" },
      because: "because of rung",
    },
    { kind: "circle", because: "A-B-A" },
  ]);
});

test("a score, a wait and checks that were started", () => {
  const told = past(
    { kind: "checks-dispatched", subtask: "a", attempt: 1, round: 1 },
    {
      kind: "progress-scored",
      subtask: "a",
      attempt: 2,
      score: 0.5,
      state: NOT_STUCK,
      progressed: true,
      recovered: false,
    },
    {
      kind: "wait-scheduled",
      subtask: "a",
      timer: 1,
      dueAt: T0,
      reason: "retry-after",
      spec: {} as never,
      since: T0,
    },
  );
  assert.deepEqual(told, {
    ...FRESH,
    waitReason: "retry-after",
    waitingSince: T0,
    attempts: new Map<number, PastAttempt>([
      [1, { ...UNTOLD, attempt: 1 }],
      [2, { ...UNTOLD, attempt: 2, score: 0.5 }],
    ]),
  });
});

test("done, parked, and begun anew", () => {
  const parked: RunEvent = { kind: "subtask-parked", subtask: "a", phase: "stuck", reason: "why" };
  const run = [dispatched("a", 1, T0 + 1), ended("a", 1, T0 + 5)];
  const done = past(...run, parked, DONE);
  assert.equal(done?.attempts.get(1)?.succeeded, true);
  assert.deepEqual([done?.startedAt, done?.endedAt, done?.parked], [T0 + 1, T0 + 5, undefined]);
  assert.equal("parked" in (done ?? {}), false);
  const given = past(...run, parked);
  assert.deepEqual([given?.endedAt, given?.parked], [T0 + 5, "why"]);
  const anew = past(...run, parked, dispatched("a", 2, T0 + 9));
  assert.deepEqual(
    [anew?.startedAt, "endedAt" in (anew ?? {}), "parked" in (anew ?? {})],
    [T0 + 1, false, false],
  );
  const byHand = past({ kind: "subtask-done", subtask: "a", attempt: 0, phase: "unverified" });
  assert.deepEqual(byHand, { ...FRESH, endedAt: T0 });
});

test("questions of a subtask with the answer to the one that was asked last under that name", () => {
  const [one, two] = [checkpoint("a"), checkpoint("a", { id: "a/c2" })];
  const skip = { kind: "skip" } as const;
  const close = (id: string): RunEvent => ({
    kind: "checkpoint-closed",
    checkpoint: id,
    answer: skip,
    by: "sam",
    subtask: "a",
  });
  const told = past(
    { kind: "checkpoint-opened", checkpoint: one },
    { kind: "checkpoint-opened", checkpoint: two },
    close("a/c1"),
    close("a/c9"),
  );
  assert.deepEqual(told?.questions, [
    { checkpoint: one, answer: skip, by: "sam" },
    { checkpoint: two },
  ]);
  const { subtask: _, ...ofRun } = one;
  const { subtasks } = historyOf([
    { kind: "checkpoint-opened", checkpoint: ofRun },
    { kind: "checkpoint-closed", checkpoint: "a/c1", answer: skip, by: "sam" },
  ]);
  assert.equal(subtasks.size, 0, "a question about the whole run is nobody's");
});

test("episodes, and the time of the last event that has one", () => {
  const episode = { id: "e" } as Episode;
  const collector = historyCollector();
  collector.add(dispatched("a", 1, T0 + 9));
  collector.add(received({ kind: "cancel-requested", at: T0 + 3, chance: 0, reason: "x" }));
  collector.add({ kind: "episode-recorded", episode });
  collector.add(queued("a"));
  assert.deepEqual([collector.history().at, collector.history().episodes], [T0 + 9, [episode]]);
  collector.add(received({ kind: "cancel-requested", at: T0 + 30, chance: 0, reason: "x" }));
  assert.equal(collector.history().at, T0 + 30);
});

test("an imported attempt keeps the number of its session and how it ended", () => {
  const start = (identity: unknown): RunEvent =>
    received({ kind: "attempt-started", ...of, slot: "s", identity });
  for (const identity of ["pid 7", 7, null, undefined, {}])
    assert.equal(past(start(identity))?.attempts.size, 0);
  const finished = ended("a", 1, T0);
  assert.equal(past(start({ session: 4 }))?.attempts.get(1)?.session, 4);
  assert.equal(past(start({ session: 4 }), finished)?.attempts.get(1)?.succeeded, true);
  assert.equal(past(finished)?.attempts.get(1)?.succeeded, false);
  assert.ok(finished.kind === "received" && finished.input.kind === "attempt-ended");
  const broken = received({ ...finished.input, outcome: "failed" });
  assert.equal(past(start({ session: 4 }), broken)?.attempts.get(1)?.succeeded, false);
});

type Three = [RunEvent, RunEvent, RunEvent];

test("a session ends where the run is paused or cut off, or the work is handed on; never by a failure", () => {
  const resumed = received({
    ...{ kind: "resume-requested", at: T0, chance: 0, pause: 1, by: "somebody" },
  } as const);
  const sessions = (...events: readonly RunEvent[]): number[] =>
    [...(past(...events)?.attempts.values() ?? [])].map(({ session }) => session);
  const [one, two, three] = [1, 2, 3].map((number) => dispatched("a", number, T0)) as Three;
  assert.deepEqual(sessions(one, failed("a", 1, "looping"), two, three), [1, 1, 1]);
  assert.deepEqual(sessions(one, resumed, two, three), [1, 2, 2]);
  assert.deepEqual(sessions(one, failed("a", 1, "lost"), resumed, two, three), [1, 2, 2]);
  assert.deepEqual(sessions(one, dispatched("a", 2, T0, "continue"), three), [1, 2, 2]);
  const asked: RunEvent[] = [
    { kind: "subtask-parked", subtask: "a", phase: "asking", reason: "why" },
    {
      ...{ kind: "checkpoint-closed", subtask: "a", checkpoint: "a/c1", by: "somebody" },
      answer: { kind: "retry", words: "w" },
    },
  ];
  assert.deepEqual(sessions(one, ...asked, two), [1, 2], "nothing else was under way");
  assert.deepEqual(sessions(dispatched("b", 1, T0), one, ...asked, two), [1, 1]);
});

const exported = (phase: Phase, ...events: readonly RunEvent[]): SubtaskHistory =>
  exportedSubtask(past(...events) ?? FRESH, phase);

test("the source's word for every state", () => {
  const red = [dispatched("a", 1, T0), failed("a", 1, "looping")];
  for (const [phase, untried, tried] of [
    ["verified", "completed", "completed"],
    ["unverified", "completed", "completed"],
    ["answered", "completed", "completed"],
    ["stuck", "stuck", "stuck"],
    ["asking", "stuck", "stuck"],
    ["skipped", "failed", "failed"],
    ["running", "in_progress", "in_progress"],
    ["waiting", "in_progress", "in_progress"],
    ["pending", "pending", "in_progress"],
    ["blocked", "pending", "in_progress"],
  ] as const) {
    assert.equal(exported(phase).status, untried, phase);
    assert.equal(exported(phase, ...red).status, tried, phase);
  }
});

test("exported attempts: judged ones only, with their words, or the kind where there are none", () => {
  const attempt = { timestamp: "2026-01-01T12:00:00.000Z", approach: "", success: false };
  const over = [dispatched("a", 1, T0), ended("a", 1, T0 + 1000, "x"), dispatched("a", 2, T0)];
  assert.deepEqual(exported("running", ...over), { id: "a", status: "in_progress", attempts: [] });
  assert.deepEqual(
    exported("stuck", ...over, failed("a", 1, "looping", "boom"), failed("a", 2, "lost"), {
      kind: "subtask-parked",
      subtask: "a",
      phase: "stuck",
      reason: "why",
    }),
    {
      id: "a",
      status: "stuck",
      stuckReason: "why",
      attempts: [
        {
          ...attempt,
          session: 1,
          timestamp: "2026-01-01T12:00:01.000Z",
          approach: "x",
          error: "boom",
        },
        { ...attempt, session: 1, approach: "first try with agent", error: "lost" },
      ],
    },
  );
  assert.deepEqual(exported("asking").stuckReason, "");
  assert.deepEqual(exported("verified", failed("a", 1, "lost", "boom"), DONE).attempts, [
    {
      ...{ session: 1, timestamp: "1970-01-01T00:00:00.000Z", approach: "done by hand" },
      ...{ success: true, error: null },
    },
  ]);
});
