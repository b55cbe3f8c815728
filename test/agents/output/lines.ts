/**
 * Transcripts in the shape of each agent, made up here: one call repeated, and one healthy piece of
 * work.
 */

const json = (value: unknown): string => JSON.stringify(value);

interface Writer {
  readonly start: readonly unknown[];
  readonly call: (
    n: number,
    command: string,
    output: string,
    failed: boolean,
  ) => readonly unknown[];
  readonly text: (text: string) => readonly unknown[];
  readonly person: readonly unknown[];
  readonly end: readonly unknown[];
}

const claude: Writer = {
  start: [{ type: "system", subtype: "init", session_id: "s", tools: ["Bash"] }],
  call: (n, command, output, failed) => [
    {
      type: "assistant",
      message: {
        id: `msg_${n}`,
        content: [{ type: "tool_use", id: `use_${n}`, name: "Bash", input: { command } }],
        usage: { input_tokens: 90, output_tokens: 10 },
      },
      parent_tool_use_id: null,
    },
    {
      type: "user",
      message: {
        content: [
          { type: "tool_result", tool_use_id: `use_${n}`, content: output, is_error: failed },
        ],
      },
    },
  ],
  text: (text) => [
    { type: "assistant", message: { id: "msg_t", content: [{ type: "text", text }] } },
  ],
  person: [{ type: "user", message: { content: "please go on" } }],
  end: [{ type: "result", subtype: "success", total_cost_usd: 0.25 }],
};

const codex: Writer = {
  start: [{ type: "thread.started", thread_id: "t" }, { type: "turn.started" }],
  call: (n, command, output, failed) => {
    const item = {
      id: `item_${n}`,
      type: "command_execution",
      command: `/bin/bash -lc '${command}'`,
    };
    const done = {
      aggregated_output: output,
      exit_code: failed ? 1 : 0,
      status: failed ? "failed" : "completed",
    };
    return [
      { type: "item.started", item: { ...item, aggregated_output: "", status: "in_progress" } },
      { type: "item.completed", item: { ...item, ...done } },
    ];
  },
  text: (text) => [{ type: "item.completed", item: { id: "m", type: "agent_message", text } }],
  person: [],
  end: [{ type: "turn.completed", usage: { input_tokens: 300, output_tokens: 20 } }],
};

const gemini: Writer = {
  start: [{ type: "init", session_id: "s", model: "m" }],
  call: (n, command, output, failed) => [
    {
      type: "tool_use",
      tool_name: "run_shell_command",
      tool_id: `c${n}`,
      parameters: { command, description: `${n}` },
    },
    { type: "tool_result", tool_id: `c${n}`, status: failed ? "error" : "success", output },
  ],
  text: (text) => [{ type: "message", role: "assistant", content: text, delta: true }],
  person: [{ type: "message", role: "user", content: "please go on" }],
  end: [{ type: "result", status: "success", stats: { total_tokens: 320 } }],
};

const opencode: Writer = {
  start: [{ type: "step_start", part: { type: "step-start", snapshot: "tree0" } }],
  call: (n, command, output, failed) => [
    {
      type: "tool_use",
      part: {
        tool: "bash",
        callID: `c${n}`,
        messageID: `m${n}`,
        state: {
          status: "completed",
          input: { command },
          output,
          metadata: { exit: failed ? 1 : 0 },
        },
      },
    },
    {
      type: "step_finish",
      part: { reason: "tool-calls", snapshot: "tree0", tokens: { total: 100 }, cost: 0.01 },
    },
  ],
  text: (text) => [{ type: "text", part: { type: "text", text } }],
  person: [],
  end: [],
};

const pi: Writer = {
  start: [{ type: "session", id: "s" }, { type: "agent_start" }],
  call: (n, command, output, failed) => [
    { type: "message_start", message: { role: "assistant", content: [] } },
    {
      type: "message_end",
      message: {
        role: "assistant",
        content: [{ type: "toolCall", id: `c${n}`, name: "bash" }],
        stopReason: "toolUse",
        usage: { totalTokens: 100, cost: { total: 0.01 } },
      },
    },
    { type: "tool_execution_start", toolCallId: `c${n}`, toolName: "bash", args: { command } },
    { type: "tool_execution_update", toolCallId: `c${n}`, partialResult: { content: [] } },
    {
      type: "tool_execution_end",
      toolCallId: `c${n}`,
      toolName: "bash",
      result: { content: [{ type: "text", text: output }] },
      isError: failed,
    },
  ],
  text: (text) => [
    { type: "message_start", message: { role: "assistant", content: [] } },
    { type: "message_update", assistantMessageEvent: { type: "text_delta", delta: text } },
    {
      type: "message_end",
      message: { role: "assistant", content: [{ type: "text", text }], stopReason: "stop" },
    },
  ],
  person: [
    { type: "message_end", message: { role: "user", content: [{ type: "text", text: "go on" }] } },
  ],
  end: [{ type: "agent_end" }],
};

const update = (update: unknown) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s-1", update },
});

const acp: Writer = {
  start: [{ jsonrpc: "2.0", id: 2, result: { sessionId: "s-1" } }],
  call: (n, command, output, failed) => [
    update({
      sessionUpdate: "tool_call",
      toolCallId: `c${n}`,
      title: command,
      kind: "execute",
      status: "pending",
      rawInput: { command },
    }),
    update({
      sessionUpdate: "tool_call_update",
      toolCallId: `c${n}`,
      status: failed ? "failed" : "completed",
      content: [{ type: "content", content: { type: "text", text: output } }],
    }),
  ],
  text: (text) => [
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }),
  ],
  person: [],
  end: [{ jsonrpc: "2.0", id: 3, result: { stopReason: "end_turn" } }],
};

const steps: Writer = {
  start: [],
  call: (n, command, output, failed) => [
    { kind: "tool_call", tool: "Bash", args: { command }, id: `${n}` },
    { kind: "tool_result", id: `${n}`, output, isError: failed },
  ],
  text: (text) => [{ kind: "message", text }],
  person: [{ kind: "user_message", text: "please go on" }],
  end: [{ kind: "turn_end" }],
};

export const WRITERS = {
  claude,
  codex,
  gemini,
  opencode,
  pi,
  acp,
  steps,
} satisfies Record<string, Writer>;

export type Format = keyof typeof WRITERS;

export const FORMATS = Object.keys(WRITERS) as readonly Format[];

const lines = (values: readonly unknown[]): string =>
  values.map((value) => `${json(value)}\n`).join("");

export function loop(format: Format, count: number, failed = false): string {
  const { start, call, end }: Writer = WRITERS[format];
  const output = failed ? "frob: no such thing" : "nothing here";
  const calls = Array.from({ length: count }, (_, n) =>
    call(n, "frob --all", output, failed),
  ).flat();
  return lines([...start, ...calls, ...end]);
}

export function work(format: Format): string {
  const { start, call, text, person, end }: Writer = WRITERS[format];
  return lines([
    ...start,
    ...person,
    ...call(1, "ls", "a b", false),
    ...call(2, "cat a", "text of a", false),
    ...text("Two files, ünïcode ✓ included.\nNow the change."),
    ...call(3, "sed -i s/x/y/ a", "", false),
    ...call(4, "npm test", "2 failed", true),
    ...call(5, "sed -i s/y/z/ a", "", false),
    ...call(6, "npm test", "all passed", false),
    ...text("Done."),
    ...end,
  ]);
}
