/**
 * Codex: `codex exec --json`, and what its app-server writes, told apart line by line. Calls with bad arguments
 * and of unknown tools do not appear in `exec` at all; file changes come without their content, so no two count as
 * equal.
 */
import type { Step } from "../../core/stuck/step.ts";
import { unwrapped } from "./codex-command.ts";
import { createCodexServerReader } from "./codex-server.ts";
import type { Fields } from "./json.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf } from "./json.ts";
import type { LineReader } from "./line-reader.ts";

const MAX_STARTED = 256;

export function createCodexReader(): LineReader {
  const started = new Set<string>();
  const readServerLine = createCodexServerReader();
  return (line) => {
    if (line["type"] === undefined) return readServerLine(line);
    const item = fieldsOf(line["item"]);
    const id = textOf(item["id"]);
    switch (line["type"]) {
      case "item.started": {
        const call = callOf(item, id);
        if (call === undefined) return [];
        started.add(id);
        if (started.size > MAX_STARTED) started.clear();
        return [call];
      }
      case "item.completed":
        return readCompleted(item, id, !started.delete(id));
      case "turn.completed": {
        const usage = fieldsOf(line["usage"]);
        const tokens = countOf(usage["input_tokens"]) + countOf(usage["output_tokens"]);
        return [{ kind: "turn_end", ...spent(tokens) }];
      }
      case "turn.failed":
        return [{ kind: "error", text: textOf(fieldsOf(line["error"])["message"]) }];
      case "error":
        return /^Reconnecting/.test(textOf(line["message"])) ? [{ kind: "stream_retry" }] : [];
      default:
        return [];
    }
  };
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

function readCompleted(item: Fields, id: string, unannounced: boolean): Step[] {
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
