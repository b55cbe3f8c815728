// proves: U22, J13, J25
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { questionIn } from "../../../src/core/agent-words/question.ts";

const ASKS: Readonly<Record<string, string>> = {
  "a plain question": "I looked at both modules.\n\nWhich port should the server listen on?",
  "a question with choices":
    "There are two ways:\n\n1. keep the old table\n2. migrate it\n\nWhich one do you want?",
  "choices after it": "Should I\n\n- drop the column, or\n- keep it?\n",
  "choices as a list after the question": "Which one shall I take?\n\n- a) REST\n- b) gRPC",
  "a request without a question mark": "I need to know: is the key per user or per team.",
  "a polite request": "The spec is silent about this. Please confirm which currency is meant.",
  "it cannot go on": "I cannot proceed without the credentials of the staging database.",
  "it waits": "Nothing was changed. I am waiting for your decision on the schema.",
  "more words to the reader": "May I delete the old API? Once you confirm, I will go on.",
  "permission to go on": "I have a plan with three steps. Should I continue?",
  "a bold question": "**Which branch is the release branch?**",
  "our tags after it": "Which port?\n\n<progress>read the code</progress>",
  "a question after a code block": "```js\nconst a = b ? c : d;\n```\n\nIs `a` meant to be public?",
  "another script's question mark": "どちらのポートを使いますか？",
};

for (const [name, message] of Object.entries(ASKS))
  test(`asks: ${name}`, () => assert.notEqual(questionIn(message), undefined));

const ASKS_NOTHING: Readonly<Record<string, string>> = {
  "it is done": "Done. All tests pass now.",
  nothing: "",
  "a question it answers": "What was wrong? The parser dropped the last token. I fixed it.",
  "a question it settles": "Should it be tabs or spaces? I went with tabs, as elsewhere.",
  "why, because": "Why did it fail? Because the path was relative.",
  "an early question":
    "Which port?\n\nI found it in the README: 8080.\n\nThe server listens there.\n\nDone.",
  "a question in code": "Changed the line to:\n\n```ts\nreturn isOpen ? 1 : what?\n```\n\nDone.",
  "a question in quotes": 'The button now says "Do you want to go on?"',
  "a question in ticks": "Renamed the label to `Are you sure?`",
  "a quotation": "> Which port should it be?\n\nThe issue is settled: 8080.",
  courtesy: "All is done. Is there anything else I can help with?",
  "courtesy as a request": "Done. Please let me know if you have any questions.",
  "an address": "See https://example.org/search?q=1 for details.",
  "a plan for later": "I could not reproduce it once, but the fix is in and the tests cover it.",
};

for (const [name, message] of Object.entries(ASKS_NOTHING))
  test(`asks nothing: ${name}`, () => assert.equal(questionIn(message), undefined));

test("its words are passed on as they were said, without what stands before the end", () => {
  const message =
    "I read everything.\n\nIt is long.\n\nThere are two ways:\n- A\n- B\n\nWhich one?";
  assert.equal(questionIn(message), "There are two ways:\n- A\n- B\n\nWhich one?");
});

test("any text: never longer than a screen, and a question before the work went on is none", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3000 }), (text) => {
      assert.ok((questionIn(text) ?? "").length <= 1500);
      assert.equal(
        questionIn(`${text}\n\nWhich one?\n\nI found it.\n\nIt is in place.\n\nDone.`),
        undefined,
      );
    }),
  );
});

test("hostile text takes linear time", () => {
  const time = (size: number): number => {
    const began = performance.now();
    questionIn("I cannot ".repeat(size) + "`".repeat(size) + "? ".repeat(size));
    return performance.now() - began;
  };
  time(1000);
  assert.ok(time(200_000) < 2000);
});
