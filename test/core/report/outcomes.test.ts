// proves: U8
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  explained,
  type SubtaskFacts,
  type ExplanationContent,
} from "../../../src/core/report/explanation-parts.ts";
import { OUTCOMES } from "../../../src/core/report/outcome-explanation.ts";
import {
  answerText,
  chosenText,
  listText,
  parkedText,
  recoveryDid,
  recoveryText,
} from "../../../src/core/report/phrases.ts";
import type { Decision } from "../../../src/core/run/decision.ts";
import type { InputOf } from "../../../src/core/run/input.ts";
import { failed, T0 } from "../../cli/terminal/events.ts";

const SEEN: SubtaskFacts = {
  plan: { id: "a", prompt: "do a", dependsOn: [], checks: 1 },
  failure: failed("a", 1, "looping"),
  branches: [
    {
      ...{ kind: "branch-moved", subtask: "a", attempt: 4, branch: "top" },
      ...{ score: 0.4, ended: true },
    },
  ],
};
const FAILED = ["looping: it is looping"];
const SPEC = {} as never;
const ENTRY = { agent: "agent", tier: 1 };
const WAIT: Decision = {
  kind: "wait-scheduled",
  subtask: "a",
  timer: 1,
  dueAt: T0 + 60_000,
  reason: "retry\nafter",
  spec: SPEC,
  since: T0,
};
const END = { subtask: "a", attempt: 3 } as const;

const ROWS: readonly (readonly [
  Decision,
  Omit<ExplanationContent, "considered"> & Partial<ExplanationContent>,
])[] = [
  [
    WAIT,
    {
      decision: "wait until 2026-01-01T12:01:00.000Z",
      seen: FAILED,
      why: "retry after; the outage began 2026-01-01T12:00:00.000Z",
    },
  ],
  [
    {
      kind: "exploration-started",
      subtask: "a",
      branches: [
        { id: "top", approach: "from the\ntop", entry: ENTRY, iterations: 2 },
        { id: "bottom", approach: "from the bottom", entry: ENTRY, iterations: 1 },
      ],
    },
    {
      decision: "explore 2 branches",
      seen: FAILED,
      considered: [
        { rung: "top", recovery: "from the top", verdict: "may start 2 times" },
        { rung: "bottom", recovery: "from the bottom", verdict: "may start once" },
      ],
      why: "each in its own tree; the first that passes its checks wins, else the best",
    },
  ],
  [
    { kind: "exploration-ended", subtask: "a" },
    {
      decision: "no branch is good enough",
      seen: ["branch top, attempt 4: not passed, progress score 0.40"],
      considered: [{ rung: "top", recovery: "branch", verdict: "kept as a snapshot" }],
      why: "none passed its checks, and none came far enough to go on from",
    },
  ],
  [
    {
      kind: "exploration-ended",
      subtask: "a",
      winner: { branch: "top", attempt: 4, verified: false },
    },
    {
      decision: "branch top wins (attempt 4)",
      seen: ["branch top, attempt 4: not passed, progress score 0.40"],
      considered: [{ rung: "top", recovery: "branch", verdict: "chosen" }],
      why: "none passed its checks; the best of them is only the next starting tree",
    },
  ],
  [
    {
      kind: "exploration-ended",
      subtask: "a",
      winner: { branch: "top", attempt: 4, verified: true },
    },
    {
      decision: "branch top wins (attempt 4)",
      seen: [
        "branch top, attempt 4: not passed, progress score 0.40",
        "attempt 4 passed its checks",
      ],
      why: "it passes its checks",
    },
  ],
  [
    { kind: "merge-dispatched", ...END },
    {
      decision: "merge attempt 3",
      seen: ["its checks are not recorded"],
      why: "merges are serial; a clean checkout of the merged commit has to pass before it counts",
    },
  ],
  [
    { kind: "fell-through", subtask: "a", failure: "looping", at: T0 },
    {
      decision: "nothing was left at this level",
      seen: ["looping"],
      why: "the policy has no alternative recovery for it",
    },
  ],
  [
    { kind: "subtask-parked", subtask: "a", phase: "stuck", reason: "too\nmany" },
    { decision: "park it as stuck", seen: FAILED, why: "too many" },
  ],
  [
    { kind: "subtask-done", ...END, phase: "verified" },
    {
      decision: "verified, with attempt 3",
      seen: ["no attempt is recorded", "not merged yet"],
      why: "its checks passed in a clean checkout of what is published",
      said: "The third attempt passed its checks.",
    },
  ],
  [
    { kind: "subtask-done", ...END, phase: "unverified" },
    {
      decision: "unverified, with attempt 3",
      seen: ["no attempt is recorded", "not merged yet"],
      why: "nothing verifies it: only the agent's word",
      said: "The third attempt was taken, though nothing verifies it.",
    },
  ],
  [
    { kind: "budget-warned", of: "run", measure: "usd", spent: 4, limit: 5 },
    {
      decision: "warn about the money budget of the run",
      seen: ["80 % used, $4.00 of $5.00"],
      why: "at 80 % a warning comes, before the stop",
    },
  ],
];

const explainedOutcome = (event: Decision, seen: SubtaskFacts): ExplanationContent | undefined =>
  explained(OUTCOMES, event, seen, { subtasks: new Map() });

for (const [event, told] of ROWS)
  test(`explained: ${event.kind}, ${told.why}`, () => {
    const { considered = [], ...rest } = explainedOutcome(event, SEEN) ?? {};
    const { considered: weighed, ...expected } = told;
    assert.deepEqual(rest, expected);
    if (weighed !== undefined) assert.deepEqual(considered, weighed);
    else assert.match(considered[0]?.verdict ?? "", /^chosen/);
  });

test("what is not recorded is said to be missing, not left out", () => {
  assert.deepEqual(explainedOutcome(WAIT, {})?.seen, ["no failure is recorded"]);
});

test("what a merge is told to have passed is what its checks said", () => {
  const seen = (result: InputOf<"checks-ended">["result"]): readonly string[] | undefined => {
    const checks = { kind: "checks-ended", at: T0, chance: 0, round: 1, ...END, result } as const;
    return explainedOutcome({ kind: "merge-dispatched", ...END }, { ...SEEN, checks })?.seen;
  };
  assert.deepEqual(seen({ kind: "passed" }), ["its own checks passed"]);
  assert.deepEqual(
    seen({ kind: "passed", notes: [{ kind: "dropped-checks", checks: ["npm test"] }] }),
    ["what was left of its checks passed"],
  );
  assert.deepEqual(seen({ kind: "failed", failing: ["x"], evidence: {} }), [
    "it leaves failing only what failed before",
  ]);
});

test("a merge is told where there was one", () => {
  const merge = (kind: "merged" | "conflict"): InputOf<"merge-ended"> => ({
    kind: "merge-ended",
    at: T0,
    chance: 0,
    ...END,
    result: kind === "merged" ? { kind, commit: "c" } : { kind, evidence: {} },
  });
  const done: Decision = { kind: "subtask-done", ...END, phase: "verified" };
  const seen = (kind: "merged" | "conflict"): string | undefined =>
    explainedOutcome(done, { ...SEEN, merge: merge(kind) })?.seen.at(-1);
  assert.equal(
    seen("merged"),
    "its checks passed in a clean checkout of commit c, which was then merged",
  );
  assert.equal(seen("conflict"), "not merged yet");
});

test("other facts explain themselves", () => {
  assert.equal(explainedOutcome({ kind: "merge-queued", ...END }, SEEN), undefined);
});

test("recoveries in words", () => {
  const model = { agent: "agent", model: "big\nmodel", tier: 2 };
  for (const [recovery, words] of [
    [{ kind: "feedback" }, "feedback"],
    [{ kind: "feedback", wording: "examples" }, "feedback (examples)"],
    [{ kind: "fresh", goodCommit: "g", wording: "rephrase" }, "fresh (rephrase)"],
    [{ kind: "mutate", mutation: "rephrase" }, "mutate (rephrase)"],
    [{ kind: "repair", strategy: "search_similar" }, "repair (search_similar)"],
    [{ kind: "sidegrade", entry: ENTRY }, "sidegrade to agent"],
    [{ kind: "sidegrade", entry: model }, "sidegrade to big model"],
    [{ kind: "escalate", entry: model, thinking: false, budgetFactor: 1 }, "escalate to big model"],
    [
      { kind: "escalate", entry: ENTRY, thinking: true, budgetFactor: 2 },
      "escalate to agent (thinking)",
    ],
    [{ kind: "explore", branches: [] }, "explore 0 branches"],
  ] as const)
    assert.equal(recoveryText(recovery), words);
});

test("a fresh start in other words says both", () => {
  const start = { kind: "fresh", startOf: 1, wording: "rephrase" } as const;
  assert.equal(
    recoveryDid(start),
    "started fresh from where the subtask began and put the task in other words",
  );
});

test("what a step of the policy says of itself is its cause, for a person", () => {
  for (const [because, chosen, parked] of [
    [
      "no progress: give-up is the first step of the policy that applies",
      "no progress",
      "no progress, and the policy has nothing else to try",
    ],
    [
      "checks failed: again (1 of 2) is the first step of the policy that applies; passed over: x",
      "checks failed",
      "checks failed, and the policy has nothing else to try",
    ],
    ...["a person skipped it", "x: y is the first step", ""].map((same) => [same, same, same]),
  ] as const) {
    assert.equal(chosenText(because ?? ""), chosen);
    assert.equal(parkedText(because ?? ""), parked);
  }
});

test("answers in words", () => {
  for (const [answer, words] of [
    [{ kind: "skip" }, "skip"],
    [{ kind: "retry", words: "use\ntwo" }, "retry: use two"],
    [{ kind: "manual", done: true }, "done by hand"],
    [{ kind: "manual", done: false }, "handled by hand"],
    [{ kind: "top-up", by: { usd: 5, tokens: 10 } }, "raise the budget by $5.00, 10 tokens"],
  ] as const)
    assert.equal(answerText(answer), words);
});

test("of names the first ten are listed, and how many more there are", () => {
  const names = Array.from({ length: 12 }, (_, n) => `n${n}`);
  assert.equal(listText([]), "");
  assert.equal(listText(["a\nb", "c"]), "a b, c");
  assert.equal(listText(names.slice(0, 10)), "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9");
  assert.equal(listText(names.slice(0, 11)), "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 1 more");
  assert.equal(listText(names), "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 2 more");
});
