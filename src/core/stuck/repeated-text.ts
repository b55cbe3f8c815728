/**
 * Text that ends in one piece repeated over and over (pattern `chanting`). It is read one UTF-16 unit at a time, so it
 * does not matter how a stream is split. Code ends a repetition; tables, lists, quotes, headings and dividers alone are
 * not one. The last occurrence of the newest twelve units proposes a period; from then on each unit is compared with
 * the one a period earlier. Invariants: O(1) amortised per unit; about 40 KB of memory.
 */

const RING = 8192;
const TABLE = 4096;
const GRAM = 12;
const LONGEST_PERIOD = 1000;
const FACTOR = 0x01000193;
/** FACTOR to the power of GRAM: removes the oldest unit from the rolling hash. */
const OLDEST = (() => {
  let power = 1;
  for (let step = 0; step < GRAM; step += 1) power = Math.imul(power, FACTOR);
  return power;
})();

/** Rows of numbers are data, up to this many units. */
const LONG_NUMBERS = 300;

const TICK = 96;
const NEWLINE = 10;
const SPACE = 32;
const PIPE = 124;

export class RepeatedText {
  readonly units = new Uint16Array(RING);
  /** One if the unit belongs to a table, a list, a quote or a heading. */
  readonly structure = new Uint8Array(RING);
  readonly places = new Int32Array(TABLE).fill(-1);
  /** Units read so far, and where the current stretch of text began. */
  length = 0;
  start = 0;
  gram = 0;
  period = 0;
  matched = 0;
  inCode = false;
  ticks = 0;
  spaced = true;
  /** The beginning of a line, held back until its type is clear. */
  head = "";
  atHead = true;
  /** How many more units of this line count as structure. */
  structured = 0;
}

/** Starts a new message. */
export function beginMessage(text: RepeatedText): void {
  breakStretch(text);
  text.inCode = false;
  text.ticks = 0;
  text.head = "";
  text.atHead = true;
  text.structured = 0;
}

function breakStretch(text: RepeatedText): void {
  text.start = text.length;
  text.period = 0;
  text.matched = 0;
  text.gram = 0;
  text.spaced = true;
}

export function readText(text: RepeatedText, piece: string): void {
  for (let at = 0; at < piece.length; at += 1) readUnit(text, piece.charCodeAt(at));
}

function readUnit(text: RepeatedText, unit: number): void {
  if (unit === TICK) {
    text.ticks += 1;
    if (text.ticks === 3) {
      text.inCode = !text.inCode;
      text.head = "";
      breakStretch(text);
    }
    if (text.ticks >= 3) return;
  } else text.ticks = 0;
  if (text.inCode) return;
  if (unit === NEWLINE || unit === 13) {
    flushHead(text);
    text.atHead = true;
    text.structured = 0;
    feed(text, SPACE);
  } else if (text.atHead) readHead(text, unit);
  else feed(text, unit);
}

/** `| cell`, `> quote`, `# heading`, `- item`, `+---+`, `12. item`. */
const STRUCTURE = /^(?:[|>•◦▪]|#{1,6} |[-*+] |\+[-+=]|\d{1,3}[.)] )/;
const UNDECIDED = /^(?:#{1,6}|[-*+]|\d{1,3}[.)]?)?$/;
/** Beyond this many units, such a line counts as plain text. */
const STRUCTURED_UNITS = 200;

function readHead(text: RepeatedText, unit: number): void {
  if (text.head === "" && (unit === SPACE || unit === 9)) return feed(text, unit);
  text.head += String.fromCharCode(unit);
  if (STRUCTURE.test(text.head)) text.structured = STRUCTURED_UNITS;
  else if (UNDECIDED.test(text.head)) return;
  flushHead(text);
}

function flushHead(text: RepeatedText): void {
  const { head } = text;
  text.atHead = false;
  text.head = "";
  for (let at = 0; at < head.length; at += 1) feed(text, head.charCodeAt(at));
}

function feed(text: RepeatedText, given: number): void {
  const unit = given === 9 ? SPACE : given;
  if (unit === SPACE) {
    if (text.spaced) return;
    text.spaced = true;
  } else text.spaced = false;
  const { units, places, length } = text;
  const mask = RING - 1;
  units[length & mask] = unit;
  text.structure[length & mask] = text.structured > 0 ? 1 : 0;
  if (text.structured > 0) text.structured -= 1;
  text.gram = Math.imul(text.gram, FACTOR) + unit;
  if (length - text.start >= GRAM) text.gram -= Math.imul(units[(length - GRAM) & mask]!, OLDEST);
  text.gram |= 0;
  if (text.period > 0) {
    if (units[(length - text.period) & mask] === unit) text.matched += 1;
    else text.period = 0;
  }
  if (length - text.start >= GRAM - 1) {
    const slot = (text.gram ^ (text.gram >>> 15)) & (TABLE - 1);
    if (text.period === 0) proposePeriod(text, length - places[slot]!);
    places[slot] = length;
  }
  text.length += 1;
}

/** Accepts the distance as period if at least GRAM units agree, and counts back how far they do. */
function proposePeriod(text: RepeatedText, distance: number): void {
  const { units, length, start } = text;
  if (distance <= 0 || distance > LONGEST_PERIOD || length - distance < start) return;
  const mask = RING - 1;
  const limit = Math.min(length - distance - start + 1, distance + GRAM);
  let matched = 0;
  while (
    matched < limit &&
    units[(length - matched) & mask] === units[(length - matched - distance) & mask]
  )
    matched += 1;
  if (matched < GRAM) return;
  text.period = distance;
  text.matched = matched;
}

interface Repetition {
  /** How many full times the piece is repeated at the end of the text. */
  readonly count: number;
  readonly units: number;
  readonly words: number;
}

const NO_REPETITION: Repetition = { count: 0, units: 0, words: 0 };

/** Zero below `least` repetitions: counting costs as much as the piece is long. */
export function repetitionOf(text: RepeatedText, least: number): Repetition {
  const { period, matched, units, structure, length } = text;
  // The first or last repetition may lack its white space.
  const covered = matched + period + Math.min(2, period >> 2);
  if (period === 0 || covered < least * period) return NO_REPETITION;
  let spaces = 0;
  let letters = 0;
  let digits = 0;
  for (let back = 1; back <= period; back += 1) {
    const place = (length - back) & (RING - 1);
    const unit = units[place]!;
    if (unit === SPACE) spaces += 1;
    if (structure[place] === 1) continue;
    if (unit === PIPE) return NO_REPETITION;
    if (isLetter(unit)) letters += 1;
    else if (unit >= 48 && unit <= 57) digits += 1;
  }
  if (letters === 0 && (digits === 0 || covered < LONG_NUMBERS)) return NO_REPETITION;
  const count = Math.floor(covered / period);
  return { count, units: covered, words: Math.ceil(covered / period) * spaces };
}

/** Letters of any alphabet; rules, box lines, dashes and punctuation are not letters. */
function isLetter(unit: number): boolean {
  if (unit < 128) return (unit | 32) >= 97 && (unit | 32) <= 122;
  return /\p{L}/u.test(String.fromCharCode(unit));
}
