/**
 * What kind of line an error word stands on: a line that only echoes source, a diff, a request or a
 * stack decides nothing, a warning or log line decides less. Imports nothing.
 * Invariant: linear, reads one line and the one before it.
 */

export type LineShape = "plain" | "echo" | "warning" | "log" | "listing";

const oneOf = (patterns: readonly RegExp[], flags: string): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), flags);

const ECHO = oneOf(
  [
    // a code frame: "> 12 | code"
    /^\s{0,12}(?:>\s{0,4})?\d{1,6}\s{0,4}[|\u2502\u2503]/,
    // stack frames of JavaScript, Java and gdb
    /^\s{1,16}at (?:async )?(?:[\w$.<>[\] #/-]{1,200} ?\(|file:|node:|\/|[A-Za-z]:\\|<anonymous>)/,
    /^\tat /,
    /^\s{0,4}#\d{1,3} (?:0x|\/)/,
    // commands shown before they run, and chatter of npm
    /^(?:\$ (?!:)|\u276f |PS [A-Z]:\\|\++ \S|npm (?:verb|warn|WARN)|#\d{1,4} \[)/,
    // values of an assertion
    /^\s{0,12}(?:[-+] ?)?(?:Expected|Received|expected|actual|Actual)\b.{0,24}:/,
    // tests that passed, and one-line commits: names, not events
    /^\s{0,12}(?:\u2713|\u2714|\u221a|ok \d{1,6} [-\u2013]) ?\S/,
    /^[0-9a-f]{7,12} (?:\([^)]{1,80}\) )?[a-z]{2,12}(?:\([\w-]{1,40}\))?!?: /,
    // requests in an access log
    /"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S{1,300} HTTP\//,
  ],
  "",
);
const PYTHON_FRAME = /^\s{0,12}File "[^"]{1,300}", line \d{1,7}/;
const WARNING = oneOf(
  [
    /^\s{0,8}(?:\S{1,60}:\s)?\[?(?:npm |yarn )?warn(?:ing)?\b/i,
    /^\s{0,8}(?:\S{1,60}:\s)?(?:\(node:\d{1,9}\)|\w{0,40}Warning:|(?:= )?(?:hint|note|tip|help):)/i,
    /: warning:/i,
    /\bWARN(?:ING)?\b\s/i,
  ],
  "i",
);
const LOG = /(?:^|[\s[|])(?:DEBUG|INFO|TRACE|VERBOSE|debug|verbose|trace)(?:[\]:|]|\s{1,8}\S)/;
const LISTING = /^(?:\.{0,2}[/\\])?[\w@./\\-]{1,200}\.[A-Za-z]{1,6}[:-]\d{1,6}[:-](?!\d)/;
const NAMES_TROUBLE =
  /\b(?:error|fatal|failed|failure|panic|exception|fehler|erreur|\u043e\u0448\u0438\u0431\u043a\u0430)\b/i;

export function shapeOf(line: string, lineBefore: string): LineShape {
  if (ECHO.test(line)) return "echo";
  if (PYTHON_FRAME.test(lineBefore) && /^\s{4}/.test(line)) return "echo";
  if (WARNING.test(line)) return "warning";
  if (LOG.test(line)) return NAMES_TROUBLE.test(line) ? "log" : "echo";
  return LISTING.test(line) && !NAMES_TROUBLE.test(line) ? "listing" : "plain";
}
