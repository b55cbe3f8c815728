/**
 * What the JSON lines of an agent nobody knows say of the attempt, by what most of them have in common: events
 * named error, failed, retry or result. A failed tool is not a failed attempt.
 */
import type { Evidence } from "../../core/evidence.ts";
import { fieldsOf } from "../transcripts/json.ts";
import { looseEvent } from "../transcripts/loose-event.ts";
import type { LooseEvent } from "../transcripts/loose-event.ts";
import { bodyIn, bodyOf, evidenceOfText } from "./error-text.ts";
import { announcesRetry, noteRetry } from "./retry-note.ts";
import { completed, failed, HOPELESS_STATUSES, LONG_WAIT_MS, retrying } from "./seen.ts";
import type { EventReader, FinalRule, Seen } from "./seen.ts";

export const LOOSE_FINALS: readonly FinalRule[] = [
  { statuses: HOPELESS_STATUSES },
  { waitMs: LONG_WAIT_MS, inARow: 2 },
  { inARow: 4 },
];

const RETRY = /retry(?!.{0,80}(?:end|ended|success|complete))/;
const FAILURE = /(?:^|[._\s-])(?:error|failed|failure|exception)$/;
const OF_A_PART = /tool|hook|mcp|command|execution|warning/;
const TURN_END = /^(?:turn|run|session|agent)[._](?:end|ended|completed?|finished|result)\b/;
const END = /^(?:result|done|complete|completed|final|end)\b/;
const SESSIONS = ["session_id", "sessionId", "sessionID", "thread_id"];
const WAITS = ["delayMs", "retry_delay_ms", "delay_ms", "retryDelayMs", "waitMs"];

export const looseEvents: EventReader = {
  event(before, line) {
    const event = looseEvent(line);
    const session = event.text(...SESSIONS);
    const seen = session === "" ? before : { ...before, session };
    const evidence = (): Evidence => evidenceOf(event);
    if (RETRY.test(event.name))
      return retrying(seen, { evidence: evidence(), waitMs: event.number(1, 1e9, ...WAITS) ?? 0 });
    if (isFailure(event)) {
      const told = evidence();
      return announcesRetry(told.message ?? "")
        ? retrying(seen, { evidence: told })
        : failed(seen, told);
    }
    if (!END.test(event.name) && !TURN_END.test(event.name)) return seen;
    return readEnd(seen, event);
  },
  note: noteRetry,
};

function isFailure(event: LooseEvent): boolean {
  if (OF_A_PART.test(event.name)) return false;
  return (
    FAILURE.test(event.type) ||
    event.find("is_api_error_message") === true ||
    event.text("errorMessage", "error_message") !== "" ||
    ["error", "content_filter"].includes(event.text("stopReason", "finish_reason"))
  );
}

function readEnd(seen: Seen, event: LooseEvent): Seen {
  const bad =
    event.find("is_error", "isError") === true ||
    event.find("success") === false ||
    event.number(1, 255, "exitCode", "exit_code") !== undefined ||
    ["error", "failed", "failure"].includes(event.text("status")) ||
    event.text("subtype").startsWith("error");
  if (!bad) return seen.error === undefined ? completed(seen) : seen;
  const told = evidenceOf(event);
  return failed(seen, told.message === "" ? (seen.error ?? told) : told);
}

function evidenceOf(event: LooseEvent): Evidence {
  const message = event.text("errorMessage", "error_message", "message", "error", "result", "text");
  const text = evidenceOfText(message);
  const error = fieldsOf(event.find("error"));
  const status = event.number(
    ...([400, 599] as const),
    ...["statusCode", "status_code", "error_status", "api_error_status", "status", "code"],
  );
  const type = event.text("errorType", "error_type", "errorKind", "api_error_type", "error");
  const typed = /^[\w.-]{1,60}$/.test(type) ? { type } : {};
  const body = {
    ...(Object.keys(error).length === 0 ? {} : bodyOf({ error })),
    ...bodyIn(event.text("responseBody", "body")),
    ...bodyIn(message),
  };
  const providerError = { ...typed, ...body.providerError };
  return {
    ...text,
    ...body,
    ...(Object.keys(providerError).length === 0 ? {} : { providerError }),
    ...(status === undefined ? {} : { httpStatus: status }),
  };
}
