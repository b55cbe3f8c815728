/**
 * Reads an agent's JSON-RPC error: its text, the name of the failure, an HTTP status. The protocol leaves the form of
 * the data to each agent. Invariants: never throws; depth and number of values are bounded.
 */
import type { Evidence } from "../../core/evidence.ts";
import { bodyOf, evidenceOfText, isErrorStatus } from "../output/error-text.ts";
import { fieldsOf, outputOf, textOf, type Fields } from "../output/json.ts";

const AUTH_REQUIRED = -32_000;
/** The protocol's default text; the agent's own text is in the data. */
const NO_WORDS = /^internal error(?:: |$)/i;
const SAYS_AUTH = /auth|log ?in|logged|sign ?in|credential|api.?key/i;

/** Agents put their own text into `data`: as a string, as an object, or nested in another. */
export function evidenceOfError(error: unknown): Evidence {
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
  const providerError = type === undefined ? text.providerError : { ...text.providerError, type };
  return {
    ...text,
    ...body,
    ...(providerError && { providerError }),
    ...(status === undefined ? {} : { httpStatus: status }),
  };
}

const MAX_DEPTH = 4;
const MAX_ITEMS = 5;
const MAX_WORDS = 4000;
const NAMES = ["errorKind", "error_kind", "codex_error_info", "kind", "type", "errorType"];
const STATUSES = [
  ...["status", "statusCode", "status_code", "httpStatus", "http_status"],
  ...["http_status_code", "code"],
];
const WORDS = ["message", "details", "detail", "reason", "description", "title", "error", "cause"];
/** Fields that may contain the actual error one level deeper. */
const INNER = ["error", "cause", "details", "data", "body", "response", "codex_error_info"];

/** Every text meant for a reader, outermost first. */
export const wordsIn = (data: unknown): readonly string[] =>
  levelsOf(data)
    .flatMap((level) =>
      typeof level === "string" ? [level] : WORDS.map((name) => textOf(fieldsOf(level)[name])),
    )
    .filter((word) => word.trim() !== "")
    .map((word) => word.slice(0, MAX_WORDS))
    .slice(0, MAX_ITEMS);

/** The agent's own name for the error, mapped to a provider's; if it is an object, its first key. */
function typeIn(data: unknown): string | undefined {
  for (const level of levelsOf(data).map(fieldsOf))
    for (const name of NAMES) {
      const word = wordOf(level[name]);
      if (word !== "") return word === "usage_limit_exceeded" ? "usage_limit_reached" : word;
    }
  return undefined;
}

const wordOf = (value: unknown): string =>
  (typeof value === "string" ? value : (Object.keys(fieldsOf(value))[0] ?? "")).slice(0, 80);

const statusesIn = (data: unknown): readonly unknown[] =>
  levelsOf(data)
    .map(fieldsOf)
    .flatMap((level) => STATUSES.map((name) => level[name]));

/** The data and its nested values, outermost first. */
function levelsOf(data: unknown): readonly (Fields | string)[] {
  let level: readonly unknown[] = [data];
  const levels: (Fields | string)[] = [];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const flat = level.flat().slice(0, MAX_ITEMS);
    levels.push(...flat.map((value) => (typeof value === "string" ? value : fieldsOf(value))));
    level = flat.map(fieldsOf).flatMap((fields) => INNER.map((name) => within(fields, name)));
    level = level.filter((value) => value !== undefined);
  }
  return levels;
}

/** An object or a list of them; for codex_error_info, the value under its first key. */
function within(fields: Fields, name: string): unknown {
  const value = fields[name];
  if (typeof value !== "object" || value === null) return undefined;
  return name === "codex_error_info" ? Object.values(value)[0] : value;
}
