/**
 * A block of lines that a plain command prints over and over (pattern `repeated_output`). Lines are compared without
 * times, durations and ids; lines that are redrawn in place, report progress or contain no word are ignored. The last
 * occurrence of the newest three lines proposes a period; from then on each line is compared with the one a period
 * earlier. Invariants: O(1) amortised per UTF-16 unit; keeps a bounded part of each line and the last 4,096 lines.
 */
import { hashPair } from "../hash.ts";
import { maskedHash } from "../masked-hash.ts";
import type { Origin } from "./event.ts";
import { saysRunning } from "./results/result-text.ts";

const RING = 4096;
const LONGEST_BLOCK = 1000;
const GRAM = 3;
const MAX_LINE = 1000;

export class RepeatedLines {
  readonly lines = new Int32Array(RING);
  /** The last position of three lines, by their hash. */
  readonly places = new Int32Array(RING).fill(-1);
  length = 0;
  period = 0;
  matched = 0;
  origin: Origin | undefined;
  /** The line that is not yet complete. */
  open = "";
}

/** Cursor movement or erasing: the line is drawn over an earlier one. */
const REDRAWN = /\u001b\[[\d;]{0,20}[A-HJKSTf]/;

const WORD = /[\p{L}\p{N}]/u;

export function readLines(text: RepeatedLines, piece: string, origin: Origin): void {
  let from = 0;
  for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
    noteLine(text, grown(text.open, piece.slice(from, end)), origin);
    text.open = "";
    from = end + 1;
  }
  text.open = grown(text.open, piece.slice(from));
}

const grown = (open: string, more: string): string =>
  open.length >= MAX_LINE ? open : open + more.slice(0, MAX_LINE - open.length);

function noteLine(text: RepeatedLines, whole: string, origin: Origin): void {
  const line = whole.trimEnd();
  const shown = line.slice(line.lastIndexOf("\r") + 1);
  if (shown.length < line.length || REDRAWN.test(shown)) return;
  if (!WORD.test(shown) || saysRunning(shown)) return;
  const { lines, places, length } = text;
  const mask = RING - 1;
  const hash = maskedHash(shown.trim()) | 0;
  lines[length & mask] = hash;
  if (text.period > 0 && lines[(length - text.period) & mask] === hash) text.matched += 1;
  else {
    text.period = 0;
    text.matched = 0;
  }
  if (length >= GRAM - 1) {
    const gram = hashPair(hashPair(at(text, length - 2), at(text, length - 1)), hash);
    const slot = (gram ^ (gram >>> 15)) & mask;
    if (text.period === 0) proposePeriod(text, length - places[slot]!, origin);
    places[slot] = length;
  }
  text.length += 1;
}

const at = (text: RepeatedLines, place: number): number => text.lines[place & (RING - 1)]!;

function proposePeriod(text: RepeatedLines, distance: number, origin: Origin): void {
  const { length } = text;
  if (distance <= 0 || distance > LONGEST_BLOCK || distance > length) return;
  for (let back = 0; back < GRAM; back += 1)
    if (
      length - distance - back < 0 ||
      at(text, length - back) !== at(text, length - back - distance)
    )
      return;
  text.period = distance;
  text.matched = GRAM;
  text.origin = origin;
}

/** A single repeated line is more often a sign of life than a repeated block is. */
const SINGLE_LINE = 5;

/** How often the block is repeated at the end of the output. */
export function timesPrinted({ period, matched }: RepeatedLines): number {
  if (period === 0) return 0;
  const times = Math.floor(matched / period) + 1;
  return period === 1 ? Math.floor(times / SINGLE_LINE) : times;
}
