// proves: P10, U13
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CheckOutcome } from "../../../src/core/checks/outcome.ts";
import { historyOf } from "../../../src/core/history/collect-history.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { foldAll } from "../../../src/core/run/fold/fold.ts";
import { NEW_RUN } from "../../../src/core/run/new-run.ts";
import type { Note } from "../../../src/core/run/note.ts";
import type { Phase } from "../../../src/core/run/view.ts";
import { makeCard, type CardFacts } from "../../../src/operations/status/card.ts";
import { card as schema, type Card } from "../../../src/operations/status/card-schema.ts";
import { checkVerdicts } from "../../../src/operations/status/check-verdicts.ts";
import { checkpoint, chosen, dispatched, ended, failed } from "../../cli/terminal/events.ts";
import { queued, started, T0 } from "../../cli/terminal/events.ts";

const check = (run: string) => ({ name: run, run, timeoutMs: 1 });
const subtaskPlan = { prompt: "p", tests: "judge", inputs: [], totalMs: 1, idleMs: 1 } as const;
const plan = {
  subtasks: {
    a: { ...subtaskPlan, checks: [check("npm test")] },
    b: { ...subtaskPlan, checks: [check("npm test"), check("npm run lint")] },
  },
};

function cardOf(events: readonly RunEvent[], more: Partial<CardFacts> = {}): Card {
  const made = makeCard({
    ...{ run: "r1", state: foldAll(NEW_RUN, events), history: historyOf(events), plan },
    ...{ standing: { state: "running" }, applied: false, now: T0 + 60_000 },
    ...more,
  });
  assert.deepEqual(schema.parse(made), made, "as its schema says");
  return made;
}

/** Subtask a fails once, is sent its output and passes; b is done at once. */
const RECOVERED: readonly RunEvent[] = [
  started("a", "b"),
  dispatched("a", 1, T0 + 1000),
  ended("a", 1, T0 + 4000),
  failed("a", 1, "verification_failed"),
  chosen("a", [{ kind: "feedback" }], "feedback"),
  queued("a", "feedback"),
  dispatched("a", 2, T0 + 5000, "feedback"),
  ended("a", 2, T0 + 9000),
  { kind: "subtask-done", subtask: "a", attempt: 2, phase: "verified" },
  dispatched("b", 1, T0 + 10_000),
  ended("b", 1, T0 + 20_000),
  { kind: "subtask-done", subtask: "b", attempt: 1, phase: "verified" },
  { kind: "run-ended", outcome: "verified", reason: "every subtask is verified" },
];

test("a verified run: what passed, what saved it, what it took, what to do", () => {
  const lines = (path: string, added: number, isNew = false) => ({
    path,
    added,
    removed: 1,
    isNew,
  });
  const files = [
    lines("src/a.ts", 3),
    lines("test/a.test.ts", 9),
    lines("test/new.test.ts", 4, true),
    ...Array.from({ length: 9 }, (_, at) => lines(`docs/${at}.md`, at)),
  ];
  const card = cardOf(RECOVERED, { standing: { state: "verified" }, files });
  assert.equal(card.sentence, "Verified: every check passes on the result.");
  assert.deepEqual(
    card.checks.map(({ check: name, verdict, subtasks }) => [name, verdict, subtasks]),
    [
      ["npm test", "passed", ["a", "b"]],
      ["npm run lint", "passed", ["b"]],
    ],
  );
  assert.deepEqual(card.recovered, {
    attempts: 1,
    by: [{ words: "sent the failing output back", times: 1 }],
  });
  assert.deepEqual([card.changes?.files, card.changes?.added, card.changes?.removed], [12, 52, 12]);
  assert.equal(card.changes?.largest.length, 8);
  assert.equal(card.changes?.largest[0]?.path, "test/a.test.ts");
  assert.deepEqual(card.editedTests, ["test/a.test.ts"], "a new test is no edited one");
  assert.deepEqual([card.tookMs, card.unverified, card.questions], [20_000, [], []]);
  assert.match(card.next[0]?.command ?? "", /^unstuck diff r1$/);
});

test("a run that gave up: nothing recovered counts, what the best attempt left is offered", () => {
  const card = cardOf(
    [
      ...RECOVERED.slice(0, 6),
      { kind: "subtask-parked", subtask: "a", phase: "stuck", reason: "3 attempts\x1b[2J in vain" },
      { kind: "run-ended", outcome: "failed", reason: "1 subtask was given up" },
    ],
    { standing: { state: "failed" }, files: [] },
  );
  assert.equal(card.sentence, "Failed: 1 subtask was given up.");
  assert.deepEqual(card.recovered, { attempts: 0, by: [] });
  assert.deepEqual(card.unverified[0], { subtask: "a", why: "3 attempts in vain" });
  assert.equal(card.checks[0]?.verdict, "failed");
  assert.match(card.checks[0]?.words ?? "", /1 failing \(adds up\)/);
  assert.deepEqual(
    card.next.map(({ command }) => command),
    ["unstuck explain r1", "unstuck logs r1", "unstuck diff r1 --attempt a/1"],
  );
});

test("what waits for a person, and what waits for a service", () => {
  const asking = cardOf(
    [
      ...RECOVERED.slice(0, 5),
      { kind: "subtask-parked", subtask: "a", phase: "asking", reason: "no way on" },
      { kind: "checkpoint-opened", checkpoint: checkpoint("a") },
    ],
    { standing: { state: "needs you" } },
  );
  assert.match(asking.sentence, /^Needs you: 1 question open/);
  assert.deepEqual(asking.questions, [
    { id: "a/c1", question: "Subtask a failed. How should it go on?" },
  ]);
  const [queuedAgain] = RECOVERED.slice(5, 6);
  const spec = queuedAgain?.kind === "attempt-queued" ? queuedAgain.specs[0] : undefined;
  assert.ok(spec !== undefined);
  const dueAt = T0 + 3_600_000;
  const waits: readonly RunEvent[] = [
    ...RECOVERED.slice(0, 4),
    {
      kind: "wait-scheduled",
      subtask: "a",
      timer: 1,
      dueAt,
      reason: "rate_limited",
      spec,
      since: T0,
    },
  ];
  const waiting = cardOf(waits, { standing: { state: "waiting", waitsUntil: dueAt } });
  assert.equal(waiting.waitsUntil, new Date(dueAt).toISOString());
  assert.equal(waiting.subtasks[0]?.wakesAt, waiting.waitsUntil);
  assert.equal(waiting.waitedMs, 56_000, "so far");
  const on = cardOf([...waits, queued("a", "retry"), dispatched("a", 2, T0 + 14_000, "retry")]);
  assert.equal(on.waitedMs, 10_000, "once it is over");
});

const FAILS: CheckOutcome = { kind: "failed", items: ["x", "y"], complete: true };
const PASSES: CheckOutcome = { kind: "passed" };

/** One check, its subtask's phase and notes, and what the base said of it. */
const VERDICTS: readonly (readonly [
  Phase,
  readonly Note[],
  CheckOutcome | undefined,
  string,
  RegExp,
])[] = [
  ["verified", [], undefined, "passed", /^passed$/],
  ["verified", [], FAILS, "passed", /^passed$/],
  ["verified", [], PASSES, "passed", /^passed, as before$/],
  [
    ...(["verified", [{ kind: "passed-before", checks: ["t"] }], PASSES, "passed"] as const),
    /proves nothing new/,
  ],
  [
    ...(["verified", [{ kind: "failed-before", fixed: 1, items: ["x"], allowed: true }]] as const),
    ...([FAILS, "no worse", /already failing before, no worse \(1 failing\)/] as const),
  ],
  [
    ...(["unverified", [{ kind: "failed-before", fixed: 1, items: ["x"] }]] as const),
    ...([FAILS, "failed", /^1 still failing, as before/] as const),
  ],
  // The failures are another check's.
  [
    ...(["unverified", [{ kind: "failed-before", fixed: 0, items: ["z"] }]] as const),
    ...([FAILS, "passed", /^passed$/] as const),
  ],
  [
    ...(["unverified", [{ kind: "fewer-tests", check: "t", before: 5, now: 3 }]] as const),
    ...([PASSES, "doubtful", /ran 3 of 5 tests/] as const),
  ],
  [
    ...([
      "verified",
      [{ kind: "fewer-tests", check: "t", before: 5, now: 3, allowed: true }],
    ] as const),
    ...([FAILS, "passed", /^passed$/] as const),
  ],
  [
    ...(["unverified", [{ kind: "fewer-tests", check: "u", before: 5, now: 3 }]] as const),
    ...([FAILS, "passed", /^passed$/] as const),
  ],
  [
    ...(["unverified", [{ kind: "own-tests", files: ["a.test.ts"] }]] as const),
    ...([FAILS, "doubtful", /only with the tests it edited/] as const),
  ],
  [
    ...(["verified", [{ kind: "own-tests", files: ["a.test.ts"], allowed: true }]] as const),
    ...([FAILS, "passed", /^passed$/] as const),
  ],
  ["pending", [], FAILS, "not run", /no result yet/],
  ["stuck", [], FAILS, "not run", /no result yet/],
];

for (const [phase, notes, base, verdict, words] of VERDICTS)
  test(`a check of a subtask that is ${phase}, ${JSON.stringify(notes)}, base ${base?.kind}: ${verdict}`, () => {
    const [row] = checkVerdicts(
      [{ id: "a", phase, notes, checks: [check("t")], past: undefined }],
      { outcomes: base === undefined ? {} : { t: base }, dropped: [] },
    );
    assert.equal(row?.verdict, verdict);
    assert.match(row?.words ?? "", words);
  });

test("a check that a person let go of is left out, and the worst of several subtasks counts", () => {
  const of = (id: string, phase: Phase) => ({
    id,
    phase,
    notes: [],
    checks: [check("t")],
    past: undefined,
  });
  const dropped = checkVerdicts([of("a", "verified")], { outcomes: {}, dropped: ["t"] });
  assert.equal(dropped[0]?.verdict, "left out");
  const [worst, ...others] = checkVerdicts(
    [of("a", "verified"), of("b", "pending"), of("c", "verified")],
    { outcomes: {}, dropped: [] },
  );
  assert.deepEqual([worst?.verdict, worst?.subtasks, others.length], ["not run", ["b"], 0]);
});
