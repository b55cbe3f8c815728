// proves: A10, B8, D6
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { exportHistory, type SubtaskHistory } from "../../../src/core/history/attempt-history.ts";
import { importHistory } from "../../../src/core/history/imported-history.ts";
import { episodeLine, readEpisodes, type Episode } from "../../../src/core/history/episode.ts";
import { countRecovery, NO_RECOVERIES } from "../../../src/core/history/recovery-metrics.ts";
import type { RecoveryMetrics } from "../../../src/core/history/recovery-metrics.ts";
import { anyText } from "../repair/any-text.ts";

const ATTEMPT = {
  session: 1,
  timestamp: "2026-01-24T10:00:00Z",
  approach: "events",
  success: false,
  error: "got 404",
};

test("export: the source's shape", () => {
  const exported = exportHistory([
    { id: "subtask-001", status: "failed", attempts: [ATTEMPT] },
    { id: "subtask-002", status: "stuck", attempts: [ATTEMPT, ATTEMPT], stuckReason: "circular" },
  ]);
  assert.deepEqual(exported, {
    subtasks: {
      "subtask-001": { attempts: [ATTEMPT], status: "failed" },
      "subtask-002": { attempts: [ATTEMPT, ATTEMPT], status: "stuck" },
    },
    stuck_subtasks: [{ subtask_id: "subtask-002", reason: "circular", attempt_count: 2 }],
  });
});

test("import: the source's own file, plain ids of stuck subtasks, errors left out", () => {
  const withoutError = Object.fromEntries(
    Object.entries(ATTEMPT).filter(([key]) => key !== "error"),
  );
  const read = importHistory({
    subtasks: { a: { attempts: [withoutError], status: "in_progress" } },
    stuck_subtasks: ["a", { subtask_id: "b", reason: "why" }],
    metadata: { ignored: true },
  });
  assert.deepEqual(read, {
    ok: true,
    subtasks: [
      { id: "a", status: "in_progress", attempts: [{ ...ATTEMPT, error: null }], stuckReason: "" },
      { id: "b", status: "stuck", attempts: [], stuckReason: "why" },
    ],
  });
  assert.deepEqual(importHistory({ subtasks: {} }), { ok: true, subtasks: [] });
});

for (const [value, place, problem] of [
  [null, "", "expected a JSON object"],
  [[], "", "expected a JSON object"],
  [{}, "subtasks", "expected an object"],
  [{ subtasks: [] }, "subtasks", "expected an object"],
  [{ subtasks: {}, stuck_subtasks: {} }, "stuck_subtasks", "expected a list"],
  [
    { subtasks: {}, stuck_subtasks: ["a", 7] },
    "stuck_subtasks[1]",
    "expected an id, or an object with subtask_id and reason",
  ],
  [
    { subtasks: {}, stuck_subtasks: [{ subtask_id: "a", reason: 1 }] },
    "stuck_subtasks[0]",
    "expected an id, or an object with subtask_id and reason",
  ],
  [{ subtasks: { a: 1 } }, "subtasks.a", "expected an object"],
  [
    { subtasks: { a: { status: "done", attempts: [] } } },
    "subtasks.a.status",
    "expected one of pending, in_progress, completed, failed, stuck",
  ],
  [{ subtasks: { a: { status: "failed" } } }, "subtasks.a.attempts", "expected a list"],
  [
    { subtasks: { a: { status: "failed", attempts: [ATTEMPT, 1] } } },
    "subtasks.a.attempts[1]",
    "expected an object",
  ],
] as const)
  test(`import refuses ${JSON.stringify(value).slice(0, 60)} at "${place}"`, () => {
    assert.deepEqual(importHistory(value), { ok: false, place, problem });
  });

for (const [field, wrong, problem] of [
  ["session", "1", "expected a number"],
  ["timestamp", 1, "expected a string"],
  ["approach", null, "expected a string"],
  ["success", "no", "expected true or false"],
  ["error", 5, "expected a string or null"],
] as const)
  test(`import refuses a wrong ${field}`, () => {
    const value = {
      subtasks: { x: { status: "failed", attempts: [{ ...ATTEMPT, [field]: wrong }] } },
    };
    assert.deepEqual(importHistory(value), {
      ok: false,
      place: `subtasks.x.attempts[0].${field}`,
      problem,
    });
  });

const subtask: fc.Arbitrary<SubtaskHistory> = fc
  .record({
    id: fc.oneof(
      fc.constantFrom("__proto__", "constructor", "toString"),
      fc.string({ minLength: 1 }),
    ),
    status: fc.constantFrom("pending", "in_progress", "completed", "failed", "stuck"),
    attempts: fc.array(
      fc.record(
        {
          session: fc.nat(),
          timestamp: fc.string(),
          approach: fc.string(),
          success: fc.boolean(),
          error: fc.option(fc.string()),
        },
        { noNullPrototype: true },
      ),
    ),
    reason: fc.option(fc.string()),
  })
  .map(({ reason, ...rest }) => (reason === null ? rest : { ...rest, stuckReason: reason }));

test("what was exported and written as JSON imports to the same", () => {
  fc.assert(
    fc.property(fc.uniqueArray(subtask, { selector: ({ id }) => id }), (subtasks) => {
      const read = importHistory(JSON.parse(JSON.stringify(exportHistory(subtasks))));
      assert.ok(read.ok);
      const byId = (a: SubtaskHistory, b: SubtaskHistory): number => (a.id < b.id ? -1 : 1);
      assert.deepEqual(read.subtasks.toSorted(byId), subtasks.toSorted(byId));
    }),
  );
});

test("import never throws", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => assert.equal(typeof importHistory(value).ok, "boolean")),
  );
});

const EPISODE: Episode = {
  id: "ep-1",
  time: "2026-01-24T10:00:00Z",
  goal: "login",
  success: true,
  cost: 0.25,
  duration: 12.5,
  error: null,
  retry_count: 2,
  recovery_level: "same",
};

test("episodes: one line each, in the named fields", () => {
  assert.equal(
    episodeLine(EPISODE),
    '{"id":"ep-1","time":"2026-01-24T10:00:00Z","goal":"login","success":true,"cost":0.25,"duration":12.5,"error":null,"retry_count":2,"recovery_level":"same"}\n',
  );
});

test("episodes: written lines read back equal", () => {
  const episode: fc.Arbitrary<Episode> = fc.record(
    {
      id: fc.string(),
      time: fc.string(),
      goal: anyText(20),
      success: fc.boolean(),
      cost: fc.nat(),
      duration: fc.nat(),
      error: fc.option(fc.string()),
      retry_count: fc.nat(),
      recovery_level: fc.constantFrom(null, "same", "alternative", "clarify", "escalate"),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(episode), (episodes) => {
      assert.deepEqual(readEpisodes(episodes.map(episodeLine).join("")), episodes);
    }),
  );
});

test("episodes: lines of before the new fields load with 0 and null, also under the source's names", () => {
  const old = {
    id: "e",
    time: "t",
    goal: "g",
    success: false,
    cost: 0,
    duration: 1,
    error: "boom",
  };
  assert.deepEqual(readEpisodes(JSON.stringify(old)), [
    { ...old, retry_count: 0, recovery_level: null },
  ]);
  const source = {
    episode_id: "e",
    timestamp: "t",
    goal_id: "g",
    success: false,
    cost_usd: 3,
    duration_seconds: 1,
    error: "boom",
  };
  assert.deepEqual(readEpisodes(JSON.stringify(source)), [
    { ...old, cost: 3, retry_count: 0, recovery_level: null },
  ]);
  const least = { id: "e", time: "t", goal: "g", success: true };
  assert.deepEqual(readEpisodes(JSON.stringify(least)), [
    { ...least, cost: 0, duration: 0, error: null, retry_count: 0, recovery_level: null },
  ]);
});

test("episodes: malformed lines are skipped, the others kept", () => {
  const wrong = [
    "",
    "not json",
    "{",
    "null",
    "7",
    "[]",
    JSON.stringify({ ...EPISODE, id: 7 }),
    JSON.stringify({ ...EPISODE, time: null }),
    JSON.stringify({ ...EPISODE, goal: [] }),
    JSON.stringify({ ...EPISODE, success: "yes" }),
    JSON.stringify({ ...EPISODE, cost: "1" }),
    JSON.stringify({ ...EPISODE, duration: {} }),
    JSON.stringify({ ...EPISODE, error: 1 }),
    JSON.stringify({ ...EPISODE, retry_count: "2" }),
    JSON.stringify({ ...EPISODE, recovery_level: "level 1" }),
  ];
  const line = episodeLine(EPISODE);
  assert.deepEqual(readEpisodes(`${line}${wrong.join("\n")}\n${line}`), [EPISODE, EPISODE]);
  for (const one of wrong) assert.deepEqual(readEpisodes(one), [], one);
});

test("metrics: triggers, successes, by stage, iterations", () => {
  const facts = [
    { kind: "triggered" },
    { kind: "iteration" },
    { kind: "iteration" },
    { kind: "resolved", stage: "mutate" },
    { kind: "triggered" },
    { kind: "iteration" },
    { kind: "resolved", stage: "__proto__" },
    { kind: "resolved", stage: "mutate" },
    { kind: "resolved", stage: "toString" },
  ] as const;
  const metrics = facts.reduce<RecoveryMetrics>(countRecovery, NO_RECOVERIES);
  assert.equal(metrics.recovery_triggers, 2);
  assert.equal(metrics.recovery_success, 4);
  assert.equal(metrics.recovery_iterations, 3);
  assert.deepEqual(Object.entries(metrics.stage_success), [
    ["mutate", 2],
    ["__proto__", 1],
    ["toString", 1],
  ]);
  assert.deepEqual(NO_RECOVERIES, {
    recovery_triggers: 0,
    recovery_success: 0,
    stage_success: {},
    recovery_iterations: 0,
  });
  const restored = JSON.parse(JSON.stringify(metrics)) as RecoveryMetrics;
  assert.deepEqual(countRecovery(restored, { kind: "triggered" }).recovery_triggers, 3);
});
