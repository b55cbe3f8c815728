// proves: A6, B3, B4, D4, U9
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Recovery } from "../../../src/core/recovery.ts";
import type { AttemptRecord, AttemptSpec } from "../../../src/core/run/attempt.ts";
import {
  branchSpec,
  fromBranch,
  retryByPerson,
  specFor,
} from "../../../src/core/run/decide/next-attempt.ts";
import { firstSpec, sameAgain } from "../../../src/core/run/decide/attempt-spec.ts";
import type { BranchState, SubtaskState } from "../../../src/core/run/subtask-state.ts";
import { Driver, LADDER, NO_PROGRESS, plan, subtask } from "./driver.ts";

const START = new Driver("standard", plan([subtask("a")])).of("a");
const fresh = (more: Partial<SubtaskState> = {}): SubtaskState => ({
  ...START,
  lastSpec: undefined,
  ...more,
});
const FIRST: AttemptSpec = {
  entry: START.entry,
  thinking: false,
  budgetFactor: 1,
  context: "new",
  tree: { kind: "keep" },
  prompt: {},
  iteration: false,
};

const record = (attempt: number, more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  attempt,
  at: 0,
  entry: START.entry,
  counted: true,
  approach: "",
  success: false,
  kind: "verification_failed",
  failing: ["x"],
  treeBefore: `t${attempt - 1}`,
  treeAfter: `t${attempt}`,
  signals: NO_PROGRESS,
  ...more,
});
const unmerged = { attempts: [record(1), record(2, { unmerged: true })] };

test("a first attempt: a new session on the tree as it is, as strong as the subtask has become", () => {
  assert.deepEqual(firstSpec(fresh()), FIRST);
  const entry = LADDER[3] ?? START.entry;
  assert.deepEqual(firstSpec(fresh({ entry, thinking: true, budgetFactor: 2, words: "w" })), {
    ...FIRST,
    entry,
    thinking: true,
    budgetFactor: 2,
    prompt: { words: "w" },
  });
});

const entry = LADDER[2] ?? START.entry;
const recoveries: readonly [Recovery, Partial<AttemptSpec>][] = [
  [{ kind: "feedback" }, { context: "keep", prompt: { feedback: true } }],
  [
    { kind: "repair", strategy: "timeout/wait" },
    { context: "keep", prompt: { strategy: "timeout/wait" } },
  ],
  [{ kind: "mutate", mutation: "decompose" }, { prompt: { mutation: "decompose" } }],
  [
    { kind: "fresh", goodCommit: "g" },
    { tree: { kind: "good", commit: "g" }, prompt: { summary: true } },
  ],
  [
    { kind: "fresh", goodCommit: "g", wording: "rephrase" },
    { tree: { kind: "good", commit: "g" }, prompt: { summary: true, mutation: "rephrase" } },
  ],
  [
    { kind: "feedback", wording: "examples" },
    { context: "keep", prompt: { feedback: true, mutation: "examples" } },
  ],
  [{ kind: "sidegrade", entry }, { prompt: { feedback: true } }],
  [{ kind: "escalate", entry, thinking: true, budgetFactor: 2 }, { prompt: { feedback: true } }],
];
for (const [recovery, expected] of recoveries)
  test(`what an attempt has for ${recovery.kind}`, () => {
    const whole = { ...FIRST, ...expected, recovery: recovery.kind, iteration: true };
    assert.deepEqual(specFor(fresh(), recovery), whole);
    const spoken = { ...whole, prompt: { ...whole.prompt, words: "w" } };
    assert.deepEqual(specFor(fresh({ words: "w" }), recovery), spoken);
    const rebased = { kind: "rebased", attempt: 2 };
    assert.deepEqual(specFor(fresh(unmerged), recovery), {
      ...whole,
      tree: recovery.kind === "fresh" ? whole.tree : rebased,
    });
  });

const LAST: AttemptSpec = {
  ...FIRST,
  thinking: true,
  tree: { kind: "good", commit: "g" },
  prompt: { mutation: "negative", words: "old" },
  recovery: "mutate",
  iteration: true,
};
const again = (state: Partial<SubtaskState>, recovery: Recovery = { kind: "retry" }) =>
  sameAgain(fresh(state), recovery, false);

test("the same again: as before, on the tree that is left, in the same session", () => {
  assert.deepEqual(again({ lastSpec: LAST, attempts: [record(1)] }), {
    ...LAST,
    context: "keep",
    tree: { kind: "keep" },
    prompt: { mutation: "negative" },
    recovery: "retry",
    iteration: false,
  });
  assert.equal(sameAgain(fresh({ lastSpec: LAST }), { kind: "retry" }, true).iteration, true);
  assert.deepEqual(again({}), { ...FIRST, context: "keep", recovery: "retry" });
  assert.deepEqual(again({ lastSpec: LAST, ...unmerged }).tree, { kind: "rebased", attempt: 2 });
});

test("the same again: one whose tree was never made ready asks for that tree once more", () => {
  const attempts = [record(1), record(2, { treeBefore: "", treeAfter: "" })];
  assert.deepEqual(again({ lastSpec: LAST, attempts }).tree, LAST.tree);
  const third = [record(1), record(2), record(3, { treeBefore: "", treeAfter: "" })];
  assert.deepEqual(again({ lastSpec: LAST, attempts: third }).tree, LAST.tree);
  const first = [record(1, { treeBefore: "", treeAfter: "" }), record(2)];
  assert.deepEqual(again({ lastSpec: LAST, attempts: first }).tree, { kind: "keep" });
});

test("the same again: a reminder, a hand-over, a person's words of now", () => {
  const lastSpec = { ...LAST, prompt: { words: "old" } };
  const remind: Recovery = { kind: "retry", remind: "format" };
  assert.deepEqual(again({ lastSpec }, remind).prompt, { remind: "format" });
  const handed = again({ lastSpec, words: "new" }, { kind: "continue" });
  assert.deepEqual(
    [handed.context, handed.prompt, handed.recovery],
    ["summary", { handOver: true, words: "new" }, "continue"],
  );
  const wait: Recovery = { kind: "wait", wait: { dueAt: 1, reason: "schedule" } };
  assert.deepEqual([again({ lastSpec }, wait).prompt, again({}, wait).recovery], [{}, "wait"]);
});

test("the same again: a branch goes on as itself while its exploration is open, and not after", () => {
  const branch = { id: "top-down", approach: "x" };
  const lastSpec = { ...LAST, prompt: { feedback: true, branch } };
  const open = (id: string): BranchState => ({
    id,
    approach: "x",
    iterationsLeft: 1,
    bestScore: 0,
    bestAttempt: undefined,
    ended: false,
  });
  const kept = { feedback: true, branch };
  assert.deepEqual(again({ lastSpec, branches: [open("other"), open("top-down")] }).prompt, kept);
  assert.deepEqual(again({ lastSpec, branches: [open("other")] }).prompt, { feedback: true });
  assert.deepEqual(again({ lastSpec }).prompt, { feedback: true });
  assert.deepEqual(again({ lastSpec: FIRST, branches: [open("top-down")] }).prompt, {});
});

test("a branch: its own model and approach; from its second start in its session, with feedback", () => {
  const branch = { id: "top-down", approach: "from the top", entry, iterations: 3 };
  const whole = {
    ...FIRST,
    entry,
    prompt: { branch: { id: "top-down", approach: "from the top" } },
    recovery: "explore",
    iteration: true,
  };
  assert.deepEqual(branchSpec(fresh(), branch, false), whole);
  assert.deepEqual(branchSpec(fresh({ words: "w" }), branch, true), {
    ...whole,
    context: "keep",
    prompt: { ...whole.prompt, feedback: true, words: "w" },
  });
});

test("after an exploration: from the best branch's tree, with what is still wrong", () => {
  assert.deepEqual(fromBranch(fresh({ words: "w" }), 7), {
    ...FIRST,
    tree: { kind: "attempt", attempt: 7 },
    prompt: { feedback: true, words: "w" },
    recovery: "explore",
    iteration: true,
  });
});

test("a person's retry starts from the best tree, and is no iteration of recovery", () => {
  const treeFor = (...attempts: readonly AttemptRecord[]) =>
    retryByPerson(fresh({ attempts })).tree;
  assert.deepEqual(retryByPerson(fresh({ words: "w" })), {
    ...FIRST,
    prompt: { feedback: true, words: "w" },
  });
  const worse = record(2, { failing: ["x", "y"] });
  assert.deepEqual(treeFor(record(1)), { kind: "keep" }, "the last is the best");
  assert.deepEqual(treeFor(record(1), worse), { kind: "attempt", attempt: 1 });
  assert.deepEqual(treeFor(worse, record(3)), { kind: "keep" });
  assert.deepEqual(treeFor(record(1, { branch: "b" }), worse), { kind: "keep" }, "a branch's own");
  assert.deepEqual(
    treeFor(record(1), record(2, { treeAfter: "t1", failing: ["x", "y"] })),
    { kind: "keep" },
    "it is there again already",
  );
  const back = record(3, { treeAfter: "t1", failing: ["x", "y"] });
  assert.deepEqual(treeFor(record(1), worse, back), { kind: "keep" }, "also after another");
  assert.deepEqual(treeFor(worse, record(3, { unmerged: true })), { kind: "rebased", attempt: 3 });
});
