// proves: D5
import assert from "node:assert/strict";
import { test } from "node:test";
import { baseProblems } from "../../../src/core/run/make-checkpoint.ts";
import type { Answer } from "../../../src/core/run/input.ts";
import { answerEach } from "../../../src/cli/commands/review.ts";
import { storyText } from "../../../src/core/report/phrases.ts";
import { lineWidth, plain } from "../../../src/cli/screen/line.ts";
import { readAmounts, type ShownQuestion } from "../../../src/cli/screen/question.ts";
import { historyOf } from "../../../src/core/history/collect-history.ts";
import { checkpoint, chosen, dispatched, ended, failed, started, T0 } from "./events.ts";

const DIFF = `diff --git a/x b/x\n@@ -1 +1 @@\n-old\n+new\x1b[2J\n${"+more\n".repeat(60)}`;

const past = historyOf([
  started("a"),
  dispatched("a", 1, T0),
  ended("a", 1, T0, "the first approach"),
  failed("a", 1, "verification_failed", "expected 2"),
  chosen("a", [{ kind: "ask" }], "ask"),
]).subtasks.get("a");
assert.ok(past !== undefined);

const question = (more: Partial<ShownQuestion> = {}): ShownQuestion => ({
  run: "r1",
  repository: "/repo",
  checkpoint: checkpoint("a"),
  seen: 5,
  story: storyText(past.events),
  approaches: [{ attempt: 1, approach: "the first approach", failure: "verification_failed" }],
  diff: DIFF,
  report: "## Stuck Subtask: a",
  folder: "/slots/1",
  ...more,
});

/** A person who types these lines, then nothing more. */
async function typed(questions: readonly ShownQuestion[], ...lines: readonly string[]) {
  const shown: string[] = [];
  const posted: Answer[] = [];
  const left = [...lines];
  const answered = await answerEach(questions, {
    columns: 80,
    show: (texts) => void shown.push(...texts.map(plain)),
    ask: (prompt) => {
      shown.push(prompt);
      return Promise.resolve(left.shift());
    },
    post: (_, answer) => {
      posted.push(answer);
      return Promise.resolve({ stands: true, words: "answered" });
    },
  });
  return { answered, posted, text: shown.join("\n"), left };
}

for (const [name, lines, answer] of [
  ["skip", ["s"], { kind: "skip" }],
  ["retry with words", ["r", "  use two  "], { kind: "retry", words: "use two" }],
  ["manual", ["M"], { kind: "manual", done: false }],
] as const)
  test(`review posts what resolve would post: ${name}`, async () => {
    const { posted, answered } = await typed([question()], ...lines);
    assert.deepEqual(posted, [answer]);
    assert.equal(answered, 1);
  });

test("review: a question in somebody's hands is answered as done", async () => {
  const taken = question({ checkpoint: checkpoint("a", { takenBy: "sam" }) });
  const { posted, text } = await typed([taken], "m");
  assert.deepEqual(posted, [{ kind: "manual", done: true }]);
  assert.match(text, /Handle manually: it is done/);
});

test("review: checks that cannot judge: mended, gone on without, or the run ends", async () => {
  const problems = [{ check: "npm test", why: "mocha: not found", mend: "use --setup 'npm ci'" }];
  const asked = question({ checkpoint: baseProblems({ id: "c1", goal: "g", problems }) });
  for (const [key, answer] of [
    ["r", { kind: "retry", words: "" }],
    ["w", { kind: "without" }],
    ["s", { kind: "skip" }],
  ] as const) {
    const { posted, text } = await typed([asked], key);
    assert.deepEqual(posted, [answer]);
    assert.match(text, /npm test cannot judge the work: mocha: not found/);
    assert.match(text, /use --setup 'npm ci'/);
  }
});

test("review: a top-up is read, a wrong one is asked again", async () => {
  const budget = checkpoint("a", {
    trigger: "BUDGET",
    options: [
      { answer: "top-up", label: "Raise the budget" },
      { answer: "skip", label: "Skip this subtask" },
    ],
    recommendation: "top-up",
  });
  const { posted, text } = await typed(
    [question({ checkpoint: budget })],
    "t",
    "plenty",
    "t",
    "usd=5,minutes=30",
  );
  assert.deepEqual(posted, [{ kind: "top-up", by: { usd: 5, timeMs: 1_800_000 } }]);
  assert.match(text, /expected usd=, tokens=, minutes= or attempts=/);
});

test("review: nothing is posted for later, quit, no words, unknown keys, answers not offered, or the end of input", async () => {
  for (const lines of [["l"], ["q"], ["r", ""], ["x", "", "zzz"], ["t"], [], ["r"]]) {
    const { posted, answered } = await typed([question()], ...lines);
    assert.deepEqual(posted, [], lines.join());
    assert.equal(answered, 0);
  }
  const { text, left } = await typed([question(), question({ run: "r2" })], "l", "q", "s");
  assert.match(text, /question 2 of 2\na\/c1 {2}run r2/);
  assert.deepEqual(left, ["s"], "quit ends it");
});

test("review shows context, attempts, blocks, the diff in part, and marks the recommendation with a word", async () => {
  const { text } = await typed([question()], "q");
  for (const words of [
    "How should it go on?",
    "attempts   2: verification_failed → ask",
    "1. the first approach - verification_failed",
    "error      the error",
    "blocks     1: other",
    "+new",
    "… 44 lines more; d shows it whole",
    "r  Retry with modifications  (recommended)",
  ])
    assert.ok(text.includes(words), words);
  assert.ok(!text.includes("\x1b"));
});

test("review: who else waits for the answer, and when it counts as given", async () => {
  const shared = checkpoint("a", { also: ["b", "c"], expiresAt: T0 });
  const { text } = await typed([question({ checkpoint: shared })], "q");
  assert.match(text, /also for +b, c\n +expires +2026-01-01T12:00:00\.000Z, then: skip/);
});

test("review: the whole diff and the report on demand; the folder for who takes over", async () => {
  const { text } = await typed([question()], "d", "v", "m");
  assert.equal(text.split("+more").length - 1, 60 + 16, "16 in the part, 60 in the whole");
  assert.match(text, /## Stuck Subtask: a/);
  assert.match(text, /its files:\n\/slots\/1/);
});

test("review: every line of a question fits the screen", async () => {
  const long = "wide 日本語 words ".repeat(40);
  const shown: number[] = [];
  await answerEach([question({ checkpoint: checkpoint("a", { question: long }) })], {
    columns: 60,
    show: (texts) => void shown.push(...texts.map(lineWidth)),
    ask: () => Promise.resolve(undefined),
    post: () => Promise.resolve({ stands: true, words: "" }),
  });
  assert.ok(Math.max(...shown) <= 60);
});

for (const [text, read] of [
  ["usd=5", { usd: 5 }],
  ["usd=0.5, tokens=1000", { usd: 0.5, tokens: 1000 }],
  ["minutes=2,attempts=3", { timeMs: 120_000, attempts: 3 }],
] as const)
  test(`amounts: ${text}`, () => assert.deepEqual(readAmounts(text), read));

for (const text of [
  "",
  "5",
  "usd",
  "usd=",
  "usd=-1",
  "usd=0",
  "usd=Infinity",
  "euro=3",
  "usd=1,,",
  "constructor=1",
])
  test(`amounts: ${JSON.stringify(text)} is refused`, () =>
    assert.ok("problem" in readAmounts(text)));
