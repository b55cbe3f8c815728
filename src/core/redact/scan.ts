/**
 * Finds the secrets of a text from left to right in one pass, and defines the keys that are recognised by prefix, as
 * data. A table skips ordinary words; only long words, `:`, `=` or `>` after a secret name, and options are examined
 * further. Invariants: linear time; a find depends only on a bounded piece of text around it; finds do not overlap; a
 * repeated single character is a placeholder, not a key.
 */
import { addressSecret, netrcSecret, optionSecret, tokenAt } from "./credentials.ts";
import type { KnownValues } from "./known-values.ts";
import { namedValue } from "./named-value.ts";
import { WORD_CODES, type FoundSecret } from "./values.ts";

const [SPACE, PERCENT, DASH, DOT] = [32, 37, 45, 46];
const [COLON, EQUALS, GREATER] = [58, 61, 62];
const [BRACKET, BACKSLASH, LETTER_D, LETTER_U] = [91, 92, 100, 117];
/** The shortest length of a key. */
const LONG = 14;
/** The maximum look-behind. */
export const CONTEXT = 256;

/** Finds secrets that begin in [from, to), reading no further than `limit`. */
export function scan(
  text: string,
  { from, to, limit }: Readonly<Record<"from" | "to" | "limit", number>>,
  known: KnownValues,
  onFound: (found: FoundSecret) => void,
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

function firstFound(
  text: string,
  from: number,
  to: number,
  limit: number,
): FoundSecret | undefined {
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
      const found = isAfterName ? secretAfterOperator(text, at, limit) : undefined;
      if (found !== undefined) return found;
      at += 1;
    }
  }
  return undefined;
}

function secretAfterOperator(text: string, at: number, limit: number): FoundSecret | undefined {
  if (text.startsWith("://", at)) return addressSecret(text, at, limit);
  if (text.startsWith(":AA", at)) {
    const start = wordStart(text, at);
    const end = Math.min(providerKeyEnd(text, start), limit);
    if (end > at) return { start, end, secret: text.slice(start, end) };
  }
  return namedValue(text, at, limit);
}

/** `[from, end)`: a word, or the rest of one. */
function inWord(text: string, from: number, end: number, limit: number): FoundSecret | undefined {
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

function keyInWord(
  text: string,
  from: number,
  end: number,
  limit: number,
): FoundSecret | undefined {
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

/** The next position in a word at which a key might begin. */
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

/** Where the actual word begins after a prefix: the letter of an escape, a colour code, a percent-encoded character. */
function gluedStart(text: string, from: number): number {
  const before = text.charCodeAt(from - 1);
  if (before === BACKSLASH) return text.charCodeAt(from) === LETTER_U ? from + 5 : from + 1;
  if (before === PERCENT) return from + 2;
  if (before !== BRACKET) return -1;
  COLOUR.lastIndex = from;
  return COLOUR.test(text) ? COLOUR.lastIndex : -1;
}

/**
 * The key format of a provider. Formats are looked up by their first two characters, so that other words cost almost
 * nothing.
 */
interface Format {
  readonly prefix: string;
  /** The characters that may follow; at least `least` of them must. */
  readonly alphabet: "word" | "dashed" | "dotted" | "upper" | "hex";
  readonly least: number;
  /** Exactly `least` characters; anything longer is something else. */
  readonly exact?: boolean;
  /** Must contain a digit; otherwise it may be a name made of words. */
  readonly digit?: boolean;
}

const ALPHABETS: { readonly [name in Format["alphabet"]]: RegExp } = {
  word: /[A-Za-z0-9_]*/y,
  dashed: /[A-Za-z0-9_-]*/y,
  dotted: /[A-Za-z0-9_.=~+/-]*/y,
  upper: /[A-Z0-9]*/y,
  hex: /[0-9a-f]*/y,
};

const rows = (
  alphabet: Format["alphabet"],
  least: number,
  prefixes: string,
  more: Pick<Format, "exact" | "digit"> = {},
): Format[] => prefixes.split(" ").map((prefix) => ({ prefix, alphabet, least, ...more }));

const FORMATS: readonly Format[] = [
  ...rows("dashed", 16, "sk-ant- sk-proj- sk-or- sk-svcacct- sk-admin- sk-lf- csk- nvapi- xai-"),
  ...rows("dashed", 16, "sk- pk-lf- pa-", { digit: true }),
  ...rows("word", 20, "gsk_ hf_ r8_ fw_ pplx- tvly- lsv2_pt_ lsv2_sk_ pcsk_ e2b_ npm_ lin_api_"),
  ...rows("word", 16, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ rubygems_ figd_ ntn_ lin_oauth_"),
  ...rows("word", 20, "npm- hf- r8- gsk- fw-", { digit: true }),
  ...rows(
    "dashed",
    16,
    "glpat- glcbt- gldt- glrt- glptt- glft- glimt- glagent- gloas- glsoat- feed_",
  ),
  ...rows("dashed", 10, "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp- xoxe."),
  ...rows("upper", 16, "AKIA ASIA ABIA ACCA", { exact: true }),
  ...rows("upper", 12, "AKCp LTAI"),
  ...rows("dashed", 30, "AIza"),
  ...rows("dashed", 43, "unstuck_"),
  ...rows("dotted", 20, "ya29. GOCSPX- atlasv1. sntrys_ sl. dp.pt. dp.st. dp.ct. dp.sa."),
  ...rows("word", 16, "sk_live_ sk_test_ rk_live_ rk_test_ whsec_ sntryu_ sbp_ sb_secret_ phx_"),
  ...rows(
    "dashed",
    16,
    "sq0atp- sq0csp- sq0idp- pypi- dckr_pat_ dckr_oat_ PMAK- CFPAT- NRAK- NRII-",
  ),
  ...rows("word", 16, "shpat_ shpss_ shpca_ shppa_ dop_v1_ doo_v1_ dor_v1_ glsa_ glc_ bkua_ rnd_"),
  ...rows(
    "dashed",
    16,
    "SG. hvs. hvb. hvr. CCIPAT_ CCIPRJ_ nfp_ fo1_ fm2_ fm1r_ pul- ops_ duffel_",
  ),
  ...rows("dashed", 16, "pscale_tkn_ pscale_pw_ pscale_oauth_ EZAK EZTK tfp_ ATATT3 ATCTT3 ATBB"),
  ...rows("dashed", 20, "pat-na1- pat-eu1- ddp_ ddapi_ vercel_ vck_ secret_", { digit: true }),
  ...rows("upper", 40, "AGE-SECRET-KEY-1"),
  ...rows("hex", 32, "dapi SK key-", { exact: true }),
];

const byStart = new Map<string, Format[]>();
for (const format of FORMATS) {
  const start = format.prefix.slice(0, 2);
  byStart.set(start, [...(byStart.get(start) ?? []), format]);
}

const JWT = /eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}/y;
const TELEGRAM = /\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])/y;

/** Where the key that begins at `at` ends; 0 if none begins there. */
function providerKeyEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === 101) return matchEnd(JWT, text, at);
  if (first >= 48 && first <= 57) return matchEnd(TELEGRAM, text, at);
  for (const format of byStart.get(text.slice(at, at + 2)) ?? []) {
    const end = formatEnd(format, text, at);
    if (end > 0) return end;
  }
  return 0;
}

/** Whether a text contains a key that is recognisable by its format alone. */
export function holdsProviderKey(text: string): boolean {
  const words = /[A-Za-z0-9_./-]{16,}/g;
  for (const { 0: word, index } of text.matchAll(words))
    for (let at = 0; at < word.length; at += 1)
      if (isKeyStart(text, index + at) && providerKeyEnd(text, index + at) > 0) return true;
  return false;
}

/** A key may begin where no letter, digit or underscore precedes it. */
const isKeyStart = (text: string, at: number): boolean =>
  at === 0 || !isWordCode(text.charCodeAt(at - 1));

const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95;

function formatEnd(
  { prefix, alphabet, least, exact, digit }: Format,
  text: string,
  at: number,
): number {
  if (!text.startsWith(prefix, at)) return 0;
  const body = at + prefix.length;
  const end = matchEnd(ALPHABETS[alphabet], text, body);
  const length = end - body;
  if (length < least || (exact === true && (length > least || isWordCode(text.charCodeAt(end)))))
    return 0;
  const value = text.slice(body, Math.min(end, body + 300));
  if (digit === true && !/\d/.test(value)) return 0;
  return /^(.)\1*$/.test(value) ? 0 : end;
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}
