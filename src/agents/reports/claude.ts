/**
 * What Claude Code's `stream-json` lines say of the attempt. `subtype` is "success" even for API failures: only
 * `is_error` and `terminal_reason` are believed.
 */
import type { Evidence, ProviderError } from "../../core/evidence.ts";
import type { AgentUsage, Capped } from "../../runtime/ports-agent.ts";
import { countOf, fieldsOf, listOf, outputOf, textOf } from "../transcripts/json.ts";
import type { Fields } from "../transcripts/json.ts";
import { versionWarning } from "../version.ts";
import { evidenceOfText } from "./error-text.ts";
import {
  HOPELESS_STATUSES,
  LONG_WAIT_MS,
  completed,
  counting,
  failed,
  recovered,
  retrying,
  warned,
} from "./seen.ts";
import type { EventReader, FinalRule, Seen } from "./seen.ts";

export const CLAUDE_FINALS: readonly FinalRule[] = [
  {
    names: [
      "authentication_failed",
      "oauth_org_not_allowed",
      "billing_error",
      "invalid_request",
      "model_not_found",
    ],
  },
  { statuses: HOPELESS_STATUSES },
  { waitMs: LONG_WAIT_MS },
  { inARow: 3 },
];

export const claudeEvents: EventReader = {
  event(seen, line) {
    switch (line["type"]) {
      case "system":
        return readSystem(seen, line);
      case "rate_limit_event":
        return readLimit(seen, fieldsOf(line["rate_limit_info"]));
      case "assistant":
        return isFailure(line) ? failed(seen, failureOf(line)) : readAnswer(seen, line);
      case "result":
        return readResult(seen, line);
      default:
        return seen;
    }
  },
};

function readSystem(seen: Seen, line: Fields): Seen {
  const session = textOf(line["session_id"]);
  if (line["subtype"] === "init") {
    const warning = versionWarning("claude", textOf(line["claude_code_version"]));
    const model = textOf(line["model"]);
    return warned(session === "" ? seen : { ...seen, session, model }, warning ?? "");
  }
  if (line["subtype"] !== "api_retry" && line["subtype"] !== "retry") return seen;
  const name = textOf(line["error"]);
  const { delayMs } = { ...line, ...fieldsOf(line["data"]) };
  const waitMs = countOf(line["retry_delay_ms"]) || countOf(delayMs);
  const evidence: Evidence = {
    tool: "agent_cli",
    origin: "provider",
    message: `the agent announced a retry: ${name} ${countOf(line["error_status"]) || ""}`.trim(),
    ...typed({ type: name }, line["error_status"]),
    ...(waitMs < LONG_WAIT_MS ? {} : { retryAfter: String(Math.ceil(waitMs / 1000)) }),
  };
  return retrying(seen, { evidence, name, waitMs });
}

function readLimit(seen: Seen, info: Fields): Seen {
  const seconds = countOf(info["resetsAt"]);
  if (info["status"] !== "rejected" || seconds === 0 || seconds > 1e11) return seen;
  return { ...seen, liftedAt: new Date(seconds * 1000).toUTCString() };
}

const WRITTEN_TO_CACHE = 1.25;

function readAnswer(seen: Seen, line: Fields): Seen {
  const message = fieldsOf(line["message"]);
  const usage = fieldsOf(message["usage"]);
  const counts = {
    input:
      countOf(usage["input_tokens"]) +
      WRITTEN_TO_CACHE * countOf(usage["cache_creation_input_tokens"]),
    cached: countOf(usage["cache_read_input_tokens"]),
    output: countOf(usage["output_tokens"]),
  };
  return counting(seen, counts, textOf(message["id"]));
}

const isFailure = (line: Fields): boolean =>
  line["is_api_error_message"] === true || typeof line["error"] === "string";

function failureOf(line: Fields): Evidence {
  const blocks = listOf(fieldsOf(line["message"])["content"]).map(fieldsOf);
  const text = blocks.map((block) => textOf(block["text"])).join("\n");
  const words = {
    type: textOf(line["error"]),
    code: textOf(line["api_error_type"]),
  };
  return {
    ...evidenceOfText(text),
    ...typed(words, line["api_error_status"]),
    origin: "provider",
  };
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

function readResult(before: Seen, line: Fields): Seen {
  const counted = totals(before, line);
  const capped = OWN_CAPS.get(line["subtype"]);
  const seen: Seen = capped === undefined ? counted : { ...counted, capped };
  const reason = line["terminal_reason"];
  if (textOf(reason).startsWith("aborted")) return recovered(seen);
  if (line["is_error"] !== true && NORMAL_ENDS.has(reason)) return completed(seen);
  const told = [line["result"], fieldsOf(line["error"])["message"]].map(textOf);
  const words = [...told, ...listOf(line["errors"]).map(outputOf)];
  const error = seen.error ?? {
    ...evidenceOfText(words.filter((word) => word !== "").join("\n") || textOf(reason)),
    ...typed({ type: textOf(line["subtype"]) }, line["api_error_status"]),
  };
  const code = reason === "api_error" ? "" : textOf(reason);
  if (code === "") return failed(seen, error);
  return failed(seen, { ...error, providerError: { ...error.providerError, code } });
}

function totals(seen: Seen, line: Fields): Seen {
  const denied = listOf(line["permission_denials"]).map(fieldsOf);
  return denied.reduce<Seen>(
    (so, denial) => warned(so, `permission not given: ${callOf(denial)}`),
    { ...seen, usage: addUp(seen.usage, usageOf(line)) },
  );
}

/** `total_cost_usd` counts the whole session, also what was spent before it was resumed. */
function usageOf(line: Fields): AgentUsage {
  const models = Object.values(fieldsOf(line["model_usage_since_last_result"])).map(fieldsOf);
  if (models.length > 0)
    return models.reduce<AgentUsage>(
      (sum, model) =>
        addUp(sum, {
          tokens:
            countOf(model["inputTokens"]) +
            countOf(model["cacheCreationInputTokens"]) +
            countOf(model["outputTokens"]),
          usd: countOf(model["costUSD"]),
        }),
      {},
    );
  const usage = fieldsOf(line["usage"]);
  const tokens =
    countOf(usage["input_tokens"]) +
    countOf(usage["cache_creation_input_tokens"]) +
    countOf(usage["output_tokens"]);
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
