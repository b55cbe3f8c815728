/**
 * Agent Client Protocol: what an agent writes, one JSON-RPC message a line. Only `session/update` notifications
 * hold steps; a call may be told in several pieces, the last of which has its result.
 */
import type { Step } from "../../core/stuck/step.ts";
import type { Fields } from "./json.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf } from "./json.ts";
import type { LineReader } from "./line-reader.ts";

const MAX_OPEN = 256;

/** A call is a step only once its arguments are there or its result is. */
interface OpenCall {
  readonly tool: string;
  readonly args: unknown;
  readonly told: boolean;
}

export function createAcpReader(): LineReader {
  const open = new Map<string, OpenCall>();
  return (line) => {
    if (line["method"] !== "session/update") return readEnd(line);
    const update = fieldsOf(fieldsOf(line["params"])["update"]);
    switch (update["sessionUpdate"]) {
      case "agent_message_chunk":
        return [{ kind: "message", text: chunkOf(update), partial: true }];
      case "agent_thought_chunk":
        return [{ kind: "message", text: chunkOf(update), partial: true, channel: "thought" }];
      case "tool_call":
      case "tool_call_update":
        return readCall(update, open);
      default:
        return [];
    }
  };
}

const idOf = (id: unknown): string => (typeof id === "number" ? String(id) : textOf(id));

const chunkOf = (update: Fields): string => textOf(fieldsOf(update["content"])["text"]);

function readCall(update: Fields, open: Map<string, OpenCall>): Step[] {
  const id = idOf(update["toolCallId"]);
  const before = open.get(id);
  const title = textOf(update["title"]);
  const tool = before?.tool ?? (textOf(update["kind"]) || title || "tool");
  const given = update["rawInput"] ?? (title === "" ? undefined : { title });
  const call: OpenCall = { tool, args: before?.args ?? given, told: before?.told ?? false };
  const status = update["status"];
  const ended = status === "completed" || status === "failed";
  const tell = !call.told && (ended || hasContent(update["rawInput"]));
  open.set(id, { ...call, told: call.told || tell });
  if (ended) open.delete(id);
  if (open.size > MAX_OPEN) open.clear();
  const steps: Step[] = tell ? [{ kind: "tool_call", id, tool, args: call.args }] : [];
  if (!ended) return steps;
  return [...steps, { kind: "tool_result", id, ...resultOf(update, status) }];
}

const hasContent = (input: unknown): boolean => Object.keys(fieldsOf(input)).length > 0;

function resultOf(update: Fields, status: unknown): { output: string; isError: boolean } {
  const raw = fieldsOf(update["rawOutput"]);
  const told = listOf(update["content"]).map((block) => fieldsOf(fieldsOf(block)["content"]));
  const text = told.map((content) => textOf(content["text"])).join("\n");
  const exit = countOf(raw["exitCode"]) || countOf(raw["exit_code"]) || countOf(raw["exit"]);
  return {
    output: text === "" ? outputOf(update["rawOutput"]) : text,
    isError: status === "failed" || exit > 0,
  };
}

/** The answer to a prompt ends the turn. */
function readEnd(line: Fields): Step[] {
  const result = fieldsOf(line["result"]);
  if (typeof result["stopReason"] !== "string") return [];
  return [{ kind: "turn_end", ...spent(tokensOf(result)) }];
}

/** In the protocol's place for it, or where gemini puts it. */
function tokensOf(result: Fields): number {
  const { totalTokens, inputTokens, outputTokens } = fieldsOf(result["usage"]);
  const quota = fieldsOf(fieldsOf(result["_meta"])["quota"]);
  const { input_tokens: input, output_tokens: output } = fieldsOf(quota["token_count"]);
  return (
    countOf(totalTokens) ||
    countOf(inputTokens) + countOf(outputTokens) ||
    countOf(input) + countOf(output)
  );
}
