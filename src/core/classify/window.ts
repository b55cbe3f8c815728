/**
 * The bounded part of a text that is read: its beginning and, because errors stand last, more of its end.
 * Invariants: cost does not grow with the text; escapes, NUL bytes and carriage returns are gone; lines keep their
 * order.
 */
import { stripEscapes } from "../foreign-text.ts";

const HEAD = 8_000;
const TAIL = 24_000;

export interface Window {
  readonly text: string;
  /** How many lines of the window's text come from the beginning; all of them unless cut. */
  readonly headLines: number;
  readonly lineCount: number;
}

export function windowOf(text: string): Window {
  if (text.length <= HEAD + TAIL) {
    const whole = clean(text);
    const lineCount = countLines(whole);
    return { text: whole, headLines: lineCount, lineCount };
  }
  const head = `${clean(text.slice(0, HEAD))}\n`;
  const both = head + clean(text.slice(text.length - TAIL));
  return { text: both, headLines: countLines(head) - 1, lineCount: countLines(both) };
}

/** Up to `size` characters around a place, for a second look into the middle of a long text. */
export function windowAround(text: string, place: number, size: number): Window {
  const start = Math.max(0, place - Math.floor(size / 2));
  const part = clean(text.slice(start, start + size));
  return { text: part, headLines: 0, lineCount: countLines(part) };
}

/** "line 12", or counted from the end where the middle was left out. */
export function placeOf(line: number, window: Window): string {
  if (line < window.headLines) return `line ${line + 1}`;
  return `line ${window.lineCount - line} from the end`;
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
