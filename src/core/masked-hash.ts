/**
 * Compares texts without the parts that differ from run to run and mean nothing: times, process ids, attempt counters,
 * ids, digests, random ports, temporary paths. Plain counts ("40 failed", "line 3") stay. Invariant: linear time on any
 * text, because the patterns are tried once per word that contains a digit and look back at most 64 characters.
 */
import { hashRanges, MAX_UNITS } from "./hash.ts";

/** Replaces each masked piece. */
const MASK = "~";

const anyCase = (pattern: string): string =>
  pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const WORD = "[\\w\\u0080-\\uffff]";

const LETTER = "[A-Za-z_\\u0080-\\uffff]";

const HEX = "[\\da-fA-F]";

const END = `(?!${WORD})`;

const UNIT = anyCase("(?:n|u|µ|m)?s|(?:milli)?sec(?:ond)?s?|min(?:ute)?s?|hours?|days?");

const DURATION = `\\d+(?!\\d)(?:\\.\\d{1,15})? ?(?:${UNIT})${END}`;

const FRACTION = "(?:[.,_]\\d{1,10})?";

const ZONE = "(?:[Zz]| ?[+-]\\d\\d:?\\d\\d)?";

const UUID_END = `(?:-${HEX}{4}){3}-${HEX}{12}`;

const DATES = [
  // 2026-11-15, optionally followed by a time: T10:20:30.5Z, T10_20_30
  `\\d\\d\\d\\d-\\d\\d-\\d\\d(?!\\d)(?:[T _]\\d\\d?[:_]\\d\\d(?:[:_]\\d\\d${FRACTION})?${ZONE})?`,
  "\\d\\d?/\\d\\d/\\d\\d\\d\\d(?!\\d)",
  // 10:20:30, and 2026:10:20:30 as in access logs
  `(?:(?<![:.])|\\d\\d\\d\\d:)\\d\\d?:\\d\\d:\\d\\d${FRACTION}${ZONE}`,
  `\\d{8}${UUID_END}`,
];

/** Patterns for a number that is a word of its own. */
const NUMBERS = [
  `(?=\\d+[-/:][\\da-fA-F]{2})(?:${DATES.join("|")})`,
  `${DURATION}(?: ${DURATION})*`,
  // seconds or milliseconds since 1970, from 2014 on; a number of sixteen or more digits is not a count
  `(?=${"\\d".repeat(10)})(?:1[4-9]\\d{8}(?:\\d{3})?|\\d{16,})${END}`,
  // attempts made so far: 3 attempts, 2 retries
  `\\d+(?= (?:${anyCase("attempts?|retr(?:y|ies)|tries")})${END})`,
  // a process id: cron[4711], (node:4711)
  "(?<=[A-Za-z]\\[)\\d\\d+(?=\\])|(?<=[A-Za-z]:)\\d\\d+(?=\\))",
  // an ephemeral port
  `(?<=[\\dA-Za-z\\]]:)(?:3[2-9]|[45]\\d|6[0-5])\\d\\d\\d${END}`,
];

/** Patterns for a word of letters and digits. */
const NAMES = [
  `${DURATION}|(?:\\d{1,6}[hms]){1,4}${END}|\\d[xX]${WORD}*`,
  `(?=${WORD}{7})(?:${HEX}{8}${UUID_END}|${HEX}{7,}${END})`,
  // letters and digits alternate five times within twelve or more characters: machine-generated
  `(?=${WORD}{12})(?:${LETTER}+\\d+${LETTER}+\\d+${LETTER}+\\d|\\d+${LETTER}+\\d+${LETTER}+\\d+${LETTER})${WORD}*`,
];

/** Words that mark the following value as specific to this run: `pid 4711`, `attempt 3`, `retry #2`. */
const LABEL = `(?<![\\w.])(?:${anyCase(
  "p?pid|tid|process(?: id)?|elapsed|took|timestamp|ts|nonce|uptime|" +
    "attempts?|retr(?:y|ies)|try|tries|(?:attempt|retry)[ _]?(?:number|count|no)|" +
    "duration|(?:duration|elapsed|latency)_?ms",
)})[ :="'#(]{1,4}`;

/**
 * Keys whose values are specific to this run: `id`, `messageId`, `request_id`, `startedAt`; not `valid` or `format`.
 */
const KEY = `(?:${[
  "(?:(?<![A-Za-z])(?:uu|gu|u)?i|I)[dD]",
  "(?:(?<![A-Za-z])a|A)[tT]",
  "(?:(?<![A-Za-z])m|M)[sS]",
  "(?:(?<![A-Za-z])time|T(?:ime|IME))",
  "(?<![A-Za-z])etag",
].join("|")})["']? ?[:=][ "'(#]{0,3}`;

/** The name a tool gives to something it has just created: `session exec-7`. */
const HANDLE = `(?<![\\w.])${anyCase("session")}[ :="'#(]{1,4}`;

/** After a key or handle, the whole value is masked: `"id": "room-17"`. */
const LABELLED =
  `(?<=${LABEL}|(?:${KEY}|${HANDLE})(?:(?<![\\w.-])[\\w.-]{0,38}[-.])?)` +
  `${WORD}+(?:\\.\\d{1,15})?(?::\\d\\d){0,3}`;

/** A position in a file, `a.ts:12:34`, is meaningful and stays. */
const NO_PLACE = "(?<!\\.[a-z]{1,4}:(?:\\d{1,6}:)?)";

let varyingWord: RegExp | undefined;

/**
 * Compiled on first use. V8 first compiles an expression to bytecode, which is three times as slow for one this large
 * and would delay a hook noticeably. It compiles to machine code at once if the first subject is long, hence the long
 * blank text.
 */
function makeVaryingWord(): RegExp {
  const word = new RegExp(
    `${NO_PLACE}(?:(?=\\d+${END})(?:${NUMBERS.join("|")})|` +
      `(?!\\d+${END})(?:${NAMES.join("|")})|${LABELLED})`,
    "y",
  );
  word.test(" ".repeat(1000));
  return word;
}

const TEMPORARY_PATH = /\/(?:tmp|var\/folders)\/[^\s"':,)]*/g;

const DIGITS = /\d+/g;

/** One number for the unmasked parts of a text; white space around a mask does not count. */
export function maskedHash(text: string): number {
  const whole = prepared(text);
  return hashRanges(whole, keptRanges(whole));
}

/** The text with one mask for each varying piece. */
export function masked(text: string): string {
  const whole = prepared(text);
  const ranges = keptRanges(whole);
  const kept: string[] = [];
  for (let at = 0; at < ranges.length; at += 2) kept.push(whole.slice(ranges[at], ranges[at + 1]));
  return kept.join(MASK);
}

function prepared(text: string): string {
  const whole =
    text.length <= MAX_UNITS
      ? text
      : `${text.slice(0, MAX_UNITS / 2)}\n${text.slice(-MAX_UNITS / 2)}`;
  const mayHold = whole.includes("/tmp/") || whole.includes("/var/folders/");
  return mayHold ? whole.replace(TEMPORARY_PATH, MASK) : whole;
}

/** The parts that do not vary, as start, end, start, end ... */
function keptRanges(text: string): readonly number[] {
  const ranges: number[] = [];
  const varying = (varyingWord ??= makeVaryingWord());
  let from = 0;
  // every varying word contains a digit, and digits are fast to find
  for (DIGITS.lastIndex = 0; DIGITS.test(text);) {
    let end = DIGITS.lastIndex;
    let start = end;
    while (start > from && isWordUnit(text.charCodeAt(start - 1))) start -= 1;
    varying.lastIndex = start;
    if (varying.test(text)) {
      ranges.push(from, trimmedEnd(text, from, start));
      end = varying.lastIndex;
      while (text.charCodeAt(end) === 32) end += 1;
      from = end;
    } else while (isWordUnit(text.charCodeAt(end))) end += 1;
    DIGITS.lastIndex = end;
  }
  ranges.push(from, trimmedEnd(text, from, text.length));
  return ranges;
}

function trimmedEnd(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && text.charCodeAt(end - 1) <= 32) end -= 1;
  return end;
}

const isWordUnit = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) ||
  (unit >= 48 && unit <= 57) ||
  (unit >= 65 && unit <= 90) ||
  unit === 95 ||
  unit >= 128;
