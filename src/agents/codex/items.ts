/** Converts the items of a Codex turn to steps, the same for both of its protocols. */
import { countOf, fieldsOf, listOf, outputOf, textOf, type Fields } from "../output/json.ts";
import type { Step } from "../../core/stuck/step.ts";

/** What is remembered from earlier lines. */
export interface CodexState {
  /** The attempt's own thread. */
  main?: string;
  /** Calls already announced. */
  readonly started: Set<string>;
  readonly turns: Set<string>;
  /** Tokens so far, by thread. */
  readonly totals: Map<string, number>;
}

/** Strips the shell with which Codex reports a command. */
const WRAPPED = /^\S{0,40}sh -lc (['"])([^]*)\1$/;

export const plainCommand = (command: string): string => WRAPPED.exec(command)?.[2] ?? command;

function callOf(item: Fields): { tool: string; args: unknown } | undefined {
  switch (item["type"]) {
    case "command_execution":
    case "commandExecution": {
      return { tool: "shell", args: { command: plainCommand(textOf(item["command"])) } };
    }
    case "mcp_tool_call":
    case "mcpToolCall": {
      const tool = `mcp__${textOf(item["server"])}__${textOf(item["tool"])}`;
      return { tool, args: item["arguments"] };
    }
    case "dynamicToolCall":
      return { tool: textOf(item["tool"]) || "tool", args: item["arguments"] };
    case "file_change":
    case "fileChange": {
      const changes = listOf(item["changes"]);
      const path = textOf(fieldsOf(changes[0])["path"]);
      // `exec` omits the content, so no two changes may count as equal.
      const change = item["type"] === "file_change" ? { change: textOf(item["id"]) } : {};
      return { tool: "file_change", args: { path, changes, ...change } };
    }
    case "web_search":
    case "webSearch":
      return { tool: "web_search", args: { query: item["query"] } };
    default:
      return undefined;
  }
}

export function startedSteps(item: Fields, { started }: CodexState): readonly Step[] {
  const call = callOf(item);
  if (call === undefined) return [];
  const id = textOf(item["id"]);
  started.add(id);
  return [{ kind: "tool_call", id, ...call }];
}

export function completedSteps(item: Fields, { started }: CodexState): readonly Step[] {
  const id = textOf(item["id"]);
  const wasTold = started.delete(id);
  switch (item["type"]) {
    case "agent_message":
    case "agentMessage":
      return [{ kind: "message", text: textOf(item["text"]) }];
    case "reasoning": {
      const parts = [...listOf(item["summary"]), ...listOf(item["content"])].map(textOf);
      const text = textOf(item["text"]) || parts.join("\n");
      return [{ kind: "message", text, channel: "thought" }];
    }
    case "contextCompaction":
      return [{ kind: "compaction" }];
    default: {
      const call = callOf(item);
      if (call === undefined) return [];
      const result: Step = { kind: "tool_result", id, output: resultOf(item), isError: bad(item) };
      return wasTold ? [result] : [{ kind: "tool_call", id, ...call }, result];
    }
  }
}

const bad = ({ status, success, exitCode, exit_code }: Fields): boolean =>
  status === "failed" ||
  status === "declined" ||
  success === false ||
  countOf(exit_code) > 0 ||
  (typeof exitCode === "number" && exitCode !== 0);

function resultOf(item: Fields): string {
  const error = textOf(fieldsOf(item["error"])["message"]);
  const printed = item["aggregatedOutput"] ?? item["aggregated_output"];
  if (item["status"] === "declined") return `declined by the approval policy ${error}`.trim();
  if (error !== "" || typeof printed === "string") return error || textOf(printed);
  return outputOf(item["contentItems"] ?? fieldsOf(item["result"])["content"]);
}
