/**
 * What the text of a tool's result means: whether it failed although no flag says so, whether something is still
 * running, whether it has any content; for a failure also the first error line and the kind of error. Not `classify`,
 * which reads whole attempts (docs/decisions/2026-11-15-stuck-reads-results.md). Invariants: reads a bounded part in
 * linear time; never throws.
 */
import { cleanLine } from "../../foreign-text.ts";
import { hashNumber } from "../../hash.ts";
import { anyOf } from "./any-of.ts";
import { boundedLines } from "./bounded-part.ts";

const REPORT = anyOf(
  "",
  // error: x, Fatal: x, error TS2304: x, error[E0308]: x, Type error: x
  /(?:^|[\s\]:)>])(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Ff]ailed|FAILED|[Ff]ailure|[Pp]anic)(?:\[\w{1,12}\]| [A-Z]{1,6}\d{1,6})?:/,
  /[a-z](?:Error|Exception)(?::|$)/,
  /^(?:FAIL|FAILED|ERROR|FATAL|ERR!|npm ERR!|Traceback|panic:)(?:\s|$)/,
  // build failed, make: *** [all] Error 2
  /\b[Ff]ailed(?: with .{0,80})?[.!]?$|\bError \d{1,4}$/,
  /\b(?:[Nn]o such file|[Pp]ermission denied|[Cc]ommand not found|[Aa]ccess denied|[Cc]annot find)\b/,
);

const CODE = anyOf(
  "",
  // A statement, an opened block, a comment.
  /[;{(,[]$|^(?:\}|\/[/*]|\*|#|--|<!--)|=>|\(.{0,300}\) ?\{.{0,300}\}$|^[\w.$]{1,80}\(.{0,300}\)$/,
  // throw new Error("x"), raise ValueError("x"), if err != nil, except KeyError:
  /^(?:throw|raise|catch|except|try|return|if|else|elif|const|let|var|function|def|fn|func|class|export|import)\b.{0,300}(?:[=({]|:$)/,
  /^[\w.$[\]]{1,80} ?(?::=|=) ?\S/,
);

const isCode = (line: string): boolean => CODE.test(line.slice(0, 400).trim());

/** A line that reports an error, not code or prose that merely mentions errors; unknown forms do not count. */
function isErrorReport(line: string): boolean {
  const seen = line.slice(0, 400).trim();
  return REPORT.test(seen) && !CODE.test(seen);
}

const STARTS_FAILED = anyOf(
  "i",
  /^\s{0,4}(?:<[a-z_]{1,30}>)?(?:error|fatal|failed|failure|exception|panic|traceback)\b/,
  /^\s{0,4}(?:unhandled|invalid|cannot|could not|unable to|command failed)\b/,
  /^\s{0,4}(?:exit code:? [1-9]|process exited with code [1-9])/,
  /^\W{0,4}(?:https?\S{0,6} )?40[13]\b|^\W{0,4}(?:i(?:'|’)?m )?sorry\b/,
  /^\W{0,4}(?:(?:access|permission|request|call|command) (?:was |is )?)?(?:denied|forbidden|blocked|refused|rejected|unauthori[sz]ed|not (?:allowed|permitted))\b/,
  /^\s{0,4}\{\s{0,4}"(?:errors?"\s{0,2}:\s{0,2}(?:"[^"]|\{|\[\s{0,4}["{])|(?:ok|success)"\s{0,2}:\s{0,2}false)/,
);

/** The result says that it failed although its flag does not. Only its very beginning counts, and code never does. */
export function startsFailed(text: string): boolean {
  const start = text.slice(0, 80);
  return STARTS_FAILED.test(start) && !isCode(start.trimStart().split("\n", 1)[0] ?? "");
}

/** A longer result is mostly content. */
const SHORT_RESULT = 600;

/** The error that a short result reports in its first or last line, ignoring numbers; zero if there is none. */
export function reportedErrorHash(text: string): number {
  if (text.length > SHORT_RESULT) return 0;
  const lines = text.trim().split("\n");
  const reports = isErrorReport(lines[0] ?? "") || isErrorReport(lines.at(-1) ?? "");
  return reports ? hashNumber(text.replace(/\d+/g, "0")) : 0;
}

const NOTHING_FOUND =
  /\b(?:no|not|none|nothing|never|empty|unknown|false|null)\b|(?:^|[^\d.])0(?![\d.])|\[\s{0,4}\]/i;

/** Whether an answer has content of its own, unlike "no", "done" or "nothing found". */
export const hasOwnContent = (text: string): boolean =>
  text.length >= 40 && !NOTHING_FOUND.test(text.slice(0, 60));

const CHECK_FAILED = anyOf(
  "m",
  /\b[1-9]\d{0,6} (?:tests? |specs? |checks? )?(?:failed|failing|failures?|errors?)\b/,
  /\bFAIL(?:ED|URE)?\b|\berror(?: [A-Z]{1,4}\d{1,6})?:|[✗✕✖]|^not ok\b/,
);

const LONG_OUTPUT = 50_000;

/** The pattern can match only text with one of these, and searching for them is cheaper. */
const CHECK_WORDS = ["rror", "ail", "AIL", "✗", "✕", "✖", "not ok"];

/** The output of failed tests, a failed build or a failed linter, whatever its flag says. */
export function saysCheckFailed(text: string): boolean {
  if (text.length < LONG_OUTPUT && !CHECK_WORDS.some((word) => text.includes(word))) return false;
  return CHECK_FAILED.test(text.slice(0, 400)) || CHECK_FAILED.test(text.slice(-1200));
}

const UNKNOWN_TOOL = anyOf(
  "i",
  /\b(?:unknown|no such) (?:tool|function)|\bunsupported call|\btool_not_registered/,
  /\btool not found|\bis not a (?:valid|known) tool/,
  /\btool \S{1,80} (?:was |is )?(?:not (?:found|available|registered|recogni[sz]ed|a valid))/,
  /\btool \S{1,80} (?:is )?(?:unknown|does not exist)/,
);

export const isUnknownTool = (text: string): boolean => UNKNOWN_TOOL.test(text.slice(0, 400));

/** Nothing but an exit code, or nothing at all, as from a search without hits. */
export const hasNoContent = (text: string): boolean =>
  text.length < 60 && text.replace(/error|exit(?:ed)?|with|code|\d+|\W+/gi, "") === "";

const RUNNING = anyOf(
  "i",
  /still running|no new output|in[ _-]progress|\bqueued\b|waiting for|is running/,
  /not (?:yet )?(?:ready|finished|complete|done)\b|[a-z]{3,20}ing(?:\.{3}|…)/,
  /\bcontainercreating\b|status\W{1,4}(?:pending|running)|^\W*(?:pending|running|waiting)\W*$/,
);

/** Says that what it watches is not finished. */
export const saysRunning = (text: string): boolean => text.length <= 400 && RUNNING.test(text);

/** Parts of words that name an error. */
const STEM = anyOf(
  "",
  /rror|✗|fail|FAIL|Fail|xception|Fatal|fatal|anic:|Traceback|enied|annot |nable to|nvalid/,
  /not found|not exist|o such|efused|ndefined|nexpected|issing|✕|ERR!/,
);

/** The first line that names an error, otherwise the first that is not empty; cleaned. */
export function firstErrorLine(text: string): string {
  const head = text.slice(0, 800);
  const atHead = head.search(STEM);
  if (atHead !== -1) return lineAt(head, atHead);
  const tail = text.slice(800).slice(-1600);
  const atTail = tail.search(STEM);
  return atTail === -1 ? firstLine(head) : lineAt(tail, atTail);
}

/** Does the beginning or end of the text mention an error? */
export const namesError = (text: string): boolean =>
  STEM.test(text.slice(0, 800)) || STEM.test(text.slice(800).slice(-1600));

/** The first line with content; an exit code alone does not count. */
function firstLine(text: string): string {
  const lines = text.split("\n", 20).map((line) => line.trim());
  const telling = lines.find((line) => line !== "" && !hasNoContent(line));
  return tamed(telling ?? lines.find((line) => line !== "") ?? "");
}

/** Copies the line: a slice would keep the whole result in memory. */
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

/** Errors that are only mentioned, not reported: error handling, no errors, fixed the failure. */
const SPOKEN_OF = anyOf(
  "gi",
  /\b(?:errors?|exceptions?|failures?)[- ](?:handl\w{1,4}|messages?|class(?:es)?|types?|boundar\w{1,4}|paths?|cases?)\b/,
  /\b(?:no|0|zero|without|fix(?:ed|es)?|handled?|handles) (?:\w{1,30} )?(?:errors?|failures?|exceptions?)\b/,
);

/** Lines that report an error, except code and names of JSON fields; empty if there are none. */
export function errorLines(text: string): string {
  return boundedLines(text)
    .filter((line) => {
      const seen = line.slice(0, 400).replace(/"[^"]{0,60}" ?:/g, "");
      if (!ERROR_WORD.test(seen) && !ERROR_NAME.test(seen)) return false;
      const said = seen.replace(SPOKEN_OF, "");
      return (ERROR_WORD.test(said) || ERROR_NAME.test(said)) && !isCode(line);
    })
    .join("\n");
}

/** A path or a file name. */
const PATH_WORD = /[/\\]|[^.]\.[a-z]{1,5}[,:;)]?$/i;

/**
 * Ignores numbers, quoted words and paths. Also drops everything before the last colon if words follow it: `sh: x: not
 * found`.
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
