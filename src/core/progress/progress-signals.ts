/**
 * The other signals of progress (A2), each 0..1: change since the last attempt, progress markers, newly passed
 * checks and newly ticked items. Invariants: linear time; what cannot be measured counts 0; only what is new since
 * the last attempt counts, so an old diff or a finished checklist is worth nothing.
 */

/** Lines added and removed since the last attempt, wherever the agent left them. */
export interface ChangedLines {
  readonly committed: number;
  readonly staged: number;
  readonly unstaged: number;
  readonly untracked: number;
}

const FULL_CHANGE_LINES = 100;

/** Undefined: the change could not be measured. */
export function changeSignal(lines: ChangedLines | undefined): number {
  if (lines === undefined) return 0;
  const { committed, staged, unstaged, untracked } = lines;
  const total = [committed, staged, unstaged, untracked].reduce(
    (sum, count) => sum + atLeast0(count),
    0,
  );
  return Math.min(1, total / FULL_CHANGE_LINES);
}

/** Lines added and removed, from the last line of `git diff --stat` or from `--shortstat`. */
export function diffStatLines(text: string): number {
  const count = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return count(/(\d{1,9}) insertions?\(\+\)/) + count(/(\d{1,9}) deletions?\(-\)/);
}

const OPEN = "<progress>";
const CLOSE = "</progress>";
const MAX_MARKERS = 100;

/**
 * Trimmed contents of the non-empty `<progress>` tags, any case, over several lines, in their
 * order.
 */
export function progressMarkers(text: string): readonly string[] {
  const lower = text.toLowerCase();
  // Lower-casing may change a text's length; then places in it are not places in the original.
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

export interface Checklist {
  readonly done: number;
  readonly total: number;
}

const ITEM = /^[ \t]{0,40}(?:[-*+]|\d{1,3}[.)]) \[([ xX])\] \S/;

/** The ticked and open items of a Markdown checklist, wherever they stand in a text; fenced code holds none. */
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

/** The share of the checklist ticked since the last attempt. */
export function checklistSignal(before: Checklist, now: Checklist): number {
  const total = atLeast0(now.total);
  return total === 0 ? 0 : Math.min(1, atLeast0(now.done - before.done) / total);
}

/**
 * The share of what did not pass before and passes now; `total` is how many items the checks have.
 */
export function newlyPassingSignal(
  passedBefore: readonly string[],
  passesNow: readonly string[],
  total: number,
): number {
  const known = new Set(passedBefore);
  const open = Math.max(1, atLeast0(total) - known.size);
  const fresh = new Set(passesNow.filter((name) => !known.has(name)));
  return Math.min(1, fresh.size / open);
}

const atLeast0 = (count: number): number => (count > 0 ? count : 0);
