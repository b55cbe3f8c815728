/**
 * The rules, prepared for matching. Startup is cheap: only the words of each pattern are read, and an expression is
 * extracted and compiled on first use. Invariants: pattern numbers follow the order of the rules; compiling never fails
 * (a test compiles all).
 */
import type { Evidence } from "../evidence.ts";
import type { CheckExcerpt, CheckOutput } from "../excerpt/check-excerpt.ts";
import type { RefusedDestruction } from "./refused-command.ts";
import { LEVELS, type Rule, type TextSource } from "./rule.ts";
import { addWord, emptyWordIndex, type WordIndex, type WordIndexDraft } from "./word-index.ts";

export const SOURCE_BITS: Readonly<Record<TextSource, number>> = {
  shell: 1,
  model: 2,
  agent: 4,
  call: 8,
};

const EVERY_SOURCE = 15;

const ARROW = " => ";

/** The patterns collected so far. */
interface Patterns {
  readonly index: WordIndexDraft;
  readonly ruleOf: number[];
  readonly startOf: number[];
  readonly endOf: number[];
}

export function buildRuleBook(rules: readonly Rule[]): RuleBook & Patterns {
  const patterns: Patterns = { index: emptyWordIndex(), ruleOf: [], startOf: [], endOf: [] };
  rules.forEach(({ lines }, rule) => {
    for (let from = 0; from < lines.length;) {
      const newline = lines.indexOf("\n", from);
      const end = newline < 0 ? lines.length : newline;
      addLine(patterns, rule, lines, from, end);
      from = end + 1;
    }
  });
  return {
    ...patterns,
    ruleAt: (number) => rules[number],
    levelOf: rules.map(({ level }) => LEVELS[level]),
    sourcesOf: rules.map(
      ({ sources }) => sources?.reduce((all, one) => all | SOURCE_BITS[one], 0) ?? EVERY_SOURCE,
    ),
    needed: [],
    compiled: [],
    unless: [],
    after: [],
  };
}

/** Decides by structured fields only: status, errno, exit code, signal and the provider's typed error. */
export const NO_RULES: RuleBook = /* @__PURE__ */ buildRuleBook([]);

/** Reads one line of a rule: a pattern with its words, a continuation of the previous pattern, or nothing. */
function addLine(book: Patterns, rule: number, lines: string, from: number, end: number): void {
  let at = from;
  while (at < end && lines.charCodeAt(at) === 32) at += 1;
  if (at === end) return;
  if (lines.startsWith(CONTINUED, at)) {
    book.endOf[book.endOf.length - 1] = end;
    return;
  }
  const arrow = lines.indexOf(ARROW, at);
  const pattern = book.ruleOf.length;
  while (at < arrow) {
    const comma = lines.indexOf(",", at);
    const stop = comma < 0 || comma > arrow ? arrow : comma;
    while (isFolding(lines.charCodeAt(at))) at += 1;
    addWord(book.index, lines, at, stop, pattern);
    at = stop + 1;
  }
  book.ruleOf.push(rule);
  book.startOf.push(arrow + ARROW.length);
  book.endOf.push(end);
}

/** Characters between two words when the list of words continues on the next line. */
const isFolding = (unit: number): boolean => unit === 10 || unit === 32 || unit === 46;

/** A line in lower case, computed on first use because many patterns test the same line. */
export interface LoweredLine {
  text?: string;
}

/** Whether a pattern matches a line that its rule does not exclude. */
export function isMatch(
  book: RuleBook,
  pattern: number,
  line: string,
  lowered: LoweredLine = {},
): boolean {
  const number = book.ruleOf[pattern] ?? 0;
  const rule = book.ruleAt(number);
  if (rule === undefined) return false;
  const ignoreCase = rule.ignoreCase === true;
  let needed = book.needed[pattern];
  if (needed === undefined) {
    needed = neededText(expressionOf(book, pattern));
    book.needed[pattern] = needed = ignoreCase ? needed.toLowerCase() : needed;
  }
  if (needed !== "") {
    const text = ignoreCase ? (lowered.text ??= line.toLowerCase()) : line;
    if (!text.includes(needed)) return false;
  }
  const flags = ignoreCase ? "i" : "";
  const matcher = (book.compiled[pattern] ??= new RegExp(expressionOf(book, pattern), flags));
  if (!matcher.test(line)) return false;
  if (rule.unless === undefined) return true;
  return !(book.unless[number] ??= new RegExp(unfold(rule.unless).join("|"), "i")).test(line);
}

/** Whether the previous line satisfies the rule; most rules require nothing of it. */
export function comesAfter(book: RuleBook, rule: number, lineBefore: string): boolean {
  const after = book.ruleAt(rule)?.after;
  if (after === undefined) return true;
  return (book.after[rule] ??= new RegExp(unfold(after).join("|"), "i")).test(lineBefore);
}

const SHORTEST = 3;

/** A class, a quantifier, an escape or a single character of an expression. */
const TOKEN = /\[(?:\\.|[^\]\\])*\]?|\{[^}]*\}?|\\(?:u.{4}|x..|.)|./gs;

/**
 * The longest literal text that every match of an expression must contain, empty if none is known. Finding it is cheap
 * compared with compiling the expression, which most candidate lines then do not need.
 */
export function neededText(source: string): string {
  let longest = "";
  let run = "";
  let depth = 0;
  for (const [token] of `${source}^`.matchAll(TOKEN)) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (depth > 0) continue;
    else if (token === "|") return "";
    // A quantified character may occur any number of times, including none.
    else if ("?*+{".includes(token.charAt(0))) run = run.slice(0, -1);
    else if (isPlain(token)) {
      run += token.slice(-1);
      continue;
    }
    if (run.length > longest.length) longest = run;
    run = "";
  }
  return longest.length >= SHORTEST && /^[\x20-\x7e]*$/.test(longest) ? longest : "";
}

/** A literal character, or an escape that only removes a special meaning. */
const isPlain = (token: string): boolean =>
  token.startsWith("\\") ? !/\w/.test(token.charAt(1)) : !".^$[".includes(token.charAt(0));

export interface RuleBook {
  /** Reads the output of a failed check; without it, only the rules apply. */
  readonly readCheck?: (output: CheckOutput) => CheckExcerpt;
  /** Finds a refused destructive command; without it, all refusals are treated alike. */
  readonly readRefusal?: (evidence: Evidence) => RefusedDestruction | undefined;
  /** Called only when one of the rule's patterns is tried. */
  readonly ruleAt: (number: number) => Rule | undefined;
  readonly index: WordIndex;
  /** For each pattern: its rule, and the start and end of its source in the rule's lines. */
  readonly ruleOf: ArrayLike<number>;
  readonly startOf: ArrayLike<number>;
  readonly endOf: ArrayLike<number>;
  /** For each rule: its level, and a bit mask of the sources it applies to. */
  readonly levelOf: ArrayLike<number>;
  readonly sourcesOf: ArrayLike<number>;
  /** For each pattern that was tried: the required literal text, and the compiled expression. */
  readonly needed: (string | undefined)[];
  readonly compiled: (RegExp | undefined)[];
  readonly unless: (RegExp | undefined)[];
  readonly after: (RegExp | undefined)[];
}

const CONTINUED = "... ";

/** The regular expression of a pattern, with its continuation lines joined. */
export function expressionOf(book: RuleBook, pattern: number): string {
  const lines = book.ruleAt(book.ruleOf[pattern] ?? 0)?.lines ?? "";
  return unfold(lines.slice(book.startOf[pattern], book.endOf[pattern])).join("");
}

function unfold(text: string): readonly string[] {
  const lines: string[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line.startsWith(CONTINUED)) lines.push((lines.pop() ?? "") + line.slice(CONTINUED.length));
    else if (line !== "") lines.push(line);
  }
  return lines;
}
