/**
 * One look over a text that finds its secrets from left to right. Invariants: linear time; what is found at a
 * place depends on a bounded piece of text around it; nothing overlaps. Words are passed over by a table; a second
 * look is taken only at long ones, at `:`, `=`, `>` after a secret's name, and at options.
 */
import { addressSecret, netrcSecret, optionSecret, tokenAt } from "./credentials.ts";
import { WORD_CODES } from "./values.ts";
import type { Found } from "./values.ts";
import type { KnownValues } from "./known-values.ts";
import { namedValue } from "./named-value.ts";
import { isKeyStart, providerKeyEnd } from "./key-formats.ts";

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
