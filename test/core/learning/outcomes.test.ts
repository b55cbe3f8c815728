// proves: C7
// Which moves won and lost, read from the events of a run one by one.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  outcomeCollector,
  type ObservedOutcome,
} from "../../../src/core/learning/collect-outcomes.ts";
import { durationCollector } from "../../../src/core/learning/durations.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";

const of = (attempt: number): object => ({ subtask: "a", attempt });
const sent = (
  attempt: number,
  recovery?: string,
  more: { tier?: number; prompt?: object } = {},
) => {
  const entry = { agent: "small", tier: more.tier ?? 1 };
  const spec = { entry, recovery, prompt: more.prompt ?? {} };
  return { kind: "attempt-dispatched", ...of(attempt), spec };
};
const failed = (attempt: number, kind = "timeout", verdict = true): object => {
  return { kind: "failure-classified", ...of(attempt), failure: { kind }, verdict };
};
const done = (attempt: number, more: object = {}): object => {
  return { kind: "subtask-done", ...of(attempt), phase: "verified", ...more };
};
const chosen = (id: string, considered: readonly object[] = []): object => {
  return { kind: "recovery-chosen", subtask: "a", chosenBy: { by: "rung", id }, considered };
};
const cutOff = (attempt: number): object => ({ kind: "attempt-cut-off", ...of(attempt) });
const explored = (winner?: object): object => {
  return { kind: "exploration-ended", subtask: "a", winner };
};
const branch = (attempt: number) => sent(attempt, "explore", { prompt: { branch: { id: "b" } } });

function all(...events: readonly object[]): readonly ObservedOutcome[] {
  const collector = outcomeCollector();
  return events.flatMap((event) => collector.add(event as RunEvent));
}
const told = (...events: readonly object[]): readonly string[] =>
  all(...events).map(({ won, move, tierStep }) => `${won ? "won" : "lost"} ${move} +${tierStep}`);

const FIRST = [sent(1), failed(1)];
const ROWS: readonly [string, readonly object[], readonly string[]][] = [
  [
    "a recovery that led to a verified end won",
    [...FIRST, sent(2, "retry"), done(2)],
    ["won retry +0"],
  ],
  [
    "each attempt is judged once",
    [...FIRST, sent(2, "retry"), failed(2), failed(2), done(2)],
    ["lost retry +0"],
  ],
  [
    "unverified is neither won nor lost",
    [...FIRST, sent(2, "retry"), done(2, { phase: "unverified" })],
    [],
  ],
  [
    "an answer is won",
    [...FIRST, sent(2, "retry"), done(2, { phase: "answered" })],
    ["won retry +0"],
  ],
  [
    "no answer is neither won nor lost",
    [...FIRST, sent(2, "retry"), done(2, { phase: "answered", unanswered: "why" })],
    [],
  ],
  [
    "what is done is forgotten: a new round begins without a symptom",
    [...FIRST, sent(2, "retry"), done(2), sent(3, "retry"), done(3)],
    ["won retry +0"],
  ],
  [
    "cut off by a pause, the attempt in its place is judged for the move that was made",
    [...FIRST, sent(2, "feedback"), cutOff(2), sent(3, "fresh"), done(3), cutOff(3)],
    ["won feedback +0"],
  ],
  [
    "so by an outage, and only once",
    [
      ...FIRST,
      sent(2, "feedback"),
      failed(2, "server_overloaded", false),
      sent(3, "wait"),
      failed(3),
    ].concat([sent(4, "fresh"), done(4)]),
    ["lost feedback +0", "won fresh +0"],
  ],
  [
    "an outage of a first attempt carries nothing on",
    [sent(1), failed(1, "server_overloaded", false), sent(2, "wait"), done(2)],
    [],
  ],
  ["a person's turn is no move", [...FIRST, sent(2), done(2)], []],
  [
    "up one tier, then down again",
    [
      ...FIRST,
      sent(2, "escalate", { tier: 3 }),
      failed(2),
      sent(3, "sidegrade", { tier: 1 }),
      done(3),
    ],
    ["lost escalate +2", "won sidegrade +0"],
  ],
  [
    "escalated without a stronger model is thinking longer",
    [
      ...FIRST,
      sent(2, "escalate", { tier: 2 }),
      failed(2),
      sent(3, "escalate", { tier: 2 }),
      done(3),
    ],
    ["lost escalate +1", "won think +1"],
  ],
  [
    "branches that all fail lose together, once",
    [...FIRST, branch(2), branch(3), failed(2), failed(3), explored(), explored(), done(3)],
    ["lost explore +0"],
  ],
  [
    "a best branch that is not verified has lost; going on from it is not exploring",
    [...FIRST, branch(2), failed(2), explored({ verified: false }), sent(3, "explore"), done(3)],
    ["lost explore +0"],
  ],
  [
    "a verified branch wins for all of them, when it is merged",
    [...FIRST, branch(2), branch(3), failed(2), explored({ verified: true }), done(3)],
    ["won explore +0"],
  ],
  [
    "what was never begun says nothing",
    [failed(1), chosen("x"), cutOff(1), explored(), done(1)],
    [],
  ],
  [
    "other events say nothing",
    [...FIRST, { kind: "received", input: {} }, { kind: "new-one" }],
    [],
  ],
];
for (const [name, events, expected] of ROWS)
  test(name, () => assert.deepEqual(told(...events), expected));

test("what was expected is what was said of the choice itself, and not of the move's strategy", () => {
  const considered = [
    { rung: "fresh", success: 0.9 },
    { rung: "repair", success: 0.4 },
  ];
  const named = { prompt: { strategy: "file_not_found/verify_path" } };
  const events = [...FIRST, chosen("repair", considered), sent(2, "repair", named), done(2)];
  assert.deepEqual(
    all(...events).map(({ move, expected, symptom, agent }) => [move, expected, symptom, agent]),
    [
      ["repair", 0.4, "timeout", "small"],
      ["repair/verify_path", undefined, "timeout", "small"],
    ],
  );
});

test("a choice that says nothing of its chances takes back what was said before", () => {
  const said = chosen("retry", [{ rung: "retry", success: 0.4 }]);
  const events = [
    ...FIRST,
    said,
    sent(2, "retry"),
    failed(2),
    chosen("x"),
    sent(3, "fresh"),
    done(3),
  ];
  assert.deepEqual(
    all(...events).map(({ expected }) => expected),
    [0.4, undefined],
  );
});

test("only an attempt that ended by itself and told its time says how long one takes", () => {
  const ended = (attempt: number, timeMs: number | undefined, more: object = {}): object => {
    const remains = { used: { timeMs } };
    const input = { kind: "attempt-ended", ...of(attempt), outcome: "finished", remains, ...more };
    return { kind: "received", input };
  };
  const times = (...events: readonly object[]): readonly number[] => {
    const collector = durationCollector();
    return events.flatMap((event) => collector.add(event as RunEvent).map(({ ms }) => ms));
  };
  assert.deepEqual(times(sent(1), ended(1, 5000.4), ended(1, 5000)), [5000], "once");
  assert.deepEqual(times(sent(1), ended(1, 9, { observed: { kind: "hung" } })), []);
  assert.deepEqual(times(sent(1), ended(1, 9, { outcome: "failed" })), []);
  assert.deepEqual(times(sent(1), ended(1, 0)), []);
  assert.deepEqual(times(sent(1), ended(1, undefined)), []);
  assert.deepEqual(times(ended(1, 9)), [], "its start was not seen");
});
