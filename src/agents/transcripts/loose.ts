/**
 * JSON lines of an agent nobody knows: read by what most of them have in common. What it cannot make out gives no
 * steps.
 */
import type { Step } from "../../core/stuck/step.ts";
import { createClaudeReader } from "./claude.ts";
import { outputOf } from "./json.ts";
import type { LineReader } from "./line-reader.ts";
import { looseEvent } from "./loose-event.ts";
import type { LooseEvent } from "./loose-event.ts";

const MAX_OPEN = 256;
const CALL_IDS = ["toolCallId", "tool_call_id", "callID", "callId", "call_id", "tool_id"];
const TOOLS = ["toolName", "tool_name", "tool"];
const ARGUMENTS = ["arguments", "args", "input", "parameters", "rawInput", "command"];
const STARTS = /(?:start|started|begin|called|requested|tool_use|tool_call)\b/;
const ENDS = /(?:end|ended|complete|completed|result|finish|finished|failed|output)\b/;

export function createLooseReader(): LineReader {
  const claude = createClaudeReader();
  const open = new Set<string>();
  return (line) => {
    const steps = claude(line);
    if (steps.length > 0) return steps;
    const event = looseEvent(line);
    return readTool(event, open) ?? readWords(event);
  };
}

function readTool(event: LooseEvent, open: Set<string>): Step[] | undefined {
  const args = event.find(...ARGUMENTS);
  const ofCommand = event.find("command") !== undefined;
  const id = event.text(...CALL_IDS, ...(ofCommand ? ["id"] : []));
  const tool = event.text(...TOOLS) || (ofCommand ? "command" : "");
  if (id === "" || (tool === "" && !open.has(id))) return undefined;
  const known = open.has(id);
  const call: Step[] = known ? [] : [{ kind: "tool_call", id, tool, args }];
  if (ENDS.test(event.name) || isOver(event)) {
    open.delete(id);
    return [...call, { kind: "tool_result", id, ...resultOf(event) }];
  }
  if (known) return [];
  if (!STARTS.test(event.name)) return undefined;
  if (open.size >= MAX_OPEN) open.clear();
  open.add(id);
  return call;
}

/** Call and result in one event. */
const isOver = (event: LooseEvent): boolean =>
  ["completed", "success", "failed", "error"].includes(event.text("status"));

function resultOf(event: LooseEvent): { output: string; isError: boolean } {
  const told = event.find("output", "aggregated_output", "content", "error", "result");
  return {
    output: outputOf(told),
    isError:
      event.find("success") === false ||
      event.find("isError", "is_error") === true ||
      ["failed", "error"].includes(event.text("status")) ||
      /failed\b/.test(event.type) ||
      event.number(1, 255, "exitCode", "exit_code", "exit") !== undefined,
  };
}

function readWords(event: LooseEvent): Step[] {
  const { name } = event;
  if (/retry/.test(name)) return [{ kind: "wait" }];
  const role = event.text("role");
  if (role === "user" || /^user\b/.test(name)) return [{ kind: "user_message" }];
  const text = event.text("content", "text", "delta", "deltaContent", "message");
  if (text === "" || !/message|text|assistant|answer|reasoning|thought/.test(name)) return [];
  const partial = /delta|chunk|update/.test(name) || event.find("delta") !== undefined;
  const thought = /reasoning|thought|thinking/.test(name);
  return [
    {
      kind: "message",
      text,
      ...(partial ? { partial: true } : {}),
      ...(thought ? { channel: "thought" as const } : {}),
    },
  ];
}
