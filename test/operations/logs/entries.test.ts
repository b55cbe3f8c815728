// proves: U18, U15, P2
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTranscriptReader } from "../../../src/agents/output/transcript.ts";
import { transcriptScreen } from "../../../src/cli/screen/transcript.ts";
import { textWidth } from "../../../src/cli/screen/line.ts";
import { createEntries } from "../../../src/operations/logs/entries.ts";
import type { LogEntry } from "../../../src/operations/logs/read-logs.ts";
import { logEntry } from "../../../src/operations/logs/schemas.ts";

const json = (...lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
const said = (...content: readonly unknown[]): unknown => ({
  type: "assistant",
  message: { id: "m", content },
});
const results = (...content: readonly unknown[]): unknown => ({
  type: "user",
  message: { content },
});
const use = (id: string, name: string, input: unknown) => ({ type: "tool_use", id, name, input });
const came = (id: string, content: string, more = {}) => ({
  ...{ type: "tool_result", tool_use_id: id, content },
  ...more,
});
const INIT = { type: "system", subtype: "init", session_id: "s" };

function read(transcript: string | Uint8Array, format?: string, cut = 0): readonly LogEntry[] {
  const reader = createTranscriptReader(format);
  const entries = createEntries({ subtask: "a", attempt: 1 });
  const bytes = Buffer.from(transcript);
  const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
  return [
    ...chunks.flatMap((chunk) => entries.take(reader.push(chunk))),
    ...entries.take(reader.end()),
    ...entries.release(),
  ];
}

/** What an entry says, in a few words. */
function words(entry: LogEntry): string {
  switch (entry.kind) {
    case "tool-call":
      return `call ${entry.tool}: ${entry.title}`;
    case "file-change":
      return `change ${entry.tool}: ${entry.files.join(" ")}`;
    case "tool-result":
      return `result ${entry.tool ?? "?"}: ${entry.failed ? "failed" : "ok"} ${entry.exitCode ?? "-"} ${entry.lines}`;
    default:
      return `${entry.kind}: ${"text" in entry ? entry.text : ""}${"inner" in entry ? " (inner)" : ""}`;
  }
}

for (const [name, transcript, format, expected] of [
  [
    "a plain command: its lines",
    "one\n\n  two\n",
    undefined,
    ["output: one", "output: ", "output:   two"],
  ],
  [
    "a line that was written over: its last state",
    "10%\r90%\rdone\r\n",
    undefined,
    ["output: done"],
  ],
  ["a last line without its end", "one\ntwo", undefined, ["output: one", "output: two"]],
  [
    "a plain command that prints JSON loses none of it",
    json("hello", { level: "info", msg: "x" }),
    undefined,
    ["output: hello", 'output: {"level":"info","msg":"x"}'],
  ],
  [
    "lines of an agent that nobody knows: what says nothing is kept as it is",
    json({ type: "heartbeat", n: 1 }, { type: "message", role: "assistant", text: "hi" }),
    undefined,
    ['output: {"type":"heartbeat","n":1}', "message: hi"],
  ],
  [
    "an agent told by its first line, standard error between its own",
    json(INIT, "npm warn x", said({ type: "text", text: "Hello." })),
    undefined,
    ["output: npm warn x", "message: Hello."],
  ],
  [
    "standard error before the first line of its own",
    json("warning: y", INIT, said({ type: "text", text: "Hello." })),
    undefined,
    ["output: warning: y", "message: Hello."],
  ],
  [
    "thoughts, calls, changes and results are told apart; results find their calls",
    json(
      said({ type: "thinking", thinking: "hm" }, use("1", "Bash", { command: "npm test" })),
      said(use("2", "Edit", { file_path: "src/a.ts", old_string: "x" })),
      results(came("2", "")),
      results(came("1", "Exit code 2\nboom", { is_error: true })),
    ),
    "claude",
    [
      "thinking: hm",
      "call Bash: npm test",
      "change Edit: src/a.ts",
      "result Edit: ok - 0",
      "result Bash: failed 2 2",
    ],
  ],
  [
    "an exit code of 0 is no failure, and words about one in the middle are none",
    json(
      said(use("1", "Bash", { command: "a" }), use("2", "Bash", { command: "b" })),
      results(came("1", "Exit code 0\nfine"), came("2", "it said exit code 1 once")),
    ),
    "claude",
    ["call Bash: a", "call Bash: b", "result Bash: ok 0 2", "result Bash: ok - 1"],
  ],
  [
    "what a subagent does is marked",
    json({ ...(said({ type: "text", text: "in" }) as object), parent_tool_use_id: "t" }),
    "claude",
    ["message: in (inner)"],
  ],
  [
    "a line of its own format that was cut off",
    `${json(said({ type: "text", text: "Hello." }))}{"type":"assistant","mess`,
    "claude",
    ["message: Hello.", "note: the last line was cut off"],
  ],
  [
    "codex: a change of several files",
    json({
      type: "item.completed",
      item: {
        ...{ id: "1", type: "file_change", status: "completed" },
        changes: [{ path: "a.ts" }, { path: "b.ts" }],
      },
    }),
    "codex",
    ["change file_change: a.ts b.ts", "result file_change: ok - 0"],
  ],
  [
    "steps of our own: pieces of one message are one entry, another channel is another",
    json(
      { kind: "message", text: "Hel", partial: true },
      { kind: "message", text: "lo", partial: true },
      { kind: "message", text: "hm", partial: true, channel: "thought" },
      { kind: "error", text: "overloaded" },
      { kind: "compaction" },
      { kind: "tool_call", tool: "Tree", args: { depth: 2 } },
      { kind: "tool_result", output: "x" },
    ),
    undefined,
    [
      ...["message: Hello", "thinking: hm", "error: overloaded"],
      ...["note: the agent compacted its context", 'call Tree: {"depth":2}'],
      "result Tree: ok - 1",
    ],
  ],
  [
    "what a terminal would obey is gone",
    json(INIT, said({ type: "text", text: "a\u001b[2J\u001b]0;t\u0007b\u202ec" }), "x\u001b[31my"),
    undefined,
    ["message: abc", "output: xy"],
  ],
] as const)
  test(`log entries: ${name}`, () => {
    assert.deepEqual(read(transcript, format).map(words), expected);
  });

test("a secret that only shows once a line is decoded is taken out", () => {
  const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
  const hidden = JSON.stringify(said({ type: "text", text: key })).replace(
    "sk-ant",
    "sk\\u002dant",
  );
  assert.ok(!hidden.includes(key));
  const [entry] = read(`${JSON.stringify(INIT)}\n${hidden}\n`);
  assert.match(JSON.stringify(entry), /\[secret/);
  assert.ok(!JSON.stringify(entry).includes(key));
});

const FORMATS = [undefined, "claude", "codex", "gemini", "opencode", "pi", "acp", "steps"] as const;
const line = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.json(),
  fc.json().map((text) => `{"kind":"message","text":${text}}`),
  fc.string({ unit: "binary" }).map((text) => JSON.stringify(said({ type: "text", text }))),
  fc
    .tuple(fc.string({ unit: "binary" }), fc.json())
    .map(([tool, args]) => `{"kind":"tool_call","tool":${JSON.stringify(tool)},"args":${args}}`),
  fc
    .string({ unit: "binary" })
    .map((output) => JSON.stringify({ kind: "tool_result", output, isError: output.length > 3 })),
);
const transcript = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.array(line, { maxLength: 8 }).map((lines) => Buffer.from(lines.join("\n"))),
);

test("whatever stands in a transcript: valid entries, no control character, no line too wide, and it ends", () => {
  fc.assert(
    fc.property(
      transcript,
      fc.constantFrom(...FORMATS),
      fc.constantFrom(20, 40, 80, Infinity),
      fc.boolean(),
      fc.nat(300),
      (bytes, format, columns, full, cut) => {
        const entries = read(bytes, format, cut);
        assert.deepEqual(entries.map(words), read(bytes, format).map(words), "however it is cut");
        const screen = transcriptScreen({ columns, full, styled: (_, text) => text });
        const shown = entries.map((entry) => screen.take(logEntry.parse(entry))).join("");
        const text = shown + screen.end();
        assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
        for (const each of text.split("\n")) assert.ok(textWidth(each) <= columns, each);
        assert.ok(text === "" || text.endsWith("\n"));
      },
    ),
  );
});
