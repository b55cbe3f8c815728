/**
 * What a failing result says: its first error line, the kind of error with names and numbers apart, and the names of
 * failing tests or of a compiler's problems. Invariants: asked only for failing results; reads a bounded part in
 * linear time; never throws.
 */
import { cleanLine } from "../foreign-text.ts";
import { hashNumber, maskedHash } from "../hash.ts";
import { anyOf, saysNothing } from "./result-status.ts";

const HEAD = 6000;
const TAIL = 3000;
const MAX_LINES = 200;

/** Pieces of words that name an error. */
const STEM = anyOf(
  "",
  /rror|✗|fail|FAIL|Fail|xception|Fatal|fatal|anic:|Traceback|enied|annot |nable to|nvalid/,
  /not found|not exist|o such|efused|ndefined|nexpected|issing|✕|ERR!/,
);

/** The first line that names an error, else the first that is not empty; tamed. */
export function firstErrorLine(text: string): string {
  const head = text.slice(0, 800);
  const atHead = head.search(STEM);
  if (atHead !== -1) return lineAt(head, atHead);
  const tail = text.slice(800).slice(-1600);
  const atTail = tail.search(STEM);
  return atTail === -1 ? firstLine(head) : lineAt(tail, atTail);
}

/** Does any word at its beginning or end speak of an error? */
export const namesError = (text: string): boolean =>
  STEM.test(text.slice(0, 800)) || STEM.test(text.slice(800).slice(-1600));

/** The first line that says something; an exit code alone does not. */
function firstLine(text: string): string {
  const lines = text.split("\n", 20).map((line) => line.trim());
  const telling = lines.find((line) => line !== "" && !saysNothing(line));
  return tamed(telling ?? lines.find((line) => line !== "") ?? "");
}

/** A copy of its own: a piece of a result would keep all of the result in memory. */
const tamed = (line: string): string => ` ${cleanLine(line.slice(0, 400), 200)}`.slice(1);

function lineAt(text: string, place: number): string {
  const start = text.lastIndexOf("\n", place) + 1;
  const end = text.indexOf("\n", place);
  const line = text.slice(start, end === -1 ? text.length : end);
  return tamed(line.trim());
}

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

/** Lines that name an error, names of JSON fields apart; empty where there are none. */
export function errorLines(text: string): string {
  return linesOf(text)
    .filter((line) => isErrorLine(line.slice(0, 400).replace(/"[^"]{0,60}" ?:/g, "")))
    .join("\n");
}

/** A path, or the name of a file. */
const PATH_WORD = /[/\\]|[^.]\.[a-z]{1,5}[,:;)]?$/i;

/**
 * The kind of an error: numbers, quoted words and paths do not count, nor does what stands before
 * the last colon, as long as words are left: `sh: frob: command not found`.
 */
export function errorKindHash(line: string): number {
  const said = line.split(/: +/).findLast((part) => / [a-z]/i.test(part.trim())) ?? line;
  const words = said
    .toLowerCase()
    .replace(/"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`/g, "'")
    .replace(/\d+/g, "0")
    .split(" ");
  return hashNumber(words.map((word) => (PATH_WORD.test(word) ? "/" : word)).join(" "));
}

/** How runners name a failing test, at the beginning of a line. */
const FAILING_TEST = anyOf(
  "y",
  /[ \t]{0,20}(?:(?:FAILED|FAIL:?|--- FAIL:|[✗✕✖✘×●]|\(fail\)) {1,3}|not ok \d{1,6} (?:- )?|\d{1,4}\) )(\S.{0,200})/,
  /[ \t]{0,20}Failed (\S{1,200}\.\S.{0,200})/,
  /\[ERROR\] {1,4}(\w{1,100}\.\w{1,100}:\d.{0,100})/,
);
/** `a.py::test_b FAILED`, `QueueTest > drains() FAILED`, `test drains ... FAILED`. */
const FAILED_AFTER =
  /^[ \t]{0,20}(\S{1,200}::\S{1,200}|\S{1,100} > \S.{0,200}|\S.{0,200} \.\.\.) FAILED\b/gm;
const MAX_TESTS = 100;

/** One number for the set of failing tests a runner names; zero where none is named. */
export function failingTestsHash(text: string): number {
  const part = boundedPart(text).replaceAll("\r", "\n");
  const found = new Set<string>();
  let start = 0;
  do {
    FAILING_TEST.lastIndex = start;
    const [, ...names] = FAILING_TEST.exec(part) ?? [];
    const name = names.find((one) => one !== undefined);
    if (name !== undefined) found.add(nameOf(name));
    start = part.indexOf("\n", start) + 1;
  } while (start > 0 && found.size < MAX_TESTS);
  if (part.includes(" FAILED"))
    for (const [, name = ""] of part.matchAll(FAILED_AFTER)) found.add(nameOf(name));
  return found.size === 0 ? 0 : namesHash([...found]);
}

/** Without what follows the name: the message of an assertion, a duration, a line number. */
const nameOf = (text: string): string =>
  text.replace(/ - .*$| \(?\d+(?:\.\d+)? ?m?s\)?$|(?:\bline |:)\d+/g, "");

/** How compilers and linters name a problem: its place, then what is wrong. */
const PROBLEM = anyOf(
  "i",
  /^\S{0,200}[a-z_][:(]\d{1,7}(?:[:,]\d{1,7})?\)?:? {1,3}\S/,
  /^\d{1,7}:\d{1,7} {1,4}(?:error|warning)\b/,
  /^error(?:\[[a-z]\d{1,6}\])?: \S/,
);
const PLACE = /(?:^|[:(])\d+(?:[:,]\d+)?/;

/** The problems a compiler or linter names, wherever they have moved to; zero for none. */
export function problemsHash(text: string): number {
  const lines = linesOf(text).filter((line) => PROBLEM.test(line));
  const problems = new Set(lines.map((line) => line.slice(0, 300).replace(PLACE, ":")));
  return problems.size === 0 ? 0 : maskedHash([...problems].sort().join("\n"));
}

export const namesHash = (names: readonly string[]): number =>
  hashNumber([...new Set(names)].sort().join("\n"));

const boundedPart = (text: string): string =>
  text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(text.length - TAIL)}`;

const linesOf = (text: string): string[] =>
  boundedPart(text)
    .split("\n", MAX_LINES)
    .map((line) => line.trim());
