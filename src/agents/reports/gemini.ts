/**
 * What Gemini CLI's `stream-json` lines and its warnings say of the attempt. Its retries are announced on standard
 * error only; its exit code is an HTTP status cut to eight bits, or 0 for several failures.
 */
import { countOf, fieldsOf, textOf } from "../transcripts/json.ts";
import type { Fields } from "../transcripts/json.ts";
import { evidenceOfText } from "./error-text.ts";
import {
  HOPELESS_STATUSES,
  LONG_WAIT_MS,
  completed,
  counting,
  failed,
  retrying,
  warned,
} from "./seen.ts";
import type { EventReader, FinalRule, Seen } from "./seen.ts";

export const GEMINI_FINALS: readonly FinalRule[] = [
  { statuses: HOPELESS_STATUSES },
  { waitMs: LONG_WAIT_MS },
  { inARow: 2 },
];

const ATTEMPT_FAILED = /^Attempt \d{1,4} failed(?: with status \d{3})?[.:] ?/;
const WAIT = /Retrying after (\d{1,9})ms/;

export const geminiEvents: EventReader = {
  event(seen, line) {
    switch (line["type"]) {
      case "init": {
        const session = textOf(line["session_id"]);
        return session === "" ? seen : { ...seen, session, model: textOf(line["model"]) };
      }
      case "error":
        return readError(seen, textOf(line["message"]), line["severity"]);
      case "result":
        return readResult(seen, line);
      default:
        return seen;
    }
  },
  note(seen, line) {
    if (!ATTEMPT_FAILED.test(line)) return seen;
    const waitMs = Number(WAIT.exec(line.slice(0, 4000))?.[1] ?? 0);
    return retrying(seen, { evidence: evidenceOfText(line), waitMs });
  },
};

/** A warning that ends the turn ("Loop detected, stopping execution") is followed by "success". */
function readError(seen: Seen, message: string, severity: unknown): Seen {
  const stops = severity !== "warning" || /\bstopping execution\b/i.test(message);
  return stops ? failed(seen, evidenceOfText(message)) : warned(seen, message);
}

function readResult(before: Seen, line: Fields): Seen {
  const stats = fieldsOf(line["stats"]);
  const tokens = countOf(stats["total_tokens"]);
  const counts = {
    input: countOf(stats["input"]),
    cached: countOf(stats["cached"]),
    output: Math.max(0, tokens - countOf(stats["input_tokens"])),
  };
  const { type, message: words } = fieldsOf(line["error"]);
  const capped = type === "FatalTurnLimitedError" ? { capped: "turns" as const } : {};
  const seen = counting({ ...before, ...capped, usage: { tokens } }, counts);
  const message = textOf(words);
  if (line["status"] === "success" && seen.error === undefined) return completed(seen);
  if (message !== "") return failed(seen, evidenceOfText(message));
  return failed(seen, seen.error ?? evidenceOfText("the turn ended with an error and no reason"));
}
