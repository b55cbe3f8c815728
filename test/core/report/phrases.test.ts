// The words for recoveries, stories and answers that every screen shares.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { UnenforcedBudget } from "../../../src/core/budget.ts";
import type { PastEvent } from "../../../src/core/history/run-history.ts";
import {
  answerText,
  lastFailureWords,
  recoveriesDone,
  recoveryDid,
  recoveryDoes,
  storyText,
  tightBudgetText,
  unenforcedBudgetText,
} from "../../../src/core/report/phrases.ts";
import type { FailureKind } from "../../../src/core/kinds.ts";
import type { Recovery } from "../../../src/core/recovery.ts";
import { failed } from "../../cli/terminal/events.ts";

const entry = { agent: "scout", tier: 2 };
const branch = { id: "x", approach: "", iterationsLeft: 1 };

test("a recovery says what it did and what it will do, with the model or the number it is about", () => {
  const rows: readonly (readonly [Recovery, string, string])[] = [
    [{ kind: "sidegrade", entry }, "switched to scout", "switch to scout"],
    [
      { kind: "sidegrade", entry: { ...entry, model: "large\n2" } },
      "switched to large 2",
      "switch to large 2",
    ],
    [
      { kind: "escalate", entry: { ...entry, model: "large" }, thinking: true, budgetFactor: 1 },
      "switched to large",
      "switch to large",
    ],
    [
      { kind: "escalate", entry, thinking: true, budgetFactor: 1 },
      "asked it to think longer",
      "ask it to think longer",
    ],
    [
      { kind: "explore", branches: [branch, branch] as never },
      "tried 2 approaches side by side",
      "try 2 approaches side by side",
    ],
    [
      { kind: "fresh", startOf: 1 },
      "started fresh from where the subtask began",
      "start fresh from where the subtask began",
    ],
    [
      { kind: "fresh", goodCommit: "abc" },
      "started fresh from the last good commit",
      "start fresh from the last good commit",
    ],
  ];
  for (const [recovery, did, does] of rows)
    assert.deepEqual([recoveryDid(recovery), recoveryDoes(recovery)], [did, does]);
});

const failure = (kind: FailureKind, because = "x"): PastEvent => ({
  kind: "failure",
  attempt: 1,
  failure: { ...failed("a", 1, kind).failure, because: [because] },
});
const recovery = (...recoveries: readonly Recovery[]): PastEvent => ({
  ...{ kind: "recovery", recoveries, chosenBy: { by: "rung", id: "r" }, because: "b" },
});
const [feedback, skip, ask] = [{ kind: "feedback" }, { kind: "skip" }, { kind: "ask" }] as const;

test("a story tells each cause with what was done about it, and the last cause while it is open", () => {
  const back = "sent the failing output back";
  const failing = failure("verification_failed");
  const circle: PastEvent = { kind: "circle", because: "A-B-A" };
  const rows: readonly (readonly [readonly PastEvent[], string])[] = [
    [[], ""],
    [[failing], "checks failed"],
    [[failing, recovery(feedback)], `checks failed → ${back}`],
    [
      [failing, recovery(feedback), failing, recovery(feedback), failing],
      `checks failed → ${back} ×2; checks failed`,
    ],
    [
      [failing, recovery(feedback), circle, recovery(skip, ask)],
      `checks failed → ${back}; going in circles → gave the subtask up and asked you`,
    ],
    [
      [
        failing,
        recovery(feedback),
        failing,
        recovery({ kind: "continue" }),
        failing,
        recovery(feedback),
      ],
      `checks failed → ${back}, ${recoveryDid({ kind: "continue" })}, ${back}`,
    ],
  ];
  for (const [events, story] of rows) assert.equal(storyText(events), story);
});

test("what was done before somebody was asked is told with how often, without the asking", () => {
  assert.deepEqual(
    recoveriesDone([
      failure("verification_failed"),
      recovery(feedback),
      recovery({ kind: "fresh", startOf: 1 }, feedback),
      recovery(skip, ask),
    ]),
    ["sent the failing output back (2 times)", "started fresh from where the subtask began"],
  );
  const failures = [failure("verification_failed", "wrong sum"), failure("hung", "no\noutput")];
  assert.equal(lastFailureWords([...failures, recovery(feedback)]), "no output");
  assert.equal(lastFailureWords([recovery(feedback)]), undefined);
});

test("answers and tight budgets are told in words, with what they are about", () => {
  assert.equal(answerText({ kind: "retry", words: "use\nsqlite" }), "retry: use sqlite");
  assert.equal(answerText({ kind: "manual", done: true }), "done by hand");
  assert.equal(answerText({ kind: "manual", done: false }), "handled by hand");
  const tight = (running: number): string =>
    tightBudgetText({
      ...{ kind: "budget-tight", subtask: "a", measure: "usd", limit: 2 },
      running,
    });
  assert.match(tight(1), /^what is left of \$2.* is too little .* beside the one under way$/);
  assert.match(tight(3), / beside the 3 under way$/);
});

test("a budget that cannot limit some agents says whose it is, five of them by name, and what does", () => {
  const agents = ["a1", "a2", "a3", "a4", "a5", "a6", "a7"];
  const text = (more: Partial<UnenforcedBudget>): string =>
    unenforcedBudgetText({
      ...{ measure: "usd", agents, limits: { run: 2 }, holding: {} },
      ...more,
    });
  assert.match(
    text({ holding: { attempts: 3 } }),
    /^the \S+ budget of the run \(.*\) cannot limit agents a1, a2, a3, a4, a5 and 2 more: they are not known to report their cost; what limits them: .*3/,
  );
  assert.match(
    text({ agents: ["a1"], limits: { recovery: 1, subtasks: 1 } }),
    / budget of recovery \(.*\) and of a subtask cannot limit agent a1: it is not known /,
  );
  assert.match(
    text({ agents: agents.slice(0, 5), limits: { subtasks: 2 } }),
    / 2 subtasks .* a5: /,
  );
  const otherwise = { attempts: 6, iterations: 6 };
  assert.match(text({ otherwise }), /what limits them: at most 6 attempts of a subtask$/);
  assert.match(
    text({ otherwise: { ...otherwise, iterations: 5, attemptMs: 60_000 } }),
    /: at most 6 attempts of a subtask, 5 of them for recovery, [^,]+ each$/,
  );
});
