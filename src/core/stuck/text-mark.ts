/**
 * One number for a text. `markOfResult` leaves out what is volatile while it hashes: the hot path
 * of the detector, so it reads four bytes at a time and looks closer only at tokens that hold a
 * digit and at temporary paths. Imports `bytes` and `volatile` only. Invariants: the same text
 * gives the same mark on every machine; time is linear and bounded (the middle of very long texts
 * is skipped); a mark is an integer below 2^53.
 */
import { BYTES, encode, isDigit, isWordByte, SCRATCH_UNITS, SPACE, WORDS } from "./bytes.ts";
import { volatileEnd } from "./volatile.ts";

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

function markOfSpan(text: string): number {
  const length = encode(text);
  const end = trimmedEnd(length);
  let temporary = temporaryStart(text, 0);
  let hash = 0x9e3779b9 | 0;
  let check = 0x85ebca6b | 0;
  let from = 0;
  let at = 0;
  while (at < end) {
    const digit = nextDigit(at, end);
    let start = digit;
    let stop = digit;
    if (temporary < digit && temporary < end) {
      start = temporary;
      stop = pathEnd(temporary, end);
      temporary = temporaryStart(text, stop);
    } else if (digit < end) {
      while (start > from && isWordByte(BYTES[start - 1]!)) start -= 1;
      while (stop < end && isWordByte(BYTES[stop]!)) stop += 1;
      const last = volatileEnd(start, stop);
      if (last === 0) {
        at = stop;
        continue;
      }
      stop = last;
    } else break;
    while (start > from && BYTES[start - 1] === SPACE) start -= 1;
    hash = Math.imul(hashRange(hash, from, start) ^ MASK, 0x9e3779b1);
    check = Math.imul(check ^ hash, 0x5f356495);
    while (BYTES[stop] === SPACE) stop += 1;
    from = stop;
    at = stop;
  }
  hash = hashRange(hash, from, Math.max(from, end));
  return finish(hash, Math.imul(check ^ hash, 0x5f356495));
}

const trimmedEnd = (length: number): number => {
  let end = length;
  while (end > 0 && BYTES[end - 1]! <= SPACE) end -= 1;
  return end;
};

/**
 * The place of the next digit, or `end`. Four bytes a look: x ^ "0000" is below ten for a digit.
 */
function nextDigit(start: number, end: number): number {
  let at = start;
  while (at + 4 <= end) {
    const four = WORDS.getInt32(at, true) ^ 0x30303030;
    const found = (four - 0x0a0a0a0a) & ~four & 0x80808080;
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >> 3);
    at += 4;
  }
  while (at < end && !isDigit(BYTES[at]!)) at += 1;
  return at;
}

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

const fold = (mark: number): number => ((mark % 4294967296) | 0) ^ Math.floor(mark / 4294967296);

function finish(high: number, low: number): number {
  let a = Math.imul(high ^ (high >>> 16), 0x85ebca6b);
  const b = Math.imul(low ^ (low >>> 13), 0xc2b2ae35) ^ a;
  a ^= b >>> 15;
  return (a >>> 0) * 2097152 + (Math.imul(b ^ (b >>> 16), 0x85ebca6b) >>> 11);
}
