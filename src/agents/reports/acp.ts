/**
 * What the messages of an Agent Client Protocol agent say of the attempt. An error to one of our requests ends the
 * attempt; the numbers of our requests are the adapter's.
 */
import { classifyByStandardRules } from "../../core/rules/standard.ts";
import type { Evidence } from "../../core/evidence.ts";
import type { FailureKind } from "../../core/kinds.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { countOf, fieldsOf, outputOf, textOf } from "../transcripts/json.ts";
import type { Fields } from "../transcripts/json.ts";
import { statusesIn, typeIn, wordsIn } from "./acp-error-data.ts";
import { bodyOf, evidenceOfText, isErrorStatus } from "./error-text.ts";
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
    const { error } = line;
    const isError = error !== undefined && error !== null;
    if (textOf(line["id"]).startsWith(ACP_OPTIONAL)) return seen;
    if (isError) return failed(seen, evidenceOf(error));
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
  switch (update["sessionUpdate"]) {
    case "agent_message_chunk": {
      const text = textOf(fieldsOf(update["content"])["text"]);
      const lastPiece = text.slice(0, MAX_ONLY_WORDS);
      return { ...seen, onlyWords: onlyWords(seen, text), lastPiece };
    }
    case "tool_call":
    case "tool_call_update":
      return { ...seen, onlyWords: "", lastPiece: "" };
    case "usage_update":
      return readCost(seen, fieldsOf(update["cost"]));
    default:
      return seen;
  }
}

function readCost(seen: Seen, { amount, currency }: Fields): Seen {
  const usd = currency === "USD" || currency === undefined ? countOf(amount) : 0;
  return usd === 0 ? seen : { ...seen, usage: { ...seen.usage, usd } };
}

const MAX_ONLY_WORDS = 2000;
const onlyWords = ({ onlyWords: before }: Seen, text: string): string =>
  before === "" ? "" : `${before ?? ""}${text}`.slice(0, MAX_ONLY_WORDS);

const BEGINS_AS_ERROR = /^\W{0,5}(?:[\w']{1,20} ){0,3}(?:error|failure|exception|failed): /i;
const IS_ERROR = /^\W{0,5}(?:(?:API|model|provider|request) )?error: /i;
const OF_THE_SERVICE: readonly FailureKind[] = [
  ...(["rate_limited", "server_overloaded", "server_error", "network_error", "timeout"] as const),
  ...(["auth_required", "auth_expired", "billing", "context_exhausted"] as const),
];
/** What only a whole message of the agent itself can tell: shorter pieces are parts of an answer. */
const WHOLE_PIECE = 20;
const OF_A_CALL: readonly FailureKind[] = [
  ...OF_THE_SERVICE,
  ...(["invalid_arguments", "malformed_output", "content_refused"] as const),
];

/**
 * Some agents tell a failed model call as their answer. It counts as one where nothing was done, or where it is the last thing said and
 * a message of its own.
 */
function readNormalEnd(seen: Seen): Seen {
  const { onlyWords: words = "", lastPiece = "" } = seen;
  const whole = lastPiece.length < WHOLE_PIECE ? "" : lastPiece;
  const evidence = told(whole, IS_ERROR, OF_A_CALL) ?? told(words, BEGINS_AS_ERROR, OF_THE_SERVICE);
  return evidence === undefined ? completed(seen) : failed(seen, evidence);
}

function told(words: string, begins: RegExp, kinds: readonly FailureKind[]): Evidence | undefined {
  if (!begins.test(words)) return undefined;
  const evidence = evidenceOfText(words);
  return kinds.includes(classifyByStandardRules(evidence).kind) ? evidence : undefined;
}

/** The reasons of the protocol, and the words that agents have put in their place. */
const REASONS: readonly (readonly [RegExp, (seen: Seen) => Seen])[] = [
  [/^(?:endturn|completed?|done|stop|success|finished)$/, readNormalEnd],
  [/^cancell?ed$/, recovered],
  [
    /^(?:refus|contentfilter)/,
    (seen) => failed(seen, stopped("content_filter", "the agent refused to go on")),
  ],
  [
    /^(?:maxtokens|maxoutputtokens|length)$/,
    (seen) => failed(seen, stopped(CUT_OFF, "the answer was cut off at its limit")),
  ],
  [
    /^maxturn/,
    (seen) => ({
      ...failed(seen, stopped(CUT_OFF, "the turn was cut off at its limit of model calls")),
      capped: "turns",
    }),
  ],
];
/** Work may be done, and more of the same is wanted. */
const CUT_OFF = "max_output_tokens";

function readEnd(seen: Seen, reason: string): Seen {
  const word = reason
    .slice(0, 80)
    .toLowerCase()
    .replace(/[^a-z]/g, "");
  const read = REASONS.find(([pattern]) => pattern.test(word))?.[1];
  const early = tameLine(reason, 80);
  return read?.(seen) ?? failed(seen, stopped(early, `the turn ended early: ${early}`));
}

const stopped = (type: string, message: string): Evidence => ({
  tool: "agent_cli",
  providerError: { type },
  message,
});

/** What the protocol says where the agent said nothing; its own words stand in the data. */
const NO_WORDS = /^internal error(?:: |$)/i;
const SAYS_AUTH = /auth|log ?in|logged|sign ?in|credential|api.?key/i;

/** Agents put their own words for it into `data`: as text, as an object, or as one inside another. */
function evidenceOf(error: unknown): Evidence {
  const { code, data } = fieldsOf(error);
  const message = textOf(fieldsOf(error)["message"]) || textOf(error);
  const words = [message.replace(NO_WORDS, ""), ...wordsIn(data)].filter((word) => word !== "");
  const said = words.length === 0 ? message : [...new Set(words)].join("\n");
  const text = evidenceOfText(said);
  const body = bodyOf({
    error: { ...fieldsOf(data), message: outputOf(fieldsOf(data)["message"]) },
  });
  const unauthenticated = code === AUTH_REQUIRED && (words.length === 0 || SAYS_AUTH.test(said));
  const status = [code, ...statusesIn(data)].find(isErrorStatus);
  const named = typeIn(data);
  const isWrapper = status !== undefined && named?.startsWith("response_") === true;
  const type = unauthenticated ? "unauthenticated" : isWrapper ? undefined : named;
  return {
    ...text,
    ...body,
    ...(text.providerError === undefined ? {} : { providerError: text.providerError }),
    ...(type === undefined ? {} : { providerError: { ...text.providerError, type } }),
    ...(status === undefined ? {} : { httpStatus: status }),
  };
}
