/**
 * What OpenCode's lines say of the attempt: those of `opencode run --format json`, and those its server's events
 * become. There is no last line: the turn is complete when its last step finished with `stop`.
 */
import type { Evidence } from "../../core/evidence.ts";
import type { TokenCounts } from "../../core/prices.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { countOf, fieldsOf, listOf, textOf } from "../transcripts/json.ts";
import type { Fields } from "../transcripts/json.ts";
import { bodyIn, evidenceOfText } from "./error-text.ts";
import { completed, counting, failed, LONG_WAIT_MS, recovered, retrying, warned } from "./seen.ts";
import type { EventReader, FinalRule, Seen } from "./seen.ts";

const RETRY = "retry";

/** Its own retries cannot be turned down. A step that ends without a reason is asked again for ever. */
export const OPENCODE_FINALS: readonly FinalRule[] = [
  { names: [RETRY], waitMs: LONG_WAIT_MS },
  { names: [RETRY], inARow: 2 },
  { inARow: 3 },
];

/** Names that say no more than that something failed. */
const CATCH_ALL: ReadonlySet<string> = new Set(["APIError", "UnknownError", ""]);

export const opencodeEvents: EventReader = {
  event(before, line) {
    const session = textOf(line["sessionID"]);
    const seen = session === "" ? before : { ...before, session };
    switch (line["type"]) {
      case "error":
        return failed(seen, evidenceOf(fieldsOf(line["error"])));
      case "retry":
        return readRetry(seen, line);
      case "compaction":
        return recovered(seen);
      case "permission":
        return warned(seen, deniedBy(line));
      case "step_start":
        return seen.completed ? { ...seen, completed: false } : seen;
      case "step_finish":
        return readFinish(
          counting(seen, countsOf(fieldsOf(fieldsOf(line["part"])["tokens"]))),
          textOf(fieldsOf(line["part"])["reason"]),
        );
      default:
        return seen;
    }
  },
};

function evidenceOf(error: Fields): Evidence {
  const name = textOf(error["name"]);
  const data = fieldsOf(error["data"]);
  const httpStatus = countOf(data["statusCode"]);
  const retryAfter = textOf(fieldsOf(data["responseHeaders"])["retry-after"]);
  const body = bodyIn(textOf(data["responseBody"]));
  const text = evidenceOfText(textOf(data["message"]));
  const typed = CATCH_ALL.has(name) ? {} : { providerError: { type: name } };
  return {
    ...text,
    ...body,
    ...(body.providerError === undefined ? typed : {}),
    ...(httpStatus === 0 ? {} : { httpStatus }),
    ...(retryAfter === "" ? {} : { retryAfter }),
    ...(name === "APIError" ? { origin: "provider" as const } : {}),
  };
}

/** Its own pauses are short: a long one is what the provider asked for. */
function readRetry(seen: Seen, line: Fields): Seen {
  const waitMs = Math.max(0, countOf(line["next"]) - countOf(line["timestamp"]));
  const evidence: Evidence = { origin: "provider", ...evidenceOfText(textOf(line["message"])) };
  const told = waitMs < LONG_WAIT_MS ? {} : { retryAfter: String(Math.ceil(waitMs / 1000)) };
  return retrying(seen, { name: RETRY, waitMs, evidence: { ...evidence, ...told } });
}

function deniedBy(line: Fields): string {
  const what = listOf(line["patterns"]).map(textOf).join(", ");
  return tameLine(`not permitted: ${textOf(line["permission"])} ${what}`, 200);
}

function countsOf(tokens: Fields): TokenCounts {
  const cache = fieldsOf(tokens["cache"]);
  return {
    input: countOf(tokens["input"]) + countOf(cache["write"]),
    cached: countOf(cache["read"]),
    output: countOf(tokens["output"]) + countOf(tokens["reasoning"]),
  };
}

function readFinish(seen: Seen, reason: string): Seen {
  switch (reason) {
    case "stop":
      return completed(seen);
    case "tool-calls":
      return seen;
    case "length":
      return failed(seen, ended("max_output_tokens", "the answer was cut off at its token limit"));
    case "content-filter":
      return failed(seen, ended("content_filter", "the answer was stopped by a content filter"));
    default:
      return retrying(seen, {
        evidence: ended("incomplete_response", "the answer ended without a finish reason"),
      });
  }
}

const ended = (type: string, message: string): Evidence => ({
  tool: "agent_cli",
  origin: "provider",
  providerError: { type },
  message,
});
