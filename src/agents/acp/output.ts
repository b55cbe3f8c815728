/**
 * Reads the output of an Agent Client Protocol agent, one JSON-RPC message per line. Only `session/update`
 * notifications contain steps; a call may arrive in several pieces, the last with its result. An error response to one
 * of our requests ends the attempt; the conversation assigns the ids of our requests.
 */
import type { Evidence } from "../../core/evidence.ts";
import type { FailureKind } from "../../core/kinds.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { Step } from "../../core/stuck/step.ts";
import { evidenceOfText } from "../output/error-text.ts";
import { EMPTY_READING } from "../output/format.ts";
import type { KindOf, LineReader, LineReading, OutputFormat } from "../output/format.ts";
import { countOf, fieldsOf, listOf, outputOf, spent, textOf, type Fields } from "../output/json.ts";
import { LOOSE_FINALS, noteRetry } from "../output/loose.ts";
import {
  completed,
  withFailure,
  withRecovery,
  withSession,
  type OutputState,
} from "../output/output-state.ts";
import { evidenceOfError } from "./error-data.ts";

export const acpOutput: OutputFormat = {
  begins: (line) => line["jsonrpc"] === "2.0",
  createReader,
  note: noteRetry,
  finals: LOOSE_FINALS,
  sessionGone: ["session not found", "resource not found"],
};

/** Prefix of request ids whose rejection does not matter. */
export const ACP_OPTIONAL = "optional-";
const MAX_OPEN = 256;
const MAX_WORDS = 2000;

/** A call becomes a step only once its arguments or its result are known. */
interface OpenCall {
  readonly tool: string;
  readonly args: unknown;
  readonly told: boolean;
}

interface AnswerText {
  /** The answer so far, while the agent has done nothing else; undefined once it has. */
  readonly only: string | undefined;
  /** The last piece of the answer, if no call followed. */
  readonly last: string;
}

function createReader(): LineReader {
  const open = new Map<string, OpenCall>();
  let said: AnswerText = { only: "", last: "" };
  return (line) => {
    if (line["method"] !== "session/update") return readAnswer(line, said);
    const params = fieldsOf(line["params"]);
    const update = fieldsOf(params["update"]);
    const steps = updateSteps(update, open);
    said = saidAfter(said, steps, update);
    const session = textOf(params["sessionId"]);
    return {
      steps,
      tells: (seen) => readCost(withSession(seen, session), update),
    };
  };
}

function saidAfter(before: AnswerText, [step]: readonly Step[], update: Fields): AnswerText {
  if (textOf(update["sessionUpdate"]).startsWith("tool_call")) return { only: undefined, last: "" };
  if (step?.kind !== "message" || step.channel !== undefined) return before;
  const only = before.only === undefined ? undefined : `${before.only}${step.text}`;
  return { only: only?.slice(0, MAX_WORDS), last: step.text.slice(0, MAX_WORDS) };
}

function updateSteps(update: Fields, open: Map<string, OpenCall>): readonly Step[] {
  switch (update["sessionUpdate"]) {
    case "agent_message_chunk":
      return [{ kind: "message", text: chunkOf(update), partial: true }];
    case "agent_thought_chunk":
      return [{ kind: "message", text: chunkOf(update), partial: true, channel: "thought" }];
    case "tool_call":
    case "tool_call_update":
      return callSteps(update, open);
    default:
      return [];
  }
}

function readCost(seen: OutputState, update: Fields): OutputState {
  if (update["sessionUpdate"] !== "usage_update") return seen;
  const { amount, currency } = fieldsOf(update["cost"]);
  const usd = currency === "USD" || currency === undefined ? countOf(amount) : 0;
  return usd === 0 ? seen : { ...seen, usage: { ...seen.usage, usd } };
}

/** The response to one of our requests; the response to a prompt ends the turn. */
function readAnswer(line: Fields, said: AnswerText): LineReading {
  if (line["method"] !== undefined) return EMPTY_READING;
  const result = fieldsOf(line["result"]);
  const reason = result["stopReason"];
  const steps: Step[] =
    typeof reason === "string" ? [{ kind: "turn_end", ...spent(tokensOf(result)) }] : [];
  if (textOf(line["id"]).startsWith(ACP_OPTIONAL)) return { steps };
  const { error } = line;
  if (error !== undefined && error !== null)
    return { steps, tells: (seen) => withFailure(seen, evidenceOfError(error)) };
  const session = textOf(result["sessionId"]);
  return {
    steps,
    tells(before, kindOf) {
      const seen = withSession(before, session);
      return typeof reason === "string" ? readEnd(seen, reason, said, kindOf) : seen;
    },
  };
}

const idOf = (id: unknown): string => (typeof id === "number" ? String(id) : textOf(id));

const chunkOf = (update: Fields): string => textOf(fieldsOf(update["content"])["text"]);

function callSteps(update: Fields, open: Map<string, OpenCall>): Step[] {
  const id = idOf(update["toolCallId"]);
  const before = open.get(id);
  const title = textOf(update["title"]);
  const tool = before?.tool ?? (textOf(update["kind"]) || title || "tool");
  const given = update["rawInput"] ?? (title === "" ? undefined : { title });
  const call: OpenCall = { tool, args: before?.args ?? given, told: before?.told ?? false };
  const status = update["status"];
  const ended = status === "completed" || status === "failed";
  const tell = !call.told && (ended || Object.keys(fieldsOf(update["rawInput"])).length > 0);
  open.set(id, { ...call, told: call.told || tell });
  if (ended) open.delete(id);
  if (open.size > MAX_OPEN) open.clear();
  const steps: Step[] = tell ? [{ kind: "tool_call", id, tool, args: call.args }] : [];
  if (!ended) return steps;
  return [...steps, { kind: "tool_result", id, ...resultOf(update, status) }];
}

function resultOf(update: Fields, status: unknown): { output: string; isError: boolean } {
  const raw = fieldsOf(update["rawOutput"]);
  const told = listOf(update["content"]).map((block) => fieldsOf(fieldsOf(block)["content"]));
  const text = told.map((content) => textOf(content["text"])).join("\n");
  const exit = countOf(raw["exitCode"]) || countOf(raw["exit_code"]) || countOf(raw["exit"]);
  return {
    output: text === "" ? outputOf(update["rawOutput"]) : text,
    isError: status === "failed" || exit > 0,
  };
}

/** From the protocol's own field, or where gemini puts it. */
function tokensOf(result: Fields): number {
  const { totalTokens, inputTokens, outputTokens } = fieldsOf(result["usage"]);
  const quota = fieldsOf(fieldsOf(result["_meta"])["quota"]);
  const { input_tokens: input, output_tokens: output } = fieldsOf(quota["token_count"]);
  return (
    countOf(totalTokens) ||
    countOf(inputTokens) + countOf(outputTokens) ||
    countOf(input) + countOf(output)
  );
}

const BEGINS_AS_ERROR = /^\W{0,5}(?:[\w']{1,20} ){0,3}(?:error|failure|exception|failed): /i;
const IS_ERROR = /^\W{0,5}(?:(?:API|model|provider|request) )?error: /i;
const OF_THE_SERVICE: readonly FailureKind[] = [
  ...(["rate_limited", "server_overloaded", "server_error", "network_error", "timeout"] as const),
  ...(["auth_required", "auth_expired", "billing", "context_exhausted"] as const),
];
/** Shorter messages are parts of an answer; only longer ones can be a complete error message. */
const WHOLE_PIECE = 20;
const OF_A_CALL: readonly FailureKind[] = [
  ...OF_THE_SERVICE,
  ...(["invalid_arguments", "malformed_output", "content_refused"] as const),
];

/** Some agents report a failed model call as their answer: when nothing was done, or as a separate last message. */
function readNormalEnd(
  seen: OutputState,
  { only = "", last }: AnswerText,
  kindOf: KindOf,
): OutputState {
  const told = (words: string, begins: RegExp, kinds: readonly FailureKind[]) => {
    const evidence = begins.test(words) ? evidenceOfText(words) : undefined;
    return evidence !== undefined && kinds.includes(kindOf(evidence)) ? evidence : undefined;
  };
  const whole = last.length < WHOLE_PIECE ? "" : last;
  const evidence = told(whole, IS_ERROR, OF_A_CALL) ?? told(only, BEGINS_AS_ERROR, OF_THE_SERVICE);
  return evidence === undefined ? completed(seen) : withFailure(seen, evidence);
}

/** The protocol's stop reasons, and the words that agents use instead. */
const REASONS: readonly (readonly [
  RegExp,
  (seen: OutputState, said: AnswerText, kindOf: KindOf) => OutputState,
])[] = [
  [/^(?:endturn|completed?|done|stop|success|finished)$/, readNormalEnd],
  [/^cancell?ed$/, withRecovery],
  [
    /^(?:refus|contentfilter)/,
    (seen) => withFailure(seen, stopped("content_filter", "the agent refused to go on")),
  ],
  [
    /^(?:maxtokens|maxoutputtokens|length)$/,
    (seen) => withFailure(seen, stopped(CUT_OFF, "the answer was cut off at its limit")),
  ],
  [
    /^maxturn/,
    (seen) => ({
      ...withFailure(seen, stopped(CUT_OFF, "the turn was cut off at its limit of model calls")),
      capped: "turns",
    }),
  ],
];
/** Work may have been done, and the agent should continue. */
const CUT_OFF = "max_output_tokens";

function readEnd(seen: OutputState, reason: string, said: AnswerText, kindOf: KindOf): OutputState {
  const letters = reason.slice(0, 80).toLowerCase();
  const word = letters.replace(/[^a-z]/g, "");
  const read = REASONS.find(([pattern]) => pattern.test(word))?.[1];
  const early = cleanLine(reason, 80);
  return (
    read?.(seen, said, kindOf) ??
    withFailure(seen, stopped(early, `the turn ended early: ${early}`))
  );
}

const stopped = (type: string, message: string): Evidence => ({
  tool: "agent_cli",
  providerError: { type },
  message,
});
