// proves: D5, P7
import assert from "node:assert/strict";
import { test } from "node:test";
import { baseProblems } from "../../../src/core/run/make-checkpoint.ts";
import type { Answer } from "../../../src/core/run/input.ts";
import { answerEach } from "../../../src/cli/screen/plain-questions.ts";
import { lineWidth, plain } from "../../../src/cli/screen/line.ts";
import { readAmounts, type ShownQuestion } from "../../../src/cli/screen/question.ts";
import { checkpoint, T0 } from "./events.ts";
import { question } from "./shown-question.ts";

/** A person who types these lines, then nothing more. */
async function typed(questions: readonly ShownQuestion[], ...lines: readonly string[]) {
  const shown: string[] = [];
  const posted: Answer[] = [];
  const left = [...lines];
  const answered = await answerEach(questions, {
    ...{ columns: 80, now: T0 + 125_000 },
    showLog: () => Promise.resolve(),
    show: (texts) => void shown.push(...texts.map(plain)),
    ask: (prompt) => {
      shown.push(prompt);
      return Promise.resolve(left.shift());
    },
    post: (_, answer) => {
      posted.push(answer);
      return Promise.resolve({ stands: true, goesOn: true, words: "answered" });
    },
  });
  return { answered, posted, text: shown.join("\n"), left };
}

for (const [name, lines, answer] of [
  ["skip", ["s"], { kind: "skip" }],
  ["retry with words", ["r", "  use two  "], { kind: "retry", words: "use two" }],
  ["manual", ["M"], { kind: "manual", done: false }],
  ["by its number", ["1"], { kind: "skip" }],
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
  assert.match(text, /3\. Done by hand: check it/);
  assert.match(text, /with you sam is on it by hand/);
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
    assert.match(text, /npm test cannot judge the work: mocha: not found\./);
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

test("review: nothing is posted for next, quit, no words, unknown keys, answers not offered, or the end of input", async () => {
  for (const lines of [["n"], ["q"], ["r", ""], ["x", "", "zzz"], ["t"], ["9"], [], ["r"]]) {
    const { posted, answered } = await typed([question()], ...lines);
    assert.deepEqual(posted, [], lines.join());
    assert.equal(answered, 0);
  }
  const { text, left } = await typed([question(), question({ run: "r2" })], "n", "q", "s");
  assert.match(text, /a\/c1 {2}question 2 of 2 · run r2 · asked 2 min ago/);
  assert.deepEqual(left, ["s"], "quit ends it");
});

test("review shows what happened, the evidence, what was tried, what each answer does, and marks the recommendation with a word", async () => {
  const { text } = await typed([question()], "q");
  for (const words of [
    "Subtask a failed.\n  │ the error",
    "tried    sent the failing output back (2 times)",
    "task     g",
    "changed  1 file, +61 -1",
    "blocks   other",
    "1. Skip this subtask\n     Gives this subtask up, and with it 1 subtask that needs it: other.",
    "2. Retry with modifications (recommended)\n     Starts another attempt with your words",
    "d diff · l log · v report · n leave it open · q quit",
  ])
    assert.ok(text.includes(words), `${words}\nin\n${text}`);
  assert.ok(!text.includes("\x1b"));
});

test("review: who else waits for the answer, and when it counts as given", async () => {
  const shared = checkpoint("a", { also: ["b", "c"], expiresAt: T0 });
  const { text } = await typed([question({ checkpoint: shared })], "q");
  const at = new Date(T0);
  const clock = `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
  assert.match(text, /also for b, c/);
  assert.ok(text.includes(`If nobody answers by ${clock}, it is skipped.`), text);
});

test("review: the same cause, the same answer, if the person wants it so", async () => {
  const three = [question(), question({ run: "r2" }), question({ run: "r3" })];
  const all = await typed(three, "s", "y");
  assert.deepEqual([all.posted.length, all.answered], [3, 3]);
  assert.match(all.text, /The same answer for a\/c1, a\/c1, which has the same cause\? \[y\/N\]/);
  const one = await typed(three, "s", "n", "q");
  assert.deepEqual([one.posted.length, one.answered], [1, 1]);
  const byHand = await typed(three, "m", "q");
  assert.doesNotMatch(byHand.text, /The same answer/, "a person's own work is for one question");
});

test("review: the whole diff and the report on demand", async () => {
  const { text } = await typed([question()], "d", "v", "m");
  assert.equal(text.split("+more").length - 1, 60);
  assert.match(text, /## Stuck Subtask: a/);
});

test("review: every line of a question fits the screen", async () => {
  const long = "wide 日本語 words ".repeat(40);
  const shown: number[] = [];
  for (const columns of [40, 60])
    await answerEach([question({ checkpoint: checkpoint("a", { question: long }) })], {
      ...{ columns, now: T0, showLog: () => Promise.resolve() },
      show: (texts) => void shown.push(...texts.map((line) => lineWidth(line) - columns)),
      ask: () => Promise.resolve(undefined),
      post: () => Promise.resolve({ stands: true, goesOn: true, words: "" }),
    });
  assert.ok(Math.max(...shown) <= 0);
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
