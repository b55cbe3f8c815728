// proves: J12
// `unstuck detect` as a function: what it prints, and exit codes 0 healthy, 1 stuck, 2 bad input.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync, appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { detect as command, runDetect, type DetectOptions } from "../../src/cli/commands/detect.ts";
import { ProblemError } from "../../src/operations/operation.ts";
import { UsageError } from "../../src/cli/read-input.ts";
import { FORMATS, loop, work } from "../agents/output/lines.ts";

async function detect(options: DetectOptions, text: string, size = 1000) {
  const bytes = new TextEncoder().encode(text);
  async function* input(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  }
  const out: string[] = [];
  const code = await runDetect(options, input(), (line) => void out.push(line));
  return { code, out, text: out.join("\n") };
}

describe("transcripts", () => {
  for (const format of FORMATS)
    test(format, async () => {
      assert.equal((await detect({ format }, work(format))).code, 0);
      const { code, text } = await detect({ format }, loop(format, 6, true));
      assert.equal(code, 1);
      assert.match(text, /nudge: .*\n {2}since step \d+: \d+ steps/);
      assert.match(text, /\(line \d+\): stuck: \S+ called 4 times/);
      assert.match(text, /first error: frob: no such thing/);
    });
});

test("a message shown as it is written and then whole is no repetition; Qwen Code's own guard is a loop", async () => {
  const lines = (...all: readonly object[]): string =>
    all.map((line) => `${JSON.stringify(line)}\n`).join("");
  const words = { type: "message", role: "assistant", content: "I will look at the queue." };
  const init = { type: "init", session_id: "s", model: "m" };
  const shown = await detect({ format: "gemini" }, lines(init, { ...words, delta: true }, words));
  assert.deepEqual([shown.code, /nudge|stuck/.test(shown.text)], [0, false]);
  const twice = lines(init, words, words, words);
  assert.equal((await detect({ format: "gemini" }, twice)).code, 1);
  const message = "Loop detection halted the run (consecutive_identical_tool_calls)";
  const halted = lines(init, { type: "error", severity: "error", message });
  const { code, text } = await detect({ format: "gemini" }, halted);
  assert.equal(code, 1);
  assert.match(text, /the agent's own guard reports a loop/);
});

test("what it prints does not depend on how the input is cut", async () => {
  const whole = await detect({ format: "claude", json: true }, loop("claude", 9));
  for (const size of [1, 7, 64])
    assert.deepEqual(
      await detect({ format: "claude", json: true }, loop("claude", 9), size),
      whole,
    );
});

test("JSON for machines", async () => {
  const { out } = await detect({ format: "claude", json: true }, loop("claude", 5));
  const objects = out.map((line) => JSON.parse(line) as Record<string, unknown>);
  const { level, pattern, loopStart, step, cost } = objects[1]!;
  assert.deepEqual(
    [level, pattern, loopStart, step, cost],
    ["stuck", "same_call", 0, 7, { steps: 8, tokens: 400 }],
  );
  assert.deepEqual(objects.at(-1), { end: true, stuck: true, steps: 11, problems: 0 });
});

test("nothing an agent says can reach the terminal as more than text", async () => {
  const hostile = "error \x1b]0;gone\x07\x1b[2J\u202e\x9b31m";
  const lines = Array.from({ length: 6 }, (_, n) => [
    { kind: "tool_call", tool: `x\x1b[31m`, args: {}, id: `${n}` },
    { kind: "tool_result", id: `${n}`, output: hostile, isError: true },
  ]);
  const input = lines
    .flat()
    .map((line) => JSON.stringify(line))
    .join("\n");
  const { text, code } = await detect({ format: "steps" }, input);
  assert.equal(code, 1);
  assert.ok(!/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/.test(text));
});

test("cases as JSON lines: the verdict after the last step", async () => {
  const call = { kind: "tool_call", tool: "t", args: {} };
  const cases = [
    { id: "a", steps: [call, call, call, call, call] },
    { id: "b", steps: [call, call, call, call, call, { kind: "user_message", text: "go on" }] },
    { id: "c", steps: [call, call, call], config: { limit: 2 } },
    { id: "d", steps: [call, call, call], config: { thresholds: { same_call_unseen: 9 } } },
    { id: 5, steps: [] },
  ];
  const { code, out } = await detect(
    { jsonl: true },
    cases.map((one) => JSON.stringify(one)).join("\n\n"),
    13,
  );
  assert.equal(code, 1);
  const verdicts = out.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    verdicts.map(({ id, stuck, level }) => [id, stuck, level]),
    [
      ["a", true, "stuck"],
      ["b", false, "none"],
      ["c", true, "stuck"],
      ["d", false, "nudge"],
      [5, false, "none"],
    ],
  );
  assert.deepEqual(Object.keys(verdicts[0]!), [
    "id",
    "stuck",
    "level",
    "pattern",
    "loopStart",
    "reason",
  ]);
  assert.equal((await detect({ jsonl: true }, JSON.stringify(cases[1]))).code, 0);
});

const WRONG: readonly (readonly [string, DetectOptions, string, RegExp])[] = [
  ["no format", {}, "", /--format/],
  ["no JSON at all", { format: "claude" }, "hello\nworld\n", /^line 1: .*claude/],
  ["a bad step", { format: "steps" }, '{"kind":"turn_end"}\n{"kind":"jump"}\n', /^line 2: kind/],
  ["a step that is no JSON", { format: "steps" }, '{"kind":', /^line 1/],
  ["a case that is no JSON", { jsonl: true }, '{"id":1,"steps":[]}\nnope\n', /^line 2/],
  ["a case without steps", { jsonl: true }, '{"id":1}', /^line 1, field steps/],
  [
    "a case with a bad step",
    { jsonl: true },
    '{"steps":[{"kind":"message"},{"kind":"x"}]}',
    /steps\[1\]\.kind/,
  ],
  [
    "a case with a bad setting",
    { jsonl: true },
    '{"steps":[],"config":{"thresholds":{"x":1}}}',
    /config\.thresholds\.x/,
  ],
];

describe("bad input is refused with its place", () => {
  for (const [name, options, text, place] of WRONG)
    test(name, async () => {
      await assert.rejects(detect(options, text), (error) => {
        assert.ok(error instanceof UsageError || error instanceof ProblemError);
        assert.match(error.message, place);
        return true;
      });
    });
});

test("an empty transcript and one without steps are healthy", async () => {
  assert.equal((await detect({ format: "claude" }, "")).code, 0);
  assert.equal((await detect({ format: "codex" }, '{"type":"thread.started"}\n')).code, 0);
});

test("a growing file is followed until the loop is seen", async () => {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-detect-"));
  const file = join(folder, "run.jsonl");
  const before = process.exitCode;
  try {
    const [first = "", ...rest] = loop("steps", 5).split(/(?<=\n)/);
    writeFileSync(file, first);
    const watching = command().parseAsync(["--format", "steps", "--follow", "--json", file], {
      from: "user",
    });
    for (const line of rest) appendFileSync(file, line);
    await watching;
    assert.equal(process.exitCode, 1);
  } finally {
    process.exitCode = before;
    rmSync(folder, { recursive: true, force: true });
  }
});

test("thresholds from a YAML file; a wrong one is refused with its path", async () => {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-detect-"));
  const before = process.exitCode;
  try {
    const run = async (yaml: string): Promise<unknown> => {
      writeFileSync(join(folder, "c.yaml"), yaml);
      writeFileSync(join(folder, "t.jsonl"), loop("steps", 6));
      const args = [
        "--format",
        "steps",
        "--json",
        "--config",
        join(folder, "c.yaml"),
        join(folder, "t.jsonl"),
      ];
      await command().parseAsync(args, { from: "user" });
      return process.exitCode;
    };
    assert.equal(await run("stuck: {thresholds: {same_call: 50}}"), 0);
    assert.equal(await run("thresholds: {same_call: 5}"), 1);
    await assert.rejects(run("stuck: {thresholds: {same_cal: 5}}"), /thresholds\.same_cal/);
  } finally {
    process.exitCode = before;
    rmSync(folder, { recursive: true, force: true });
  }
});
