/**
 * Reads the output of Claude Code with `--output-format stream-json --verbose`, and its session files; Qwen Code writes
 * the same lines. `subtype` is "success" even for API failures, so only `is_error` and `terminal_reason` count.
 */
import { refusalOf } from "../../core/agent-words/refusal.ts";
import type { Evidence, ProviderError } from "../../core/evidence.ts";
import type { Step } from "../../core/stuck/step.ts";
import type { AgentUsage, Capped } from "../../runtime/agent-result.ts";
import { evidenceOfText } from "../output/error-text.ts";
import { HOPELESS_STATUSES, retryAfterLong, EMPTY_READING } from "../output/format.ts";
import type { LineReader, LineReading, OutputFormat } from "../output/format.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf, type Fields } from "../output/json.ts";
import {
  completed,
  withCounts,
  withFailure,
  liftedAt,
  withRecovery,
  withRetry,
  withWarning,
} from "../output/output-state.ts";
import type { OutputState } from "../output/output-state.ts";
import { OWN_RETRIES, OWN_WAIT_MS } from "./retries.ts";

export const claudeOutput: OutputFormat = {
  begins: (line) => line["type"] === "system" && line["subtype"] === "init",
  createReader,
  finals: [
    {
      names: [
        ...["authentication_failed", "oauth_org_not_allowed", "billing_error"],
        ...["invalid_request", "model_not_found"],
      ],
    },
    { statuses: HOPELESS_STATUSES },
    { waitMs: OWN_WAIT_MS },
    { inARow: OWN_RETRIES + 1 },
  ],
  sessionGone: ["no conversation found"],
};

function createReader(): LineReader {
  let counted = "";
  let usd = 0;
  return (line) => {
    switch (line["type"]) {
      case "assistant": {
        const message = fieldsOf(line["message"]);
        const id = textOf(message["id"]);
        const tokens = id !== counted ? tokensOf(fieldsOf(message["usage"])) : 0;
        counted = id;
        return {
          steps: answerSteps(line, message, tokens),
          tells: (seen) =>
            isFailure(line) ? withFailure(seen, failureOf(line)) : countAnswer(seen, message),
        };
      }
      case "user":
        return { steps: userSteps(line) };
      case "system":
        return readSystem(line);
      case "rate_limit_event":
        return { tells: (seen) => readLimit(seen, fieldsOf(line["rate_limit_info"])) };
      case "result": {
        const total = countOf(line["total_cost_usd"]);
        const step: Step = { kind: "turn_end", ...spent(0, total - usd) };
        usd = Math.max(usd, total);
        return { steps: [step], tells: (seen) => readResult(seen, line) };
      }
      default:
        return EMPTY_READING;
    }
  };
}

/** A model answer arrives as one line per block, each with the usage of the whole answer. */
const tokensOf = (usage: Fields): number =>
  countOf(usage["input_tokens"]) +
  countOf(usage["cache_creation_input_tokens"]) +
  countOf(usage["output_tokens"]);

/** A subagent's steps form a run of their own. */
function runOf(line: Fields): { runId?: string } {
  const parent = line["parent_tool_use_id"];
  if (typeof parent === "string") return { runId: parent };
  return line["isSidechain"] === true ? { runId: textOf(line["agentId"]) || "sidechain" } : {};
}

function answerSteps(line: Fields, message: Fields, tokens: number): Step[] {
  const run = runOf(line);
  const steps: Step[] = [];
  const synthetic = message["model"] === "<synthetic>" || line["is_api_error_message"] === true;
  for (const block of listOf(message["content"])) {
    const common = { ...run, ...(steps.length === 0 ? spent(tokens) : {}) };
    const step = blockStep(fieldsOf(block), textOf(message["id"]), synthetic);
    if (step !== undefined) steps.push({ ...step, ...common });
  }
  return steps;
}

function blockStep(block: Fields, round: string, synthetic: boolean): Step | undefined {
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
  return typeof type === "string" && type.endsWith("_tool_result") ? resultStep(block) : undefined;
}

const resultStep = (block: Fields): Step => ({
  kind: "tool_result",
  id: textOf(block["tool_use_id"]),
  output: outputOf(block["content"]),
  isError: block["is_error"] === true,
});

function userSteps(line: Fields): Step[] {
  const run = runOf(line);
  const { content } = fieldsOf(line["message"]);
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
  const of = (type: string): readonly Fields[] =>
    blocks.map(fieldsOf).filter((block) => block["type"] === type);
  const steps = of("tool_result").map((block): Step => ({ ...resultStep(block), ...run }));
  if (of("text").length === 0 || line["isMeta"] === true || line["isCompactSummary"] === true)
    return steps;
  // The agent itself repeats a request whose answer was cut, empty or refused.
  const kind = line["isSynthetic"] === true ? "stream_retry" : "user_message";
  // Messages to a subagent come from the agent, not from a person.
  return run.runId !== undefined && kind === "user_message" ? steps : [...steps, { kind, ...run }];
}

function readSystem(line: Fields): LineReading {
  switch (line["subtype"]) {
    case "init":
      return { tells: (seen) => readStart(seen, line) };
    case "compact_boundary":
      return { steps: [{ kind: "compaction" }] };
    case "api_retry":
    case "retry":
      return { steps: [{ kind: "wait" }], tells: (seen) => readRetry(seen, line) };
    default:
      return EMPTY_READING;
  }
}

function readStart(seen: OutputState, line: Fields): OutputState {
  const session = textOf(line["session_id"]);
  const next = { ...seen, version: textOf(line["claude_code_version"]) };
  return session === "" ? next : { ...next, session, model: textOf(line["model"]) };
}

function readRetry(seen: OutputState, line: Fields): OutputState {
  const name = textOf(line["error"]);
  const { delayMs } = { ...line, ...fieldsOf(line["data"]) };
  const waitMs = countOf(line["retry_delay_ms"]) || countOf(delayMs);
  const evidence: Evidence = {
    tool: "agent_cli",
    origin: "provider",
    message: `the agent announced a retry: ${name} ${countOf(line["error_status"]) || ""}`.trim(),
    ...typed({ type: name }, line["error_status"]),
    ...retryAfterLong(waitMs),
  };
  return withRetry(seen, { evidence, name, waitMs });
}

function readLimit(seen: OutputState, info: Fields): OutputState {
  const seconds = countOf(info["resetsAt"]);
  return info["status"] !== "rejected" || seconds === 0 ? seen : liftedAt(seen, seconds);
}

const WRITTEN_TO_CACHE = 1.25;

function countAnswer(seen: OutputState, message: Fields): OutputState {
  const usage = fieldsOf(message["usage"]);
  const counts = {
    input:
      countOf(usage["input_tokens"]) +
      WRITTEN_TO_CACHE * countOf(usage["cache_creation_input_tokens"]),
    cached: countOf(usage["cache_read_input_tokens"]),
    output: countOf(usage["output_tokens"]),
  };
  return withCounts(seen, counts, textOf(message["id"]));
}

const isFailure = (line: Fields): boolean =>
  line["is_api_error_message"] === true || typeof line["error"] === "string";

function failureOf(line: Fields): Evidence {
  const blocks = listOf(fieldsOf(line["message"])["content"]).map(fieldsOf);
  const text = blocks.map((block) => textOf(block["text"])).join("\n");
  const words = { type: textOf(line["error"]), code: textOf(line["api_error_type"]) };
  const told = typed(words, line["api_error_status"]);
  return { ...evidenceOfText(text), ...told, origin: "provider" };
}

function typed(
  words: ProviderError,
  status: unknown,
): Pick<Evidence, "providerError" | "httpStatus"> {
  const told = Object.entries(words).filter(([, word]) => word !== "" && word !== "unknown");
  const httpStatus = countOf(status);
  return {
    ...(told.length === 0 ? {} : { providerError: Object.fromEntries(told) }),
    ...(httpStatus === 0 ? {} : { httpStatus }),
  };
}

const OWN_CAPS: ReadonlyMap<unknown, Capped> = new Map([
  ["error_max_budget_usd", "usd"],
  ["error_max_turns", "turns"],
]);
const NORMAL_ENDS: ReadonlySet<unknown> = new Set([undefined, null, "", "completed"]);

function readResult(before: OutputState, line: Fields): OutputState {
  const counted = totals(before, line);
  const capped = OWN_CAPS.get(line["subtype"]);
  const seen: OutputState = capped === undefined ? counted : { ...counted, capped };
  const reason = line["terminal_reason"];
  if (textOf(reason).startsWith("aborted")) return withRecovery(seen);
  if (line["is_error"] !== true && NORMAL_ENDS.has(reason)) return completed(seen);
  const told = [line["result"], fieldsOf(line["error"])["message"]].map(textOf);
  const words = [...told, ...listOf(line["errors"]).map(outputOf)];
  const error = seen.error ?? {
    ...evidenceOfText(words.filter((word) => word !== "").join("\n") || textOf(reason)),
    ...typed({ type: textOf(line["subtype"]) }, line["api_error_status"]),
  };
  const code = reason === "api_error" ? "" : textOf(reason);
  if (code === "") return withFailure(seen, error);
  return withFailure(seen, { ...error, providerError: { ...error.providerError, code } });
}

function totals(seen: OutputState, line: Fields): OutputState {
  const denied = listOf(line["permission_denials"]).map(fieldsOf);
  return denied.reduce<OutputState>(
    (so, denial) => withWarning(so, `permission not given: ${callOf(denial)}`),
    { ...seen, usage: addUp(seen.usage, usageOf(line)), ...refusedIn(denied) },
  );
}

function refusedIn(denied: readonly Fields[]): Pick<OutputState, "refused"> {
  const refused = denied.flatMap(
    (denial) => refusalOf(textOf(denial["tool_name"]), denial["tool_input"]) ?? [],
  );
  return refused.length === 0 ? {} : { refused };
}

/** `total_cost_usd` covers the whole session, including costs before it was resumed. */
function usageOf(line: Fields): AgentUsage {
  const models = Object.values(fieldsOf(line["model_usage_since_last_result"])).map(fieldsOf);
  if (models.length > 0) {
    const sum = (name: string): number => models.reduce((so, of) => so + countOf(of[name]), 0);
    const tokens = sum("inputTokens") + sum("cacheCreationInputTokens") + sum("outputTokens");
    return { tokens, usd: sum("costUSD") };
  }
  const tokens = tokensOf(fieldsOf(line["usage"]));
  const usd = line["total_cost_usd"];
  return { tokens, ...(typeof usd === "number" ? { usd: countOf(usd) } : {}) };
}

const addUp = (one: AgentUsage | undefined, other: AgentUsage): AgentUsage => ({
  ...other,
  tokens: (one?.tokens ?? 0) + (other.tokens ?? 0),
  ...(one?.usd === undefined && other.usd === undefined
    ? {}
    : { usd: (one?.usd ?? 0) + (other.usd ?? 0) }),
});

function callOf(denial: Fields): string {
  const input = fieldsOf(denial["tool_input"]);
  const detail = textOf(input["command"]) || textOf(input["file_path"]);
  return `${textOf(denial["tool_name"])} ${detail}`.trim();
}
