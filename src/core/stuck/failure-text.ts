/**
 * What a failing result says: its first error line, the kind of error with names and numbers apart,
 * the names of failing tests, and whether the tool exists at all. Imports `foreign-text`,
 * `text-mark`. Invariants: asked only for failing results; reads a bounded part in linear time;
 * never throws.
 */
import { tameLine } from "../foreign-text.ts";
import { anyOf } from "./pattern.ts";
import { markOfExact } from "./text-mark.ts";

const HEAD = 6000;
const TAIL = 3000;
const MAX_LINES = 200;

const ERROR_WORD = anyOf(
  "i",
  /\b(?:error|errors|fail|failed|failure|fatal|exception|panic|traceback|denied|cannot)\b/,
  /\b(?:unable|invalid|not found|no such|refused|undefined|unexpected|missing)\b/,
);
const ERROR_NAME = /[a-z](?:Error|Exception)\b/;

const isErrorLine = (line: string): boolean => {
  const seen = line.slice(0, 400);
  return ERROR_WORD.test(seen) || ERROR_NAME.test(seen);
};

const STARTS_FAILED = anyOf(
  "i",
  /^\s{0,4}(?:<[a-z_]{1,30}>)?(?:error|fatal|failed|failure|exception|panic|traceback)\b/,
  /^\s{0,4}(?:unhandled|invalid|cannot|could not|unable to|command failed)\b/,
  /^\s{0,4}(?:exit code:? [1-9]|process exited with code [1-9])/,
);

const UNKNOWN_TOOL = anyOf(
  "i",
  /\b(?:unknown|no such) (?:tool|function)|\bunsupported call|\btool_not_registered/,
  /\btool not found|\bis not a (?:valid|known) tool/,
  /\btool \S{1,80} (?:was |is )?(?:not (?:found|available|registered|recogni[sz]ed|a valid))/,
  /\btool \S{1,80} (?:is )?(?:unknown|does not exist)/,
);

/** A result that says it failed although its flag does not; only its very beginning counts. */
export const startsFailed = (text: string): boolean => STARTS_FAILED.test(text.slice(0, 80));

const CHECK_FAILED = anyOf(
  "m",
  /\b[1-9]\d{0,6} (?:tests? |specs? |checks? )?(?:failed|failing|failures?|errors?)\b/,
  /\bFAIL(?:ED|URE)?\b|\berror(?: [A-Z]{1,4}\d{1,6})?:|[✗✕✖]|^not ok\b/,
);

const LONG_OUTPUT = 50_000;
/** Without one of these the pattern cannot fit; looking for them costs less. */
const CHECK_WORDS = ["rror", "ail", "AIL", "✗", "✕", "✖", "not ok"];

/** The output of tests, a build or a linter that did not pass, whatever its flag says. */
export function saysCheckFailed(text: string): boolean {
  if (text.length < LONG_OUTPUT && !CHECK_WORDS.some((word) => text.includes(word))) return false;
  return CHECK_FAILED.test(text.slice(0, 400)) || CHECK_FAILED.test(text.slice(-1200));
}

export function isUnknownTool(text: string): boolean {
  const seen = text.slice(0, 400);
  return /tool|function|unsupported/i.test(seen) && UNKNOWN_TOOL.test(seen);
}

/** Nothing but an exit code, or nothing at all: a search without hits looks like this. */
export const saysNothing = (text: string): boolean =>
  text.length < 60 && text.replace(/error|exit(?:ed)?|with|code|\d+|\W+/gi, "") === "";

/** Pieces of words that name an error: found without a pattern, because this is asked often. */
const STEMS = (
  "rror|✗|fail|FAIL|Fail|xception|Fatal|fatal|anic:|Traceback|enied|annot |nable to|nvalid|" +
  "not found|not exist|o such|efused|ndefined|nexpected|issing|✕|ERR!"
).split("|");

/** The first line that names an error, else the first that is not empty; tamed. */
export function firstErrorLine(text: string): string {
  const head = text.slice(0, 800);
  const atHead = firstStem(head);
  if (atHead !== -1) return lineAt(head, atHead);
  const tail = text.slice(800).slice(-1600);
  const atTail = firstStem(tail);
  return atTail === -1 ? firstLine(head) : lineAt(tail, atTail);
}

/** Does any word at its beginning or end speak of an error? */
export const namesError = (text: string): boolean =>
  firstStem(text.slice(0, 800)) !== -1 || firstStem(text.slice(800).slice(-1600)) !== -1;

/** The first line that says something; an exit code alone does not. */
function firstLine(text: string): string {
  const lines = text.split("\n", 20).map((line) => line.trim());
  const telling = lines.find((line) => line !== "" && !saysNothing(line));
  return tameLine((telling ?? lines.find((line) => line !== "") ?? "").slice(0, 400), 200);
}

/** Each search looks only before what was found so far. */
function firstStem(text: string): number {
  let scope = text;
  let first = -1;
  for (const stem of STEMS) {
    const at = scope.indexOf(stem);
    if (at === -1) continue;
    first = at;
    scope = text.slice(0, at);
  }
  return first;
}

function lineAt(text: string, place: number): string {
  const start = text.lastIndexOf("\n", place) + 1;
  const end = text.indexOf("\n", place);
  const line = text.slice(start, end === -1 ? text.length : end);
  return tameLine(line.trim().slice(0, 400), 200);
}

/** Lines that name an error, names of JSON fields apart; empty where there are none. */
export function errorLines(text: string): string {
  return linesOf(text)
    .filter((line) => isErrorLine(line.slice(0, 400).replace(/"[^"]{0,60}" ?:/g, "")))
    .join("\n");
}

/**
 * The kind of an error: numbers, quoted words and paths do not count, nor does what stands before
 * the last colon, as long as words are left: `sh: frob: command not found`.
 */
export function markOfErrorKind(line: string): number {
  const said = line.split(/: +/).findLast((part) => / [a-z]/i.test(part.trim())) ?? line;
  const words = said
    .toLowerCase()
    .replace(/"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`/g, "'")
    .replace(/\d+/g, "0")
    .split(" ");
  return markOfExact(words.map((word) => (/[/\\]/.test(word) ? "/" : word)).join(" "));
}

const FAILING_TEST = anyOf(
  "gm",
  /^[ \t]{0,20}(?:FAILED |FAIL:? |--- FAIL: |not ok \d{1,6} (?:- )?|[✗✕✖×] |● )(\S.{0,200})/,
  /^[ \t]{0,20}\d{1,4}\) (\S.{0,200})/,
  /^[ \t]{0,20}test (\S{1,200}) \.\.\. FAILED/,
);
const MAX_TESTS = 100;

/** One number for the set of failing tests a runner names; zero where none is named. */
export function markOfFailingTests(text: string): number {
  const found = new Set<string>();
  for (const [, ...names] of boundedPart(text).matchAll(FAILING_TEST)) {
    found.add(nameOf(names.find((name) => name !== undefined) ?? ""));
    if (found.size >= MAX_TESTS) break;
  }
  return found.size === 0 ? 0 : markOfExact([...found].sort().join("\n"));
}

/** Without what follows the name: the message of an assertion, a duration, a line number. */
const nameOf = (text: string): string =>
  text.replace(/ - .*$| \(?\d+(?:\.\d+)? ?m?s\)?$|(?:\bline |:)\d+/g, "");

export const markOfNames = (names: readonly string[]): number =>
  markOfExact([...new Set(names)].sort().join("\n"));

const boundedPart = (text: string): string =>
  text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(text.length - TAIL)}`;

const linesOf = (text: string): string[] =>
  boundedPart(text)
    .split("\n", MAX_LINES)
    .map((line) => line.trim());
