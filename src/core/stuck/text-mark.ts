/**
 * One number for a text. `markOfResult` leaves out what is volatile while it hashes: the hot path of the detector,
 * so it reads four bytes at a time and looks closer only at tokens that hold a digit and at temporary paths.
 * Invariants: the same text gives the same mark on every machine; time is linear and bounded (the middle of very
 * long texts is skipped); a mark is an integer below 2^53.
 */
import { ASCII, SCRATCH, TABLES, TEXT_START, encode, SCRATCH_UNITS } from "./bytes.ts";
import { numberEnd, tokenEnd } from "./volatile.ts";

const { bytes, words } = SCRATCH;
const { SPACE } = ASCII;
const { WORD_BYTES } = TABLES;

const MASK = 0x1f;

/** The mark of a result: equal for texts that differ only in volatile pieces. */
export function markOfResult(text: string): number {
  if (text.length <= SCRATCH_UNITS) return markOfSpan(text);
  return join(
    markOfSpan(text.slice(0, SCRATCH_UNITS)),
    markOfSpan(text.slice(text.length - SCRATCH_UNITS)),
  );
}

/** Where the hash of a text stands: two lanes, so that four bytes need not wait for the last. */
const LANES = { hash: 0, check: 0 };

function markOfSpan(text: string): number {
  const end = trimmedEnd(encode(text));
  LANES.hash = 0x9e3779b9 | 0;
  LANES.check = 0x85ebca6b | 0;
  let from = TEXT_START;
  if (text.includes("/tmp/") || text.includes("/var/folders/"))
    for (let path = pathStart(from, end); path < end; path = pathStart(from, end)) {
      const last = pathEnd(path, end);
      readSpan(from, path, last);
      from = spacesEnd(last);
    }
  readSpan(from, end, 0);
  return finish(LANES.hash, Math.imul(LANES.check ^ LANES.hash, 0x5f356495));
}

/**
 * Adds the bytes [start, end) to the hash, but for volatile pieces that hold a digit; then the
 * volatile piece that follows, where `last` says that it ends there. One function, because a call
 * for each piece costs as much as the piece.
 */
function readSpan(start: number, end: number, last: number): void {
  let { hash, check } = LANES;
  let from = start;
  let at = start;
  while (true) {
    let piece = end;
    let pieceEnd = last;
    while (at < end) {
      let found = digitsOf(words.getInt32(at, true));
      if (found === 0) found = digitsOf(words.getInt32((at += 4), true));
      if (found === 0) {
        at += 4;
        continue;
      }
      const digit = at + firstByte(found);
      if (digit >= end) break;
      let token = digit;
      while (token > from && WORD_BYTES[bytes[token - 1]!] === 1) token -= 1;
      const digits = digitsEnd(digit + 1);
      at = digits;
      while (WORD_BYTES[bytes[at]!] === 1) at += 1;
      const stop = token === digit && at === digits ? numberEnd(token, at) : tokenEnd(token, at);
      if (stop === 0) continue;
      piece = token;
      pieceEnd = stop;
      break;
    }
    const more = piece < end;
    if (pieceEnd > 0) while (piece > from && bytes[piece - 1] === SPACE) piece -= 1;
    for (; from + 8 <= piece; from += 8) {
      hash = Math.imul(turned(hash) ^ words.getInt32(from, true), 0x9e3779b1);
      check = Math.imul(turned(check) ^ words.getInt32(from + 4, true), 0x5f356495);
    }
    if (from < piece) {
      hash = Math.imul(turned(hash) ^ (piece - from), 0x9e3779b1);
      hash = Math.imul(turned(hash) ^ firstBytes(from, piece - from), 0x9e3779b1);
      if (from + 4 < piece)
        check = Math.imul(turned(check) ^ firstBytes(from + 4, piece - from - 4), 0x5f356495);
    }
    if (pieceEnd === 0) break;
    hash = Math.imul(hash ^ MASK, 0x9e3779b1);
    check = Math.imul(check ^ hash, 0x5f356495);
    if (!more) break;
    from = spacesEnd(pieceEnd);
    at = from;
  }
  LANES.hash = hash;
  LANES.check = check;
}

/** The first bytes of four, the others zero. */
const firstBytes = (at: number, count: number): number =>
  count < 4 ? words.getInt32(at, true) & ~(-1 << (count << 3)) : words.getInt32(at, true);

function digitsEnd(start: number): number {
  let end = start;
  while ((bytes[end]! - 48) >>> 0 < 10) end += 1;
  return end;
}

function spacesEnd(start: number): number {
  let end = start;
  while (bytes[end] === SPACE) end += 1;
  return end;
}

const turned = (lane: number): number => (lane << 13) | (lane >>> 19);

const trimmedEnd = (length: number): number => {
  let end = length;
  while (end > TEXT_START && bytes[end - 1]! <= SPACE) end -= 1;
  return end;
};

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
    hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ words.getInt32(at, true), 0x9e3779b1);
  }
  for (; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x9e3779b1);
  return hash;
}

/** Where the next path below a temporary folder begins, or `end`. */
function pathStart(start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    if (bytes[at] !== 47) continue;
    const second = bytes[at + 1];
    if (second === 116 && bytes[at + 2] === 109 && bytes[at + 3] === 112 && bytes[at + 4] === 47)
      return at;
    if (second === 118 && bytes[at + 5] === 102 && bytes[at + 12] === 47) return at;
  }
  return end;
}

/** A path ends at white space, a quote, a colon, a comma or a closing bracket. */
function pathEnd(start: number, end: number): number {
  let at = start + 1;
  while (at < end) {
    const byte = bytes[at]!;
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
  const end = encode(tooLong ? text.slice(0, SCRATCH_UNITS) : text);
  const hash = hashRange(0x2545f491 ^ text.length, TEXT_START, end);
  const mark = finish(hash, Math.imul(hash ^ (end - TEXT_START), 0x5f356495));
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
