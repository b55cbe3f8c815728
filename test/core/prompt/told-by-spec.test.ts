// proves: E3, E9, U21, U22, J24
// Each part of an attempt's spec changes exactly its own words of the prompt.
import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptPromptInput, repairToShow } from "../../../src/core/prompt/attempt-prompt.ts";
import { subtaskPrompt } from "../../../src/core/prompt/subtask-prompt.ts";
import type { AttemptRecord, AttemptSpec } from "../../../src/core/run/attempt.ts";
import { newSubtask } from "../../../src/core/run/new-subtask.ts";
import type { SubtaskState } from "../../../src/core/run/subtask-state.ts";
import { NO_PROGRESS, plan, subtask } from "../run/driver.ts";

const entry = { agent: "scout", tier: 1 };
const failed = (attempt: number, more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  ...{ attempt, at: 0, entry, counted: true, success: false, kind: "verification_failed" },
  ...{ approach: `way ${attempt}`, treeBefore: "t", treeAfter: `t${attempt}`, failing: [] },
  ...{ signals: NO_PROGRESS, error: `error ${attempt}` },
  ...more,
});
const state = (attempts: readonly AttemptRecord[]): SubtaskState => ({
  ...newSubtask(plan([subtask("a")]), subtask("a")),
  ...{ attempts, lastOutput: "models are done, routes are not" },
});
const spec = (prompt: AttemptSpec["prompt"]): AttemptSpec => ({
  ...{ entry, thinking: false, budgetFactor: 1, context: "new", tree: { kind: "keep" } },
  ...{ prompt, iteration: true },
});
type Task = Parameters<typeof attemptPromptInput>[2];
const TASK: Task = { goal: "Create login", checks: ["npm test"], inputs: [] };
const told = (
  prompt: AttemptSpec["prompt"],
  attempts: readonly AttemptRecord[] = [],
  task: Partial<Task> = {},
): string => subtaskPrompt(attemptPromptInput(state(attempts), spec(prompt), { ...TASK, ...task }));

/** What of `whole` is not in `bare`, paragraph by paragraph. */
function added(whole: string, bare: string): readonly string[] {
  const known = new Set(bare.split("\n\n"));
  return whole.split("\n\n").filter((paragraph) => !known.has(paragraph));
}

const ASKED = failed(2, { kind: "interrupted", counted: false, asks: "Which database?" });
const NOBODY = "Nobody is here to answer: take the most reasonable option, say which, and go on.";
const QUESTION = "You asked:\n```text\nWhich database?\n```";
const REFUSED = failed(1, { kind: "malformed_output", error: "Close the brace." });
const FORMAT =
  "FORMAT: answer with ONLY one valid JSON value: no Markdown, no code fence, no explanation before or after it.";
const SCHEMA = 'It must match this JSON Schema:\n```text\n{\n "type": "object"\n}\n```';
const WHY = "The last answer was refused:\n```text\nClose the brace.\n```";
const schema = { type: "object" };

const ROWS: readonly {
  readonly prompt: AttemptSpec["prompt"];
  readonly attempts?: readonly AttemptRecord[];
  readonly task?: Partial<Task>;
  readonly adds: readonly string[];
}[] = [
  { prompt: {}, adds: [] },
  {
    prompt: { words: "Use sqlite." },
    adds: ["A person answered. Heed this before all else:\nUse sqlite."],
  },
  {
    prompt: { words: "Use sqlite.", answers: "Which database?" },
    adds: [QUESTION, "A person answered. Heed this before all else:\nUse sqlite."],
  },
  { prompt: { remind: "decide" }, attempts: [failed(1), ASKED], adds: [QUESTION, NOBODY] },
  { prompt: { remind: "decide" }, attempts: [failed(1)], adds: [] },
  { prompt: {}, attempts: [failed(1), ASKED], adds: [] },
  {
    prompt: { handOver: true },
    adds: ["Go on where the last session left off:\n```text\nmodels are done, routes are not\n```"],
  },
  { prompt: { handOver: false }, adds: [] },
  {
    prompt: { permits: { allowed: ["rm `x`", "curl"] } },
    adds: ["A person allowed what was refused before: `rm 'x'`, `curl`. Do it now, exactly so."],
  },
  {
    prompt: { permits: { without: ["curl"] } },
    adds: [
      "A person decided that you go on without `curl`. Do not try it again; find another way.",
    ],
  },
  { prompt: {}, task: { schema }, adds: [FORMAT, SCHEMA] },
  { prompt: {}, attempts: [REFUSED], task: { schema }, adds: [FORMAT, SCHEMA] },
  {
    prompt: { remind: "format" },
    attempts: [REFUSED],
    task: { schema },
    adds: [FORMAT, WHY, SCHEMA],
  },
  { prompt: { remind: "format" }, attempts: [REFUSED], adds: [] },
];

for (const { prompt, attempts = [], task = {}, adds } of ROWS)
  test(`${JSON.stringify(prompt)} after ${attempts.length} adds ${adds.length} paragraphs`, () => {
    const counted = attempts.filter((one) => one.counted);
    assert.deepEqual(added(told(prompt, attempts, task), told({}, counted)), adds);
  });

test("another way is asked for after one failure where the spec says so, or an earlier run had failed", () => {
  const otherWay = (text: string): boolean => text.includes("Then take a DIFFERENT approach");
  assert.ok(!otherWay(told({}, [failed(1)])));
  assert.ok(otherWay(told({ feedback: true }, [failed(1)])));
  assert.ok(otherWay(told({ summary: true }, [failed(1)])));
  const earlier = [{ attempt: 1, tier: 1, approach: "sessions", error: "cookie lost" }];
  assert.ok(otherWay(told({}, [], { earlier })));
  const both = told({}, [failed(1)], { earlier });
  assert.match(both, /Attempt 2 \(model tier 1\): way 1 - FAILED/);
  assert.match(both, /Attempt 1 \(model tier 1\): sessions - FAILED\n {2}Error: cookie lost/);
});

test("an attempt that named no approach is told by its recovery and its model", () => {
  const model = { ...entry, model: "large-2" };
  const text = told({}, [
    failed(1, { approach: "" }),
    failed(2, { approach: "", recovery: "fresh", entry: model }),
    failed(3, { recovery: "fresh" }),
  ]);
  assert.match(text, /Attempt 1 \(model tier 1\): first try with scout - FAILED/);
  assert.match(text, /Attempt 2 \(model tier 1\): fresh with large-2 - FAILED/);
  assert.match(text, /Attempt 3 \(model tier 1\): way 3 - FAILED/);
});

test("a mutation takes what failed last, and nothing where nothing failed", () => {
  const one = told({ mutation: "examples" }, [failed(1, { failing: ["adds"] })]);
  assert.match(one, /Example 1:\n```text\nname: adds\n```/);
  assert.doesNotMatch(told({ mutation: "examples" }), /Example \d/);
});

test("the repair that is told is for the newest failure of its kind, with the call that failed", () => {
  const call = { tool: "read", args: { path: "a" } };
  const missing = { kind: "file_not_found", error: "no such file: a" } as const;
  const attempts = [failed(1, { ...missing, call }), failed(2)];
  assert.deepEqual(
    repairToShow(state(attempts), spec({ strategy: "file_not_found/verify_path" })),
    {
      ...missing,
      call,
      strategy: "verify_path",
    },
  );
  const newer = failed(3, { kind: "file_not_found", error: "no such file: b" });
  assert.deepEqual(
    repairToShow(state([...attempts, newer]), spec({ strategy: "file_not_found/verify_path" })),
    { kind: "file_not_found", error: "no such file: b", strategy: "verify_path" },
  );
  assert.equal(repairToShow(state(attempts), spec({ strategy: "timeout/retry" })), undefined);
  assert.equal(repairToShow(state(attempts), spec({})), undefined);
});

test("what is repaired is told even where it says nothing against the work", () => {
  const beside = failed(1, { kind: "rate_limited", error: "too many requests" });
  assert.match(told({ strategy: "rate_limited/wait" }, [beside]), /too many requests/);
  assert.doesNotMatch(told({}, [beside]), /too many requests/);
});
