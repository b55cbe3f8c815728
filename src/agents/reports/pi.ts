/**
 * What pi's `json` and `rpc` lines say of the attempt. It exits 0 for every failure: only the stop reason of its
 * last message tells.
 */
import { countOf, fieldsOf, textOf } from "../transcripts/json.ts";
import type { Fields } from "../transcripts/json.ts";
import { evidenceOfText } from "./error-text.ts";
import { completed, failed, recovered, retrying } from "./seen.ts";
import type { EventReader, FinalRule, Seen } from "./seen.ts";

/** By then its SDK has tried three times; its own retries can only be turned off for good. */
export const PI_FINALS: readonly FinalRule[] = [{ inARow: 1 }];

export const piEvents: EventReader = {
  event(seen, line) {
    switch (line["type"]) {
      case "session":
        return withSession(seen, textOf(line["id"]));
      case "response":
        return readResponse(seen, line);
      case "message_end":
        return readMessage(seen, fieldsOf(line["message"]));
      case "auto_retry_start": {
        const evidence = evidenceOfText(textOf(line["errorMessage"]));
        return retrying(seen, {
          evidence: { ...evidence, origin: "provider" },
          waitMs: countOf(line["delayMs"]),
        });
      }
      default:
        return seen;
    }
  },
};

const withSession = (seen: Seen, session: string): Seen =>
  session === "" ? seen : { ...seen, session };

function readResponse(seen: Seen, line: Fields): Seen {
  if (line["success"] === false && line["command"] === "prompt")
    return failed(seen, evidenceOfText(textOf(line["error"])));
  return withSession(seen, textOf(fieldsOf(line["data"])["sessionId"]));
}

function readMessage(seen: Seen, message: Fields): Seen {
  if (message["role"] !== "assistant") return seen;
  switch (message["stopReason"]) {
    case "stop":
      return completed(seen);
    case "error": {
      const evidence = evidenceOfText(textOf(message["errorMessage"]));
      const { retry } = seen;
      const next = failed(seen, { ...evidence, origin: "provider" });
      return retry === undefined ? next : { ...next, retry };
    }
    case "length":
      return failed(seen, {
        tool: "agent_cli",
        origin: "provider",
        providerError: { type: "max_output_tokens" },
        message: "the answer was cut off at its token limit",
      });
    default:
      return recovered(seen);
  }
}
