/**
 * Which pieces of a tool's result change from run to run without saying anything: times, durations,
 * process ids, attempt counters, ids, hex, uuids, random ports. Imports `bytes` and `labels`.
 * Invariants: asked only about tokens that hold a digit; each look is bounded (at most 64 bytes
 * around the token), so a text is read in linear time; plain counts ("40 failed", "line 3", "10%")
 * are never volatile.
 */
import {
  BYTES,
  byteTable,
  isDigit,
  isHexDigit,
  isLetter,
  wordSet,
  COLON,
  DASH,
  DOT,
  SLASH,
  SPACE,
  UNDERSCORE,
} from "./bytes.ts";
import { isLabelled, mayBeLabelled } from "./labels.ts";

const UNITS = wordSet(
  "ns us ms s sec secs second seconds min mins minute minutes hour hours millisecond milliseconds",
);

/** What may go on with a number: a date, a clock time, a fraction, a space and a unit. */
const TELLING = byteTable("-:/. ");
const NUMBERS = byteTable("0123456789");
const UNIT_STARTS = byteTable("numshNUMSH");

/**
 * The end of the volatile piece that begins with the token [start, end), or 0 where the token says
 * something. The piece may reach past the token: a date takes its time along. The bytes after the
 * text must be zeros (64 of them).
 */
export function volatileEnd(start: number, end: number): number {
  if (isDigit(BYTES[start]!)) {
    const digits = digitsEnd(start, end);
    return digits === end ? pureNumber(start, end) : digitsThenLetters(start, digits, end);
  }
  if (isHexToken(start, end)) return uuidEnd(start, end) || end;
  return isRandomToken(start, end) || isLabelled(start) ? end : 0;
}

/**
 * True where a token surely says something: a quick look without a call, because most tokens are
 * short names and plain numbers. False decides nothing.
 */
export function isPlain(start: number, end: number): boolean {
  const length = end - start;
  if (length > 6) return false;
  if (NUMBERS[BYTES[start]!] === 1) {
    if (length > 4) return false;
    for (let at = start + 1; at < end; at += 1) if (NUMBERS[BYTES[at]!] === 0) return false;
    const next = BYTES[end]!;
    if (next === 93 || next === 41) return false;
    if (TELLING[next] === 1) {
      const then = BYTES[end + 1]!;
      if (next === SPACE ? UNIT_STARTS[then] === 1 : NUMBERS[then] === 1) {
        if (length !== 3 || next === DOT || next === SPACE) return false;
      }
    }
  }
  return !mayBeLabelled(start);
}

function pureNumber(start: number, end: number): number {
  const length = end - start;
  const next = BYTES[end]!;
  let numberEnd = end;
  if (TELLING[next] === 1) {
    const moment = next === DOT || next === SPACE ? 0 : momentEnd(start, end, next);
    if (moment > 0) return moment;
    if (isLongNumber(start, length)) return end;
    if (next === DOT && isDigit(BYTES[end + 1]!)) numberEnd = digitsEnd(end + 1, end + 16);
    const unit = unitEnd(numberEnd);
    if (unit > 0) return unit;
  } else if (isLongNumber(start, length)) return end;
  if (isLabelled(start)) return groupsEnd(numberEnd);
  if (isBracketedPid(start, end)) return end;
  return length === 5 && isRandomPort(start) ? end : 0;
}

/** `elapsed 00:12`: what follows after colons belongs to the number. */
function groupsEnd(end: number): number {
  let at = end;
  while (at < end + 9 && BYTES[at] === COLON && twoDigits(at + 1)) at += 3;
  return at;
}

/** `cron[4711]`, `(node:4711)`. */
function isBracketedPid(start: number, end: number): boolean {
  if (start < 2 || end - start < 2 || !isLetter(BYTES[start - 2]!)) return false;
  const open = BYTES[start - 1];
  return (open === 91 && BYTES[end] === 93) || (open === COLON && BYTES[end] === 41);
}

/** A date, a clock time or a uuid that begins with this number. */
function momentEnd(start: number, end: number, next: number): number {
  const length = end - start;
  if (next === DASH) {
    if (length === 4) return dateEnd(end);
    return length === 8 ? uuidEnd(start, end) : 0;
  }
  if (length === 4 && next === COLON) return clockEnd(end + 1);
  if (length > 2) return 0;
  if (next === SLASH) return slashDateEnd(end);
  const before = start > 0 ? BYTES[start - 1]! : SPACE;
  return before === COLON || before === DOT ? 0 : clockEnd(start);
}

function digitsThenLetters(start: number, digits: number, end: number): number {
  if (digits - start === 1 && (BYTES[digits]! | 32) === 120) return end;
  if (UNITS.has(digits, end)) return end;
  if (isCompoundDuration(start, end)) return end;
  if (isHexToken(start, end)) return uuidEnd(start, end) || end;
  return isRandomToken(start, end) || isLabelled(start) ? end : 0;
}

function digitsEnd(start: number, end: number): number {
  let at = start;
  while (at < end && isDigit(BYTES[at]!)) at += 1;
  return at;
}

/** `1m23s`, `2h5m`. */
function isCompoundDuration(start: number, end: number): boolean {
  if (end - start > 12) return false;
  let afterDigit = false;
  for (let at = start; at < end; at += 1) {
    const byte = BYTES[at]!;
    if (isDigit(byte)) afterDigit = true;
    else if (!afterDigit || (byte !== 104 && byte !== 109 && byte !== 115)) return false;
    else afterDigit = false;
  }
  return !afterDigit;
}

/** A unit straight after the number or after one space. */
function unitEnd(at: number): number {
  const from = BYTES[at] === SPACE ? at + 1 : at;
  if (!UNITS.mayHave(from)) return 0;
  let to = from;
  while (to < from + 13 && isLetter(BYTES[to]!)) to += 1;
  if (to === from || to === from + 13 || isDigit(BYTES[to]!)) return 0;
  return UNITS.has(from, to) ? to : 0;
}

/** After the year: `-05-17`, then perhaps `T10:20:30.123Z` or ` 10:20:30 +02:00`. */
function dateEnd(at: number): number {
  if (!twoDigits(at + 1) || BYTES[at + 3] !== DASH || !twoDigits(at + 4)) return 0;
  const day = at + 6;
  const joint = BYTES[day]!;
  if (isDigit(joint)) return 0;
  if (joint !== 84 && joint !== SPACE && joint !== UNDERSCORE) return day;
  return clockEnd(day + 1) || day;
}

/** `10:20:30`, with fraction and zone where they follow. */
function clockEnd(start: number): number {
  const hours = digitsEnd(start, start + 2);
  if (hours === start || BYTES[hours] !== COLON || !twoDigits(hours + 1)) return 0;
  if (BYTES[hours + 3] !== COLON || !twoDigits(hours + 4)) return 0;
  const seconds = hours + 6;
  const mark = BYTES[seconds]!;
  const fraction = (mark === DOT || mark === 44) && isDigit(BYTES[seconds + 1]!);
  return zoneEnd(fraction ? digitsEnd(seconds + 1, seconds + 11) : seconds);
}

function zoneEnd(at: number): number {
  if (BYTES[at] === 90) return at + 1;
  const sign = BYTES[at] === SPACE ? at + 1 : at;
  if ((BYTES[sign] !== 43 && BYTES[sign] !== DASH) || !twoDigits(sign + 1)) return at;
  const minutes = BYTES[sign + 3] === COLON ? sign + 4 : sign + 3;
  return twoDigits(minutes) ? minutes + 2 : at;
}

/** After the first pair: `/05/2026`. */
function slashDateEnd(at: number): number {
  if (!twoDigits(at + 1) || BYTES[at + 3] !== SLASH) return 0;
  const year = digitsEnd(at + 4, at + 9);
  return year - at === 8 ? year : 0;
}

const twoDigits = (at: number): boolean => isDigit(BYTES[at]!) && isDigit(BYTES[at + 1]!);

/** Seconds or milliseconds since 1970, from 2014 on; sixteen digits and more are no count. */
const isLongNumber = (start: number, length: number): boolean =>
  length >= 16 ||
  ((length === 10 || length === 13) && BYTES[start] === 49 && BYTES[start + 1]! >= 52);

/** Seven or more hex digits with both letters and numbers: commit ids, digests, addresses. */
function isHexToken(start: number, end: number): boolean {
  if (end - start < 7) return false;
  let letters = false;
  let digits = false;
  for (let at = start; at < end; at += 1) {
    const byte = BYTES[at]!;
    if (isDigit(byte)) digits = true;
    else if (isHexDigit(byte)) letters = true;
    else return false;
  }
  return letters && digits;
}

/** Groups of 8-4-4-4-12 hex digits, the first of which is [start, end). */
function uuidEnd(start: number, end: number): number {
  if (end - start !== 8) return 0;
  let at = end;
  for (let group = 0; group < 4; group += 1) {
    if (BYTES[at] !== DASH) return 0;
    const size = group === 3 ? 12 : 4;
    for (let seen = 1; seen <= size; seen += 1) if (!isHexDigit(BYTES[at + seen]!)) return 0;
    at += size + 1;
  }
  return at;
}

/** Letters and digits taking turns five times or more in twelve bytes: made by a machine. */
function isRandomToken(start: number, end: number): boolean {
  if (end - start < 12) return false;
  let turns = 0;
  let wasDigit = isDigit(BYTES[start]!);
  const to = Math.min(end, start + 64);
  for (let at = start + 1; at < to; at += 1) {
    const digit = isDigit(BYTES[at]!);
    if (digit !== wasDigit) turns += 1;
    wasDigit = digit;
  }
  return turns >= 5;
}

/** A port the system picked: `127.0.0.1:43817`. */
function isRandomPort(start: number): boolean {
  if (start < 2 || BYTES[start - 1] !== COLON) return false;
  const before = BYTES[start - 2]!;
  if (!isDigit(before) && !isLetter(before) && before !== 93) return false;
  let port = 0;
  for (let at = start; at < start + 5; at += 1) port = port * 10 + BYTES[at]! - 48;
  return port >= 32768 && port <= 65535;
}
