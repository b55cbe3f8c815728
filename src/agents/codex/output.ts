/**
 * What Codex writes: lines of `codex exec --json`, and those of its app-server, told apart line by line. Calls with
 * bad arguments and of unknown tools do not appear in `exec` at all; its file changes come without their content,
 * so no two count as equal; its errors are free text, some of it a provider's JSON.
 */
import type { TokenCounts } from "../../core/prices.ts";
import type { Step } from "../../core/stuck/step.ts";
import { evidenceOfText } from "../output/error-text.ts";
import { HOPELESS_STATUSES, SAYS_NOTHING } from "../output/format.ts";
import type { LineReader, LineReading, OutputFormat } from "../output/format.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf } from "../output/json.ts";
import type { Fields } from "../output/json.ts";
import { completed, counting, failed, retrying, warned, withSession } from "../output/seen.ts";
import { createServerReader, unwrapped } from "./server-output.ts";

export const codexOutput: OutputFormat = {
  begins: (line) =>
    line["type"] === "thread.started" || typeof fieldsOf(line["result"])["codexHome"] === "string",
  createReader,
  // Its own retries cannot be turned down for the built-in provider.
  finals: [{ statuses: HOPELESS_STATUSES }, { inARow: 2 }],
  sessionGone: ["no rollout found", "thread not found", "session not found"],
};

const MAX_STARTED = 256;

function createReader(): LineReader {
  const started = new Set<string>();
  const readServerLine = createServerReader();
  return (line) => {
    if (line["type"] === undefined) return readServerLine(line);
    const item = fieldsOf(line["item"]);
    const id = textOf(item["id"]);
    switch (line["type"]) {
      case "thread.started":
        return { tells: (seen) => withSession(seen, textOf(line["thread_id"])) };
      case "item.started": {
        const call = callOf(item, id);
        if (call === undefined) return SAYS_NOTHING;
        started.add(id);
        if (started.size > MAX_STARTED) started.clear();
        return { steps: [call] };
      }
      case "item.completed":
        return {
          steps: completedSteps(item, id, !started.delete(id)),
          tells: (seen) =>
            item["type"] === "error" ? warned(seen, textOf(item["message"])) : seen,
        };
      case "turn.completed": {
        const usage = fieldsOf(line["usage"]);
        const tokens = countOf(usage["input_tokens"]) + countOf(usage["output_tokens"]);
        return {
          steps: [{ kind: "turn_end", ...spent(tokens) }],
          tells: (seen) => completed(counting(seen, countsOf(usage))),
        };
      }
      case "turn.failed": {
        const text = textOf(fieldsOf(line["error"])["message"]);
        return {
          steps: [{ kind: "error", text }],
          tells: (seen) => failed(seen, evidenceOfText(text)),
        };
      }
      case "error":
        return readError(textOf(line["message"]));
      default:
        return SAYS_NOTHING;
    }
  };
}

/** "Reconnecting... 2/5 (reason)" is a retry, not an end. */
const RECONNECTING = /^Reconnecting\.{0,3}[^(]{0,80}(?:\(([^]{0,4000})\))?$/;

function readError(message: string): LineReading {
  const retry = RECONNECTING.exec(message);
  return {
    steps: message.startsWith("Reconnecting") ? [{ kind: "stream_retry" }] : [],
    tells: (seen) =>
      retry === null
        ? failed(seen, evidenceOfText(message))
        : retrying(seen, { evidence: evidenceOfText(retry[1] ?? message) }),
  };
}

function countsOf(usage: Fields): TokenCounts {
  const cached = countOf(usage["cached_input_tokens"]);
  const input = Math.max(0, countOf(usage["input_tokens"]) - cached);
  return { input, cached, output: countOf(usage["output_tokens"]) };
}

function callOf(item: Fields, id: string): Step | undefined {
  switch (item["type"]) {
    case "command_execution":
      return {
        kind: "tool_call",
        id,
        tool: "shell",
        args: { command: unwrapped(textOf(item["command"])) },
      };
    case "mcp_tool_call": {
      const tool = `mcp__${textOf(item["server"])}__${textOf(item["tool"])}`;
      return { kind: "tool_call", id, tool, args: item["arguments"] };
    }
    case "file_change": {
      const changes = listOf(item["changes"]);
      const path = textOf(fieldsOf(changes[0])["path"]);
      return { kind: "tool_call", id, tool: "file_change", args: { path, changes, change: id } };
    }
    case "web_search":
      return { kind: "tool_call", id, tool: "web_search", args: { query: item["query"] } };
    default:
      return undefined;
  }
}

function completedSteps(item: Fields, id: string, unannounced: boolean): Step[] {
  if (item["type"] === "agent_message") return [{ kind: "message", text: textOf(item["text"]) }];
  if (item["type"] === "reasoning")
    return [{ kind: "message", text: textOf(item["text"]), channel: "thought" }];
  const call = callOf(item, id);
  if (call === undefined) return [];
  const isError = item["status"] === "failed" || countOf(item["exit_code"]) > 0;
  const result: Step = { kind: "tool_result", id, output: resultOf(item), isError };
  return unannounced ? [call, result] : [result];
}

function resultOf(item: Fields): string {
  const error = textOf(fieldsOf(item["error"])["message"]);
  if (error !== "") return error;
  if (item["type"] === "command_execution") return textOf(item["aggregated_output"]);
  return item["type"] === "mcp_tool_call" ? outputOf(fieldsOf(item["result"])["content"]) : "";
}
