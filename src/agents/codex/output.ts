/**
 * Reads the output of Codex: the messages of its app-server and the lines of `codex exec --json`, distinguished line by
 * line; the items of a turn are the same in both. `exec` omits calls with bad arguments or of unknown tools; its errors
 * are free text, some of it a provider's JSON.
 */
import { evidenceOfText } from "../output/error-text.ts";
import { HOPELESS_STATUSES, EMPTY_READING } from "../output/format.ts";
import type { LineReader, LineReading, OutputFormat } from "../output/format.ts";
import { countOf, fieldsOf, spent, textOf, type Fields } from "../output/json.ts";
import {
  completed,
  withCounts,
  withFailure,
  withRetry,
  withWarning,
  withSession,
} from "../output/output-state.ts";
import { countsOf, readMessage } from "./server-output.ts";
import { startedSteps, completedSteps, type CodexState } from "./items.ts";

const OVERLOADED = [500, 502, 503, 504, 529];

export const codexOutput: OutputFormat = {
  begins: (line) =>
    line["type"] === "thread.started" || typeof fieldsOf(line["result"])["codexHome"] === "string",
  createReader,
  // Its own retries cannot be turned down for the built-in provider. Before it announces one, it has already asked an
  // overloaded server five times.
  finals: [{ statuses: HOPELESS_STATUSES }, { statuses: OVERLOADED, inARow: 2 }, { inARow: 4 }],
  sessionGone: ["no rollout found", "thread not found", "session not found"],
};

const MAX_KNOWN = 1024;

function createReader(): LineReader {
  const known: CodexState = { started: new Set(), turns: new Set(), totals: new Map() };
  return (line) => {
    for (const part of [known.started, known.turns, known.totals])
      if (part.size > MAX_KNOWN) part.clear();
    return line["type"] === undefined ? readMessage(line, known) : readExecLine(line, known);
  };
}

function readExecLine(line: Fields, known: CodexState): LineReading {
  const item = fieldsOf(line["item"]);
  switch (line["type"]) {
    case "thread.started":
      return { tells: (seen) => withSession(seen, textOf(line["thread_id"])) };
    case "item.started":
      return { steps: startedSteps(item, known) };
    case "item.completed": {
      const warning = item["type"] === "error" ? textOf(item["message"]) : "";
      return { steps: completedSteps(item, known), tells: (seen) => withWarning(seen, warning) };
    }
    case "turn.completed": {
      const usage = fieldsOf(line["usage"]);
      const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
      return {
        steps: [{ kind: "turn_end", ...spent(countOf(input) + countOf(output)) }],
        tells: (seen) => completed(withCounts(seen, countsOf(input, cached, output))),
      };
    }
    case "turn.failed": {
      const text = textOf(fieldsOf(line["error"])["message"]);
      const error = evidenceOfText(text);
      return { steps: [{ kind: "error", text }], tells: (seen) => withFailure(seen, error) };
    }
    case "error":
      return readExecError(textOf(line["message"]));
    default:
      return EMPTY_READING;
  }
}

/** "Reconnecting... 2/5 (reason)" is a retry, not an end. */
const RECONNECTING = /^Reconnecting\.{0,3}[^(]{0,80}(?:\(([^]{0,4000})\))?$/;

function readExecError(message: string): LineReading {
  const retry = RECONNECTING.exec(message);
  return {
    steps: message.startsWith("Reconnecting") ? [{ kind: "stream_retry" }] : [],
    tells: (seen) =>
      retry === null
        ? withFailure(seen, evidenceOfText(message))
        : withRetry(seen, { evidence: evidenceOfText(retry[1] ?? message) }),
  };
}
