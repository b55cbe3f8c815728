/**
 * The rules made ready. Starting up is cheap: only the words of each pattern are read then; a
 * pattern is cut out and compiled when it is first tried. Imports rule types and `word-index`.
 * Invariants: pattern numbers follow the order of the rules; compiling never fails (a test tries
 * all).
 */
import { LEVELS } from "./rule.ts";
import type { Rule, Setting } from "./rule.ts";
import { addWord, emptyWordIndex } from "./word-index.ts";
import type { WordIndex } from "./word-index.ts";

export interface RuleBook {
  readonly rules: readonly Rule[];
  readonly index: WordIndex;
  /** For each pattern: its rule, and where its source begins and ends in the rule's lines. */
  readonly ruleOf: number[];
  readonly startOf: number[];
  readonly endOf: number[];
  /** For each rule: its level and one bit for each setting in which it is tried. */
  readonly levelOf: readonly number[];
  readonly settingsOf: readonly number[];
  readonly compiled: (RegExp | undefined)[];
  readonly unless: (RegExp | undefined)[];
}

export const SETTING_BITS: Readonly<Record<Setting, number>> = {
  shell: 1,
  model: 2,
  agent: 4,
  call: 8,
};
const EVERY_SETTING = 15;
const ARROW = " => ";
const CONTINUED = "... ";

export function buildRuleBook(rules: readonly Rule[]): RuleBook {
  const book: RuleBook = {
    rules,
    index: emptyWordIndex(),
    ruleOf: [],
    startOf: [],
    endOf: [],
    levelOf: rules.map(({ level }) => LEVELS[level]),
    settingsOf: rules.map(
      ({ settings }) => settings?.reduce((all, one) => all | SETTING_BITS[one], 0) ?? EVERY_SETTING,
    ),
    compiled: [],
    unless: rules.map(() => undefined),
  };
  rules.forEach(({ lines }, rule) => {
    for (let from = 0; from < lines.length;) {
      const newline = lines.indexOf("\n", from);
      const end = newline < 0 ? lines.length : newline;
      addLine(book, rule, from, end);
      from = end + 1;
    }
  });
  return book;
}

/** A physical line: a pattern with its words, the rest of the pattern before it, or nothing. */
function addLine(book: RuleBook, rule: number, from: number, end: number): void {
  const lines = book.rules[rule]?.lines ?? "";
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
  book.compiled.push(undefined);
}

/** What stands between two words when the list of words goes on in the next line. */
const isFolding = (unit: number): boolean => unit === 10 || unit === 32 || unit === 46;

/** The regular expression of a pattern as it is written, its continuation lines joined. */
export function sourceOf(book: RuleBook, pattern: number): string {
  const lines = book.rules[book.ruleOf[pattern] ?? 0]?.lines ?? "";
  return unfold(lines.slice(book.startOf[pattern], book.endOf[pattern])).join("");
}

/** Whether a pattern matches a line and its rule does not make an exception for it. */
export function isMatch(book: RuleBook, pattern: number, line: string): boolean {
  const number = book.ruleOf[pattern] ?? 0;
  const rule = book.rules[number];
  if (rule === undefined) return false;
  const flags = rule.ignoreCase === true ? "i" : "";
  const matcher = (book.compiled[pattern] ??= new RegExp(sourceOf(book, pattern), flags));
  if (!matcher.test(line)) return false;
  if (rule.unless === undefined) return true;
  return !(book.unless[number] ??= new RegExp(unfold(rule.unless).join("|"), "i")).test(line);
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
