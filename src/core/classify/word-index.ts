/**
 * Finds, in one pass over a text, which lines contain a word of which pattern, so that only a few patterns have to be
 * tried. Invariants: linear; no allocation per character; a long line is split into overlapping pieces, so no pattern
 * ever sees more than a few thousand characters.
 */

/** An open hash table of words; each word has a chain of patterns. */
export interface WordIndex {
  /** Hash of a slot's word; 0 = free. */
  readonly keys: Int32Array;
  /** The first link of a slot's chain. */
  readonly heads: Int32Array;
  /** The pattern and the next link of each link, -1 at the end. */
  readonly patterns: ArrayLike<number>;
  readonly next: ArrayLike<number>;
  /** Scratch space of a scan: for each pattern, the last piece in which it was noted. */
  seenIn: Int32Array;
  pieces: number;
}

/** A word index under construction. */
export interface WordIndexDraft extends WordIndex {
  readonly patterns: number[];
  readonly next: number[];
}

/** A line (or piece of a long line) with the patterns whose words it contains. */
export interface Candidate {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly patterns: readonly number[];
}

const PIECE = 1_200;
const OVERLAP = 240;
const SEED = 0x811c9dc5;
const NEWLINE = 10;

const step = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
const slotOf = (hash: number, mask: number): number => (hash ^ (hash >>> 15)) & mask;

/** Space for four times the words of the rules, so that probe sequences stay short. */
const SLOTS = 16_384;

export const emptyWordIndex = (): WordIndexDraft => ({
  keys: new Int32Array(SLOTS),
  heads: new Int32Array(SLOTS),
  patterns: [],
  next: [],
  seenIn: new Int32Array(0),
  pieces: 0,
});

function hashOf(text: string, from: number, to: number): number {
  let hash = SEED;
  for (let at = from; at < to; at += 1) hash = step(hash, fold(text.charCodeAt(at)));
  return hash;
}

/** Adds the word at text[from..to) for a pattern; of a CJK word, only the first two characters count. */
export function addWord(
  index: WordIndexDraft,
  text: string,
  from: number,
  to: number,
  pattern: number,
): void {
  const end = isIdeograph(text.charCodeAt(from)) ? from + 2 : to;
  const hash = hashOf(text, from, end);
  const { keys, heads, patterns, next } = index;
  let slot = slotOf(hash, SLOTS - 1);
  while (keys[slot] !== 0 && keys[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
  next.push(keys[slot] === 0 ? -1 : (heads[slot] ?? -1));
  patterns.push(pattern);
  keys[slot] = hash;
  heads[slot] = patterns.length - 1;
  if (pattern >= index.seenIn.length) index.seenIn = new Int32Array(2 * pattern + 1_024);
}

const isIdeograph = (unit: number): boolean => unit >= 0x2e80 && unit < 0xd800;

/** The tick and cross symbols of test runners are words of their own. */
const FIRST_MARK = 0x25cf;
const LAST_MARK = 0x274e;

function fold(unit: number): number {
  if (unit >= 65 && unit <= 90) return unit + 32;
  if (unit < 0xc0) return unit;
  return unit <= 0xde || (unit >= 0x410 && unit <= 0x42f) ? unit + 32 : unit;
}

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

/** Class and folded form of the ASCII characters, which are by far the most common. */
const ASCII_CLASS = new Uint8Array(128);
const ASCII_FOLDED = new Uint8Array(128);
ASCII_CLASS.fill(LOWER, 97, 123).fill(UPPER, 65, 91).fill(DIGIT, 48, 58);
for (let unit = 0; unit < 128; unit += 1) ASCII_FOLDED[unit] = fold(unit);

const classBeyondAscii = (unit: number): number =>
  unit >= 0xc0 && (unit < 0x2000 || isIdeograph(unit)) ? LOWER : OTHER;

/** The piece of text being scanned, and what was found in it so far. */
interface Scan {
  readonly index: WordIndex;
  readonly found: Candidate[];
  line: number;
  start: number;
  patterns: number[];
}

/** Lines that contain a word of at least one pattern, in order. Words are split at case changes and digits. */
export function candidatesIn(text: string, index: WordIndex): readonly Candidate[] {
  const scan: Scan = { index, found: [], line: 0, start: 0, patterns: [] };
  nextPiece(index);
  const { length } = text;
  let word = 0;
  let part = SEED;
  let parts = 0;
  let before = OTHER;
  for (let at = 0; at <= length; at += 1) {
    const unit = at < length ? text.charCodeAt(at) : NEWLINE;
    const kind = unit < 128 ? (ASCII_CLASS[unit] as number) : classBeyondAscii(unit);
    if (kind !== OTHER) {
      if (before === OTHER) word = at;
      else if (kind !== before && startsPart(before, kind)) {
        note(scan, part);
        part = SEED;
        parts += 1;
      }
      part = step(part, unit < 128 ? (ASCII_FOLDED[unit] as number) : fold(unit));
      if (unit >= 0x2e80 && isIdeograph(text.charCodeAt(at - 1)))
        note(scan, step(step(SEED, text.charCodeAt(at - 1)), unit));
    } else {
      if (before !== OTHER) {
        note(scan, part);
        if (parts > 0) note(scan, hashOf(text, word, at));
      } else if (unit >= FIRST_MARK && unit <= LAST_MARK) note(scan, step(SEED, unit));
      part = SEED;
      parts = 0;
    }
    before = kind;
    if (unit === NEWLINE || at - scan.start >= PIECE) endPiece(scan, text, at, kind);
  }
  return scan.found;
}

function note({ index, patterns }: Scan, hash: number): void {
  const { seenIn, pieces } = index;
  for (let link = chainOf(index, hash); link >= 0; link = index.next[link] ?? -1) {
    const pattern = index.patterns[link] ?? 0;
    if (seenIn[pattern] === pieces) continue;
    seenIn[pattern] = pieces;
    patterns.push(pattern);
  }
}

/** Numbering continues from scan to scan, so the scratch space need not be cleared each time. */
function nextPiece(index: WordIndex): void {
  index.pieces += 1;
  if (index.pieces <= 0x7fffffff) return;
  index.seenIn.fill(0);
  index.pieces = 1;
}

/** Ends a piece at the end of a line, or between words of a long one; the next piece overlaps this one. */
function endPiece(scan: Scan, text: string, at: number, kind: number): void {
  const isLineEnd = text.charCodeAt(at) === NEWLINE;
  if (!isLineEnd && kind !== OTHER && at - scan.start < 2 * PIECE) return;
  const end = isLineEnd ? at : Math.min(at + OVERLAP, text.length);
  const { line, start, patterns } = scan;
  if (patterns.length > 0) {
    scan.found.push({ line, start, end, patterns });
    scan.patterns = [];
    nextPiece(scan.index);
  }
  if (isLineEnd) scan.line += 1;
  scan.start = isLineEnd ? at + 1 : at - OVERLAP;
}

/** For two adjacent characters of different classes within a word. */
const startsPart = (before: number, now: number): boolean =>
  now === DIGIT || (before === LOWER && now === UPPER);

function chainOf({ keys, heads }: WordIndex, hash: number): number {
  for (let slot = slotOf(hash, SLOTS - 1); keys[slot] !== 0; slot = (slot + 1) & (SLOTS - 1))
    if (keys[slot] === hash) return heads[slot] ?? -1;
  return -1;
}
