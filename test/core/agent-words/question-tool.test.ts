// proves: U22, J13
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { askedWithTool } from "../../../src/core/agent-words/question-tool.ts";

const CASES: readonly (readonly [string, unknown, string | undefined])[] = [
  [
    "AskUserQuestion",
    { questions: [{ question: "Which port?", options: [{ label: "80" }, { label: "8080" }] }] },
    "Which port?\n- 80\n- 8080",
  ],
  ["ask_followup_question", { question: "Which port?", follow_up: ["80"] }, "Which port?\n- 80"],
  ["request_user_input", { questions: ["Which port?"] }, "Which port?"],
  ["question", { questions: [{ question: "A?" }, { question: "B?" }] }, "A?\nB?"],
  ["ask_user", { text: "Which port?" }, "Which port?"],
  ["AskUserQuestion", {}, undefined],
  ["AskUserQuestion", "Which port?", undefined],
  ["Bash", { command: "echo?", question: "Which port?" }, undefined],
  ["questionnaire_build", { question: "Which port?" }, undefined],
];

for (const [tool, args, asked] of CASES)
  test(`${tool} ${JSON.stringify(args)}`, () => assert.equal(askedWithTool(tool, args), asked));

test("any arguments are read, and the words are bounded", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (args) => {
      assert.ok((askedWithTool("ask_user", args) ?? "").length <= 1500);
      assert.ok((askedWithTool("question", { questions: args }) ?? "").length <= 1500);
    }),
  );
});
