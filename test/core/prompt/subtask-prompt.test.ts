// proves: E2, E6, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatReminder, subtaskPrompt } from "../../../src/core/prompt/subtask-prompt.ts";
import { mutate } from "../../../src/core/prompt/mutation.ts";
import { retryContext } from "../../../src/core/prompt/earlier-attempts.ts";
import type { SubtaskPromptInput } from "../../../src/core/prompt/subtask-prompt.ts";
import { anyText } from "../repair/any-text.ts";

const MISSING_DATA_RULE =
  "If data you need is missing, report the gap. Never invent it and never put something else in its place.";

const BARE: SubtaskPromptInput = {
  goal: "Create login",
  checks: [],
  files: [],
  failing: [],
  failedApproaches: [],
  inputs: [],
  attempts: [],
};
const ATTEMPTS = [
  { attempt: 1, tier: 1, approach: "A", error: "e1" },
  { attempt: 2, tier: 1, approach: "B", error: "e2" },
];

test("a first attempt: the goal, the rule against invented data, the checks", () => {
  assert.equal(subtaskPrompt(BARE), `Create login\n\n${MISSING_DATA_RULE}`);
  assert.equal(
    subtaskPrompt({ ...BARE, checks: ["npm test", "npm run lint"] }),
    `Create login\n\n${MISSING_DATA_RULE}\n\nYour work is checked with:\n\`\`\`text\nnpm test\nnpm run lint\n\`\`\``,
  );
});

test("of other subtasks only declared inputs are told", () => {
  const inputs = [
    { name: "survey", content: "routes live in src/routes" },
    { name: "schema", content: "```\n{}" },
  ];
  assert.equal(
    subtaskPrompt({ ...BARE, inputs }),
    `Create login

What you are given:

\`\`\`text
survey:
routes live in src/routes
\`\`\`

\`\`\`\`text
schema:
\`\`\`
{}
\`\`\`\`

${MISSING_DATA_RULE}`,
  );
});

test("earlier attempts are told once, after the checks, and what the tree holds after them", () => {
  const bound = { maxChars: 7200 };
  assert.equal(
    subtaskPrompt({ ...BARE, checks: ["npm test"], attempts: ATTEMPTS, tree: "Rolled back." }),
    [
      "Create login",
      MISSING_DATA_RULE,
      "Your work is checked with:\n```text\nnpm test\n```",
      retryContext(ATTEMPTS, bound),
      "Rolled back.",
    ].join("\n\n"),
  );
  const [first] = ATTEMPTS;
  assert.ok(first !== undefined);
  for (const different of [true, false])
    assert.ok(
      subtaskPrompt({ ...BARE, attempts: [first], different }).endsWith(
        retryContext([first], { ...bound, different }),
      ),
    );
  assert.equal(subtaskPrompt({ ...BARE, different: true, tree: "" }), subtaskPrompt(BARE));
});

test("mutation, hand-over, the person's words and the format reminder, in this order", () => {
  const input: SubtaskPromptInput = {
    ...BARE,
    mutation: "constrain",
    handover: "models are done",
    words: "Use  JWT.\n```keep```",
    format: { schema: { type: "object" }, error: "Invalid JSON", suggestion: "Close the brace." },
  };
  assert.equal(
    subtaskPrompt(input),
    [
      mutate("constrain", input),
      MISSING_DATA_RULE,
      "Go on where the last session left off:\n```text\nmodels are done\n```",
      "A person answered. Heed this before all else:\nUse  JWT.\n```keep```",
      formatReminder(input.format ?? {}, { maxChars: 4800 }),
    ].join("\n\n"),
  );
});

test("the person's words stand exactly once, verbatim, whatever else is told", () => {
  fc.assert(
    fc.property(anyText(60, 12), (said) => {
      const words = `<<${said}>>`;
      const prompt = subtaskPrompt({
        ...BARE,
        words,
        attempts: ATTEMPTS,
        mutation: "negative",
      });
      assert.equal(prompt.split(words).length - 1, 1);
    }),
  );
});

test("format reminder: only JSON, why the last answer was refused, the schema", () => {
  assert.equal(
    formatReminder({
      schema: { type: "object" },
      error: "Invalid JSON",
      suggestion: "Close the brace.",
    }),
    `FORMAT: answer with ONLY one valid JSON value: no Markdown, no code fence, no explanation before or after it.

The last answer was refused:
\`\`\`text
Invalid JSON
Close the brace.
\`\`\`

It must match this JSON Schema:
\`\`\`text
{
 "type": "object"
}
\`\`\``,
  );
  assert.ok(formatReminder({}).endsWith("before or after it."));
  assert.match(formatReminder({ suggestion: "Less." }), /refused:\n```text\nLess\.\n```$/);
});

test("all that is not the goal, the words or the rule shares the bound", () => {
  const big = "```\n".repeat(40_000);
  const attempts = Array.from({ length: 40 }, (_, n) => ({
    attempt: n + 1,
    tier: 1,
    approach: big,
    feedback: big,
    error: big,
  }));
  for (const maxChars of [4000, 10_000, 48_000]) {
    const prompt = subtaskPrompt({
      ...BARE,
      maxChars,
      checks: [big],
      inputs: Array.from({ length: 60 }, (_, n) => ({ name: `input ${n} ${big}`, content: big })),
      attempts,
      handover: big,
      format: { schema: { description: big }, error: big, suggestion: big },
    });
    const fixed = "Create login".length + MISSING_DATA_RULE.length + 20;
    assert.ok(prompt.length <= maxChars + fixed + 4100, `${prompt.length} for ${maxChars}`);
    assert.ok(prompt.includes(MISSING_DATA_RULE));
  }
  assert.throws(() => subtaskPrompt({ ...BARE, maxChars: 3999 }), /4000 characters/);
});

test("what may be run is told once: the checks by reference, anything else by name", () => {
  const told = (checks: readonly string[], mayRun: readonly string[]): string =>
    subtaskPrompt({ ...BARE, checks, mayRun });
  assert.match(told(["npm test"], ["npm test"]), /run the commands above\. Other commands may be/);
  assert.match(told([], []), /\n\nYou may edit files here\. Other commands may be refused/);
  assert.match(
    told(["npm test"], ["npm test", "npm ci"]),
    /run the commands above\.\nYou may also run:\n```text\nnpm ci\n```\nOther commands/,
  );
  assert.ok(!subtaskPrompt({ ...BARE, checks: ["npm test"] }).includes("You may"));
});

test("an agent without a switch for it is asked to think longer", () => {
  assert.match(
    subtaskPrompt({ ...BARE, thinkLonger: true }),
    /\n\nThink longer and more thoroughly/,
  );
  assert.equal(subtaskPrompt({ ...BARE, thinkLonger: false }), subtaskPrompt(BARE));
});
