/**
 * What kind of line an error word stands on: a line that only echoes source, a diff or a stack decides
 * nothing, a warning or log line decides less. Imports nothing. Invariant: linear, reads one line and
 * the one before it.
 */

export type LineShape = "plain" | "echo" | "warning" | "log" | "listing";

const CODE_FRAME = /^\s{0,12}(?:>\s{0,4})?\d{1,6}\s{0,4}[|│┃]/;
const STACK_FRAME =
  /^\s{1,16}at (?:async )?(?:[\w$.<>[\] #/-]{1,200} ?\(|file:|node:|\/|[A-Za-z]:\\|<anonymous>)|^\tat |^\s{0,4}#\d{1,3} (?:0x|\/)/;
const PYTHON_FRAME = /^\s{0,12}File "[^"]{1,300}", line \d{1,7}/;
const COMMAND_ECHO = /^(?:\$ (?!:)|❯ |PS [A-Z]:\\|\++ \S|npm (?:verb|warn|WARN)|#\d{1,4} \[)/;
const ASSERTED_VALUE = /^\s{0,12}(?:[-+] ?)?(?:Expected|Received|expected|actual|Actual)\b.{0,24}:/;
const WARNING =
  /^\s{0,8}(?:\S{1,60}:\s)?(?:\[?(?:npm |yarn )?warn(?:ing)?\b|\(node:\d{1,9}\)|\w{0,40}Warning:|(?:= )?(?:hint|note|tip|help):)|: warning:|\bWARN(?:ING)?\b\s/i;
const LOG = /(?:^|[\s[|])(?:DEBUG|INFO|TRACE|VERBOSE|debug|verbose|trace)(?:[\]:|]|\s{1,8}\S)/;
const LISTING = /^(?:\.{0,2}[/\\])?[\w@./\\-]{1,200}\.[A-Za-z]{1,6}[:-]\d{1,6}[:-](?!\d)/;
const NAMES_TROUBLE = /\b(?:error|fatal|failed|failure|panic|exception|fehler|erreur|ошибка)\b/i;

export function shapeOf(line: string, lineBefore: string): LineShape {
  if (CODE_FRAME.test(line) || STACK_FRAME.test(line) || COMMAND_ECHO.test(line)) return "echo";
  if (PYTHON_FRAME.test(lineBefore) && /^\s{4}/.test(line)) return "echo";
  if (ASSERTED_VALUE.test(line)) return "echo";
  if (WARNING.test(line)) return "warning";
  if (LOG.test(line)) return "log";
  if (LISTING.test(line) && !NAMES_TROUBLE.test(line)) return "listing";
  return "plain";
}
