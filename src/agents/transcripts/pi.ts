/**
 * pi: `--mode json`. It exits 0 for every failure; an answer that was broken off ends with stopReason "error" and
 * is asked again.
 */
import type { Step } from "../../core/stuck/step.ts";
import type { Fields } from "./json.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf } from "./json.ts";
import type { LineReader } from "./line-reader.ts";

export function createPiReader(): LineReader {
  let streamed = false;
  return (line) => {
    switch (line["type"]) {
      case "message_start":
        streamed = false;
        return [];
      case "message_update": {
        const step = pieceOf(fieldsOf(line["assistantMessageEvent"]));
        if (step === undefined) return [];
        streamed = true;
        return [step];
      }
      case "message_end":
        return readEnd(fieldsOf(line["message"]), streamed);
      case "tool_execution_start":
        return [
          {
            kind: "tool_call",
            id: textOf(line["toolCallId"]),
            tool: textOf(line["toolName"]) || "tool",
            args: line["args"],
          },
        ];
      case "tool_execution_end":
        return [
          {
            kind: "tool_result",
            id: textOf(line["toolCallId"]),
            output: outputOf(fieldsOf(line["result"])["content"]),
            isError: line["isError"] === true,
          },
        ];
      case "compaction_start":
        return [{ kind: "compaction" }];
      case "auto_retry_start":
        return [{ kind: "wait" }];
      default:
        return [];
    }
  };
}

function pieceOf(event: Fields): Step | undefined {
  const text = textOf(event["delta"]);
  if (event["type"] === "text_delta") return { kind: "message", text, partial: true };
  if (event["type"] === "thinking_delta")
    return { kind: "message", text, partial: true, channel: "thought" };
  return undefined;
}

function readEnd(message: Fields, streamed: boolean): Step[] {
  if (message["role"] === "user") return [{ kind: "user_message" }];
  if (message["role"] !== "assistant") return [];
  const usage = fieldsOf(message["usage"]);
  const cost = spent(countOf(usage["totalTokens"]), countOf(fieldsOf(usage["cost"])["total"]));
  const reason = message["stopReason"];
  if (reason === "error" || reason === "aborted") {
    const text = textOf(message["errorMessage"]);
    const error: Step[] = text === "" ? [] : [{ kind: "error", text }];
    return [{ kind: "stream_retry", ...cost }, ...error];
  }
  const steps: Step[] = [];
  if (!streamed)
    for (const block of listOf(message["content"])) {
      const { type, text } = fieldsOf(block);
      if (type === "text") steps.push({ kind: "message", text: textOf(text) });
    }
  return [...steps, { kind: "turn_end", ...cost }];
}
