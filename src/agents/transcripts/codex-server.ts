/**
 * Codex: what `codex app-server` writes, one JSON-RPC message a line. The user's words come back as items and are
 * no steps. Usage is told as a running total, sometimes twice; of a resumed thread also the one of its earlier
 * turns.
 */
import type { Step } from "../../core/stuck/step.ts";
import { unwrapped } from "./codex-command.ts";
import type { Fields } from "./json.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf } from "./json.ts";
import type { LineReader } from "./line-reader.ts";

const MAX_KNOWN = 1024;

export function createCodexServerReader(): LineReader {
  const started = new Set<string>();
  const turns = new Set<string>();
  const totals = new Map<string, number>();
  let main = "";
  return (line) => {
    const params = fieldsOf(line["params"]);
    const thread = textOf(params["threadId"]);
    main ||= thread || textOf(fieldsOf(fieldsOf(line["result"])["thread"])["id"]);
    for (const known of [started, turns, totals]) if (known.size > MAX_KNOWN) known.clear();
    const own = (steps: readonly Step[]): readonly Step[] =>
      thread === "" || thread === main ? steps : steps.map((step) => ({ ...step, runId: thread }));
    const item = fieldsOf(params["item"]);
    const id = textOf(item["id"]);
    switch (line["method"]) {
      case "turn/started":
        turns.add(textOf(fieldsOf(params["turn"])["id"]));
        return [];
      case "item/started": {
        const call = callOf(item, id);
        if (call === undefined) return [];
        started.add(id);
        return own([call]);
      }
      case "item/completed":
        return own(readCompleted(item, id, !started.delete(id)));
      case "thread/tokenUsage/updated":
        return own(readUsage(params, totals, turns.has(textOf(params["turnId"]))));
      case "turn/completed": {
        const { message } = fieldsOf(fieldsOf(params["turn"])["error"]);
        return typeof message === "string" ? own([{ kind: "error", text: message }]) : [];
      }
      case "error":
        return params["willRetry"] === true ? own([{ kind: "stream_retry" }]) : [];
      default:
        return [];
    }
  };
}

function callOf(item: Fields, id: string): Step | undefined {
  switch (item["type"]) {
    case "commandExecution": {
      const command = unwrapped(textOf(item["command"]));
      return { kind: "tool_call", id, tool: "shell", args: { command } };
    }
    case "mcpToolCall": {
      const tool = `mcp__${textOf(item["server"])}__${textOf(item["tool"])}`;
      return { kind: "tool_call", id, tool, args: item["arguments"] };
    }
    case "dynamicToolCall": {
      const tool = textOf(item["tool"]) || "tool";
      return { kind: "tool_call", id, tool, args: item["arguments"] };
    }
    case "fileChange": {
      const changes = listOf(item["changes"]);
      const path = textOf(fieldsOf(changes[0])["path"]);
      return { kind: "tool_call", id, tool: "file_change", args: { path, changes } };
    }
    case "webSearch":
      return { kind: "tool_call", id, tool: "web_search", args: { query: item["query"] } };
    default:
      return undefined;
  }
}

function readCompleted(item: Fields, id: string, unannounced: boolean): readonly Step[] {
  switch (item["type"]) {
    case "agentMessage":
      return [{ kind: "message", text: textOf(item["text"]) }];
    case "reasoning": {
      const parts = [...listOf(item["summary"]), ...listOf(item["content"])];
      return [{ kind: "message", text: parts.map(textOf).join("\n"), channel: "thought" }];
    }
    case "contextCompaction":
      return [{ kind: "compaction" }];
    default: {
      const call = callOf(item, id);
      if (call === undefined) return [];
      const result: Step = { kind: "tool_result", id, output: resultOf(item), isError: bad(item) };
      return unannounced ? [call, result] : [result];
    }
  }
}

const bad = ({ status, success, exitCode }: Fields): boolean =>
  status === "failed" ||
  status === "declined" ||
  success === false ||
  (typeof exitCode === "number" && exitCode !== 0);

function resultOf(item: Fields): string {
  const error = textOf(fieldsOf(item["error"])["message"]);
  if (error !== "") return error;
  if (item["type"] === "commandExecution") return textOf(item["aggregatedOutput"]);
  return outputOf(item["contentItems"] ?? fieldsOf(item["result"])["content"]);
}

/** One answer of the model is over; what was used before this attempt only sets the mark. */
function readUsage(params: Fields, totals: Map<string, number>, isNew: boolean): readonly Step[] {
  const thread = textOf(params["threadId"]);
  const usage = fieldsOf(params["tokenUsage"]);
  const total = tokensOf(fieldsOf(usage["total"]));
  const before = totals.get(thread) ?? total - tokensOf(fieldsOf(usage["last"]));
  totals.set(thread, total);
  return isNew && total > before ? [{ kind: "turn_end", ...spent(total - before) }] : [];
}

const tokensOf = (usage: Fields): number =>
  countOf(usage["inputTokens"]) + countOf(usage["outputTokens"]);
