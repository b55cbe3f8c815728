/**
 * Output formats that belong to no agent. JSON lines of an unknown agent, read by what most formats have in common:
 * tool calls with an id, text, and events named error, failed, retry or result; a failed tool is not a failed attempt,
 * and unrecognised lines mean nothing. And our own steps, for commands that report what they do and for recorded
 * transcripts. Invariants: never throws; inspects a bounded number of objects, outer before inner.
 */
import type { Evidence } from "../../core/evidence.ts";
import { readStep } from "../../core/stuck/read-step.ts";
import type { Step } from "../../core/stuck/step.ts";
import { claudeOutput } from "../claude/output.ts";
import { bodyIn, bodyOf, evidenceOfText } from "./error-text.ts";
import { HOPELESS_STATUSES, LONG_WAIT_MS } from "./format.ts";
import type { FinalRule, LineReader, OutputFormat } from "./format.ts";
import { fieldsOf, outputOf, textOf, type Fields } from "./json.ts";
import {
  completed,
  withFailure,
  withRetry,
  withSession,
  type OutputState,
} from "./output-state.ts";

export const stepsOutput: OutputFormat = {
  begins: (line) => typeof line["kind"] === "string",
  createReader: () => (line) => {
    const reading = readStep(line);
    return reading.ok
      ? { steps: [reading.step] }
      : { problem: `${reading.field}: ${reading.problem}` };
  },
  finals: [],
  sessionGone: [],
};

export const LOOSE_FINALS: readonly FinalRule[] = [
  { statuses: HOPELESS_STATUSES },
  { waitMs: LONG_WAIT_MS, inARow: 2 },
  { inARow: 4 },
];

export const looseOutput: OutputFormat = {
  begins: (line) => typeof line["type"] === "string" || typeof line["event"] === "string",
  createReader,
  note: noteRetry,
  finals: LOOSE_FINALS,
  sessionGone: [],
  unknown: true,
};

function createReader(): LineReader {
  const claude = claudeOutput.createReader();
  const open = new Set<string>();
  return (line) => {
    const { steps = [] } = claude(line);
    const event = looseEvent(line);
    return {
      steps: steps.length > 0 ? steps : (toolSteps(event, open) ?? wordSteps(event)),
      tells: (seen) => readEvent(withSession(seen, event.text(...SESSIONS)), event),
    };
  };
}

const MAX_OPEN = 256;
const CALL_IDS = ["toolCallId", "tool_call_id", "callID", "callId", "call_id", "tool_id"];
const TOOLS = ["toolName", "tool_name", "tool"];
const ARGUMENTS = ["arguments", "args", "input", "parameters", "rawInput", "command"];
const STARTS = /(?:start|started|begin|called|requested|tool_use|tool_call)\b/;
const ENDS = /(?:end|ended|complete|completed|result|finish|finished|failed|output)\b/;

function toolSteps(event: LooseEvent, open: Set<string>): Step[] | undefined {
  const args = event.find(...ARGUMENTS);
  const ofCommand = event.find("command") !== undefined;
  const id = event.text(...CALL_IDS, ...(ofCommand ? ["id"] : []));
  const tool = event.text(...TOOLS) || (ofCommand ? "command" : "");
  if (id === "" || (tool === "" && !open.has(id))) return undefined;
  const known = open.has(id);
  const call: Step[] = known ? [] : [{ kind: "tool_call", id, tool, args }];
  if (ENDS.test(event.name) || isOver(event)) {
    open.delete(id);
    return [...call, { kind: "tool_result", id, ...resultOf(event) }];
  }
  if (known) return [];
  if (!STARTS.test(event.name)) return undefined;
  if (open.size >= MAX_OPEN) open.clear();
  open.add(id);
  return call;
}

/** Call and result in one event. */
const isOver = (event: LooseEvent): boolean =>
  ["completed", "success", "failed", "error"].includes(event.text("status"));

function resultOf(event: LooseEvent): { output: string; isError: boolean } {
  const told = event.find("output", "aggregated_output", "content", "error", "result");
  return {
    output: outputOf(told),
    isError:
      event.find("success") === false ||
      event.find("isError", "is_error") === true ||
      ["failed", "error"].includes(event.text("status")) ||
      /failed\b/.test(event.type) ||
      event.number(1, 255, "exitCode", "exit_code", "exit") !== undefined,
  };
}

function wordSteps(event: LooseEvent): Step[] {
  const { name } = event;
  if (/retry/.test(name)) return [{ kind: "wait" }];
  const role = event.text("role");
  if (role === "user" || /^user\b/.test(name)) return [{ kind: "user_message" }];
  const text = event.text("content", "text", "delta", "deltaContent", "message");
  if (text === "" || !/message|text|assistant|answer|reasoning|thought/.test(name)) return [];
  const partial = /delta|chunk|update/.test(name) || event.find("delta") !== undefined;
  const thought = /reasoning|thought|thinking/.test(name);
  return [
    {
      kind: "message",
      text,
      ...(partial ? { partial: true } : {}),
      ...(thought ? { channel: "thought" as const } : {}),
    },
  ];
}

const RETRY = /retry(?!.{0,80}(?:end|ended|success|complete))/;
const FAILURE = /(?:^|[._\s-])(?:error|failed|failure|exception)$/;
const OF_A_PART = /tool|hook|mcp|command|execution|warning/;
const TURN_END = /^(?:turn|run|session|agent)[._](?:end|ended|completed?|finished|result)\b/;
const END = /^(?:result|done|complete|completed|final|end)\b/;
const SESSIONS = ["session_id", "sessionId", "sessionID", "thread_id"];
const WAITS = ["delayMs", "retry_delay_ms", "delay_ms", "retryDelayMs", "waitMs"];

function readEvent(seen: OutputState, event: LooseEvent): OutputState {
  if (RETRY.test(event.name)) {
    const waitMs = event.number(1, 1e9, ...WAITS) ?? 0;
    return withRetry(seen, { evidence: evidenceOf(event), waitMs });
  }
  if (isFailure(event)) {
    const evidence = evidenceOf(event);
    const isRetry = RETRYING.test((evidence.message ?? "").slice(0, 4000));
    return isRetry ? withRetry(seen, { evidence }) : withFailure(seen, evidence);
  }
  return END.test(event.name) || TURN_END.test(event.name) ? readEnd(seen, event) : seen;
}

function isFailure(event: LooseEvent): boolean {
  if (OF_A_PART.test(event.name)) return false;
  return (
    FAILURE.test(event.type) ||
    event.find("is_api_error_message") === true ||
    event.text("errorMessage", "error_message") !== "" ||
    ["error", "content_filter"].includes(event.text("stopReason", "finish_reason"))
  );
}

function readEnd(seen: OutputState, event: LooseEvent): OutputState {
  const bad =
    event.find("is_error", "isError") === true ||
    event.find("success") === false ||
    event.number(1, 255, "exitCode", "exit_code") !== undefined ||
    ["error", "failed", "failure"].includes(event.text("status")) ||
    event.text("subtype").startsWith("error");
  if (!bad) return seen.error === undefined ? completed(seen) : seen;
  const told = evidenceOf(event);
  return withFailure(seen, told.message === "" ? (seen.error ?? told) : told);
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

const RETRYING = /\b(?:retrying|will retry|reconnecting|retry in)\b/i;
const WAIT = /\b(?:in|after) (\d{1,9})(?:\.\d{1,6})? ?(ms|s|sec|seconds)\b/i;

/** A retry announced as text on standard error; the line before often gives the reason. */
export function noteRetry(seen: OutputState, line: string, before: string): OutputState {
  if (line.length > 4000 || !RETRYING.test(line)) return seen;
  const wait = WAIT.exec(line);
  const waitMs = wait === null ? 0 : Number(wait[1]) * (wait[2] === "ms" ? 1 : 1000);
  const text = before.trim() === "" || RETRYING.test(before) ? line : `${before}\n${line}`;
  return withRetry(seen, { evidence: evidenceOfText(text), waitMs });
}

type LooseEvent = ReturnType<typeof looseEvent>;

const CARRIERS = [
  ...["data", "payload", "params", "update", "item", "part", "event", "properties"],
  ...["message", "error", "result"],
];
const MAX_PLACES = 16;

/** One line as an event: its name, and its fields at any level. */
function looseEvent(line: Fields) {
  const places = placesIn(line);
  const all = (names: readonly string[]): readonly unknown[] =>
    places
      .flatMap((place) => names.map((name) => place[name]))
      .filter((value) => value !== undefined && value !== null);
  const words = places.flatMap((place) => [place["type"], place["subtype"], place["event"]]);
  const told = words.map(textOf).filter((word) => word !== "");
  return {
    /** The names of its type, outer before inner, in lower case. */
    name: told.slice(0, 4).join(" ").slice(0, 200).toLowerCase(),
    /** Only the outermost of them. */
    type: (told[0] ?? "").slice(0, 80).toLowerCase(),
    /** The first of these fields that exists. */
    find: (...names: readonly string[]): unknown => all(names)[0],
    text: (...names: readonly string[]): string =>
      all(names)
        .map(textOf)
        .find((text) => text !== "") ?? "",
    number: (least: number, most: number, ...names: readonly string[]): number | undefined =>
      all(names).find(
        (value): value is number => typeof value === "number" && value >= least && value <= most,
      ),
  };
}

function placesIn(line: Fields): readonly Fields[] {
  const places: Fields[] = [line];
  for (let at = 0; at < places.length && places.length < MAX_PLACES; at += 1)
    for (const carrier of CARRIERS) {
      const inner = fieldsOf(places[at]?.[carrier]);
      if (Object.keys(inner).length > 0) places.push(inner);
    }
  return places.slice(0, MAX_PLACES);
}
