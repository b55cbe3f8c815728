/**
 * Reads the output of OpenCode: the lines of `opencode run --format json`, which are also made from its server's
 * events. Steps include the tree's hash, which distinguishes a loop from a check after a change. There is no final
 * line: a turn is complete when its last step finished with `stop`.
 */
import { distinctRefusals, refusalOf } from "../../core/agent-words/refusal.ts";
import type { Evidence } from "../../core/evidence.ts";
import type { TokenCounts } from "../../core/prices.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { Step } from "../../core/stuck/step.ts";
import { bodyIn, brokenOff, evidenceOfText } from "../output/error-text.ts";
import { LONG_WAIT_MS, retryAfterLong, EMPTY_READING } from "../output/format.ts";
import type { LineReading, OutputFormat } from "../output/format.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf, type Fields } from "../output/json.ts";
import {
  completed,
  withCounts,
  withFailure,
  withRecovery,
  withRetry,
  withWarning,
  withSession,
} from "../output/output-state.ts";
import type { OutputState } from "../output/output-state.ts";

const RETRY = "retry";

export const opencodeOutput: OutputFormat = {
  begins: (line) => typeof line["sessionID"] === "string" && line["type"] !== undefined,
  createReader: () => (line) => {
    const { steps = [], tells = (seen: OutputState) => seen } = readLine(line);
    const session = textOf(line["sessionID"]);
    return { steps, tells: (seen, kindOf) => tells(withSession(seen, session), kindOf) };
  },
  // Its own retries cannot be turned down, and it repeats a step that ends without a reason for ever.
  finals: [{ names: [RETRY], waitMs: LONG_WAIT_MS }, { names: [RETRY], inARow: 2 }, { inARow: 3 }],
  sessionGone: ["session not found"],
};

function readLine(line: Fields): LineReading {
  const part = fieldsOf(line["part"]);
  switch (line["type"]) {
    case "tool_use":
      return { steps: toolSteps(part) };
    case "text":
      return { steps: [{ kind: "message", text: textOf(part["text"]) }] };
    case "reasoning":
      return { steps: [{ kind: "message", text: textOf(part["text"]), channel: "thought" }] };
    case "step_start":
      return {
        steps: worldOf(part),
        tells: (seen) => (seen.completed ? { ...seen, completed: false } : seen),
      };
    case "step_finish": {
      const tokens = fieldsOf(part["tokens"]);
      const used = spent(countOf(tokens["total"]), countOf(part["cost"]));
      return {
        steps: [...worldOf(part), { kind: "turn_end", ...used }],
        tells: (seen) => readFinish(withCounts(seen, countsOf(tokens)), textOf(part["reason"])),
      };
    }
    case "compaction":
      return { steps: [{ kind: "compaction" }], tells: withRecovery };
    case "error": {
      const error = fieldsOf(line["error"]);
      const text = `${textOf(error["name"])} ${textOf(fieldsOf(error["data"])["message"])}`;
      return {
        steps: [{ kind: "error", text }],
        tells: (seen) => withFailure(seen, evidenceOf(error)),
      };
    }
    case "retry":
      return { tells: (seen) => readRetry(seen, line) };
    case "permission":
      return {
        tells: (seen) => withWarning({ ...seen, ...refusedBy(seen, line) }, deniedBy(line)),
      };
    default:
      return EMPTY_READING;
  }
}

function worldOf(part: Fields): Step[] {
  const tree = textOf(part["snapshot"]);
  return tree === "" ? [] : [{ kind: "world", tree }];
}

/** Call and result arrive in one line when the tool has ended. */
function toolSteps(part: Fields): Step[] {
  const state = fieldsOf(part["state"]);
  const tool = textOf(part["tool"]) || "tool";
  const id = textOf(part["callID"]);
  const round = textOf(part["messageID"]);
  const failed = state["status"] === "error";
  const exit = countOf(fieldsOf(state["metadata"])["exit"]);
  return [
    { kind: "tool_call", tool, id, args: state["input"], ...(round === "" ? {} : { round }) },
    {
      kind: "tool_result",
      tool,
      id,
      output: failed ? textOf(state["error"]) : outputOf(state["output"]),
      isError: failed || exit > 0,
    },
  ];
}

/** Names that only say that something failed. */
const CATCH_ALL: ReadonlySet<string> = new Set(["APIError", "UnknownError", ""]);

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

/** Its own pauses are short, so the provider asked for a long one. */
function readRetry(seen: OutputState, line: Fields): OutputState {
  const waitMs = Math.max(0, countOf(line["next"]) - countOf(line["timestamp"]));
  const evidence = evidenceOfText(textOf(line["message"]));
  const told: Evidence = { origin: "provider", ...evidence, ...retryAfterLong(waitMs) };
  return withRetry(seen, { name: RETRY, waitMs, evidence: told });
}

function refusedBy({ refused = [] }: OutputState, line: Fields): Pick<OutputState, "refused"> {
  const commands = listOf(line["patterns"]).slice(0, 5).map(textOf);
  const asked = commands.flatMap((command) => refusalOf(textOf(line["permission"]), command) ?? []);
  return asked.length === 0 ? {} : { refused: distinctRefusals([...refused, ...asked]) };
}

function deniedBy(line: Fields): string {
  const what = listOf(line["patterns"]).map(textOf).join(", ");
  return cleanLine(`not permitted: ${textOf(line["permission"])} ${what}`, 200);
}

function countsOf(tokens: Fields): TokenCounts {
  const cache = fieldsOf(tokens["cache"]);
  return {
    input: countOf(tokens["input"]) + countOf(cache["write"]),
    cached: countOf(cache["read"]),
    output: countOf(tokens["output"]) + countOf(tokens["reasoning"]),
  };
}

function readFinish(seen: OutputState, reason: string): OutputState {
  switch (reason) {
    case "stop":
      return completed(seen);
    case "tool-calls":
      return seen;
    case "length":
      return withFailure(
        seen,
        brokenOff("max_output_tokens", "the answer was cut off at its token limit"),
      );
    case "content-filter":
      return withFailure(
        seen,
        brokenOff("content_filter", "the answer was stopped by a content filter"),
      );
    default:
      return withRetry(seen, {
        evidence: brokenOff("incomplete_response", "the answer ended without a finish reason"),
      });
  }
}

const PARTS: ReadonlyMap<string, string> = new Map([
  ["step-start", "step_start"],
  ["step-finish", "step_finish"],
  ["text", "text"],
  ["reasoning", "reasoning"],
  ["tool", "tool_use"],
]);

/** The error name of a turn that was aborted on request. */
const ABORTED = "MessageAbortedError";

/** Converts a server event to a line; undefined if there is none for it. `at`: when the event arrived. */
export function lineOf(event: Fields, sessionID: string, at: number): Fields | undefined {
  const about = fieldsOf(event["properties"]);
  const part = fieldsOf(about["part"]);
  if (textOf(about["sessionID"] ?? part["sessionID"]) !== sessionID) return undefined;
  const line = (type: string, more: Fields): Fields => ({
    type,
    timestamp: at,
    sessionID,
    ...more,
  });
  switch (event["type"]) {
    case "message.part.updated": {
      const type = PARTS.get(textOf(part["type"]));
      return type !== undefined && isOver(part) ? line(type, { part }) : undefined;
    }
    case "session.error": {
      const { error } = about;
      const none = error === undefined || fieldsOf(error)["name"] === ABORTED;
      return none ? undefined : line("error", { error });
    }
    case "session.compacted":
      return line("compaction", {});
    case "session.status": {
      const { type, ...retry } = fieldsOf(about["status"]);
      return type === "retry" ? line("retry", retry) : undefined;
    }
    case "permission.asked": {
      const { permission, patterns } = about;
      return line("permission", { permission, patterns });
    }
    default:
      return undefined;
  }
}

/**
 * Parts are sent again with every change; only complete ones count. A user's text never does: it has no end or is
 * synthetic.
 */
function isOver({ type, state, time, synthetic }: Fields): boolean {
  if (synthetic === true) return false;
  if (type === "tool") return ["completed", "error"].includes(textOf(fieldsOf(state)["status"]));
  if (type === "text" || type === "reasoning") return fieldsOf(time)["end"] !== undefined;
  return true;
}
