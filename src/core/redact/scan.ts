/**
 * One look over a text that finds its secrets from left to right: keys by their looks, credentials by their place,
 * and values under a secret's name (`API_KEY=...`, `"password": "..."`, `:secret => "..."`, `<password>...`). Words
 * are passed over by a table; a second look is taken only at long ones, at `:`, `=`, `>` after a secret's name, and
 * at options. Invariants: linear time; what is found depends on a bounded piece of text around it; nothing overlaps;
 * nothing ends inside an escape or beyond a closing quote, so whatever is JSON before is JSON after.
 */
import {
  addressSecret,
  authorizationValue,
  cookieValue,
  netrcSecret,
  optionSecret,
  tokenAt,
} from "./credentials.ts";
import { isKeyStart, providerKeyEnd } from "./key-formats.ts";
import type { KnownValues } from "./known-values.ts";
import { kindOfName, mayBeSecretName } from "./names.ts";
import type { NameKind } from "./names.ts";
import { MARK, SPACES, VALUE_MAX, WORD_CODES, codesOf, isSecretUnder, stopAt } from "./values.ts";
import type { Found } from "./values.ts";

const [SPACE, PERCENT, DASH, DOT] = [32, 37, 45, 46];
const [COLON, EQUALS, GREATER] = [58, 61, 62];
const [BRACKET, BACKSLASH, LETTER_D, LETTER_U] = [91, 92, 100, 117];
/** No key is shorter. */
const LONG = 14;
/** How far back a look may go. */
export const CONTEXT = 256;

/** Looks for what begins in [from, to), and no further than `limit`. */
export function scan(
  text: string,
  { from, to, limit }: Readonly<Record<"from" | "to" | "limit", number>>,
  known: KnownValues,
  onFound: (found: Found) => void,
): void {
  let at = from;
  let nextKnown = known.next(text, at, to, limit);
  while (at < to) {
    const edge = nextKnown === undefined ? to : Math.min(to, nextKnown.start);
    const found = firstFound(text, at, edge, limit) ?? nextKnown;
    if (found === undefined) return;
    onFound(found);
    at = found.end;
    if (nextKnown !== undefined && nextKnown.start < at)
      nextKnown = known.next(text, at, to, limit);
  }
}

function firstFound(text: string, from: number, to: number, limit: number): Found | undefined {
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code < 128 && WORD_CODES[code] === 1) {
      let end = at + 1;
      while (end < limit && WORD_CODES[text.charCodeAt(end)] === 1) end += 1;
      const found = inWord(text, at, end, limit);
      if (found !== undefined && found.start < to) return found;
      at = end;
    } else {
      const isAfterName = code === COLON || code === EQUALS || code === GREATER;
      const found = isAfterName ? after(text, at, limit) : undefined;
      if (found !== undefined) return found;
      at += 1;
    }
  }
  return undefined;
}

function after(text: string, at: number, limit: number): Found | undefined {
  if (text.startsWith("://", at)) return addressSecret(text, at, limit);
  if (text.startsWith(":AA", at)) {
    const start = wordStart(text, at);
    const end = Math.min(providerKeyEnd(text, start), limit);
    if (end > at) return { start, end, secret: text.slice(start, end) };
  }
  return namedValue(text, at, limit);
}

/** `[from, end)`: a word, or the rest of one. */
function inWord(text: string, from: number, end: number, limit: number): Found | undefined {
  const before = text.charCodeAt(from - 1);
  const start = before === BACKSLASH ? from + 1 : from;
  if (text.charCodeAt(start) === DASH && end - start < 300) {
    const found = optionSecret(text, start, end, limit);
    if (found !== undefined) return found;
  }
  if (before <= SPACE && text.charCodeAt(from - 2) === LETTER_D) {
    const found = netrcSecret(text, from, limit);
    if (found !== undefined) return found;
  }
  if (end - wordStart(text, from) < LONG) return undefined;
  if (before === SPACE && /^bearer $/i.test(text.slice(Math.max(0, from - 7), from))) {
    const found = tokenAt(text, from, limit, 16);
    if (found !== undefined) return found;
  }
  return keyInWord(text, from, end, limit);
}

function wordStart(text: string, from: number): number {
  const lowest = Math.max(0, from - LONG);
  let start = from;
  while (start > lowest && WORD_CODES[text.charCodeAt(start - 1)] === 1) start -= 1;
  return start;
}

function keyInWord(text: string, from: number, end: number, limit: number): Found | undefined {
  const glued = gluedStart(text, from);
  for (let at = from; at < end; at += 1) {
    if (at !== glued && !isKeyStart(text, at)) {
      at = Math.max(at, nextBreak(text, at, end, glued) - 1);
      continue;
    }
    const keyEnd = Math.min(providerKeyEnd(text, at), limit);
    if (keyEnd > 0) return { start: at, end: keyEnd, secret: text.slice(at, keyEnd) };
  }
  return undefined;
}

/** The next place in a word where a key might begin. */
function nextBreak(text: string, at: number, end: number, glued: number): number {
  let next = at;
  while (next < end && next !== glued) {
    const code = text.charCodeAt(next - 1);
    if (next > at && (code === DASH || code === DOT)) break;
    next += 1;
  }
  return next;
}

const COLOUR = /[\d;]{0,20}m/y;

/** Where a word begins that something is glued to: the letter of an escape, a colour, a coded character. */
function gluedStart(text: string, from: number): number {
  const before = text.charCodeAt(from - 1);
  if (before === BACKSLASH) return text.charCodeAt(from) === LETTER_U ? from + 5 : from + 1;
  if (before === PERCENT) return from + 2;
  if (before !== BRACKET) return -1;
  COLOUR.lastIndex = from;
  return COLOUR.test(text) ? COLOUR.lastIndex : -1;
}

const NAME_MAX = 64;
const GAP_MAX = 8;
/** What a value is judged by. */
const LOOKED_AT = 512;
const CLOSERS = codesOf("\"'`])\\");
const BARE_STOPS = codesOf(`${SPACES}"'\`\\<>,;&(){}[]|`);
const LINE_STOPS = codesOf(`${SPACES}"'\`\\`);
const XML_STOPS = codesOf('<\n\\"');

/** A name that ends right before an operator, and what stands between them. */
interface Named {
  readonly name: string;
  readonly start: number;
  /** It begins its line, or what an escape says is a line. */
  readonly first: boolean;
  /** The closing quote of a name that is quoted, with its backslashes. */
  readonly quote: string;
}

/** The value after the `:`, `=` or `>` that stands at `at`. */
function namedValue(text: string, at: number, limit: number): Found | undefined {
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
  if (!isSecretUnder(kind, value.slice(0, LOOKED_AT), standing)) return undefined;
  const bareNumber = !quoted && named.quote !== "" && /^[\d.eE+-]+$/.test(value);
  return { start, end, secret: value, ...(bareNumber ? { quote: named.quote } : {}) };
}

function nameBefore(text: string, at: number, op: number): Named | undefined {
  let end = at;
  if (op === EQUALS && text.charCodeAt(end - 1) === COLON) end -= 1;
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

const isBlank = (code: number): boolean => code === SPACE || code === 9;

/** Past `=`, `==`, `=>`, `:` and the blanks after it. */
function afterOperator(text: string, at: number, limit: number): number {
  let from = at + 1;
  while (from < at + 3 && (text.charCodeAt(from) === EQUALS || text.charCodeAt(from) === GREATER))
    from += 1;
  const furthest = Math.min(limit, from + GAP_MAX);
  while (from < furthest && isBlank(text.charCodeAt(from))) from += 1;
  return from;
}

const OPENING = /(?:[bruf]{1,2}(?=["']))?(\\*)(["'`])/iy;

type Value = Pick<Found, "start" | "end"> & { readonly quoted: boolean };

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
  if (text.charCodeAt(start) === BRACKET && MARK.test(text.slice(start, start + 24)))
    return undefined;
  let end = stopAt(text, start, limit, wholeLine ? LINE_STOPS : BARE_STOPS);
  while (end > start && ".,:;!?".includes(text.charAt(end - 1))) end -= 1;
  return end === start ? undefined : { start, end, quoted: false };
}

/** Where a value opened with `depth` backslashes and a quote is closed; -1 where its line, or the JSON around it, ends before. */
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
): Found | undefined {
  const end = stopAt(text, start, Math.min(limit, start + VALUE_MAX), XML_STOPS);
  if (!text.startsWith(`</${name}`, end)) return undefined;
  const secret = text.slice(start, end);
  const standing = { quoted: true, variable: false, assigned: false, alone: false, next: "<" };
  return isSecretUnder(kind, secret, standing) ? { start, end, secret } : undefined;
}
