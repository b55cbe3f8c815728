/**
 * Finds the value of a secret name: `API_KEY=...`, `"password": "..."`, `token = '...'`, `:secret => "..."`,
 * `<password>...</password>`. Invariants: linear: looking back is bounded, and text read ahead is either skipped or
 * bounded; a value never ends inside an escape or beyond a closing quote, so valid JSON stays valid.
 */
import { MARK, SPACES, VALUE_MAX, WORD_CODES, codesOf, isSecretValue, stopAt } from "./values.ts";
import type { FoundSecret } from "./values.ts";
import { authorizationValue, cookieValue } from "./credentials.ts";
import { kindOfName, mayBeSecretName, type NameKind } from "./names.ts";

const NAME_MAX = 64;
const GAP_MAX = 8;
/** How much of a value is examined. */
const LOOKED_AT = 512;
const CLOSERS = codesOf("\"'`])\\");
const BARE_STOPS = codesOf(`${SPACES}"'\`\\<>,;&(){}[]|`);
const LINE_STOPS = codesOf(`${SPACES}"'\`\\`);
const XML_STOPS = codesOf('<\n\\"');
const EQUALS = 61;
const GREATER = 62;
const BACKSLASH = 92;

/** A name directly before an operator, and what is between them. */
interface Named {
  readonly name: string;
  readonly start: number;
  /** It is the first thing on its line, or after an escaped line end. */
  readonly first: boolean;
  /** The closing quote of a quoted name, with its backslashes. */
  readonly quote: string;
}

/** `at`: the offset of `:`, `=` or `>`. */
export function namedValue(text: string, at: number, limit: number): FoundSecret | undefined {
  const op = text.charCodeAt(at);
  const named = nameBefore(text, at, op);
  if (named === undefined) return undefined;
  const kind = kindOfName(named.name);
  if (kind === undefined) return undefined;
  if (op === GREATER) return xmlValue(text, at + 1, limit, named.name, kind);
  const from = afterOperator(text, at, limit);
  if (kind === "authorization") return authorizationValue(text, from, limit);
  if (kind === "cookie") return cookieValue(text, from, limit, /^set/i.test(named.name));
  const tight = named.start + named.name.length === at && from === at + 1;
  const variable = op === EQUALS && tight && /^[A-Z][A-Z0-9_]*$/.test(named.name);
  const found = valueAt(text, from, limit, variable && named.first);
  if (found === undefined) return undefined;
  const { start, end, quoted } = found;
  const value = text.slice(start, Math.min(end, start + VALUE_MAX));
  const next = end < limit ? text.charAt(end) : "";
  const alone = named.first && /^[\r\n"\\]?$/.test(next);
  const standing = { assigned: op === EQUALS, variable, quoted, next, alone };
  if (!isSecretValue(kind, value.slice(0, LOOKED_AT), standing)) return undefined;
  const bareNumber = !quoted && named.quote !== "" && /^[\d.eE+-]+$/.test(value);
  return { start, end, secret: value, ...(bareNumber ? { quote: named.quote } : {}) };
}

function nameBefore(text: string, at: number, op: number): Named | undefined {
  let end = at;
  if (op === EQUALS && text.charCodeAt(end - 1) === 58) end -= 1;
  const lowest = Math.max(0, end - NAME_MAX);
  if (op !== GREATER) while (end > lowest && isBlank(text.charCodeAt(end - 1))) end -= 1;
  const closed = end;
  if (op !== GREATER) while (end > lowest && CLOSERS[text.charCodeAt(end - 1)] === 1) end -= 1;
  if (!mayBeSecretName(text, end)) return undefined;
  let start = end;
  while (start > lowest && WORD_CODES[text.charCodeAt(start - 1)] === 1) start -= 1;
  const escaped = start > 0 && text.charCodeAt(start - 1) === BACKSLASH && end - start > 1;
  if (escaped) start += 1;
  if (op === GREATER && text.charCodeAt(start - 1) !== 60) return undefined;
  const name = text.slice(start, end);
  const quote = /^\\*["']/.exec(text.slice(end, closed))?.[0] ?? "";
  const opensText = quote === "" && text.charAt(start - 1) === '"';
  return { name, start, first: escaped || opensText || beginsLine(text, start), quote };
}

const BEFORE_FIRST = /(?:^|\n)[ \t>+-]*(?:export |set |declare -x |env |ENV |- )?["']?$/;

const beginsLine = (text: string, start: number): boolean =>
  BEFORE_FIRST.test(text.slice(Math.max(0, start - 24), start));

const isBlank = (code: number): boolean => code === 32 || code === 9;

/** Skips `=`, `==`, `=>` or `:` and the following blanks. */
function afterOperator(text: string, at: number, limit: number): number {
  let from = at + 1;
  while (from < at + 3 && (text.charCodeAt(from) === EQUALS || text.charCodeAt(from) === GREATER))
    from += 1;
  const furthest = Math.min(limit, from + GAP_MAX);
  while (from < furthest && isBlank(text.charCodeAt(from))) from += 1;
  return from;
}

const OPENING = /(?:[bruf]{1,2}(?=["']))?(\\*)(["'`])/iy;

type Value = Pick<FoundSecret, "start" | "end"> & { readonly quoted: boolean };

function valueAt(text: string, from: number, limit: number, wholeLine: boolean): Value | undefined {
  OPENING.lastIndex = from;
  const quote = OPENING.exec(text);
  if (quote !== null && OPENING.lastIndex <= limit) {
    const start = from + quote[0].length;
    const end = closingQuote(text, start, limit, quote[1]?.length ?? 0, quote[2] ?? "");
    if (end >= 0) return { start, end, quoted: true };
    return bareValue(text, start, limit, false);
  }
  return bareValue(text, from, limit, wholeLine);
}

function bareValue(
  text: string,
  start: number,
  limit: number,
  wholeLine: boolean,
): Value | undefined {
  if (text.charCodeAt(start) === 91 && MARK.test(text.slice(start, start + 24))) return undefined;
  let end = stopAt(text, start, limit, wholeLine ? LINE_STOPS : BARE_STOPS);
  while (end > start && ".,:;!?".includes(text.charAt(end - 1))) end -= 1;
  return end === start ? undefined : { start, end, quoted: false };
}

/**
 * The closing quote of a value that opened with `depth` backslashes and a quote; -1 if its line, or the surrounding
 * JSON string, ends first.
 */
function closingQuote(
  text: string,
  start: number,
  limit: number,
  depth: number,
  quote: string,
): number {
  const last = Math.min(limit, start + VALUE_MAX);
  for (let at = start; at < last;) {
    const character = text.charAt(at);
    if (character === "\n") return -1;
    if (character !== "\\") {
      if (character === quote && depth === 0) return at;
      if (character === '"' && depth > 0) return -1;
      at += 1;
      continue;
    }
    let slashes = 1;
    while (text.charCodeAt(at + slashes) === BACKSLASH) slashes += 1;
    const after = text.charAt(at + slashes);
    const more = slashes - depth;
    if (after === quote && more >= 0 && more % (2 * (depth + 1)) === 0) return at + more;
    if (after === '"' && more < 0) return -1;
    if (depth > 0 && more <= 0 && /[nrt]/.test(after)) return -1;
    at += slashes + 1;
  }
  return -1;
}

function xmlValue(
  text: string,
  start: number,
  limit: number,
  name: string,
  kind: NameKind,
): FoundSecret | undefined {
  const end = stopAt(text, start, Math.min(limit, start + VALUE_MAX), XML_STOPS);
  if (!text.startsWith(`</${name}`, end)) return undefined;
  const secret = text.slice(start, end);
  const standing = { quoted: true, variable: false, assigned: false, alone: false, next: "<" };
  return isSecretValue(kind, secret, standing) ? { start, end, secret } : undefined;
}
