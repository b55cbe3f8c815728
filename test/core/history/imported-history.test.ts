// proves: B8, D6
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  classifyByStandardRules as classify,
  standardRules,
} from "../../../src/core/rules/standard.ts";
import { episodeLine, type Episode } from "../../../src/core/history/episode.ts";
import { salvage } from "../../../src/core/history/imported-history.ts";
import { importedEvents } from "../../../src/core/history/imported-run.ts";
import { addMetrics } from "../../../src/core/history/recovery-metrics.ts";
import type { SubtaskHistory } from "../../../src/core/history/attempt-history.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";

const GOOD = {
  session: 4,
  timestamp: "2026-01-24T10:00:00Z",
  approach: "events",
  success: true,
  error: null,
};
const BAD = {
  ...GOOD,
  session: 5,
  timestamp: "2026-01-24T09:00:00Z",
  success: false,
  error: "got 404",
};
const AT = Date.UTC(2026, 1, 1);
const events = (
  subtasks: readonly SubtaskHistory[],
  episodes: readonly Episode[] = [],
): RunEvent[] =>
  importedEvents({ run: "r", title: "t", subtasks, episodes, at: AT }, standardRules());
const kinds = (all: readonly RunEvent[]): readonly string[] =>
  all.map((event) => (event.kind === "received" ? event.input.kind : event.kind));

test("an imported subtask: a plan, its attempts as they went, its end", () => {
  const nine = Date.parse(BAD.timestamp);
  const spec = {
    entry: { agent: "imported", tier: 0 },
    thinking: false,
    budgetFactor: 1,
    context: "new",
    tree: { kind: "keep" },
    prompt: {},
    iteration: false,
  };
  const of = { subtask: "a", attempt: 1, at: nine, chance: 0 };
  const evidence = { message: "got 404", origin: "agent" } as const;
  assert.deepEqual(events([{ id: "a", status: "stuck", attempts: [BAD], stuckReason: "why" }]), [
    {
      kind: "received",
      input: {
        kind: "run-started",
        at: nine,
        chance: 0,
        run: "r",
        plan: {
          goal: "t",
          subtasks: [{ id: "a", prompt: "", dependsOn: [], checks: 0 }],
          ladder: [{ agent: "imported", tier: 0 }],
          concurrency: 1,
          budget: {},
          attemptCap: {},
        },
      },
    },
    { kind: "attempt-queued", subtask: "a", specs: [spec] },
    {
      kind: "attempt-dispatched",
      subtask: "a",
      attempt: 1,
      spec,
      cap: {},
      from: "urgent",
      at: nine,
    },
    {
      kind: "received",
      input: { kind: "attempt-started", ...of, slot: "imported", identity: { session: 5 } },
    },
    {
      kind: "received",
      input: {
        kind: "attempt-ended",
        ...of,
        outcome: "failed",
        evidence,
        remains: {
          treeBefore: "",
          treeAfter: "",
          approach: "events",
          signals: { outputNovelty: 0, change: 0, markers: 0, checklist: 0 },
          used: {},
        },
      },
    },
    {
      kind: "failure-classified",
      subtask: "a",
      attempt: 1,
      failure: classify(evidence),
      counted: true,
      verdict: true,
      error: "got 404",
      failing: [],
    },
    { kind: "subtask-parked", subtask: "a", phase: "stuck", reason: "why" },
    { kind: "run-ended", outcome: "failed", reason: "imported history" },
  ]);
});

test("a successful attempt is no failure, and the last of them is what it was done with", () => {
  const all = events([{ id: "a", status: "completed", attempts: [GOOD, BAD, GOOD, BAD] }]);
  assert.deepEqual(all.at(-2), {
    kind: "subtask-done",
    subtask: "a",
    attempt: 3,
    phase: "unverified",
  });
  assert.deepEqual(all.at(-1), {
    kind: "run-ended",
    outcome: "unverified",
    reason: "imported history",
  });
  assert.equal(kinds(all).filter((kind) => kind === "failure-classified").length, 2);
  const [first] = all.flatMap((event) =>
    event.kind === "received" && event.input.kind === "attempt-ended" ? [event.input] : [],
  );
  assert.deepEqual([first?.outcome, first?.evidence], ["finished", {}]);
  const none = events([{ id: "a", status: "completed", attempts: [] }]);
  assert.deepEqual(none.at(-2), {
    kind: "subtask-done",
    subtask: "a",
    attempt: 0,
    phase: "unverified",
  });
});

test("how a subtask ends by its status, and a run by its subtasks", () => {
  const end = (status: SubtaskHistory["status"], more: Partial<SubtaskHistory> = {}): unknown[] =>
    events([{ id: "a", status, attempts: [], ...more }]).slice(1);
  const over = (outcome: string): unknown => ({
    kind: "run-ended",
    outcome,
    reason: "imported history",
  });
  assert.deepEqual(end("pending"), [over("failed")]);
  assert.deepEqual(end("in_progress"), [over("failed")]);
  const parked = { kind: "subtask-parked", subtask: "a" };
  assert.deepEqual(end("failed"), [
    { ...parked, phase: "skipped", reason: "failed, as imported" },
    over("failed"),
  ]);
  assert.deepEqual(end("failed", { stuckReason: "why" })[0], {
    ...parked,
    phase: "skipped",
    reason: "why",
  });
  assert.deepEqual(end("stuck")[0], { ...parked, phase: "stuck", reason: "" });
  assert.deepEqual(events([]).slice(1), [over("unverified")]);
  const mixed = events([
    { id: "a", status: "completed", attempts: [] },
    { id: "b", status: "pending", attempts: [] },
  ]);
  assert.deepEqual(mixed.at(-1), over("failed"));
});

test("a run began with its first attempt, at the latest when it was imported", () => {
  const began = (...timestamps: readonly string[]): number | undefined => {
    const attempts = timestamps.map((timestamp) => ({ ...GOOD, timestamp }));
    const [first] = events([{ id: "a", status: "completed", attempts }]);
    return first?.kind === "received" ? first.input.at : undefined;
  };
  assert.equal(began(), AT);
  assert.equal(began(GOOD.timestamp, BAD.timestamp), Date.parse(BAD.timestamp));
  assert.equal(began("2099-01-01T00:00:00Z"), AT);
  assert.equal(began("soon"), 0);
});

test("foreign words are bounded: reasons and approaches at 1000, errors at 2000", () => {
  const long = "x".repeat(5000);
  const all = events([
    {
      id: "a",
      status: "stuck",
      attempts: [
        { ...BAD, approach: long, error: long },
        { ...BAD, error: null },
      ],
      stuckReason: long,
    },
  ]);
  const ended = all.flatMap((event) =>
    event.kind === "received" && event.input.kind === "attempt-ended" ? [event.input] : [],
  );
  assert.equal(ended[0]?.remains.approach.length, 1000);
  assert.equal(ended[0]?.evidence.message?.length, 2000);
  assert.equal(ended[1]?.evidence.message, "");
  const parked = all.find((event) => event.kind === "subtask-parked");
  assert.ok(parked?.kind === "subtask-parked");
  assert.equal(parked.reason.length, 1000);
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

test("episodes are recorded after the attempts", () => {
  assert.deepEqual(kinds(events([{ id: "a", status: "failed", attempts: [] }], [EPISODE])), [
    "run-started",
    "subtask-parked",
    "episode-recorded",
    "run-ended",
  ]);
});

const text = JSON.stringify;
const A = { status: "failed", attempts: [] };
for (const [name, given, read] of [
  [
    "history, whole",
    text({ subtasks: { a: { status: "failed", attempts: [GOOD, BAD] } }, stuck_subtasks: ["b"] }),
    {
      subtasks: [
        { id: "a", status: "failed", attempts: [GOOD, BAD] },
        { id: "b", status: "stuck", attempts: [], stuckReason: "" },
      ],
      episodes: [],
      skipped: 0,
    },
  ],
  [
    "attempts that are none, or have no date",
    text({
      subtasks: { a: { status: "failed", attempts: [GOOD, 1, { ...GOOD, timestamp: "soon" }] } },
    }),
    { subtasks: [{ id: "a", status: "failed", attempts: [GOOD] }], episodes: [], skipped: 2 },
  ],
  [
    "attempts of which only a part is one",
    text({ subtasks: { a: { status: "failed", attempts: [{ ...GOOD, session: "4" }, BAD] } } }),
    { subtasks: [{ id: "a", status: "failed", attempts: [BAD] }], episodes: [], skipped: 1 },
  ],
  [
    "subtasks that are none",
    text({
      subtasks: {
        a: A,
        b: 5,
        c: null,
        d: { status: "done", attempts: [] },
        e: { status: "failed" },
        f: [],
      },
    }),
    { subtasks: [{ id: "a", status: "failed", attempts: [] }], episodes: [], skipped: 5 },
  ],
  [
    "reasons that are none",
    text({ subtasks: { a: A }, stuck_subtasks: [7, { subtask_id: "a", reason: "why" }, {}] }),
    {
      subtasks: [{ id: "a", status: "failed", attempts: [], stuckReason: "why" }],
      episodes: [],
      skipped: 2,
    },
  ],
  [
    "one reason that is no list",
    text({ subtasks: { a: A }, stuck_subtasks: "a" }),
    {
      subtasks: [{ id: "a", status: "failed", attempts: [], stuckReason: "" }],
      episodes: [],
      skipped: 0,
    },
  ],
  ["history of nothing", text({ subtasks: {} }), { subtasks: [], episodes: [], skipped: 0 }],
  [
    "history that is none",
    text({ subtasks: [] }),
    { ok: false, place: "subtasks", problem: "expected an object" },
  ],
  [
    "episodes",
    `${episodeLine(EPISODE)}\n  \nnot json\n${episodeLine({ ...EPISODE, id: "ep-2", success: true })}${episodeLine({ ...EPISODE, goal: "b" })}`,
    {
      subtasks: [
        { id: "a", status: "completed", attempts: [] },
        { id: "b", status: "failed", attempts: [] },
      ],
      episodes: [EPISODE, { ...EPISODE, id: "ep-2", success: true }, { ...EPISODE, goal: "b" }],
      skipped: 1,
    },
  ],
  [
    "one episode",
    text(EPISODE),
    { subtasks: [{ id: "a", status: "failed", attempts: [] }], episodes: [EPISODE], skipped: 0 },
  ],
  ["text", "hello", { ok: false, place: "", problem: "neither attempt history nor episodes" }],
  ["nothing", "", { ok: false, place: "", problem: "neither attempt history nor episodes" }],
  ["null", "null", { ok: false, place: "", problem: "neither attempt history nor episodes" }],
  [
    "a list",
    '["subtasks"]',
    { ok: false, place: "", problem: "neither attempt history nor episodes" },
  ],
] as const)
  test(`salvaged: ${name}`, () => {
    assert.deepEqual(salvage(given), read);
  });

test("metrics of two runs add up", () => {
  const one = {
    recovery_triggers: 2,
    recovery_success: 1,
    stage_success: { f: 1, g: 4 },
    recovery_iterations: 3,
  };
  const two = {
    recovery_triggers: 5,
    recovery_success: 3,
    stage_success: { f: 2, h: 1 },
    recovery_iterations: 7,
  };
  assert.deepEqual(addMetrics(one, two), {
    recovery_triggers: 7,
    recovery_success: 4,
    stage_success: { f: 3, g: 4, h: 1 },
    recovery_iterations: 10,
  });
});
