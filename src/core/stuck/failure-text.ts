/**
 * What a failing result says: its first error line, the kind of error with names and numbers apart,
 * the names of failing tests, and whether the tool exists at all. Imports `foreign-text`, `text-mark`.
 * Invariants: asked only for failing results; reads a bounded part in linear time; never throws.
 */
import { tameLine } from "../foreign-text.ts";
import { markOfExact } from "./text-mark.ts";

const HEAD = 6000;
const TAIL = 3000;
const MAX_LINES = 200;

const ERROR_WORD =
  /\b(?:error|errors|fail|failed|failure|fatal|exception|panic|traceback|denied|cannot|unable|invalid|not found|no such|refused|undefined|unexpected|missing)\b/i;
const ERROR_NAME = /[a-z](?:Error|Exception)\b/;

const isErrorLine = (line: string): boolean => {
  const seen = line.slice(0, 400);
  return ERROR_WORD.test(seen) || ERROR_NAME.test(seen);
};

const STARTS_FAILED =
  /^\s{0,4}(?:<[a-z_]{1,30}>)?(?:error|fatal|failed|failure|exception|panic|traceback|unhandled|invalid|cannot|could not|unable to|command failed|exit code:? [1-9]|process exited with code [1-9])\b/i;

const UNKNOWN_TOOL =
  /\b(?:unknown (?:tool|function)|no such (?:tool|function)|unsupported call|tool_not_registered|tool not found|tool \S{1,80} (?:was |is )?(?:not (?:found|available|registered|recogni[sz]ed|a valid)|unknown|does not exist)|is not a (?:valid|known) tool)/i;

/** A result that says it failed although its flag does not; only its very beginning counts. */
export const startsFailed = (text: string): boolean => STARTS_FAILED.test(text.slice(0, 80));

const CHECK_FAILED =
  /\b[1-9]\d{0,6} (?:tests? |specs? |checks? )?(?:failed|failing|failures?|errors?)\b|\bFAIL(?:ED|URE)?\b|\berror(?: [A-Z]{1,4}\d{1,6})?:|[✗✕✖]|^not ok\b/m;

/** The output of tests, a build or a linter that did not pass, whatever its flag says. */
export const saysCheckFailed = (text: string): boolean =>
  CHECK_FAILED.test(text.slice(0, 400)) || CHECK_FAILED.test(text.slice(-1200));

export const isUnknownTool = (text: string): boolean => UNKNOWN_TOOL.test(text.slice(0, 400));

/** Nothing but an exit code, or nothing at all: a search without hits looks like this. */
export const saysNothing = (text: string): boolean =>
  text.length < 60 && text.replace(/error|exit(?:ed)?|with|code|\d+|\W+/gi, "") === "";

/** The first line that names an error, else the first that is not empty; tamed. */
export function firstErrorLine(text: string): string {
  let first = "";
  for (const line of linesOf(text)) {
    if (line === "") continue;
    if (first === "") first = line;
    if (isErrorLine(line)) return tameLine(line.slice(0, 400), 200);
  }
  return tameLine(first.slice(0, 400), 200);
}

/** Lines that name an error, names of JSON fields apart; empty where there are none. */
export function errorLines(text: string): string {
  return linesOf(text)
    .filter((line) => isErrorLine(line.slice(0, 400).replace(/"[^"]{0,60}" ?:/g, "")))
    .join("\n");
}

/** The kind of an error: numbers, quoted words and paths do not count. */
export function markOfErrorKind(line: string): number {
  const words = line
    .toLowerCase()
    .replace(/"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`/g, "'")
    .replace(/\d+/g, "0")
    .split(" ");
  return markOfExact(words.map((word) => (/[/\\]/.test(word) ? "/" : word)).join(" "));
}

const FAILING_TEST =
  /^(?:FAILED |FAIL:? |--- FAIL: |not ok \d+ (?:- )?|[✗✕✖×] |● |\d+\) )(\S.{0,200})|^test (\S{1,200}) \.\.\. FAILED/;

/** One number for the set of failing tests a runner names; zero where none is named. */
export function markOfFailingTests(text: string): number {
  const found = new Set<string>();
  for (const line of linesOf(text)) {
    const match = FAILING_TEST.exec(line.slice(0, 300));
    const name = match?.[1] ?? match?.[2];
    if (name !== undefined) found.add(nameOf(name));
  }
  return found.size === 0 ? 0 : markOfExact([...found].sort().join("\n"));
}

/** Without what follows the name: a duration, the message of an assertion. */
const nameOf = (text: string): string =>
  text.replace(/ - .*$/, "").replace(/ \(?\d+(?:\.\d+)? ?m?s\)?$/, "");

export const markOfNames = (names: readonly string[]): number =>
  markOfExact([...new Set(names)].sort().join("\n"));

function linesOf(text: string): string[] {
  const part =
    text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(text.length - TAIL)}`;
  return part.split("\n", MAX_LINES).map((line) => line.trim());
}
