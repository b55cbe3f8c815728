/**
 * One number for a text. `markOfResult` leaves out what is volatile while it hashes: the hot path
 * of the detector, so it reads four bytes at a time and looks closer only at tokens that hold a
 * digit and at temporary paths. Imports `bytes` and `volatile` only. Invariants: the same text
 * gives the same mark on every machine; time is linear and bounded (the middle of very long texts
 * is skipped); a mark is an integer below 2^53.
 */
import { BYTES, encode, isDigit, isWordByte, SCRATCH_UNITS, SPACE, WORDS } from "./bytes.ts";
import { isPlain, volatileEnd } from "./volatile.ts";

const MASK = 0x1f;
const NOWHERE = 0x3fffffff;

/** The mark of a result: equal for texts that differ only in volatile pieces. */
export function markOfResult(text: string): number {
  if (text.length <= SCRATCH_UNITS) return markOfSpan(text);
  return join(
    markOfSpan(text.slice(0, SCRATCH_UNITS)),
    markOfSpan(text.slice(text.length - SCRATCH_UNITS)),
  );
}

/** Two lanes, so that the next four bytes need not wait for the last ones. */
function markOfSpan(text: string): number {
  const length = encode(text);
  const end = trimmedEnd(length);
  let temporary = temporaryStart(text, 0);
  let hash = 0x9e3779b9 | 0;
  let check = 0x85ebca6b | 0;
  let from = 0;
  while (true) {
    let start = nextVolatile(from, Math.min(temporary, end));
    let stop = PIECE.end;
    if (start === temporary) {
      stop = pathEnd(temporary, end);
      temporary = temporaryStart(text, stop);
    }
    const more = start < end;
    while (more && start > from && BYTES[start - 1] === SPACE) start -= 1;
    let at = from;
    for (; at + 8 <= start; at += 8) {
      hash = Math.imul(turned(hash) ^ WORDS.getInt32(at, true), 0x9e3779b1);
      check = Math.imul(turned(check) ^ WORDS.getInt32(at + 4, true), 0x5f356495);
    }
    for (; at < start; at += 1) hash = Math.imul(turned(hash) ^ BYTES[at]!, 0x9e3779b1);
    if (!more) break;
    hash = Math.imul(hash ^ MASK, 0x9e3779b1);
    check = Math.imul(check ^ hash, 0x5f356495);
    while (BYTES[stop] === SPACE) stop += 1;
    from = stop;
  }
  return finish(hash, Math.imul(check ^ hash, 0x5f356495));
}

const turned = (lane: number): number => (lane << 13) | (lane >>> 19);

/** Where the piece that nextVolatile found ends. */
const PIECE = { end: 0 };

/** Where the next volatile piece that holds a digit begins; `end` where there is none. */
function nextVolatile(from: number, end: number): number {
  let at = from;
  while (at < end) {
    let start = nextDigit(at, end);
    if (start >= end) break;
    let stop = start;
    while (start > from && isWordByte(BYTES[start - 1]!)) start -= 1;
    while (isWordByte(BYTES[stop]!)) stop += 1;
    at = stop;
    if (isPlain(start, stop)) continue;
    const last = volatileEnd(start, stop);
    if (last === 0) continue;
    PIECE.end = last;
    return start;
  }
  return end;
}

const trimmedEnd = (length: number): number => {
  let end = length;
  while (end > 0 && BYTES[end - 1]! <= SPACE) end -= 1;
  return end;
};

/**
 * The place of the next digit, or `end`. Eight bytes a look: x ^ "0000" is below ten for a digit.
 */
function nextDigit(start: number, end: number): number {
  let at = start;
  for (; at + 8 <= end; at += 8) {
    const found = digitsOf(WORDS.getInt32(at, true));
    if (found !== 0) return at + firstByte(found);
    const later = digitsOf(WORDS.getInt32(at + 4, true));
    if (later !== 0) return at + 4 + firstByte(later);
  }
  while (at < end && !isDigit(BYTES[at]!)) at += 1;
  return at;
}

/** The high bit of the first byte that is a digit, and perhaps of some after it. */
function digitsOf(four: number): number {
  const odd = four ^ 0x30303030;
  return (odd - 0x0a0a0a0a) & ~odd & 0x80808080;
}

const firstByte = (bits: number): number => (31 - Math.clz32(bits & -bits)) >> 3;

function hashRange(seed: number, start: number, end: number): number {
  let hash = seed;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ WORDS.getInt32(at, true), 0x9e3779b1);
  }
  for (; at < end; at += 1) hash = Math.imul(hash ^ BYTES[at]!, 0x9e3779b1);
  return hash;
}

/** Where the next path below a temporary folder begins; past the text where there is none. */
function temporaryStart(text: string, start: number): number {
  if (start === 0 && !text.includes("/tmp/") && !text.includes("/var/folders/")) return NOWHERE;
  for (let at = BYTES.indexOf(47, start); at !== -1; at = BYTES.indexOf(47, at + 1)) {
    const second = BYTES[at + 1];
    if (second === 116 && BYTES[at + 2] === 109 && BYTES[at + 3] === 112 && BYTES[at + 4] === 47)
      return at;
    if (second === 118 && BYTES[at + 5] === 102 && BYTES[at + 12] === 47) return at;
  }
  return NOWHERE;
}

/** A path ends at white space, a quote, a colon, a comma or a closing bracket. */
function pathEnd(start: number, end: number): number {
  let at = start + 1;
  while (at < end) {
    const byte = BYTES[at]!;
    if (byte <= SPACE || byte === 34 || byte === 39 || byte === 58 || byte === 44 || byte === 41)
      break;
    at += 1;
  }
  return at;
}

/**
 * The mark of a text as it stands, volatile or not: for arguments, where each value is identity.
 */
export function markOfExact(text: string): number {
  if (text.length <= 40) return markOfShort(text);
  const tooLong = text.length > SCRATCH_UNITS;
  const length = encode(tooLong ? text.slice(0, SCRATCH_UNITS) : text);
  const hash = hashRange(0x2545f491 ^ text.length, 0, length);
  const mark = finish(hash, Math.imul(hash ^ length, 0x5f356495));
  return tooLong ? join(mark, markOfExact(text.slice(text.length - SCRATCH_UNITS))) : mark;
}

function markOfShort(text: string): number {
  let hash = 0x2545f491 ^ text.length;
  let check = 0x27220a95;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1);
    check = Math.imul(check ^ hash, 0x5f356495);
  }
  return finish(hash, check);
}

/** A mark of two marks, in this order. */
export function join(first: number, second: number): number {
  const a = Math.imul(fold(first) ^ 0x2c1b3c6d, 0x9e3779b1) ^ fold(second);
  return finish(a, Math.imul(a ^ fold(second), 0x5f356495) ^ fold(first));
}

const fold = (mark: number): number => (mark | 0) ^ ((mark / 4294967296) | 0);

function finish(high: number, low: number): number {
  let a = Math.imul(high ^ (high >>> 16), 0x85ebca6b);
  const b = Math.imul(low ^ (low >>> 13), 0xc2b2ae35) ^ a;
  a ^= b >>> 15;
  return (a >>> 0) * 2097152 + (Math.imul(b ^ (b >>> 16), 0x85ebca6b) >>> 11);
}
