/**
 * What the messages of an Agent Client Protocol agent say of the attempt. Pure; imports core types
 * and its neighbours. An error to one of our requests ends the attempt; the numbers of our requests
 * are the adapter's.
 */
import type { Evidence } from "../../core/evidence.ts";
import { countOf, fieldsOf, outputOf, textOf } from "../transcripts/json.ts";
import type { Fields } from "../transcripts/json.ts";
import { bodyOf, evidenceOfText } from "./error-text.ts";
import { noteRetry } from "./retry-note.ts";
import { completed, failed, recovered } from "./seen.ts";
import type { EventReader, Seen } from "./seen.ts";

const AUTH_REQUIRED = -32_000;
/** Begins the id of a request whose refusal does not matter. */
export const ACP_OPTIONAL = "optional-";

export const acpEvents: EventReader = {
  event(seen, line) {
    if (line["method"] === "session/update") return readUpdate(seen, fieldsOf(line["params"]));
    if (line["method"] !== undefined) return seen;
    if (textOf(line["id"]).startsWith(ACP_OPTIONAL)) return seen;
    if (line["error"] !== undefined) return failed(seen, evidenceOf(fieldsOf(line["error"])));
    const result = fieldsOf(line["result"]);
    const session = textOf(result["sessionId"]);
    const next = session === "" ? seen : { ...seen, session };
    const reason = result["stopReason"];
    return typeof reason === "string" ? readEnd(next, reason) : next;
  },
  note: noteRetry,
};

function readUpdate(before: Seen, params: Fields): Seen {
  const session = textOf(params["sessionId"]);
  const seen = session === "" ? before : { ...before, session };
  const update = fieldsOf(params["update"]);
  if (update["sessionUpdate"] !== "usage_update") return seen;
  const { amount, currency } = fieldsOf(update["cost"]);
  const usd = currency === "USD" || currency === undefined ? countOf(amount) : 0;
  return usd === 0 ? seen : { ...seen, usage: { ...seen.usage, usd } };
}

function readEnd(seen: Seen, reason: string): Seen {
  switch (reason) {
    case "end_turn":
      return completed(seen);
    case "cancelled":
      return recovered(seen);
    case "refusal":
      return failed(seen, stopped("content_filter", "the agent refused to go on"));
    case "max_tokens":
      return failed(seen, stopped("max_output_tokens", "the answer was cut off at its limit"));
    default:
      return failed(seen, stopped(reason, `the turn ended early: ${reason.slice(0, 80)}`));
  }
}

const stopped = (type: string, message: string): Evidence => ({
  tool: "agent_cli",
  providerError: { type: type.slice(0, 80) },
  message,
});

/** Agents put their own words for it into `data`, as an object or as more text. */
function evidenceOf(error: Fields): Evidence {
  const data = fieldsOf(error["data"]);
  const details = textOf(error["data"]) || textOf(data["message"]) || textOf(data["details"]);
  const message = textOf(error["message"]);
  const text = evidenceOfText(details === "" ? message : `${message}\n${details}`);
  const kind = [data["errorKind"], data["codex_error_info"], data["kind"], data["type"]]
    .map((word) => (typeof word === "string" ? word : Object.keys(fieldsOf(word))[0]))
    .find((word) => word !== undefined && word !== "");
  const type = error["code"] === AUTH_REQUIRED ? "unauthenticated" : kind;
  const status = countOf(error["code"]);
  return {
    ...text,
    ...bodyOf({ error: { ...data, message: outputOf(data["message"]) } }),
    ...(text.providerError === undefined ? {} : { providerError: text.providerError }),
    ...(type === undefined ? {} : { providerError: { ...text.providerError, type } }),
    ...(status >= 400 && status < 600 ? { httpStatus: status } : {}),
  };
}
