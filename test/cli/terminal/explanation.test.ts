// proves: U8
import assert from "node:assert/strict";
import { test } from "node:test";
import { explainer } from "../../../src/core/report/explanation.ts";
import type { Explanation } from "../../../src/core/report/explanation-parts.ts";
import { NOT_STUCK } from "../../../src/core/progress/stuck-state.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { checkpoint, chosen, ended, failed, received, started, T0 } from "./events.ts";

function explained(...events: readonly RunEvent[]): Explanation[] {
  const { explain } = explainer();
  return events.flatMap((event, index) => explain(index + 1, event) ?? []);
}
const last = (...events: readonly RunEvent[]): Explanation | undefined =>
  explained(started("a", "b"), ...events).at(-1);

test("a recovery: the failure of the same subtask, its progress, every rung with its verdict, the rule", () => {
  const rungs = [
    { rung: "repair", recovery: "repair", verdict: "no chain" },
    { rung: "feedback", recovery: "feedback", verdict: "chosen" },
  ];
  const told = last(
    failed("a", 2, "verification_failed"),
    {
      kind: "progress-scored",
      subtask: "a",
      attempt: 2,
      score: 0.1,
      state: { ...NOT_STUCK, status: "warning" },
      progressed: false,
      recovered: false,
    },
    failed("b", 7, "auth_required"),
    chosen("a", [{ kind: "feedback" }], "feedback", rungs),
  );
  assert.equal(told?.subtask, "a");
  assert.equal(told?.decision, "feedback");
  assert.deepEqual(told?.considered, rungs);
  assert.equal(told?.why, "feedback: because of feedback");
  const seen = told?.seen.join("\n") ?? "";
  assert.match(seen, /attempt 2: verification_failed \(systematic, check\), confidence/);
  assert.match(
    seen,
    /it is verification_failed\nfailing: adds up\nprogress score 0.10, too little: warning/,
  );
  assert.doesNotMatch(seen, /auth_required/);
});

test("guard rails and structure rules say that the rungs were not asked", () => {
  const by = (rule: string): string =>
    last(failed("a", 1, "auth_required"), chosen("a", [{ kind: "ask" }], rule))?.considered[0]
      ?.verdict ?? "";
  assert.match(by("guard:fatal"), /a guard rail binds every policy/);
  assert.match(by("structure:re-ask"), /the kind of failure alone decides/);
});

test("a circular fix is told with the recovery it leads to, and forgotten with the next failure", () => {
  const circle: RunEvent = {
    kind: "circular-fix-seen",
    subtask: "a",
    because: "attempt 3 ends with the tree of attempt 1",
    ban: true,
  };
  const mutate = chosen("a", [{ kind: "mutate", mutation: "rephrase" }], "mutate");
  const all = explained(failed("a", 3, "verification_failed"), circle, mutate);
  assert.match(all[0]?.why ?? "", /retry and feedback are ruled out/);
  assert.match(all[1]?.seen.join() ?? "", /circular fix: attempt 3 ends with/);
  assert.equal(all[1]?.decision, "mutate (rephrase)");
  const later = last(circle, failed("a", 4, "looping"), mutate);
  assert.doesNotMatch(later?.seen.join() ?? "", /circular/);
});

const loop: RunEvent = received({
  kind: "loop-seen",
  at: T0,
  chance: 0,
  subtask: "a",
  attempt: 1,
  level: "stuck",
  pattern: "same_call",
  words: "stop",
});
const redChecks: RunEvent = received({
  kind: "checks-ended",
  at: T0,
  chance: 0,
  subtask: "a",
  attempt: 1,
  round: 1,
  result: { kind: "failed", failing: ["it adds"], evidence: {} },
});

for (const [name, events, decision, seen, why] of [
  [
    "wait",
    [
      failed("a", 1, "rate_limited"),
      {
        kind: "wait-scheduled",
        subtask: "a",
        timer: 1,
        dueAt: T0 + 60_000,
        reason: "retry-after",
        spec: {} as never,
        since: T0,
      },
    ],
    /^wait until 2026-01-01T12:01:00/,
    /rate_limited: it is rate_limited/,
    /as long as the server asked for; the outage began 2026/,
  ],
  [
    "budget",
    [{ kind: "budget-warned", of: "run", measure: "usd", spent: 4.1, limit: 5 }],
    /warn about the money budget of the run/,
    /^82 % used, \$4\.10 of \$5\.00$/,
    /before the stop/,
  ],
  [
    "loop",
    [loop, { kind: "attempt-interrupted", subtask: "a", attempt: 1, reason: "it loops" }],
    /interrupt attempt 1/,
    /pattern: same_call/,
    /it loops/,
  ],
  [
    "nudge",
    [loop, { kind: "nudge-sent", subtask: "a", attempt: 1, words: "look at the file" }],
    /nudge attempt 1/,
    /same_call/,
    /look at the file/,
  ],
  [
    "flaky check",
    [redChecks, { kind: "checks-dispatched", subtask: "a", attempt: 1, round: 2 }],
    /again \(round 2\)/,
    /failing: it adds/,
    /may be flaky/,
  ],
  [
    "merge",
    [{ kind: "merge-dispatched", subtask: "a", attempt: 1 }],
    /merge attempt 1/,
    /its checks are not recorded/,
    /a clean checkout of the merged commit has to pass/,
  ],
  [
    "checkpoint",
    [{ kind: "checkpoint-opened", checkpoint: checkpoint("a") }],
    /ask a person \(a\/c1\)/,
    /the error.*2 attempts made.*blocks 1: other/s,
    /How should it go on\?/,
  ],
  [
    "a question joined",
    [
      failed("a", 1, "billing"),
      { kind: "checkpoint-joined", subtask: "a", checkpoint: "b/c1", of: "b" },
    ],
    /wait for the answer to b\/c1/,
    /billing/,
    /b met the same cause/,
  ],
  [
    "an answer followed",
    [
      {
        kind: "checkpoint-followed",
        subtask: "a",
        checkpoint: "b/c1",
        answer: { kind: "retry", words: "paid" },
      },
    ],
    /counts for it too: retry: paid/,
    /b\/c1/,
    /had joined/,
  ],
  [
    "answer",
    [
      {
        kind: "checkpoint-closed",
        checkpoint: "a/c1",
        answer: { kind: "top-up", by: { usd: 5 } },
        by: "sam",
        subtask: "a",
      },
    ],
    /raise the budget by \$5\.00/,
    /a\/c1, by sam/,
    /first answer stands/,
  ],
  [
    "branches",
    [
      {
        kind: "exploration-ended",
        subtask: "a",
        winner: { branch: "b1", attempt: 4, verified: true },
      },
    ],
    /branch b1 wins \(attempt 4\)/,
    /^attempt 4 passed its checks$/,
    /passes its checks/,
  ],
  [
    "end",
    [{ kind: "run-ended", outcome: "failed", reason: "1 was given up" }],
    /the run ends: failed/,
    /^2 subtasks: 2 not started$/,
    /1 was given up/,
  ],
] as const satisfies readonly (readonly [string, readonly RunEvent[], RegExp, RegExp, RegExp])[])
  test(`explained: ${name}`, () => {
    const told = last(...events);
    assert.match(told?.decision ?? "nothing", decision);
    assert.match(told?.seen.join("\n") ?? "nothing", seen);
    assert.match(told?.why ?? "nothing", why);
  });

const asPlanned = (more: object): RunEvent => {
  const start = started("a");
  assert.ok(start.kind === "received" && start.input.kind === "run-started");
  const subtasks = start.input.plan.subtasks.map((subtask) => ({ ...subtask, ...more }));
  return received({ ...start.input, plan: { ...start.input.plan, subtasks } });
};
const mergeEnded: RunEvent = received({
  ...{ kind: "merge-ended", at: T0, chance: 0, subtask: "a", attempt: 1 },
  result: { kind: "merged", commit: "c" },
});
const done = (phase: "verified" | "unverified" | "answered", unanswered?: string): RunEvent => ({
  ...{ kind: "subtask-done", subtask: "a", attempt: 1 },
  phase,
  ...(unanswered === undefined ? {} : { unanswered }),
});
const byHand: RunEvent = {
  ...{ kind: "checkpoint-closed", checkpoint: "a/c1", by: "sam", subtask: "a" },
  answer: { kind: "manual", done: true },
};

for (const [name, events, seen, why] of [
  [
    "no checks, merged: nothing is said to have passed",
    [asPlanned({ checks: 0 }), ended("a", 1, T0), mergeEnded, done("unverified")],
    ["the agent says it is done", "it changed the tree", "it has no checks", "merged as commit c"],
    /only the agent's word/,
  ],
  [
    "read-only: no check is said to have passed",
    [asPlanned({ checks: 0, readOnly: true }), ended("a", 1, T0), done("answered")],
    ["the agent says it is done", "it changed the tree"],
    /its answer is what it is for, and what it changed is discarded/,
  ],
  [
    "read-only, without an answer: why, and that nobody waits for it",
    [
      asPlanned({ checks: 0, readOnly: true }),
      ended("a", 1, T0),
      done("answered", "it was silent"),
    ],
    ["it was silent"],
    /a gave no answer: it was silent; it never holds up the others/,
  ],
  [
    "by hand, without checks: a person's word",
    [asPlanned({ checks: 0 }), ended("a", 1, T0), byHand, done("unverified")],
    ["a/c1 was answered: done by hand", "it has no checks"],
    /only a person's word/,
  ],
] as const)
  test(`explained: done, ${name}`, () => {
    const told = explained(...events).at(-1);
    assert.deepEqual(told?.seen, seen);
    assert.match(told?.why ?? "", why);
  });

test("a question is told with its subtask, a failure nobody knows with its own words", () => {
  assert.equal(last({ kind: "checkpoint-opened", checkpoint: checkpoint("a") })?.subtask, "a");
  const unknown = failed("a", 1, "unknown", "\nthe gate said no\n");
  const told = last(unknown, chosen("a", [{ kind: "retry" }], "retry"));
  assert.ok(told?.seen.includes("it said: the gate said no"), told?.seen.join("\n"));
});

test("foreign words in a decision are tamed", () => {
  const told = last({
    kind: "subtask-parked",
    subtask: "a",
    phase: "stuck",
    reason: "x\x1b[2Jy\u202e",
  });
  assert.equal(told?.why, "xy");
});
