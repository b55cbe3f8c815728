// proves: U1
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cleanLine } from "../../../src/core/foreign-text.ts";
import { lineWidth, plain } from "../../../src/cli/screen/line.ts";
import type { RunView } from "../../../src/operations/follow/run-lines.ts";
import type { SubtaskView } from "../../../src/operations/follow/run-view.ts";
import { treeLines } from "../../../src/cli/screen/tree.ts";
import { run, subtask, T0 } from "./views.ts";

const NOW = T0 + 65_000;
const SIZE = { columns: 80, rows: 24 };
const rows = (...subtasks: readonly SubtaskView[]): readonly string[] =>
  treeLines(run(subtasks), SIZE, NOW).slice(2).map(plain);

for (const [name, given, expected] of [
  ["not begun", subtask("a"), [" · a        pending"]],
  ["after another", subtask("b", { after: ["a"] }), [" · b        pending     after a"]],
  ["blocked", subtask("b", { phase: "blocked", after: ["a"] }), [" - b        blocked     by a"]],
  [
    "an agent at work, in its second attempt",
    subtask("a", {
      phase: "running",
      attempts: 2,
      startedAt: T0,
      recovery: "feedback after verification_failed",
      running: [{ attempt: 2, startedAt: NOW - 4000, step: "Bash npm test" }],
    }),
    [
      " ▸ a        running     attempt 2       4s  feedback after verification_failed",
      "   └ Bash npm test",
    ],
  ],
  [
    "branches",
    subtask("a", {
      phase: "running",
      attempts: 5,
      recovery: "explore 2 branches after looping",
      running: [
        { attempt: 4, startedAt: NOW - 9000, branch: "bottom-up", step: "reading" },
        { attempt: 5, startedAt: NOW - 9000, branch: "constrained", step: "" },
      ],
    }),
    [
      " ▸ a        running     2 branches      9s  explore 2 branches after looping",
      "   ├ bottom-up: reading",
      "   └ constrained",
    ],
  ],
  [
    "a wait counts down",
    subtask("a", {
      phase: "waiting",
      attempts: 1,
      recovery: "wait after rate_limited",
      wait: { dueAt: NOW + 3_725_000, reason: "reset time" },
    }),
    [" ◔ a        waiting     again in 1h 02m (reset time)  wait after rate_limited"],
  ],
  [
    "an overdue wait is never negative",
    subtask("a", { phase: "waiting", wait: { dueAt: NOW - 5000, reason: "backoff" } }),
    [" ◔ a        waiting     again in 0s (backoff)"],
  ],
  [
    "between attempts",
    subtask("a", { attempts: 1, recovery: "fresh after broken_build" }),
    [" · a        pending     attempt 2 next  fresh after broken_build"],
  ],
  [
    "verified after a recovery",
    subtask("a", {
      phase: "verified",
      attempts: 2,
      startedAt: T0,
      endedAt: T0 + 61_000,
      story: "looping → mutate (rephrase)",
    }),
    [" ✓ a        verified    2 attempts  1m 01s  looping → mutate (rephrase)"],
  ],
  [
    "given up",
    subtask("a", { phase: "stuck", attempts: 9, startedAt: T0, parked: "nothing is left" }),
    [" ✗ a        stuck       9 attempts  1m 05s  nothing is left"],
  ],
] as const)
  test(`tree: ${name}`, () => {
    assert.deepEqual(rows(given), expected);
  });

test("tree: the head tells states, time, and what is spent of which budget", () => {
  const [first, second] = treeLines(
    run([subtask("a"), subtask("b", { phase: "verified" })], {
      ledger: { spent: { usd: 0.417, attempts: 3 }, untold: {} },
      limit: { usd: 5, attempts: 20 },
    }),
    SIZE,
    NOW,
  ).map(plain);
  assert.equal(first, "run r1  a goal");
  assert.equal(second, "  1 verified, 1 pending · 1m 05s · $0.42 of $5.00 · 3 of 20 attempts");
});

test("tree: questions are named at the foot, also the run's own; a run that only waits says so", () => {
  const question = { id: "a/c1", question: "How?" };
  const asking = subtask("a", { phase: "asking", attempts: 1, question });
  const foot = (view: RunView): string => plain(treeLines(view, SIZE, NOW).at(-1) ?? []);
  assert.equal(foot(run([asking])), "  1 question for you: unstuck review");
  assert.equal(
    foot(run([asking], { needsPerson: true, question })),
    "  nothing else can continue; 2 questions for you: unstuck review",
  );
});

test("tree: an alert has a line of its own below its subtask, in red", () => {
  const asking = subtask("a", {
    phase: "asking",
    attempts: 9,
    alert: "critical alert: nothing left",
  });
  const lines = treeLines(run([asking, subtask("b")]), SIZE, NOW);
  const [row = [], below = [], next = []] = lines.slice(2);
  assert.deepEqual(row[2], ["asking", "red"]);
  assert.deepEqual(below, [["   ! critical alert: nothing left", "red"]]);
  assert.match(plain(next), / b /);
});

test("tree: what is under way and what needs a person is shown when there is no room for all", () => {
  const many = Array.from({ length: 500 }, (_, index) => subtask(`p${index}`));
  const busy = subtask("busy", {
    phase: "running",
    attempts: 1,
    running: [{ attempt: 1, startedAt: NOW, step: "working" }],
  });
  const lines = treeLines(run([...many, busy]), { columns: 80, rows: 10 }, NOW).map(plain);
  assert.equal(lines.length, 10);
  assert.ok(lines.some((line) => line.includes("busy")));
  assert.ok(lines.includes("   └ working"));
  assert.match(lines.at(-1) ?? "", /… and \d+ pending$/);
});

const text = fc.string({ unit: "grapheme" }).map((words) => cleanLine(words, 60));
const anySubtask: fc.Arbitrary<SubtaskView> = fc.record({
  id: text,
  phase: fc.constantFrom(
    ...(["pending", "running", "waiting", "asking", "verified"] as const),
    ...(["unverified", "answered", "stuck", "blocked", "skipped"] as const),
  ),
  attempts: fc.nat(100),
  running: fc.array(
    fc.record({ attempt: fc.nat(), startedAt: fc.constant(T0), step: text, branch: text }),
    { maxLength: 3 },
  ),
  story: text,
  recovery: text,
  parked: text,
  wait: fc.record({ dueAt: fc.integer({ min: T0 - 1e6, max: T0 + 1e9 }), reason: text }),
  after: fc.array(text),
  question: fc.record({ id: text, question: text }),
  alert: text,
});
const anyRun: fc.Arbitrary<RunView> = fc
  .record({ subtasks: fc.array(anySubtask), title: text, needsPerson: fc.boolean() })
  .map(({ subtasks, ...more }) => run(subtasks, more));

test("tree: never wider than the screen, the tree never higher", () => {
  fc.assert(
    fc.property(
      anyRun,
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 1, max: 60 }),
      (view, columns, height) => {
        const tree = treeLines(view, { columns, rows: height }, NOW);
        assert.ok(tree.length <= height);
        for (const line of tree) assert.ok(lineWidth(line) <= columns, plain(line));
      },
    ),
  );
});

test("tree: the same view, size and time give the same lines", () => {
  fc.assert(
    fc.property(anyRun, (view) => {
      assert.deepEqual(treeLines(view, SIZE, NOW), treeLines(view, SIZE, NOW));
    }),
  );
});

test("what the run itself does before its first attempt is shown, and fits", () => {
  const view = run([subtask("a")], { doing: "running the checks on the base commit" });
  const lines = treeLines(view, { columns: 40, rows: 10 }, T0).map(plain);
  assert.equal(lines[2], " ▸ running the checks on the base commit");
  assert.ok(lines.every((line) => line.length <= 40));
});
