/**
 * Small facts about ASCII bytes, and a shared scratch space in which texts are read as UTF-8.
 * Imports nothing. Invariant: the bytes after the text in the scratch space are zeros (64 of them),
 * so that a look ahead needs no bounds.
 */
export const SPACE = 32;
export const DASH = 45;
export const DOT = 46;
export const SLASH = 47;
export const COLON = 58;
export const UNDERSCORE = 95;

const DIGITS = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 48 && byte <= 57 ? 1 : 0));

export const isDigit = (byte: number): boolean => DIGITS[byte] === 1;

export const isLetter = (byte: number): boolean => (byte | 32) >= 97 && (byte | 32) <= 122;

export const isHexDigit = (byte: number): boolean =>
  isDigit(byte) || ((byte | 32) >= 97 && (byte | 32) <= 102);

const WORD_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  isLetter(byte) || isDigit(byte) || byte === UNDERSCORE || byte >= 128 ? 1 : 0,
);

/** Letters of any alphabet, digits and the underscore. */
export const isWordByte = (byte: number): boolean => WORD_BYTES[byte] === 1;

/** Longest text read at once, in UTF-16 units; each may take three bytes. */
export const SCRATCH_UNITS = 32_768;

const PADDING = 64;
/** The text that was encoded last. */
export const BYTES = new Uint8Array(SCRATCH_UNITS * 3 + PADDING);
/** The same bytes, read four at a time. */
export const WORDS = new DataView(BYTES.buffer);
const ENCODER = new TextEncoder();

/** Puts a text of at most SCRATCH_UNITS into BYTES and says how many bytes it has. */
export function encode(text: string): number {
  const { written } = ENCODER.encodeInto(text, BYTES);
  BYTES.fill(0, written, written + PADDING);
  return written;
}

/** One for the bytes of these characters. */
export const byteTable = (characters: string): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) =>
    characters.includes(String.fromCharCode(byte)) ? 1 : 0,
  );

/** Letters by their place in the alphabet, then the underscore and the dot; the others are zero. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (isLetter(byte)) return (byte | 32) - 96;
  return byte === UNDERSCORE ? 27 : byte === DOT ? 28 : 0;
});

/** A number below 32768 for three bytes, in capitals or small letters. */
export const threeAt = (at: number): number =>
  (FOLDED[BYTES[at]!]! << 10) | (FOLDED[BYTES[at + 1]!]! << 5) | FOLDED[BYTES[at + 2]!]!;

/**
 * One for the last three bytes of texts that end with one of the words, or with a word that has one
 * of the endings. What stands before a word of two letters may be anything but a dot.
 */
export function lastThree(words: string, endings: string): Uint8Array {
  const table = new Uint8Array(32_768);
  for (const word of `${words} ${endings}`.split(" ")) {
    const length = encode(`  ${word}`);
    const last = threeAt(length - 3);
    if (word.length > 2) table[last] = 1;
    else for (let before = 0; before <= 27; before += 1) table[(before << 10) | last] = 1;
  }
  return table;
}

/** A set of words; asks first for the first letter, which is nearly always another one. */
export interface WordSet {
  /** Is the word [start, end) of BYTES in the set, in capitals or small letters? */
  has(start: number, end: number): boolean;
  /** False where no word of the set begins like the byte at this place. */
  mayHave(start: number): boolean;
}

export function wordSet(words: string): WordSet {
  let firstLetters = 0;
  let longest = 0;
  const marks = new Int32Array(SLOTS);
  for (const word of words.split(" ")) {
    const length = encode(word);
    firstLetters |= 1 << (BYTES[0]! & 31);
    longest = Math.max(longest, length);
    const mark = wordMark(0, length);
    marks[slotOf(marks, mark)] = mark;
  }
  const mayHave = (start: number): boolean => (firstLetters & (1 << (BYTES[start]! & 31))) !== 0;
  const has = (start: number, end: number): boolean => {
    if (!mayHave(start) || end - start > longest) return false;
    const mark = wordMark(start, end);
    return marks[slotOf(marks, mark)] === mark;
  };
  return { mayHave, has };
}

const SLOTS = 256;

/** Where the mark stands, or the free slot where it would. */
function slotOf(marks: Int32Array, mark: number): number {
  let slot = (mark ^ (mark >>> 11)) & (SLOTS - 1);
  while (marks[slot] !== 0 && marks[slot] !== mark) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

/** Never zero. */
function wordMark(start: number, end: number): number {
  let mark = end - start;
  for (let at = start; at < end; at += 1) mark = (Math.imul(mark, 31) + (BYTES[at]! | 32)) | 0;
  return mark === 0 ? 1 : mark;
}
