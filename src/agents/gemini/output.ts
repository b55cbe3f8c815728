/**
 * Reads the output of Gemini CLI with `--output-format stream-json`. It reports a failed command as a success with its
 * output, and its retries on standard error; its exit code is an HTTP status truncated to eight bits, or 0 for several
 * kinds of failure.
 */
import type { Step } from "../../core/stuck/step.ts";
import { reportsOwnLoop } from "../../core/stuck/results/own-loop.ts";
import { evidenceOfText } from "../output/error-text.ts";
import { HOPELESS_STATUSES, LONG_WAIT_MS, EMPTY_READING } from "../output/format.ts";
import type { LineReading, OutputFormat } from "../output/format.ts";
import { countOf, fieldsOf, outputOf, spent, textOf, type Fields } from "../output/json.ts";
import {
  completed,
  withCounts,
  withFailure,
  withRetry,
  withWarning,
  type OutputState,
} from "../output/output-state.ts";

const ATTEMPT_FAILED = /^Attempt \d{1,4} failed(?: with status \d{3})?[.:] ?/;
const WAIT = /Retrying after (\d{1,9})ms/;

export const geminiOutput: OutputFormat = {
  begins: (line) => line["type"] === "init" && typeof line["session_id"] === "string",
  createReader: () => readLine,
  note(seen, line) {
    if (!ATTEMPT_FAILED.test(line)) return seen;
    const waitMs = Number(WAIT.exec(line.slice(0, 4000))?.[1] ?? 0);
    return withRetry(seen, { evidence: evidenceOfText(line), waitMs });
  },
  finals: [{ statuses: HOPELESS_STATUSES }, { waitMs: LONG_WAIT_MS }, { inARow: 2 }],
  sessionGone: ["error resuming session", "invalid session identifier", "no previous sessions"],
};

function readLine(line: Fields): LineReading {
  switch (line["type"]) {
    case "init": {
      const session = textOf(line["session_id"]);
      const model = textOf(line["model"]);
      return { tells: (seen) => (session === "" ? seen : { ...seen, session, model }) };
    }
    case "message":
      return { steps: [messageStep(line)] };
    case "tool_use": {
      const tool = textOf(line["tool_name"]) || "tool";
      const id = textOf(line["tool_id"]);
      return { steps: [{ kind: "tool_call", id, tool, args: line["parameters"] }] };
    }
    case "tool_result":
      return { steps: [resultStep(line)] };
    case "error": {
      const text = textOf(line["message"]);
      return {
        steps: [{ kind: reportsOwnLoop(text) ? "loop_report" : "error", text }],
        tells: (seen) => readError(seen, text, line["severity"]),
      };
    }
    case "result":
      return { steps: endSteps(line), tells: (seen) => readResult(seen, line) };
    default:
      return EMPTY_READING;
  }
}

function messageStep(line: Fields): Step {
  if (line["role"] === "user") return { kind: "user_message" };
  const text = textOf(line["content"]);
  return { kind: "message", text, ...(line["delta"] === true ? { partial: true } : {}) };
}

function resultStep(line: Fields): Step {
  const output = outputOf(line["output"]);
  const message = textOf(fieldsOf(line["error"])["message"]);
  const isError = line["status"] === "error" || /^Exit Code: [1-9]/m.test(output.slice(-2000));
  return {
    kind: "tool_result",
    id: textOf(line["tool_id"]),
    output: output === "" ? message : output,
    isError,
  };
}

function endSteps(line: Fields): Step[] {
  const end: Step = {
    kind: "turn_end",
    ...spent(countOf(fieldsOf(line["stats"])["total_tokens"])),
  };
  if (line["status"] !== "error") return [end];
  return [{ kind: "error", text: textOf(fieldsOf(line["error"])["message"]) }, end];
}

/** A warning that ends the turn ("Loop detected, stopping execution") is followed by "success". */
function readError(seen: OutputState, message: string, severity: unknown): OutputState {
  const stops = severity !== "warning" || /\bstopping execution\b/i.test(message);
  return stops ? withFailure(seen, evidenceOfText(message)) : withWarning(seen, message);
}

function readResult(before: OutputState, line: Fields): OutputState {
  const stats = fieldsOf(line["stats"]);
  const tokens = countOf(stats["total_tokens"]);
  const counts = {
    input: countOf(stats["input"]),
    cached: countOf(stats["cached"]),
    output: Math.max(0, tokens - countOf(stats["input_tokens"])),
  };
  const { type, message: words } = fieldsOf(line["error"]);
  const capped = type === "FatalTurnLimitedError" ? { capped: "turns" as const } : {};
  const seen = withCounts({ ...before, ...capped, usage: { tokens } }, counts);
  const message = textOf(words);
  if (line["status"] === "success" && seen.error === undefined) return completed(seen);
  if (message !== "") return withFailure(seen, evidenceOfText(message));
  return withFailure(
    seen,
    seen.error ?? evidenceOfText("the turn ended with an error and no reason"),
  );
}
