/**
 * What the rules find in a text: matches, each with a kind it speaks for and how far it is believed. A line that only
 * echoes source, a diff, a request or a stack decides nothing, a warning or log line decides less. Invariants: linear,
 * bounded tries; a rule that cannot win any more is not tried; never throws.
 */
import type { FailureKind } from "../kinds.ts";
import { LEVELS, type Rule, type TextSource } from "./rule.ts";
import { SOURCE_BITS, isMatch, type RuleBook } from "./rule-book.ts";
import { placeOf, type TextWindow } from "./text-window.ts";
import { candidatesIn, type Candidate } from "./word-index.ts";

export interface Match {
  readonly kind: FailureKind;
  /** Higher is believed over lower. */
  readonly score: number;
  readonly confidence: number;
  /** Where it stands: "exit code 127", "stderr line 3". */
  readonly place: string;
  /** The deciding text, as found. */
  readonly text: string;
}

/** One text to be looked through. */
export interface TextToRead {
  readonly window: TextWindow;
  readonly field: string;
  readonly source: TextSource;
  /** Added to every score: stderr before stdout. */
  readonly bonus: number;
}

const MAX_TRIES = 2_000;

const MAX_TRIES_PER_PATTERN = 16;

/** Later lines win among equals; a level is always worth more than a place. */
const PLACE_WEIGHT = 8;

const LESS: Readonly<Record<LineShape, number>> = {
  plain: 0,
  echo: 100,
  warning: 26,
  log: 20,
  listing: 100,
};

const LEAST_SCORE = 24;

/** What comes this close to the believed match still tells how sure it is. */
export const RIVAL_MARGIN = 4;

/** Rules of these levels are tried first; where one matches, the rest need not be. */
const DECISIVE = LEVELS.typed;

const NOT_IN_LISTINGS: ReadonlySet<FailureKind> = new Set([
  "broken_build",
  "syntax_error",
  "verification_failed",
  "merge_conflict",
]);

/** The rules' matches in one text that could still win over `best`; the last lines come first. */
export function matchesIn(read: TextToRead, book: RuleBook, best: number): readonly Match[] {
  const lastFirst = candidatesIn(read.window.text, book.index).toReversed();
  if (lastFirst.length === 0) return [];
  const search: Search = {
    ...read,
    book,
    tries: new Uint8Array(book.ruleOf.length),
    isDone: new Uint8Array(book.levelOf.length),
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
  /** A rule that matched on a plain line has said all it can. */
  readonly isDone: Uint8Array;
  triesLeft: number;
  /** The highest score so far. */
  best: number;
  readonly matches: Match[];
}

function tryLine(candidate: Candidate, decisive: boolean, search: Search): void {
  const { window, field, bonus, source, book, tries, isDone } = search;
  const highest = PLACE_WEIGHT + bonus + RIVAL_MARGIN;
  const sourceBit = SOURCE_BITS[source];
  let line: string | undefined;
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
    if (!isMatch(book, pattern, line)) continue;
    shape ??= shapeOf(line, lineBefore(window.text, candidate.start));
    const less = lossOf(rule, shape);
    if (less === 0) isDone[number] = 1;
    const score = level - less + (PLACE_WEIGHT * (candidate.line + 1)) / window.lineCount;
    if (score < LEAST_SCORE) continue;
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

function lossOf(rule: Rule, shape: LineShape): number {
  if (shape === "echo") return LESS.echo;
  if (rule.evenInWarnings === true) return 0;
  if (shape === "listing" && NOT_IN_LISTINGS.has(rule.kind)) return 0;
  return LESS[shape];
}

/** The match with the highest score; of equals the first. */
export function strongest(matches: readonly Match[]): Match | undefined {
  let best: Match | undefined;
  for (const match of matches) if (best === undefined || match.score > best.score) best = match;
  return best;
}

function lineBefore(text: string, start: number): string {
  if (start < 2) return "";
  const from = text.lastIndexOf("\n", start - 2) + 1;
  return text.slice(Math.max(from, start - 400), start - 1);
}

export type LineShape = "plain" | "echo" | "warning" | "log" | "listing";

const DIGITS = "0123456789";

/** What such a line can begin with, blanks apart (a look that saves most lines the pattern), and its pattern. */
const ECHOES: readonly (readonly [first: string, pattern: RegExp])[] = [
  // a code frame: "> 12 | code"
  [`>${DIGITS}`, /^\s{0,12}(?:>\s{0,4})?\d{1,6}\s{0,4}[|\u2502\u2503]/],
  // stack frames of JavaScript, Java and gdb
  [
    "a",
    /^\s{1,16}at (?:async )?(?:[\w$.<>[\] #/-]{1,200} ?\(|file:|node:|\/|[A-Za-z]:\\|<anonymous>)/,
  ],
  ["a", /^\tat /],
  ["#", /^\s{0,4}#\d{1,3} (?:0x|\/)/],
  // commands shown before they run, and chatter of npm
  ["$\u276fP+n#", /^(?:\$ (?!:)|\u276f |PS [A-Z]:\\|\++ \S|npm (?:verb|warn|WARN)|#\d{1,4} \[)/],
  // values of an assertion
  ["-+EReaA", /^\s{0,12}(?:[-+] ?)?(?:Expected|Received|expected|actual|Actual)\b.{0,24}:/],
  // tests that passed, and one-line commits: names, not events
  ["\u2713\u2714\u221ao", /^\s{0,12}(?:\u2713|\u2714|\u221a|ok \d{1,6} [-\u2013]) ?\S/],
  [`${DIGITS}abcdef`, /^[0-9a-f]{7,12} (?:\([^)]{1,80}\) )?[a-z]{2,12}(?:\([\w-]{1,40}\))?!?: /],
];

/** Requests in an access log. */
const REQUEST = /"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S{1,300} HTTP\//;

const PYTHON_FRAME = /^\s{0,12}File "[^"]{1,300}", line \d/;

const WARNINGS = [
  /^\s{0,8}(?:\S{1,60}:\s)?\[?(?:npm |yarn )?warn(?:ing)?\b/i,
  /^\s{0,8}(?:\S{1,60}:\s)?(?:\(node:\d{1,9}\)|\w{0,40}Warning:|(?:= )?(?:hint|note|tip|help):)/i,
  /: warning:/i,
  /\bWARN(?:ING)?\b\s/i,
];

/** In lower case; without one of them no line is a warning. */
const WARNING_WORDS = ["warn", "(node:", "hint:", "note:", "tip:", "help:"];

const LOG = /(?:^|[\s[|])(?:DEBUG|INFO|TRACE|VERBOSE|debug|verbose|trace)(?:[\]:|]|\s{1,8}\S)/;

const LISTING = /^[\w@./\\-]{1,200}\.[A-Za-z]{1,6}[:-]\d{1,6}[:-](?!\d)/;

const NAMES_TROUBLE =
  /\b(?:error|fatal|failed|failure|panic|exception|fehler|erreur|\u043e\u0448\u0438\u0431\u043a\u0430)\b/i;

export function shapeOf(line: string, lineBefore: string): LineShape {
  if (isEcho(line)) return "echo";
  if (/^\s{4}/.test(line) && PYTHON_FRAME.test(lineBefore)) return "echo";
  if (isWarning(line)) return "warning";
  if (LOG.test(line)) return NAMES_TROUBLE.test(line) ? "log" : "echo";
  return LISTING.test(line) && !NAMES_TROUBLE.test(line) ? "listing" : "plain";
}

function isEcho(line: string): boolean {
  const start = line.trimStart().charAt(0);
  if (ECHOES.some(([first, pattern]) => first.includes(start) && pattern.test(line))) return true;
  return line.includes(" HTTP/") && REQUEST.test(line);
}

function isWarning(line: string): boolean {
  const lower = line.toLowerCase();
  const mayBe = WARNING_WORDS.some((word) => lower.includes(word));
  return mayBe && WARNINGS.some((pattern) => pattern.test(line));
}
