// Each agent's output becomes steps: the same ones however it is cut, whatever junk stands between.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { MAX_LINE } from "../../../src/agents/output/lines.ts";
import { createStepReader } from "../../../src/agents/output/transcript.ts";
import { createSniffedReader } from "../../../src/agents/command/command-agent.ts";
import { createStuckDetector } from "../../../src/core/stuck/detector.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { createLoopWatch } from "../../../src/runtime/loop-watch.ts";
import { FORMATS, loop, work } from "./lines.ts";

function read(format: string, chunks: readonly (string | Uint8Array)[]) {
  const reader = createStepReader(format);
  const pieces = [...chunks.map((chunk) => reader.push(chunk)), reader.end()];
  return {
    steps: pieces.flatMap(({ steps }) => steps),
    problems: pieces.flatMap(({ problems }) => problems),
  };
}

const stepsOf = (format: string, ...values: unknown[]): Step[] =>
  read(format, [values.map((value) => JSON.stringify(value)).join("\n")]).steps.map(
    ({ step }) => step,
  );

/** After how many calls the loop is named; 0 where it is not. */
function namedAfter(format: string, text: string): number {
  const detector = createStuckDetector();
  let calls = 0;
  for (const { step } of read(format, [text]).steps) {
    if (step.kind === "tool_call") calls += 1;
    if (detector.step(step).level === "stuck") return calls;
  }
  return 0;
}

describe("every format", () => {
  for (const format of FORMATS) {
    test(`${format}: a loop is named within five calls, failing or not`, () => {
      assert.equal(namedAfter(format, loop(format, 9)), 4);
      assert.equal(namedAfter(format, loop(format, 9, true)), 4);
      assert.equal(namedAfter(format, loop(format, 3)), 0);
    });

    test(`${format}: healthy work is met with silence`, () => {
      const detector = createStuckDetector();
      const levels = read(format, [work(format)]).steps.map(
        ({ step }) => detector.step(step).level,
      );
      assert.ok(levels.length > 10);
      assert.deepEqual([...new Set(levels)], ["none"]);
    });

    test(`${format}: steps do not depend on how bytes are cut`, () => {
      const bytes = new TextEncoder().encode(work(format) + loop(format, 5));
      const whole = read(format, [bytes]);
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 40 }), (cuts) => {
          const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
          const chunks = places.map((from, at) =>
            bytes.slice(from, places[at + 1] ?? bytes.length),
          );
          assert.deepEqual(read(format, chunks), whole);
        }),
        { numRuns: 40 },
      );
    });

    test(`${format}: junk and half lines are skipped with their place`, () => {
      const clean = loop(format, 4);
      const lines = clean.trimEnd().split("\n");
      const junk = ["warning: not json", '{"half":', "[1,2]", "", "null"];
      const mixed = lines.flatMap((line, at) => [junk[at % junk.length]!, line]).join("\n");
      const found = read(format, [mixed]);
      assert.deepEqual(
        found.steps.map(({ step }) => step),
        read(format, [clean]).steps.map(({ step }) => step),
      );
      assert.equal(found.problems[0]?.line, 1);
      assert.ok(found.problems.every(({ problem }) => problem === "not a JSON object"));
    });

    test(`${format}: any JSON line is read without throwing`, () => {
      fc.assert(
        fc.property(fc.array(fc.jsonValue(), { maxLength: 10 }), fc.string(), (values, type) => {
          const typed = values.map((value) =>
            JSON.stringify({ type, kind: type, item: value, part: value, message: value }),
          );
          read(format, [[...values.map((value) => JSON.stringify(value)), ...typed].join("\n")]);
        }),
      );
    });

    test(`${format}: the watch of a running attempt speaks when it gets worse`, () => {
      const watch = createLoopWatch();
      const reader = createSniffedReader(format);
      assert.deepEqual(reader.push("stderr", loop(format, 8)), []);
      const spoken = reader.push("stdout", loop(format, 8)).flatMap((step) => watch(step) ?? []);
      assert.deepEqual(
        spoken.map(({ level, pattern }) => [level, pattern]),
        [
          ["nudge", "same_call"],
          ["stuck", "same_call"],
        ],
      );
    });
  }
});

test("a line without end is dropped, the next is read", () => {
  const reader = createStepReader("steps");
  const mega = "x".repeat(1024 * 1024);
  for (let size = 0; size <= MAX_LINE; size += mega.length) reader.push(mega);
  const { steps, problems } = reader.push('\n{"kind":"turn_end"}\n');
  assert.deepEqual([problems, steps.length], [[{ line: 1, problem: "line too long" }], 1]);
});

test("claude: subagents, cut answers, retries, compaction and cost", () => {
  const answer = (more: object, content: unknown[], id = "m1"): object => ({
    type: "assistant",
    message: { id, content, usage: { input_tokens: 5, output_tokens: 5 } },
    ...more,
  });
  const use = (id: string) => ({ type: "tool_use", id, name: "Read", input: { file_path: "a" } });
  assert.deepEqual(
    stepsOf("claude", answer({ parent_tool_use_id: "p" }, [use("1")]), answer({}, [use("2")])),
    [
      {
        kind: "tool_call",
        tool: "Read",
        args: { file_path: "a" },
        id: "1",
        round: "m1",
        runId: "p",
        tokens: 10,
      },
      { kind: "tool_call", tool: "Read", args: { file_path: "a" }, id: "2", round: "m1" },
    ],
  );
  const user = (more: object) => ({
    type: "user",
    message: { content: [{ type: "text", text: "go" }] },
    ...more,
  });
  assert.deepEqual(
    stepsOf("claude", user({}), user({ isSynthetic: true }), user({ isMeta: true })),
    [{ kind: "user_message" }, { kind: "stream_retry" }],
  );
  assert.deepEqual(
    stepsOf(
      "claude",
      { type: "system", subtype: "api_retry" },
      { type: "system", subtype: "compact_boundary" },
      {
        type: "assistant",
        message: { model: "<synthetic>", content: [{ type: "text", text: "API Error" }] },
      },
      { type: "result", total_cost_usd: 0.5 },
      { type: "result", total_cost_usd: 0.75 },
    ),
    [
      { kind: "wait" },
      { kind: "compaction" },
      { kind: "error", text: "API Error" },
      { kind: "turn_end", usd: 0.5 },
      { kind: "turn_end", usd: 0.25 },
    ],
  );
});

test("codex: two changes of one file are never the same call", () => {
  const change = (n: number) => ({
    type: "item.completed",
    item: {
      id: `i${n}`,
      type: "file_change",
      changes: [{ path: "a.ts", kind: "update" }],
      status: "completed",
    },
  });
  const detector = createStuckDetector();
  for (const step of stepsOf("codex", ...[1, 2, 3, 4, 5, 6].map(change)))
    assert.equal(detector.step(step).level, "none");
});

test("codex: tools of other servers, reasoning, reconnecting, failing", () => {
  const mcp = { id: "i", type: "mcp_tool_call", server: "db", tool: "query", arguments: { q: 1 } };
  const done = { ...mcp, status: "failed", error: { message: "no table" } };
  assert.deepEqual(
    stepsOf(
      "codex",
      { type: "item.started", item: mcp },
      { type: "item.completed", item: done },
      { type: "item.completed", item: { id: "r", type: "reasoning", text: "hm" } },
      { type: "error", message: "Reconnecting... 2/5 (stream disconnected)" },
      { type: "turn.failed", error: { message: "no luck" } },
    ),
    [
      { kind: "tool_call", id: "i", tool: "mcp__db__query", args: { q: 1 } },
      { kind: "tool_result", id: "i", output: "no table", isError: true },
      { kind: "message", text: "hm", channel: "thought" },
      { kind: "stream_retry" },
      { kind: "error", text: "no luck" },
    ],
  );
});

test("gemini: its own loop guard, and an exit code in the output", () => {
  assert.deepEqual(
    stepsOf(
      "gemini",
      { type: "tool_result", tool_id: "1", status: "success", output: "boom\nExit Code: 3" },
      { type: "tool_result", tool_id: "2", status: "error", error: { message: "bad parameters" } },
      { type: "error", severity: "warning", message: "Loop detected, stopping execution" },
    ),
    [
      { kind: "tool_result", id: "1", output: "boom\nExit Code: 3", isError: true },
      { kind: "tool_result", id: "2", output: "bad parameters", isError: true },
      { kind: "loop_report", text: "Loop detected, stopping execution" },
    ],
  );
});

test("opencode: the tree tells a check from a loop", () => {
  const lines = (trees: readonly string[]): object[] =>
    trees.flatMap((snapshot, n) => [
      {
        type: "tool_use",
        part: {
          tool: "bash",
          callID: `c${n}`,
          state: { status: "completed", input: { command: "make" }, output: "ok" },
        },
      },
      { type: "step_finish", part: { snapshot } },
    ]);
  const worst = (trees: readonly string[]): boolean => {
    const detector = createStuckDetector();
    return stepsOf("opencode", ...lines(trees)).some(
      (step) => detector.step(step).level === "stuck",
    );
  };
  assert.equal(worst(["a", "b", "c", "d", "e", "f"]), false);
  assert.equal(worst(["a", "a", "a", "a", "a", "a"]), true);
});

test("pi: a broken answer is void, its retry a wait", () => {
  assert.deepEqual(
    stepsOf(
      "pi",
      { type: "message_update", assistantMessageEvent: { type: "thinking_delta", delta: "hm" } },
      {
        type: "message_end",
        message: { role: "assistant", stopReason: "error", errorMessage: "terminated" },
      },
      { type: "auto_retry_start", attempt: 1 },
      { type: "compaction_start", reason: "overflow" },
    ),
    [
      { kind: "message", text: "hm", partial: true, channel: "thought" },
      { kind: "stream_retry" },
      { kind: "error", text: "terminated" },
      { kind: "wait" },
      { kind: "compaction" },
    ],
  );
});
