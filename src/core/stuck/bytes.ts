/**
 * Small facts about ASCII bytes, and a shared scratch space in which texts are read as UTF-8. Invariant: the bytes
 * before and after the text in the scratch space are zeros (64 of them), so that a look back or ahead needs no
 * bounds.
 *
 * A module's own constants are known to the compiler, imported ones are loaded and checked at each use: modules
 * that read every byte take what they need out of SCRATCH, ASCII and TABLES.
 */
const SPACE = 32;
const DASH = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const UNDERSCORE = 95;
export const ASCII = { SPACE, DASH, DOT, SLASH, COLON, UNDERSCORE } as const;

/** One for the bytes that are so. */
const tableOf = (is: (byte: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (is(byte) ? 1 : 0));

/** One for the bytes of these characters; or other bits for several groups of them. */
export const byteTable = (characters: string, bits = 1, others = "", otherBits = 0): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => {
    const character = String.fromCharCode(byte);
    return (
      (characters.includes(character) ? bits : 0) | (others.includes(character) ? otherBits : 0)
    );
  });

const DIGITS = byteTable("0123456789");
const LETTERS = tableOf((byte) => (byte | 32) >= 97 && (byte | 32) <= 122);
const HEX_DIGITS = byteTable("0123456789abcdefABCDEF");
/** Letters of any alphabet, digits and the underscore. */
const WORD_BYTES = tableOf(
  (byte) => LETTERS[byte] === 1 || DIGITS[byte] === 1 || byte === UNDERSCORE || byte >= 128,
);
export const TABLES = { DIGITS, LETTERS, HEX_DIGITS, WORD_BYTES } as const;

/** Longest text read at once, in UTF-16 units; each may take three bytes. */
export const SCRATCH_UNITS = 32_768;

const PADDING = 64;
/** Where a text begins. */
export const TEXT_START = PADDING;
const bytes = new Uint8Array(SCRATCH_UNITS * 3 + 2 * PADDING);
/** The text that was encoded last; `words` are the same bytes, read four at a time. */
export const SCRATCH = { bytes, words: new DataView(bytes.buffer) } as const;
const room = bytes.subarray(PADDING);
const ENCODER = new TextEncoder();

/** Puts a text of at most SCRATCH_UNITS into the scratch space and says where it ends. */
export function encode(text: string): number {
  const end = PADDING + ENCODER.encodeInto(text, room).written;
  bytes.fill(0, end, end + PADDING);
  return end;
}

/** A set of words; asks first for the first letter, which is nearly always another one. */
export interface WordSet {
  /** Is the word [start, end) of the scratch space in the set, in capitals or small letters? */
  has(start: number, end: number): boolean;
}

export function wordSet(words: string): WordSet {
  let firstLetters = 0;
  let longest = 0;
  const marks = new Int32Array(SLOTS);
  for (const word of words.split(" ")) {
    const end = encode(word);
    firstLetters |= 1 << (bytes[PADDING]! & 31);
    longest = Math.max(longest, word.length);
    const mark = wordMark(PADDING, end);
    marks[slotOf(marks, mark)] = mark;
  }
  const has = (start: number, end: number): boolean => {
    if ((firstLetters & (1 << (bytes[start]! & 31))) === 0 || end - start > longest) return false;
    const mark = wordMark(start, end);
    return marks[slotOf(marks, mark)] === mark;
  };
  return { has };
}

function wordMark(start: number, end: number): number {
  let mark = end - start;
  for (let at = start; at < end; at += 1) mark = (Math.imul(mark, 31) + (bytes[at]! | 32)) | 0;
  return mark;
}

const SLOTS = 256;

/** Where the mark stands, or the free slot where it would. */
function slotOf(marks: Int32Array, mark: number): number {
  let slot = (mark ^ (mark >>> 11)) & (SLOTS - 1);
  while (marks[slot] !== 0 && marks[slot] !== mark) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}
