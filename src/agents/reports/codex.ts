/**
 * What `codex exec --json` lines say of the attempt; lines of its app-server are read next door. The errors of
 * `exec` are free text, some of it a provider's JSON; "Reconnecting... 2/5 (reason)" is a retry, not an end.
 */
import type { TokenCounts } from "../../core/prices.ts";
import { countOf, fieldsOf, textOf } from "../transcripts/json.ts";
import type { Fields } from "../transcripts/json.ts";
import { readServerEvent } from "./codex-server.ts";
import { evidenceOfText } from "./error-text.ts";
import { completed, counting, failed, HOPELESS_STATUSES, retrying, warned } from "./seen.ts";
import type { EventReader, FinalRule, Seen } from "./seen.ts";

/** Its own retries cannot be turned down for the built-in provider. */
export const CODEX_FINALS: readonly FinalRule[] = [{ statuses: HOPELESS_STATUSES }, { inARow: 2 }];

const RECONNECTING = /^Reconnecting\.{0,3}[^(]{0,80}(?:\(([^]{0,4000})\))?$/;

export const codexEvents: EventReader = {
  event(seen, line) {
    switch (line["type"]) {
      case "thread.started": {
        const session = textOf(line["thread_id"]);
        return session === "" ? seen : { ...seen, session };
      }
      case "item.completed": {
        const item = fieldsOf(line["item"]);
        return item["type"] === "error" ? warned(seen, textOf(item["message"])) : seen;
      }
      case "error":
        return readError(seen, textOf(line["message"]));
      case "turn.failed":
        return failed(seen, evidenceOfText(textOf(fieldsOf(line["error"])["message"])));
      case "turn.completed":
        return completed(counting(seen, countsOf(fieldsOf(line["usage"]))));
      case undefined:
        return readServerEvent(seen, line);
      default:
        return seen;
    }
  },
};

function countsOf(usage: Fields): TokenCounts {
  const cached = countOf(usage["cached_input_tokens"]);
  const input = Math.max(0, countOf(usage["input_tokens"]) - cached);
  return { input, cached, output: countOf(usage["output_tokens"]) };
}

function readError(seen: Seen, message: string): Seen {
  const retry = RECONNECTING.exec(message);
  if (retry === null) return failed(seen, evidenceOfText(message));
  return retrying(seen, { evidence: evidenceOfText(retry[1] ?? message) });
}
