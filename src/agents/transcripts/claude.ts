/**
 * Claude Code: `--output-format stream-json --verbose`, and its session files. Also reads Qwen Code, which writes
 * the same lines.
 */
import type { Step } from "../../core/stuck/step.ts";
import type { Fields } from "./json.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf } from "./json.ts";
import type { LineReader } from "./line-reader.ts";

export function createClaudeReader(): LineReader {
  let counted = "";
  let usd = 0;
  return (line) => {
    switch (line["type"]) {
      case "assistant": {
        const message = fieldsOf(line["message"]);
        const id = textOf(message["id"]);
        const tokens = id !== counted ? tokensOf(message) : 0;
        counted = id;
        return readAnswer(line, message, tokens);
      }
      case "user":
        return readUser(line);
      case "system":
        return readSystem(line["subtype"]);
      case "result": {
        const total = countOf(line["total_cost_usd"]);
        const step: Step = { kind: "turn_end", ...spent(0, total - usd) };
        usd = Math.max(usd, total);
        return [step];
      }
      default:
        return [];
    }
  };
}

/** One model answer comes as one line a block, each with the usage of the whole. */
function tokensOf(message: Fields): number {
  const usage = fieldsOf(message["usage"]);
  return (
    countOf(usage["input_tokens"]) +
    countOf(usage["cache_creation_input_tokens"]) +
    countOf(usage["output_tokens"])
  );
}

/** A subagent's steps are a run of their own. */
function runOf(line: Fields): { runId?: string } {
  const parent = line["parent_tool_use_id"];
  if (typeof parent === "string") return { runId: parent };
  return line["isSidechain"] === true ? { runId: textOf(line["agentId"]) || "sidechain" } : {};
}

function readAnswer(line: Fields, message: Fields, tokens: number): Step[] {
  const run = runOf(line);
  const steps: Step[] = [];
  const synthetic = message["model"] === "<synthetic>" || line["is_api_error_message"] === true;
  for (const block of listOf(message["content"])) {
    const common = { ...run, ...(steps.length === 0 ? spent(tokens) : {}) };
    const step = readBlock(fieldsOf(block), textOf(message["id"]), synthetic);
    if (step !== undefined) steps.push({ ...step, ...common });
  }
  return steps;
}

function readBlock(block: Fields, round: string, synthetic: boolean): Step | undefined {
  const { type } = block;
  if (type === "text") {
    const text = textOf(block["text"]);
    return synthetic ? { kind: "error", text } : { kind: "message", text };
  }
  if (type === "thinking")
    return { kind: "message", text: textOf(block["thinking"]), channel: "thought" };
  if (type === "tool_use" || type === "server_tool_use")
    return {
      kind: "tool_call",
      tool: textOf(block["name"]) || "tool",
      args: block["input"],
      id: textOf(block["id"]),
      ...(round === "" ? {} : { round }),
    };
  return typeof type === "string" && type.endsWith("_tool_result") ? readResult(block) : undefined;
}

const readResult = (block: Fields): Step => ({
  kind: "tool_result",
  id: textOf(block["tool_use_id"]),
  output: outputOf(block["content"]),
  isError: block["is_error"] === true,
});

function readUser(line: Fields): Step[] {
  const run = runOf(line);
  const { content } = fieldsOf(line["message"]);
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
  const steps: Step[] = [];
  let spoke = false;
  for (const value of blocks) {
    const block = fieldsOf(value);
    if (block["type"] === "tool_result") steps.push({ ...readResult(block), ...run });
    else if (block["type"] === "text") spoke = true;
  }
  if (!spoke || line["isMeta"] === true || line["isCompactSummary"] === true) return steps;
  // the agent itself asks for an answer again that was cut, empty or refused
  const kind = line["isSynthetic"] === true ? "stream_retry" : "user_message";
  // words to a subagent come from the agent, not from a person
  return run.runId !== undefined && kind === "user_message" ? steps : [...steps, { kind, ...run }];
}

function readSystem(subtype: unknown): Step[] {
  if (subtype === "compact_boundary") return [{ kind: "compaction" }];
  return subtype === "api_retry" || subtype === "retry" ? [{ kind: "wait" }] : [];
}
