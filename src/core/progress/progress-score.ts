/**
 * The progress score of an attempt: four weighted signals. Invariants: linear time; signals and score are in 0..1 for
 * every input; a signal that cannot be measured counts as 0; only what is new since the last attempt counts; the score
 * is rounded to millionths, so that a sum equal to the threshold reaches it.
 */

export interface ProgressSignals {
  readonly outputNovelty: number;
  readonly change: number;
  readonly markers: number;
  /** The checklist or newly passing checks, whichever is higher. */
  readonly checklist: number;
}

export type ProgressWeights = ProgressSignals;

const PROGRESS_WEIGHTS: ProgressWeights = {
  outputNovelty: 0.3,
  change: 0.3,
  markers: 0.25,
  checklist: 0.15,
};

/** A lower score counts as no progress. */
export const PROGRESS_THRESHOLD = 0.15;

export function progressScore(
  signals: ProgressSignals,
  weights: ProgressWeights = PROGRESS_WEIGHTS,
): number {
  const sum =
    weights.outputNovelty * unit(signals.outputNovelty) +
    weights.change * unit(signals.change) +
    weights.markers * unit(signals.markers) +
    weights.checklist * unit(signals.checklist);
  return Math.round(unit(sum) * 1e6) / 1e6;
}

/** Facts about an attempt that override its signals. */
interface Proof {
  /** Something that failed before now passes, and there are no new failures. */
  readonly fewerFailing: boolean;
  /** The tree is unchanged, nothing newly passes and no tool returned anything new. */
  readonly wordsAlone: boolean;
}

/** Fewer failures always count as progress; words alone never do. */
export function scoreWithin(
  score: number,
  threshold: number,
  { fewerFailing, wordsAlone }: Proof,
): number {
  if (fewerFailing) return Math.max(score, threshold);
  return wordsAlone ? Math.min(score, threshold / 2) : score;
}

const unit = (value: number): number => (value > 0 ? Math.min(1, value) : 0);

const FULL_CHANGE_LINES = 100;

/** From the lines added and removed since the last attempt, whether committed or not. */
export const changeSignal = (lines: number): number =>
  Math.min(1, atLeast0(lines) / FULL_CHANGE_LINES);

const OPEN = "<progress>";

const CLOSE = "</progress>";

const MAX_MARKERS = 100;

/** The trimmed contents of non-empty `<progress>` tags in order; tags may be in any case and span lines. */
export function progressMarkers(text: string): readonly string[] {
  const lower = text.toLowerCase();
  // Lower-casing may change a text's length, and then its offsets do not apply to the original.
  const source = lower.length === text.length ? text : lower;
  const found: string[] = [];
  for (let at = lower.indexOf(OPEN); at >= 0 && found.length < MAX_MARKERS;) {
    const end = lower.indexOf(CLOSE, at + OPEN.length);
    if (end < 0) break;
    const content = source.slice(at + OPEN.length, end).trim();
    if (content !== "") found.push(content);
    at = lower.indexOf(OPEN, end + CLOSE.length);
  }
  return found;
}

const PER_MARKER = 0.5;

export const markerSignal = (count: number): number => Math.min(1, PER_MARKER * atLeast0(count));

interface Checklist {
  readonly done: number;
  readonly total: number;
}

const ITEM = /^[ \t]{0,40}(?:[-*+]|\d{1,3}[.)]) \[([ xX])\] \S/;

/** Counts the items of Markdown checklists anywhere in a text, except in fenced code. */
export function checklistIn(text: string): Checklist {
  let done = 0;
  let total = 0;
  let fenced = false;
  for (const line of text.split("\n")) {
    if (/^[ \t]{0,40}```/.test(line)) fenced = !fenced;
    const box = fenced ? undefined : ITEM.exec(line)?.[1];
    if (box === undefined) continue;
    total += 1;
    if (box !== " ") done += 1;
  }
  return { done, total };
}

/** The share of the checklist that was ticked since the last attempt. */
export function checklistSignal(before: Checklist, now: Checklist): number {
  const total = atLeast0(now.total);
  return total === 0 ? 0 : Math.min(1, atLeast0(now.done - before.done) / total);
}

const atLeast0 = (count: number): number => (count > 0 ? count : 0);
