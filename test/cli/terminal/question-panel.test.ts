// proves: P7, D5
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { keysIn } from "../../../src/cli/screen/keys.ts";
import { lineWidth, plain } from "../../../src/cli/screen/line.ts";
import { questionPanel } from "../../../src/cli/screen/question-panel.ts";
import type { PanelEffect } from "../../../src/cli/screen/question-panel.ts";
import type { ShownQuestion } from "../../../src/cli/screen/question.ts";
import { checkpoint, T0 } from "./events.ts";
import { question } from "./shown-question.ts";

const OF_LOGIN = checkpoint("b", {
  question: "The agent is not logged in. What next?",
  context: { ...checkpoint("b").context, kind: "auth_required", advice: "run agent login" },
  options: [
    { answer: "retry", label: "Logged in: try again", bare: true },
    { answer: "skip", label: "Skip this subtask" },
  ],
});

/** What is to be done after these reads of the terminal, and what is shown then. */
function pressed(questions: readonly ShownQuestion[], ...reads: readonly string[]) {
  const panel = questionPanel();
  panel.take(questions);
  const effects = reads.flatMap((read) => panel.key(keysIn(read)) ?? []);
  const lines = panel.lines({ columns: 80, rows: 24 }, T0);
  return { effects, text: lines.map(plain).join("\n") };
}

const answers = (effects: readonly PanelEffect[]): unknown[] =>
  effects.map((effect) => (effect.kind === "post" ? effect.answer : effect.kind));

for (const [name, reads, expected] of [
  ["one key answers", ["s"], [{ kind: "skip" }]],
  ["a number too", ["1"], [{ kind: "skip" }]],
  ["words, then enter", ["r", "use two", "\r"], [{ kind: "retry", words: "use two" }]],
  ["corrected words", ["r", "x", "\x7f", "two\r"], [{ kind: "retry", words: "two" }]],
  [
    "words inserted at the start",
    ["r", "b", "\x01", "a ", "\r"],
    [{ kind: "retry", words: "a b" }],
  ],
  ["pasted lines are words", ["r", "one\rtwo\r", "\r"], [{ kind: "retry", words: "one\ntwo" }]],
  ["no words are no answer", ["r", "\r"], []],
  ["esc goes back from the words", ["r", "s", "\x1b"], []],
  ["a paste never answers", ["sm"], []],
  ["what is not offered", ["t", "x", "9", "\x1b[15~", "\x00"], []],
  ["esc leaves it open", ["\x1b"], ["leave"]],
  ["the editor", ["e"], ["edit"]],
  ["the log", ["l"], ["log"]],
  ["by hand", ["m"], [{ kind: "manual", done: false }]],
  ["reading the diff, then back and skip", ["d", "jj", " ", "q", "s"], [{ kind: "skip" }]],
] as const)
  test(`panel: ${name}`, () => {
    const { effects } = pressed([question()], ...reads);
    assert.deepEqual(answers(effects), expected);
  });

test("panel: the question, its evidence, every answer with its key and what it does", () => {
  const { text } = pressed([question()]);
  assert.match(text, /^\? a\/c1 {2}run r1 · asked just now\nSubtask a failed\.\n {2}│ the error$/m);
  assert.match(text, /^ {2}r {2}Retry with modifications \(recommended\)\n {5}Starts another/m);
  assert.match(
    text,
    /^ {2}d diff · l log · v report · e write in your editor · esc leave it open$/m,
  );
});

test("panel: several are a list by cause; the chosen one is marked, opened and left again", () => {
  const three = [
    question(),
    question({ run: "r2", checkpoint: OF_LOGIN }),
    question({ run: "r3" }),
  ];
  const { text } = pressed(three, "j");
  assert.match(text, /^3 questions for you\n {2}unknown error\n {3}a\/c1/);
  assert.match(text, /^ › a\/c1.*\n {2}not logged in\n {3}b\/c1 .*The agent is not logged in\.$/m);
  const opened = pressed(three, "j", "j", "\r");
  assert.match(opened.text, /^\? b\/c1 {2}3 of 3 · run r2/);
  assert.match(opened.text, /to do {4}run agent login/);
  assert.match(opened.text, /esc all questions/);
  assert.doesNotMatch(opened.text, /e write/, "there are no words to write");
  assert.match(pressed(three, "\r", "\x1b").text, /^3 questions for you/);
});

test("panel: one answer for all of the same cause, if the person wants it so", () => {
  const three = [
    question(),
    question({ run: "r2" }),
    question({ run: "r3", checkpoint: OF_LOGIN }),
  ];
  const offered = pressed(three, "\r", "s");
  assert.deepEqual(offered.effects, []);
  assert.match(offered.text, /1 more question has the same cause\. Give the same answer to both\?/);
  for (const [key, runs] of [
    ["y", ["r1", "r2"]],
    ["n", ["r1"]],
    ["\x1b", []],
    ["yn", []],
  ] as const) {
    const { effects } = pressed(three, "\r", "s", key);
    const posted = effects.flatMap((effect) => (effect.kind === "post" ? effect.questions : []));
    assert.deepEqual(
      posted.map(({ run }) => run),
      runs,
    );
  }
});

test("panel: what is open changes: the one that is looked at stays, and so do words being typed", () => {
  const [one, two] = [question(), question({ run: "r2", checkpoint: OF_LOGIN })];
  const panel = questionPanel();
  panel.take([one]);
  panel.key(keysIn("r"));
  panel.key(keysIn("half a sen"));
  panel.take([two, { ...one }]);
  const text = panel.lines({ columns: 80, rows: 24 }, T0).map(plain).join("\n");
  assert.match(text, /^\? a\/c1 {2}2 of 2[^]*> half a sen▏$/m);
});

test("panel: whatever is pressed, nothing is wider or longer than the screen, and nothing is answered by a paste", () => {
  const reads = fc.constantFrom(
    "r",
    "s",
    "m",
    "d",
    "v",
    "j",
    "k",
    "\r",
    "\x1b",
    "y",
    "ab",
    "\x1b[B",
  );
  const size = fc.record({
    columns: fc.integer({ min: 40, max: 200 }),
    rows: fc.integer({ min: 9, max: 50 }),
  });
  const words = fc.string({ unit: "grapheme", maxLength: 400 });
  const property = fc.property(
    fc.array(reads),
    size,
    words,
    (pressedReads, { columns, rows }, said) => {
      const panel = questionPanel();
      const evidence = { keep: "first", lines: said.split(" ") } as const;
      const long = checkpoint("a", { question: `Subtask a failed: ${said}` });
      panel.take([question({ evidence, checkpoint: long }), question({ run: "r2" })]);
      for (const read of pressedReads) {
        const effect = panel.key(keysIn(read));
        assert.ok(effect?.kind !== "post" || read.length === 1);
        const lines = panel.lines({ columns, rows }, T0);
        assert.ok(lines.length <= rows, `${lines.length} of ${rows}`);
        for (const line of lines) assert.ok(lineWidth(line) <= columns, plain(line));
      }
    },
  );
  fc.assert(property, { numRuns: 60 });
});
