// proves: U8
import assert from "node:assert/strict";
import { test } from "node:test";
import { NOT_STUCK } from "../../../src/core/progress/stuck-state.ts";
import type { Explanation } from "../../../src/core/report/explanation-parts.ts";
import { explainer } from "../../../src/core/report/explanation.ts";
import type { RunInput } from "../../../src/core/run/input.ts";
import type { CheckResult } from "../../../src/core/run/check-result.ts";
import type { DecisionOf, RunEvent } from "../../../src/core/run/decision.ts";
import {
  checkpoint,
  chosen,
  ended,
  failed,
  queued,
  received,
  started,
  T0,
} from "../../cli/terminal/events.ts";

function explained(...events: readonly RunEvent[]): (Explanation | undefined)[] {
  const { explain } = explainer();
  return events.map((event, index) => explain(index + 1, event));
}
const last = (...events: readonly RunEvent[]): Explanation | undefined =>
  explained(...events).at(-1);

const OF = { at: T0, chance: 0, subtask: "a", attempt: 1 } as const;
const of = (subtask: string) => ({ ...OF, subtask });
const checksEnded = (result: CheckResult, subtask = "a"): RunEvent =>
  received({ kind: "checks-ended", ...of(subtask), round: 1, result });
const again: RunEvent = { kind: "checks-dispatched", subtask: "a", attempt: 1, round: 2 };
const loopSeen = (attempt: number, subtask = "a"): RunEvent =>
  received({
    kind: "loop-seen",
    ...of(subtask),
    attempt,
    level: "stuck",
    pattern: "same_call",
    words: "stop",
  } satisfies RunInput);
const scored = (attempt: number, more: Partial<DecisionOf<"progress-scored">> = {}): RunEvent => ({
  kind: "progress-scored",
  subtask: "a",
  attempt,
  score: 0.257,
  state: NOT_STUCK,
  progressed: true,
  recovered: false,
  ...more,
});
const feedback = chosen("a", [{ kind: "feedback" }], "guard:x");

test("what is only recorded needs no explanation", () => {
  assert.deepEqual(
    explained(
      failed("a", 1, "looping"),
      scored(1),
      queued("a"),
      { kind: "checks-dispatched", subtask: "a", attempt: 1, round: 1 },
      { kind: "merge-queued", subtask: "a", attempt: 1 },
      loopSeen(1),
      checksEnded({ kind: "passed" }),
    ),
    [undefined, undefined, undefined, undefined, undefined, undefined, undefined],
  );
});

test("a recovery is told with all that was seen of its attempt", () => {
  const failure = failed("a", 2, "rate_limited");
  const limited: RunEvent = {
    ...failure,
    counted: false,
    failing: ["one", "two"],
    failure: {
      ...failure.failure,
      confidence: 0.9,
      because: ["first", "sec\nond"],
      resetAt: "2026-01-01T13:00:00.000Z",
      retryAfterMs: 1500,
    },
  };
  const circle: RunEvent = {
    kind: "circular-fix-seen",
    subtask: "a",
    because: "A-B-A",
    ban: false,
  };
  assert.deepEqual(last(limited, scored(2), circle, feedback), {
    seq: 4,
    subtask: "a",
    decision: "feedback",
    seen: [
      `attempt 2: rate_limited (${failure.failure.category}, check), confidence 0.90, does not count`,
      "first",
      "sec ond",
      "failing: one, two",
      "resets at 2026-01-01T13:00:00.000Z",
      "not before 2 s have passed",
      "progress score 0.26, enough: progressing",
      "circular fix: A-B-A",
    ],
    considered: [
      {
        rung: "guard:x",
        recovery: "feedback",
        verdict: "chosen; a guard rail binds every policy, its rungs were not asked",
      },
    ],
    why: "guard:x: because of guard:x",
    said: "The second attempt hit a rate limit (one, two). It is going in circles: A-B-A. So it sent the failing output back.",
    evidence: ["failed: one", "failed: two"],
    classified: {
      ...{ attempt: 2, name: "rate limited", happened: "hit a rate limit", where: "a check" },
      ...{ confidence: 0.9, counted: false },
      reasons: [{ text: "first" }, { text: "sec ond" }],
      lines: [],
    },
  });
});

test("a recovery is told only with what belongs to its attempt and its subtask", () => {
  const failure = { ...failed("a", 2, "looping"), failing: [] };
  const seen = (...events: readonly RunEvent[]): readonly string[] =>
    last(...events, feedback)?.seen ?? [];
  const alone = [
    `attempt 2: looping (systematic, check), confidence ${failure.failure.confidence.toFixed(2)}`,
    "it is looping",
  ];
  assert.deepEqual(seen(), ["no failure is recorded"]);
  assert.deepEqual(seen(scored(2)), ["no failure is recorded"]);
  assert.deepEqual(seen(failure), alone);
  assert.deepEqual(seen(failure, scored(1)), alone);
  assert.deepEqual(seen(failure, scored(2, { subtask: "b" })), alone);
  assert.deepEqual(seen(scored(2, { progressed: false }), failure), [
    ...alone,
    "progress score 0.26, too little: progressing",
  ]);
  const circle: RunEvent = { kind: "circular-fix-seen", subtask: "a", because: "A-B-A", ban: true };
  assert.deepEqual(seen(circle, failure), alone, "a circle is forgotten with the next failure");
});

test("several recoveries at once, and rungs that were weighed", () => {
  const rungs = [{ rung: "r", recovery: "skip", verdict: "chosen" }];
  const told = last(chosen("a", [{ kind: "skip" }, { kind: "ask" }], "rung", rungs));
  assert.equal(told?.decision, "skip + ask");
  assert.deepEqual(told?.considered, rungs);
  assert.deepEqual(last(chosen("a", [{ kind: "ask" }], "structure:x"))?.considered, [
    {
      rung: "structure:x",
      recovery: "ask",
      verdict: "chosen; the kind of failure alone decides, the rungs were not asked",
    },
  ]);
});

test("an end is told with what was last seen of its subtask", () => {
  const merged = received({
    kind: "merge-ended",
    ...OF,
    result: { kind: "merged", commit: "c" },
  });
  const done: RunEvent = { kind: "subtask-done", subtask: "a", attempt: 1, phase: "verified" };
  const passed = checksEnded({ kind: "passed" });
  const seen = [
    "the agent says it is done",
    "it changed the tree",
    "its checks passed in a clean checkout of commit c, which was then merged",
  ];
  assert.deepEqual(last(started("a"), ended("a", 1, T0), passed, merged, done), {
    seq: 5,
    subtask: "a",
    decision: "verified, with attempt 1",
    seen,
    considered: [
      { rung: "verified", recovery: "done", verdict: "chosen" },
      { rung: "unverified", recovery: "done", verdict: "only where nothing judges the work" },
    ],
    why: "its checks passed in a clean checkout of what is published",
    said: "The first attempt passed its checks.",
  });
  const again = last(started("a"), passed, merged, ended("a", 1, T0), loopSeen(1), done);
  assert.deepEqual(again?.seen, seen);
  assert.deepEqual(last(started("a"), passed, done)?.seen, [
    "no attempt is recorded",
    "not merged yet",
  ]);
  const parked: RunEvent = { kind: "subtask-parked", subtask: "a", phase: "stuck", reason: "x" };
  assert.deepEqual(last(failed("a", 1, "looping"), parked)?.seen, ["looping: it is looping"]);
  assert.deepEqual(last(failed("b", 1, "looping"), parked)?.seen, ["x"]);
  const warning = { of: "recovery", measure: "attempts", spent: 4, limit: 5 } as const;
  assert.deepEqual(last({ kind: "budget-warned", ...warning }), {
    seq: 1,
    decision: "warn about the attempt budget of recovery",
    seen: ["80 % used, 4 of 5 attempts"],
    considered: [
      { rung: "warn", recovery: "go on", verdict: "chosen" },
      { rung: "stop", recovery: "ask for more", verdict: "when the next attempt does not fit" },
    ],
    why: "at 80 % a warning comes, before the stop",
  });
});

test("what was seen later of another sort takes nothing away", () => {
  const red = checksEnded({ kind: "failed", failing: ["it adds"], evidence: {} });
  const stop: RunEvent = { kind: "attempt-interrupted", subtask: "a", attempt: 1, reason: "x" };
  assert.deepEqual(last(red, loopSeen(1), again)?.seen, ["failing: it adds"]);
  assert.deepEqual(last(loopSeen(1), red, stop)?.seen, ["pattern: same_call"]);
  assert.deepEqual(last(red, stop)?.seen, ["x"]);
});

const BLAMED = "a check may be flaky: it is run again before blaming the code";
const ROWS: readonly (readonly [
  name: string,
  events: readonly RunEvent[],
  told: Omit<Explanation, "seq" | "considered"> & Partial<Pick<Explanation, "considered">>,
])[] = [
  [
    "a circular fix that binds",
    [{ kind: "circular-fix-seen", subtask: "a", because: "A-B-A", ban: true }],
    {
      subtask: "a",
      decision: "a circular fix was seen",
      seen: ["A-B-A"],
      why: "retry and feedback are ruled out: the next recovery has to be a different one",
    },
  ],
  [
    "a circular fix that is only recorded",
    [{ kind: "circular-fix-seen", subtask: "a", because: "A-B-A", ban: false }],
    {
      subtask: "a",
      decision: "a circular fix was seen",
      seen: ["A-B-A"],
      why: "this policy only records it, or has a rule for it",
    },
  ],
  [
    "checks again after red ones",
    [checksEnded({ kind: "failed", failing: ["it\nadds", "it sums"], evidence: {} }), again],
    {
      subtask: "a",
      decision: "run the checks of attempt 1 again (round 2)",
      seen: ["failing: it adds, it sums"],
      why: BLAMED,
    },
  ],
  [
    "checks again after red ones without names",
    [checksEnded({ kind: "failed", failing: [], evidence: {} }), again],
    {
      subtask: "a",
      decision: "run the checks of attempt 1 again (round 2)",
      seen: ["failing: a check"],
      why: BLAMED,
    },
  ],
  [
    "checks again after those of another subtask",
    [checksEnded({ kind: "failed", failing: ["it adds"], evidence: {} }, "b"), again],
    {
      subtask: "a",
      decision: "run the checks of attempt 1 again (round 2)",
      seen: ["failing: a check"],
      why: BLAMED,
    },
  ],
  [
    "checks that could not run",
    [checksEnded({ kind: "could-not-run", evidence: {} }), again],
    {
      subtask: "a",
      decision: "run the checks of attempt 1 again (round 2)",
      seen: ["a check could not run"],
      why: "a check that cannot run is not a failing check: the work is not blamed",
    },
  ],
  [
    "a nudge",
    [loopSeen(1), { kind: "nudge-sent", subtask: "a", attempt: 1, words: "look\nup" }],
    {
      subtask: "a",
      decision: "nudge attempt 1",
      seen: ["pattern: same_call"],
      why: "first a word, then an interruption: look up",
    },
  ],
  [
    "an interruption",
    [loopSeen(1), { kind: "attempt-interrupted", subtask: "a", attempt: 1, reason: "it\nloops" }],
    {
      subtask: "a",
      decision: "interrupt attempt 1",
      seen: ["pattern: same_call"],
      why: "it loops",
    },
  ],
  [
    "an interruption of another attempt than the one that looped",
    [loopSeen(1), { kind: "attempt-interrupted", subtask: "a", attempt: 2, reason: "time" }],
    { subtask: "a", decision: "interrupt attempt 2", seen: ["time"], why: "time" },
  ],
  [
    "a question",
    [{ kind: "checkpoint-opened", checkpoint: checkpoint("a") }],
    {
      subtask: "a",
      decision: "ask a person (a/c1)",
      seen: ["the error", "2 attempts made", "blocks 1: other"],
      considered: [
        { rung: "skip", recovery: "Skip this subtask", verdict: "offered" },
        { rung: "retry", recovery: "Retry with modifications", verdict: "recommended" },
        { rung: "manual", recovery: "Handle manually", verdict: "offered" },
      ],
      why: "Subtask a failed. How should it go on?",
    },
  ],
  [
    "a question that blocks nothing and has no error",
    [
      {
        kind: "checkpoint-opened",
        checkpoint: checkpoint("a", {
          context: { goal: "g", error: "", attempts: 0, blocks: [], blocksCount: 0 },
          options: [],
        }),
      },
    ],
    {
      subtask: "a",
      decision: "ask a person (a/c1)",
      seen: ["0 attempts made"],
      considered: [],
      why: "Subtask a failed. How should it go on?",
    },
  ],
  [
    "a question joined",
    [
      failed("a", 1, "billing"),
      { kind: "checkpoint-joined", subtask: "a", checkpoint: "b/c1", of: "b" },
    ],
    {
      subtask: "a",
      decision: "wait for the answer to b/c1",
      seen: ["billing: it is billing", "b/c1 is open"],
      why: "b met the same cause and asked already: one question, one answer",
    },
  ],
  [
    "an answer followed",
    [
      {
        kind: "checkpoint-followed",
        subtask: "a",
        checkpoint: "b/c1",
        answer: { kind: "manual", done: true },
      },
    ],
    {
      subtask: "a",
      decision: "the answer counts for it too: done by hand",
      seen: ["b/c1"],
      why: "it had joined that question",
    },
  ],
  [
    "an answer",
    [{ kind: "checkpoint-closed", checkpoint: "c1", answer: { kind: "skip" }, by: "sam" }],
    {
      decision: "the question was answered: skip",
      seen: ["c1, by sam"],
      why: "the first answer stands",
      said: "sam answered: skip.",
    },
  ],
];

for (const [name, events, told] of ROWS)
  test(`explained: ${name}`, () => {
    const { considered = [], ...rest } = last(...events) ?? {};
    const { considered: weighed, ...expected } = told;
    assert.deepEqual(rest, { seq: events.length, ...expected });
    if (weighed !== undefined) assert.deepEqual(considered, weighed);
    else assert.match(considered[0]?.verdict ?? "", /^chosen/);
  });
