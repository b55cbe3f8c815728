/**
 * Applies the rules to a text and returns matches, each with a kind and a score. A line that only quotes source, a
 * diff, a request or a stack decides nothing; a warning or log line counts for less. Invariants: linear, with a bounded
 * number of tries; a rule that can no longer win is not tried; never throws.
 */
import type { FailureKind } from "../kinds.ts";
import { LEVELS, type Rule, type TextSource } from "./rule.ts";
import { SOURCE_BITS, comesAfter, isMatch, type LoweredLine, type RuleBook } from "./rule-book.ts";
import { shapeOf, type LineShape } from "./line-shape.ts";
import { placeOf, type TextWindow } from "./text-window.ts";
import { candidatesIn, type Candidate } from "./word-index.ts";

export interface Match {
  readonly kind: FailureKind;
  /** The higher score wins. */
  readonly score: number;
  readonly confidence: number;
  /** Its position: "exit code 127", "stderr line 3". */
  readonly place: string;
  /** The deciding text, as found. */
  readonly text: string;
}

/** One text to be searched. */
export interface TextToRead {
  readonly window: TextWindow;
  readonly field: string;
  readonly source: TextSource;
  /** Added to every score, so that stderr ranks above stdout. */
  readonly bonus: number;
}

const MAX_TRIES = 2_000;

const MAX_TRIES_PER_PATTERN = 16;

/** Among equals, later lines win; a level always outweighs a position. */
const PLACE_WEIGHT = 8;

/**
 * An agent's output shows what it ran and then why it ended: its last paragraph outweighs any test report shown before.
 */
const LAST_WORDS_WEIGHT = 40;

const PENALTIES: Readonly<Record<LineShape, number>> = {
  plain: 0,
  echo: 100,
  assertion: 100,
  raised: 44,
  warning: 26,
  log: 20,
  listing: 100,
};

const LEAST_SCORE = 24;

/** A match within this distance of the winner lowers its confidence. */
export const RIVAL_MARGIN = 4;

/** Rules of this level and above are tried first; if one matches, the others can be skipped. */
const DECISIVE = LEVELS.typed;

/** The kinds that such a line may still indicate: a listing shows code, an assertion shows a failed test. */
const STILL_SAID: Readonly<Partial<Record<LineShape, ReadonlySet<FailureKind>>>> = {
  listing: new Set(["broken_build", "syntax_error", "verification_failed", "merge_conflict"]),
  assertion: new Set(["verification_failed"]),
  raised: new Set(["verification_failed", "broken_build", "syntax_error", "dependency_error"]),
};

/** The matches in one text that could still beat `best`, from the last line to the first. */
export function matchesIn(read: TextToRead, book: RuleBook, best: number): readonly Match[] {
  const lastFirst = candidatesIn(read.window.text, book.index).toReversed();
  if (lastFirst.length === 0) return [];
  const search: Search = {
    ...read,
    book,
    tries: new Uint8Array(book.ruleOf.length),
    isDone: new Uint8Array(book.levelOf.length),
    lastWords: read.source === "agent" ? lastParagraph(read.window.text) : Infinity,
    triesLeft: MAX_TRIES,
    best,
    matches: [],
  };
  for (const decisive of [true, false])
    for (const candidate of lastFirst)
      if (search.triesLeft > 0) tryLine(candidate, decisive, search);
  return search.matches;
}

interface Search extends TextToRead {
  readonly book: RuleBook;
  /** How often each pattern was tried. */
  readonly tries: Uint8Array;
  /** A rule that has matched on a plain line cannot score higher. */
  readonly isDone: Uint8Array;
  /** Where the last paragraph begins, if it counts for more. */
  readonly lastWords: number;
  triesLeft: number;
  /** The highest score so far. */
  best: number;
  readonly matches: Match[];
}

function tryLine(candidate: Candidate, decisive: boolean, search: Search): void {
  const { window, field, bonus, source, book, tries, isDone } = search;
  const isIndented = window.text.startsWith("  ", candidate.start);
  const last = candidate.start >= search.lastWords && !isIndented ? LAST_WORDS_WEIGHT : 0;
  const highest = PLACE_WEIGHT + last + bonus + RIVAL_MARGIN;
  const sourceBit = SOURCE_BITS[source];
  const lowered: LoweredLine = {};
  let line: string | undefined;
  let before: string | undefined;
  let shape: LineShape | undefined;
  for (const pattern of candidate.patterns) {
    const number = book.ruleOf[pattern] ?? 0;
    const level = book.levelOf[number] ?? 0;
    if (level >= DECISIVE !== decisive || level + highest <= search.best) continue;
    const tried = tries[pattern] ?? 0;
    if (isDone[number] === 1 || tried >= MAX_TRIES_PER_PATTERN) continue;
    const rule = book.ruleAt(number);
    if (rule === undefined || ((book.sourcesOf[number] ?? 0) & sourceBit) === 0) continue;
    tries[pattern] = tried + 1;
    search.triesLeft -= 1;
    line ??= window.text.slice(candidate.start, candidate.end);
    if (!isMatch(book, pattern, line, lowered)) continue;
    before ??= lineBefore(window.text, candidate.start);
    if (!comesAfter(book, number, before)) continue;
    shape ??= shapeOf(line, before);
    const less = penaltyOf(rule, shape);
    if (less === 0) isDone[number] = 1;
    const place = (PLACE_WEIGHT * (candidate.line + 1)) / window.lineCount;
    if (level - less + place < LEAST_SCORE) continue;
    const score = level - less + place + last;
    search.best = Math.max(search.best, score + bonus);
    search.matches.push({
      kind: rule.kind,
      score: score + bonus,
      confidence: less === 0 ? rule.confidence : rule.confidence * 0.85,
      place: `${field} ${placeOf(candidate.line, window)}`,
      text: line,
    });
  }
}

function penaltyOf(rule: Rule, shape: LineShape): number {
  if (shape === "echo") return PENALTIES.echo;
  if (rule.evenInWarnings === true) return 0;
  return STILL_SAID[shape]?.has(rule.kind) === true ? 0 : PENALTIES[shape];
}

/** The match with the highest score; the first among equals. */
export function strongest(matches: readonly Match[]): Match | undefined {
  let best: Match | undefined;
  for (const match of matches) if (best === undefined || match.score > best.score) best = match;
  return best;
}

/** Infinity if there is only one paragraph. */
function lastParagraph(text: string): number {
  const gap = text.trimEnd().lastIndexOf("\n\n");
  return gap < 0 ? Infinity : gap + 2;
}

function lineBefore(text: string, start: number): string {
  if (start < 2) return "";
  const from = text.lastIndexOf("\n", start - 2) + 1;
  return text.slice(Math.max(from, start - 400), start - 1);
}
