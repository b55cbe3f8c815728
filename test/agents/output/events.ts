// Small outputs in the shapes the agents print, made up for these tests; one object is one line.
import assert from "node:assert/strict";
import { createOutputReader } from "../../../src/agents/output/report.ts";
import type {
  ResumedSession,
  OutputReader,
  ReadOptions,
} from "../../../src/agents/output/report.ts";
import { REGISTRY } from "../../../src/agents/registry.ts";
import type { AgentReport, ProcessEnd } from "../../../src/runtime/agent-result.ts";

export const FORMAT_NAMES: readonly string[] = [
  ...REGISTRY.formats.filter((name) => name !== "steps"),
  "loose",
];

export function readerOf(format: string, options: ReadOptions = {}): OutputReader {
  const source = REGISTRY.outputNamed(format);
  assert.ok(source !== undefined, format);
  return createOutputReader(source, { countsSession: format === "codex", ...options });
}

export const jsonl = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

export const EXITED: ProcessEnd = { kind: "exited", code: 0 };

export interface Read {
  readonly stderr?: string;
  readonly end?: ProcessEnd;
  readonly askedFor?: ResumedSession;
}

export function readReport(
  format: string,
  lines: readonly unknown[],
  { stderr = "", end = EXITED, askedFor }: Read = {},
): { readonly report: AgentReport; readonly final: string | undefined } {
  const reader = readerOf(format, askedFor === undefined ? {} : { askedFor });
  reader.push("stdout", jsonl(lines));
  reader.push("stderr", stderr);
  const final = reader.final();
  return { report: reader.report(end), final };
}

export const claude = {
  init: { type: "system", subtype: "init", session_id: "s-1", claude_code_version: "2.1.300" },
  retry: (error: string, status: number | null, delay = 500) => ({
    type: "system",
    subtype: "api_retry",
    attempt: 1,
    max_retries: 10,
    retry_delay_ms: delay,
    error_status: status,
    error,
  }),
  call: {
    type: "assistant",
    message: {
      id: "m-1",
      content: [{ type: "tool_use", id: "t-1", name: "Bash", input: { command: "ls" } }],
    },
    parent_tool_use_id: null,
  },
  text: (text: string) => ({
    type: "assistant",
    message: { id: `m-${text}`, content: [{ type: "text", text }] },
    parent_tool_use_id: null,
  }),
  failure: (error: string, status: number | null, text: string, type?: string) => ({
    type: "assistant",
    message: { model: "<synthetic>", content: [{ type: "text", text }] },
    parent_tool_use_id: null,
    error,
    is_api_error_message: true,
    api_error_status: status,
    api_error_type: type,
  }),
  result: (more: Readonly<Record<string, unknown>> = {}) => ({
    type: "result",
    subtype: "success",
    is_error: false,
    terminal_reason: "completed",
    total_cost_usd: 0.5,
    usage: { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 20 },
    permission_denials: [],
    ...more,
  }),
};

export const codex = {
  start: { type: "thread.started", thread_id: "th-1" },
  text: (text: string) => ({
    type: "item.completed",
    item: { id: "i", type: "agent_message", text },
  }),
  call: {
    type: "item.completed",
    item: {
      id: "i-2",
      type: "command_execution",
      command: "ls",
      exit_code: 0,
      status: "completed",
    },
  },
  error: (message: string) => ({ type: "error", message }),
  failed: (message: string) => ({ type: "turn.failed", error: { message } }),
  done: { type: "turn.completed", usage: { input_tokens: 70, output_tokens: 7 } },
};

export const gemini = {
  start: { type: "init", session_id: "g-1", model: "m" },
  text: (content: string) => ({ type: "message", role: "assistant", content, delta: true }),
  error: (severity: string, message: string) => ({ type: "error", severity, message }),
  result: (status: string, message?: string) => ({
    type: "result",
    status,
    ...(message === undefined ? {} : { error: { type: "unknown", message } }),
    stats: { total_tokens: 77 },
  }),
};

export const opencode = {
  text: (text: string) => ({ type: "text", sessionID: "ses_1", part: { type: "text", text } }),
  finish: (reason: string) => ({
    type: "step_finish",
    sessionID: "ses_1",
    part: { reason, tokens: { total: 40 }, cost: 0.25 },
  }),
  error: (name: string, data: unknown) => ({
    type: "error",
    sessionID: "ses_1",
    error: { name, data },
  }),
  retry: (waitMs: number, message = "Overloaded") => ({
    type: "retry",
    sessionID: "ses_1",
    timestamp: 1_000_000,
    attempt: 1,
    message,
    next: 1_000_000 + waitMs,
  }),
  call: {
    type: "tool_use",
    sessionID: "ses_1",
    part: { tool: "bash", callID: "c-1", state: { status: "completed", input: {}, output: "x" } },
  },
};

export const pi = {
  start: { type: "session", id: "p-1" },
  end: (stopReason: string, more: Readonly<Record<string, unknown>> = {}) => ({
    type: "message_end",
    message: {
      role: "assistant",
      content: [{ type: "text", text: "All done." }],
      stopReason,
      usage: { totalTokens: 30, cost: { total: 0.125 } },
      ...more,
    },
  }),
  retry: (errorMessage: string) => ({
    type: "auto_retry_start",
    attempt: 1,
    maxAttempts: 3,
    delayMs: 2000,
    errorMessage,
  }),
};

export const acp = {
  update: (update: unknown) => ({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "a-1", update },
  }),
  text: (text: string) =>
    acp.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }),
  stop: (stopReason: string) => ({ jsonrpc: "2.0", id: 3, result: { stopReason } }),
  error: (code: number, message: string, data?: unknown) => ({
    jsonrpc: "2.0",
    id: 3,
    error: { code, message, data },
  }),
};
