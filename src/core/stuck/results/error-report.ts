/**
 * Tells a line that reports an error from code and prose that merely speak of errors. Invariants: reads one line of at
 * most 400 units in linear time; what it does not know is no report.
 */
import { anyOf } from "./any-of.ts";

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
  // a statement, an opened block, a comment
  /[;{(,[]$|^(?:\}|\/[/*]|\*|#|--|<!--)|=>|\(.{0,300}\) ?\{.{0,300}\}$|^[\w.$]{1,80}\(.{0,300}\)$/,
  // throw new Error("x"), raise ValueError("x"), if err != nil, except KeyError:
  /^(?:throw|raise|catch|except|try|return|if|else|elif|const|let|var|function|def|fn|func|class|export|import)\b.{0,300}(?:[=({]|:$)/,
  /^[\w.$[\]]{1,80} ?(?::=|=) ?\S/,
);

export const isCode = (line: string): boolean => CODE.test(line.slice(0, 400).trim());

export function isErrorReport(line: string): boolean {
  const seen = line.slice(0, 400).trim();
  return REPORT.test(seen) && !CODE.test(seen);
}
