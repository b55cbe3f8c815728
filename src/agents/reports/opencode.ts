/**
 * What `opencode run --format json` lines say of the attempt. Pure; imports core types and its
 * neighbours. There is no last line: the turn is complete when its last step finished with `stop`.
 */
import type { Evidence } from "../../core/evidence.ts";
import { countOf, fieldsOf, textOf } from "../transcripts/json.ts";
import type { Fields } from "../transcripts/json.ts";
import { bodyIn, evidenceOfText } from "./error-text.ts";
import { completed, failed, retrying } from "./seen.ts";
import type { EventReader, FinalRule, Seen } from "./seen.ts";

/** A step that ends without a reason is asked again for ever. */
export const OPENCODE_FINALS: readonly FinalRule[] = [{ inARow: 3 }];

/** Names that say no more than that something failed. */
const CATCH_ALL: ReadonlySet<string> = new Set(["APIError", "UnknownError", ""]);

export const opencodeEvents: EventReader = {
  event(before, line) {
    const session = textOf(line["sessionID"]);
    const seen = session === "" ? before : { ...before, session };
    switch (line["type"]) {
      case "error":
        return failed(seen, evidenceOf(fieldsOf(line["error"])));
      case "step_start":
        return seen.completed ? { ...seen, completed: false } : seen;
      case "step_finish":
        return readFinish(seen, textOf(fieldsOf(line["part"])["reason"]));
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
