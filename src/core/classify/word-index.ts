/**
 * Finds, in one pass over a text, which rules have one of their words on which line, so that only a few
 * patterns are tried. Imports `rule` types. Invariants: linear; never allocates per character; a long
 * line is taken in overlapping pieces, so no pattern ever sees more than a few thousand characters.
 */
import type { Rule } from "./rule.ts";

export interface WordIndex {
  /** Open addressing: hash of a word, 0 = free; the slot's rules are in `rules`. */
  readonly keys: Int32Array;
  readonly rules: readonly (readonly number[])[];
  readonly ruleCount: number;
}

/** One line (or piece of a long line) with the rules whose words it holds. */
export interface Candidate {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly rules: readonly number[];
}

const PIECE = 1_200;
const OVERLAP = 240;
const SEED = 0x811c9dc5;

const step = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
const slotOf = (hash: number, mask: number): number => (hash ^ (hash >>> 15)) & mask;

export function buildWordIndex(rules: readonly Rule[]): WordIndex {
  const byHash = new Map<number, number[]>();
  rules.forEach((rule, at) => {
    for (const word of rule.words) {
      const hash = hashOf(word);
      const listed = byHash.get(hash);
      if (listed === undefined) byHash.set(hash, [at]);
      else if (!listed.includes(at)) listed.push(at);
    }
  });
  let size = 1_024;
  while (size < byHash.size * 4) size *= 2;
  const keys = new Int32Array(size);
  const slots: (readonly number[])[] = new Array<readonly number[]>(size).fill([]);
  for (const [hash, listed] of byHash) {
    let slot = slotOf(hash, size - 1);
    while (keys[slot] !== 0) slot = (slot + 1) & (size - 1);
    keys[slot] = hash;
    slots[slot] = listed;
  }
  return { keys, rules: slots, ruleCount: rules.length };
}

/** A CJK anchor is its first two characters; any other is the whole word. */
function hashOf(word: string): number {
  let hash = SEED;
  const units = isIdeograph(word.charCodeAt(0)) ? word.slice(0, 2) : word;
  for (let at = 0; at < units.length; at += 1) hash = step(hash, fold(units.charCodeAt(at)));
  return hash === 0 ? 1 : hash;
}

const isIdeograph = (unit: number): boolean => unit >= 0x2e80 && unit < 0xd800;

/** Ticks and crosses of test runners are words by themselves. */
const isMark = (unit: number): boolean => unit >= 0x2713 && unit <= 0x274e;

function fold(unit: number): number {
  if (unit >= 65 && unit <= 90) return unit + 32;
  if (unit < 0xc0) return unit;
  return unit <= 0xde || (unit >= 0x410 && unit <= 0x42f) ? unit + 32 : unit;
}

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

/** Class and folded form of the ASCII characters, which are nearly all there are. */
const ASCII_CLASS = new Uint8Array(128);
const ASCII_FOLDED = new Uint8Array(128);
for (let unit = 0; unit < 128; unit += 1) {
  ASCII_CLASS[unit] =
    unit >= 97 && unit <= 122
      ? LOWER
      : unit >= 65 && unit <= 90
        ? UPPER
        : unit >= 48 && unit <= 57
          ? DIGIT
          : OTHER;
  ASCII_FOLDED[unit] = fold(unit);
}

const classOf = (unit: number): number => {
  if (unit < 128) return ASCII_CLASS[unit] as number;
  return unit >= 0xc0 && (unit < 0x2000 || isIdeograph(unit)) ? LOWER : OTHER;
};

/** Lines that hold at least one rule's word, in order. Words split at case changes and digits too. */
export function candidatesIn(text: string, index: WordIndex): readonly Candidate[] {
  const found: Candidate[] = [];
  const seenIn = new Int32Array(index.ruleCount);
  const { length } = text;
  let line = 0;
  let start = 0;
  let rules: number[] = [];
  let piece = 1;
  let whole = SEED;
  let part = SEED;
  let parts = 0;
  let before = OTHER;
  const note = (hash: number): void => {
    const listed = lookUp(index, hash === 0 ? 1 : hash);
    if (listed === undefined) return;
    for (const rule of listed) {
      if (seenIn[rule] === piece) continue;
      seenIn[rule] = piece;
      rules.push(rule);
    }
  };
  const flush = (end: number): void => {
    if (rules.length === 0) return;
    found.push({ line, start, end, rules });
    rules = [];
    piece += 1;
  };
  for (let at = 0; at <= length; at += 1) {
    const unit = at < length ? text.charCodeAt(at) : 10;
    const kind = classOf(unit);
    if (before !== OTHER && (kind === OTHER || startsPart(before, kind))) {
      note(part);
      part = SEED;
      parts += 1;
    }
    if (kind !== OTHER) {
      const folded = unit < 128 ? (ASCII_FOLDED[unit] as number) : fold(unit);
      whole = step(whole, folded);
      part = step(part, folded);
      if (unit >= 0x2e80 && at > 0 && isIdeograph(text.charCodeAt(at - 1)))
        note(step(step(SEED, text.charCodeAt(at - 1)), unit));
    } else {
      if (parts > 1) note(whole);
      else if (unit >= 0x2713 && isMark(unit)) note(step(SEED, unit));
      whole = SEED;
      part = SEED;
      parts = 0;
    }
    before = kind;
    if (unit === 10) {
      flush(at);
      line += 1;
      start = at + 1;
    } else if (at - start >= PIECE && (kind === OTHER || at - start >= 2 * PIECE)) {
      flush(Math.min(at + OVERLAP, length));
      start = at - OVERLAP;
    }
  }
  return found;
}

const startsPart = (before: number, now: number): boolean =>
  (before === LOWER && now === UPPER) || (before !== DIGIT && now === DIGIT);

function lookUp(index: WordIndex, hash: number): readonly number[] | undefined {
  const mask = index.keys.length - 1;
  for (let slot = slotOf(hash, mask); index.keys[slot] !== 0; slot = (slot + 1) & mask)
    if (index.keys[slot] === hash) return index.rules[slot];
  return undefined;
}
