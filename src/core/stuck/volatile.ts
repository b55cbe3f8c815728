/**
 * Which pieces of a tool's result change from run to run without saying anything: times, durations, process ids,
 * attempt counters, ids, hex, uuids, random ports. Invariants: asked only about tokens that hold a digit; each
 * look is bounded (at most 64 bytes around the token), so a text is read in linear time; plain counts ("40
 * failed", "line 3", "10%") are never volatile.
 */
import { ASCII, byteTable, SCRATCH, TABLES, wordSet } from "./bytes.ts";
import { isLabelled } from "./labels.ts";

const { bytes } = SCRATCH;
const { COLON, DASH, DOT, SLASH, SPACE, UNDERSCORE } = ASCII;
const { DIGITS, LETTERS, HEX_DIGITS } = TABLES;

const UNITS = wordSet(
  "ns us ms s sec secs second seconds min mins minute minutes hour hours millisecond milliseconds",
);

/** What may go on with a number, and with what: a space with a unit, the others with digits. */
const GOES_ON = byteTable("-:/.", 2, " ", 1);
const WITH = byteTable("0123456789abcdefABCDEF", 2, "numshNUMSH", 1);

/**
 * The end of the volatile piece that begins with the number [start, end), or 0 where it says
 * something. The piece may reach past the number: a date takes its time along.
 */
export function numberEnd(start: number, end: number): number {
  if (end - start > 9 || (GOES_ON[bytes[end]!]! & WITH[bytes[end + 1]!]!) !== 0) {
    const last = measureEnd(start, end);
    if (last > 0) return last;
  }
  if (isLabelled(start)) return groupsEnd(fractionEnd(end));
  const before = bytes[start - 1];
  if (before !== COLON && before !== 91) return 0;
  return isBracketedPid(start, end) || isRandomPort(start, end) ? end : 0;
}

/** A time, a date, a duration, a uuid that begins with this number. */
function measureEnd(start: number, end: number): number {
  if (isLongNumber(start, end - start)) return end;
  const next = bytes[end];
  if (next === SPACE) return unitEnd(end + 1);
  if (next !== DOT) return momentEnd(start, end, next!);
  const last = fractionEnd(end);
  return unitEnd(bytes[last] === SPACE ? last + 1 : last);
}

function fractionEnd(end: number): number {
  return bytes[end] === DOT && DIGITS[bytes[end + 1]!] === 1 ? digitsEnd(end + 1, end + 16) : end;
}

/** The same for a token that is no number but holds a digit. */
export function tokenEnd(start: number, end: number): number {
  if (DIGITS[bytes[start]!] === 1 && isDuration(start, end)) return end;
  if (end - start > 6) {
    if (isHexToken(start, end)) return uuidEnd(start, end) || end;
    if (isRandomToken(start, end)) return end;
  }
  return isLabelled(start) ? end : 0;
}

/** `elapsed 00:12`: what follows after colons belongs to the number. */
function groupsEnd(end: number): number {
  let at = end;
  while (at < end + 9 && bytes[at] === COLON && twoDigits(at + 1)) at += 3;
  return at;
}

/** `cron[4711]`, `(node:4711)`. */
function isBracketedPid(start: number, end: number): boolean {
  if (end - start < 2 || LETTERS[bytes[start - 2]!] === 0) return false;
  const open = bytes[start - 1];
  return (open === 91 && bytes[end] === 93) || (open === COLON && bytes[end] === 41);
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
  const before = bytes[start - 1]!;
  return before === COLON || before === DOT ? 0 : clockEnd(start);
}

/** `0x1f`, `12ms`, `1m23s`. */
function isDuration(start: number, end: number): boolean {
  const digits = digitsEnd(start, end);
  if (digits - start === 1 && (bytes[digits]! | 32) === 120) return true;
  return UNITS.has(digits, end) || isCompoundDuration(start, end);
}

function digitsEnd(start: number, end: number): number {
  let at = start;
  while (at < end && DIGITS[bytes[at]!] === 1) at += 1;
  return at;
}

/** `1m23s`, `2h5m`. */
function isCompoundDuration(start: number, end: number): boolean {
  if (end - start > 12) return false;
  let afterDigit = false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    if (DIGITS[byte] === 1) afterDigit = true;
    else if (!afterDigit || (byte !== 104 && byte !== 109 && byte !== 115)) return false;
    else afterDigit = false;
  }
  return !afterDigit;
}

/** The end of the unit that begins there. */
function unitEnd(start: number): number {
  let end = start;
  while (end < start + 13 && LETTERS[bytes[end]!] === 1) end += 1;
  if (end === start || end === start + 13 || DIGITS[bytes[end]!] === 1) return 0;
  return UNITS.has(start, end) ? end : 0;
}

/** After the year: `-05-17`, then perhaps `T10:20:30.123Z` or ` 10:20:30 +02:00`. */
function dateEnd(at: number): number {
  if (!twoDigits(at + 1) || bytes[at + 3] !== DASH || !twoDigits(at + 4)) return 0;
  const day = at + 6;
  const joint = bytes[day]!;
  if (DIGITS[joint] === 1) return 0;
  if (joint !== 84 && joint !== SPACE && joint !== UNDERSCORE) return day;
  return clockEnd(day + 1) || day;
}

/** `10:20:30`, with fraction and zone where they follow. */
function clockEnd(start: number): number {
  const hours = digitsEnd(start, start + 2);
  if (hours === start || bytes[hours] !== COLON || !twoDigits(hours + 1)) return 0;
  if (bytes[hours + 3] !== COLON || !twoDigits(hours + 4)) return 0;
  const seconds = hours + 6;
  const mark = bytes[seconds]!;
  const fraction = (mark === DOT || mark === 44) && DIGITS[bytes[seconds + 1]!] === 1;
  return zoneEnd(fraction ? digitsEnd(seconds + 1, seconds + 11) : seconds);
}

function zoneEnd(at: number): number {
  if (bytes[at] === 90) return at + 1;
  const sign = bytes[at] === SPACE ? at + 1 : at;
  if ((bytes[sign] !== 43 && bytes[sign] !== DASH) || !twoDigits(sign + 1)) return at;
  const minutes = bytes[sign + 3] === COLON ? sign + 4 : sign + 3;
  return twoDigits(minutes) ? minutes + 2 : at;
}

/** After the first pair: `/05/2026`. */
function slashDateEnd(at: number): number {
  if (!twoDigits(at + 1) || bytes[at + 3] !== SLASH) return 0;
  const year = digitsEnd(at + 4, at + 9);
  return year - at === 8 ? year : 0;
}

const twoDigits = (at: number): boolean => DIGITS[bytes[at]!] === 1 && DIGITS[bytes[at + 1]!] === 1;

/** Seconds or milliseconds since 1970, from 2014 on; sixteen digits and more are no count. */
const isLongNumber = (start: number, length: number): boolean =>
  length >= 16 ||
  ((length === 10 || length === 13) && bytes[start] === 49 && bytes[start + 1]! >= 52);

/** Seven or more hex digits with both letters and numbers: commit ids, digests, addresses. */
function isHexToken(start: number, end: number): boolean {
  let letters = false;
  let digits = false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]!;
    if (DIGITS[byte] === 1) digits = true;
    else if (HEX_DIGITS[byte] === 1) letters = true;
    else return false;
  }
  return letters && digits;
}

/** Groups of 8-4-4-4-12 hex digits, the first of which is [start, end). */
function uuidEnd(start: number, end: number): number {
  if (end - start !== 8) return 0;
  let at = end;
  for (let group = 0; group < 4; group += 1) {
    if (bytes[at] !== DASH) return 0;
    const size = group === 3 ? 12 : 4;
    for (let seen = 1; seen <= size; seen += 1) if (HEX_DIGITS[bytes[at + seen]!] === 0) return 0;
    at += size + 1;
  }
  return at;
}

/** Letters and digits taking turns five times or more in twelve bytes: made by a machine. */
function isRandomToken(start: number, end: number): boolean {
  if (end - start < 12) return false;
  let turns = 0;
  let wasDigit = DIGITS[bytes[start]!] === 1;
  const to = Math.min(end, start + 64);
  for (let at = start + 1; at < to; at += 1) {
    const digit = DIGITS[bytes[at]!] === 1;
    if (digit !== wasDigit) turns += 1;
    wasDigit = digit;
  }
  return turns >= 5;
}

/** A port the system picked: `127.0.0.1:43817`. */
function isRandomPort(start: number, end: number): boolean {
  if (end - start !== 5 || bytes[start - 1] !== COLON) return false;
  const before = bytes[start - 2]!;
  if (DIGITS[before] === 0 && LETTERS[before] === 0 && before !== 93) return false;
  let port = 0;
  for (let at = start; at < start + 5; at += 1) port = port * 10 + bytes[at]! - 48;
  return port >= 32768 && port <= 65535;
}
