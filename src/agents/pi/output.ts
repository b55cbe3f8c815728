/**
 * Reads the output of pi in its `json` and `rpc` modes. It exits 0 for every failure: only the stop reason of its last
 * message counts; an interrupted answer ends with stopReason "error" and is requested again.
 */
import type { Step } from "../../core/stuck/step.ts";
import { brokenOff, evidenceOfText } from "../output/error-text.ts";
import { EMPTY_READING } from "../output/format.ts";
import type { LineReader, LineReading, OutputFormat } from "../output/format.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf, type Fields } from "../output/json.ts";
import {
  completed,
  withFailure,
  withRecovery,
  withRetry,
  withSession,
  type OutputState,
} from "../output/output-state.ts";

export const piOutput: OutputFormat = {
  begins: (line) => line["type"] === "session" && typeof line["id"] === "string",
  createReader,
  // By then its SDK has tried three times; its own retries can only be turned off permanently.
  finals: [{ inARow: 1 }],
  sessionGone: ["no session found"],
};

const CUT_OFF = "the answer was cut off at its token limit";

function createReader(): LineReader {
  let streamed = false;
  return (line) => {
    switch (line["type"]) {
      case "message_start":
        streamed = false;
        return EMPTY_READING;
      case "message_update": {
        const step = pieceOf(fieldsOf(line["assistantMessageEvent"]));
        if (step === undefined) return EMPTY_READING;
        streamed = true;
        return { steps: [step] };
      }
      case "message_end": {
        const message = fieldsOf(line["message"]);
        return { steps: endSteps(message, streamed), tells: (seen) => readMessage(seen, message) };
      }
      default:
        return readEvent(line);
    }
  };
}

function readEvent(line: Fields): LineReading {
  const id = textOf(line["toolCallId"]);
  switch (line["type"]) {
    case "session":
      return { tells: (seen) => withSession(seen, textOf(line["id"])) };
    case "response":
      return { tells: (seen) => readResponse(seen, line) };
    case "tool_execution_start": {
      const tool = textOf(line["toolName"]) || "tool";
      return { steps: [{ kind: "tool_call", id, tool, args: line["args"] }] };
    }
    case "tool_execution_end": {
      const output = outputOf(fieldsOf(line["result"])["content"]);
      return { steps: [{ kind: "tool_result", id, output, isError: line["isError"] === true }] };
    }
    case "compaction_start":
      return { steps: [{ kind: "compaction" }] };
    case "auto_retry_start": {
      const evidence = evidenceOfText(textOf(line["errorMessage"]));
      const retry = {
        evidence: { ...evidence, origin: "provider" as const },
        waitMs: countOf(line["delayMs"]),
      };
      return { steps: [{ kind: "wait" }], tells: (seen) => withRetry(seen, retry) };
    }
    default:
      return EMPTY_READING;
  }
}

function pieceOf(event: Fields): Step | undefined {
  const text = textOf(event["delta"]);
  if (event["type"] === "text_delta") return { kind: "message", text, partial: true };
  if (event["type"] === "thinking_delta")
    return { kind: "message", text, partial: true, channel: "thought" };
  return undefined;
}

function endSteps(message: Fields, streamed: boolean): Step[] {
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

function readResponse(seen: OutputState, line: Fields): OutputState {
  if (line["success"] === false && line["command"] === "prompt")
    return withFailure(seen, evidenceOfText(textOf(line["error"])));
  return withSession(seen, textOf(fieldsOf(line["data"])["sessionId"]));
}

function readMessage(seen: OutputState, message: Fields): OutputState {
  if (message["role"] !== "assistant") return seen;
  switch (message["stopReason"]) {
    case "stop":
      return completed(seen);
    case "error": {
      const evidence = evidenceOfText(textOf(message["errorMessage"]));
      const { retry } = seen;
      const next = withFailure(seen, { ...evidence, origin: "provider" });
      return retry === undefined ? next : { ...next, retry };
    }
    case "length":
      return withFailure(seen, brokenOff("max_output_tokens", CUT_OFF));
    default:
      return withRecovery(seen);
  }
}
