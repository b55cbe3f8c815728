/**
 * What Codex writes: the messages of its app-server, and the lines of `codex exec --json`, told apart line by line;
 * the items of a turn are the same in both. Calls with bad arguments and of unknown tools do not appear in `exec` at
 * all; its errors are free text, some of it a provider's JSON.
 */
import { evidenceOfText } from "../output/error-text.ts";
import { HOPELESS_STATUSES, SAYS_NOTHING } from "../output/format.ts";
import type { LineReader, LineReading, OutputFormat } from "../output/format.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf, type Fields } from "../output/json.ts";
import { completed, counting, failed, retrying, warned, withSession } from "../output/seen.ts";
import { countsOf, readMessage } from "./server-output.ts";
import type { Step } from "../../core/stuck/step.ts";

export const codexOutput: OutputFormat = {
  begins: (line) =>
    line["type"] === "thread.started" || typeof fieldsOf(line["result"])["codexHome"] === "string",
  createReader,
  // Its own retries cannot be turned down for the built-in provider.
  finals: [{ statuses: HOPELESS_STATUSES }, { inARow: 2 }],
  sessionGone: ["no rollout found", "thread not found", "session not found"],
};

const MAX_KNOWN = 1024;

function createReader(): LineReader {
  const known: Known = { started: new Set(), turns: new Set(), totals: new Map() };
  return (line) => {
    for (const part of [known.started, known.turns, known.totals])
      if (part.size > MAX_KNOWN) part.clear();
    return line["type"] === undefined ? readMessage(line, known) : readExecLine(line, known);
  };
}

function readExecLine(line: Fields, known: Known): LineReading {
  const item = fieldsOf(line["item"]);
  switch (line["type"]) {
    case "thread.started":
      return { tells: (seen) => withSession(seen, textOf(line["thread_id"])) };
    case "item.started":
      return { steps: startedSteps(item, known) };
    case "item.completed": {
      const warning = item["type"] === "error" ? textOf(item["message"]) : "";
      return { steps: completedSteps(item, known), tells: (seen) => warned(seen, warning) };
    }
    case "turn.completed": {
      const usage = fieldsOf(line["usage"]);
      const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
      return {
        steps: [{ kind: "turn_end", ...spent(countOf(input) + countOf(output)) }],
        tells: (seen) => completed(counting(seen, countsOf(input, cached, output))),
      };
    }
    case "turn.failed": {
      const text = textOf(fieldsOf(line["error"])["message"]);
      const error = evidenceOfText(text);
      return { steps: [{ kind: "error", text }], tells: (seen) => failed(seen, error) };
    }
    case "error":
      return readExecError(textOf(line["message"]));
    default:
      return SAYS_NOTHING;
  }
}

/** "Reconnecting... 2/5 (reason)" is a retry, not an end. */
const RECONNECTING = /^Reconnecting\.{0,3}[^(]{0,80}(?:\(([^]{0,4000})\))?$/;

function readExecError(message: string): LineReading {
  const retry = RECONNECTING.exec(message);
  return {
    steps: message.startsWith("Reconnecting") ? [{ kind: "stream_retry" }] : [],
    tells: (seen) =>
      retry === null
        ? failed(seen, evidenceOfText(message))
        : retrying(seen, { evidence: evidenceOfText(retry[1] ?? message) }),
  };
}

/** What is remembered of earlier lines. */
export interface Known {
  /** The attempt's own thread. */
  main?: string;
  /** Calls that were announced. */
  readonly started: Set<string>;
  readonly turns: Set<string>;
  /** Tokens so far, by thread. */
  readonly totals: Map<string, number>;
}

/** A command as Codex tells it, without the shell that it starts it with. */
const WRAPPED = /^\S{0,40}sh -lc (['"])([^]*)\1$/;

/** The tool and arguments of an item that is a call. */
function callOf(item: Fields): { tool: string; args: unknown } | undefined {
  switch (item["type"]) {
    case "command_execution":
    case "commandExecution": {
      const command = textOf(item["command"]);
      return { tool: "shell", args: { command: WRAPPED.exec(command)?.[2] ?? command } };
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
      // `exec` leaves the content out: no two of its changes count as equal.
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

export function startedSteps(item: Fields, { started }: Known): readonly Step[] {
  const call = callOf(item);
  if (call === undefined) return [];
  const id = textOf(item["id"]);
  started.add(id);
  return [{ kind: "tool_call", id, ...call }];
}

export function completedSteps(item: Fields, { started }: Known): readonly Step[] {
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
  if (error !== "" || typeof printed === "string") return error || textOf(printed);
  return outputOf(item["contentItems"] ?? fieldsOf(item["result"])["content"]);
}
