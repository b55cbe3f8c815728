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

export const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

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
  const marks = new Set<number>();
  for (const word of words.split(" ")) {
    const length = encode(word);
    firstLetters |= 1 << (BYTES[0]! & 31);
    longest = Math.max(longest, length);
    marks.add(wordMark(0, length));
  }
  const mayHave = (start: number): boolean => (firstLetters & (1 << (BYTES[start]! & 31))) !== 0;
  return {
    mayHave,
    has: (start, end) =>
      mayHave(start) && end - start <= longest && marks.has(wordMark(start, end)),
  };
}

function wordMark(start: number, end: number): number {
  let mark = end - start;
  for (let at = start; at < end; at += 1) mark = Math.imul(mark, 31) + (BYTES[at]! | 32);
  return mark;
}
