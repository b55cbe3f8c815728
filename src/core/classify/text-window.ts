/**
 * The bounded parts of a text that are read: its beginning and, because errors come last, more of its end; then, if
 * they say little, parts of the middle. Invariants: cost does not grow with the text; escapes, NUL bytes and carriage
 * returns are removed; lines keep their order.
 */
import { stripEscapes } from "../foreign-text.ts";

const HEAD = 8_000;
const TAIL = 24_000;

export interface TextWindow {
  readonly text: string;
  /** How many of the window's lines come from the beginning; all of them unless the middle was cut out. */
  readonly headLines: number;
  readonly lineCount: number;
}

export function windowOf(text: string): TextWindow {
  if (text.length <= HEAD + TAIL) {
    const whole = clean(text);
    const lineCount = countLines(whole);
    return { text: whole, headLines: lineCount, lineCount };
  }
  const head = `${clean(text.slice(0, HEAD))}\n`;
  const both = head + clean(text.slice(text.length - TAIL));
  return { text: both, headLines: countLines(head) - 1, lineCount: countLines(both) };
}

/** "line 12", or counted from the end if the middle was cut out. */
export function placeOf(line: number, window: TextWindow): string {
  if (line < window.headLines) return `line ${line + 1}`;
  return `line ${window.lineCount - line} from the end`;
}

/** How far before the tail a second pass searches a long text, and the markers it looks for. */
const SEARCHED = 400_000;
const MARKERS = ["rror:", '"error"', "ERROR", "FAIL", "fatal:"];

/** Hard-wrapped text joined again, or windows around error markers in the unread middle of a long text. */
export function secondPassWindows(text: string, first: TextWindow): readonly TextWindow[] {
  const joined = unwrapped(first.text);
  if (joined !== undefined) return [windowOf(joined)];
  const middle = text.length - TAIL;
  if (middle < HEAD) return [];
  const searched = text.slice(Math.max(0, middle - SEARCHED), middle);
  return MARKERS.map((marker) => searched.lastIndexOf(marker))
    .filter((place) => place >= 0)
    .map((place) => windowAround(searched, place, 2_000));
}

/** Up to `size` characters around a place. */
export function windowAround(text: string, place: number, size: number): TextWindow {
  const start = Math.max(0, place - Math.floor(size / 2));
  const part = clean(text.slice(start, start + size));
  return { text: part, headLines: 0, lineCount: countLines(part) };
}

const WIDEST = 132;
const FEWEST_LINES = 5;

/**
 * Logs written through a narrow console are wrapped within words, so no line contains a whole message. Returns the text
 * with those lines joined, never longer than before; undefined if it does not look wrapped.
 */
export function unwrapped(text: string): string | undefined {
  const lines = text.split("\n");
  const width = lines.length < FEWEST_LINES ? undefined : commonWidth(lines);
  if (width === undefined) return undefined;
  let joined = "";
  for (const line of lines) {
    joined += line;
    if (line.trim() === "" || line.length < width * 0.55) joined += "\n";
  }
  return joined;
}

/** The longest line, if many lines are nearly as long and none is wider than a console. */
function commonWidth(lines: readonly string[]): number | undefined {
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  if (longest > WIDEST || longest < 16) return undefined;
  const filled = lines.filter((line) => line.trim() !== "");
  const full = filled.filter((line) => line.length > longest * 0.7).length;
  return full >= 3 && full >= filled.length * 0.3 ? longest : undefined;
}

function clean(text: string): string {
  const out = stripEscapes(text.replaceAll("\0", ""));
  return out.includes("\r") ? out.replace(/\r\n?/g, "\n") : out;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
