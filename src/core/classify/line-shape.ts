/**
 * The form of a line of foreign text: a plain statement, or one that only quotes something (source, a diff, a request,
 * a stack, compared values), warns, logs or lists. Invariants: linear, bounded patterns; never throws.
 */

export type LineShape = "plain" | "echo" | "assertion" | "raised" | "warning" | "log" | "listing";

const DIGITS = "0123456789";

/**
 * Patterns of quoted lines, each with the possible first characters after white space (a cheap test that rules out most
 * lines).
 */
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
  // echoed commands, and verbose npm output
  ["$\u276fP+n#", /^(?:\$ (?!:)|\u276f |PS [A-Z]:\\|\++ \S|npm (?:verb|warn|WARN)|#\d{1,4} \[)/],
  // the line of a test at which pytest stopped
  [">", /^>\s{4,16}\S/],
  // passed tests and one-line commits: names, not events
  ["\u2713\u2714\u221ao", /^\s{0,12}(?:\u2713|\u2714|\u221a|ok \d{1,6} [-\u2013]) ?\S/],
  [`${DIGITS}abcdef`, /^[0-9a-f]{7,12} (?:\([^)]{1,80}\) )?[a-z]{2,12}(?:\([\w-]{1,40}\))?!?: /],
];

/** The values of an assertion, labelled or as a diff of quoted texts. */
const COMPARED =
  /^\s{0,16}(?:[-+] ?)?(?:(?:expected|actual|received|got|want|left|right|obtained|but (?:was|got))\b.{0,24}[:=]|[-+] ?["'`])/i;
const COMPARED_START = "-+eargwlobEARGWLOB";

/** An exception raised in a pytest test. */
const RAISED = /^E\s{3,16}\S/;

/** Requests in an access log. */
const REQUEST = /"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S{1,300} HTTP\//;

const PYTHON_FRAME = /^\s{0,12}File "[^"]{1,300}", line \d/;

const WARNINGS = [
  /^\s{0,8}(?:\S{1,60}:\s)?\[?(?:npm |yarn )?warn(?:ing)?\b/i,
  /^\s{0,8}(?:\S{1,60}:\s)?(?:\(node:\d{1,9}\)|\w{0,40}Warning:|(?:= )?(?:hint|note|tip|help):)/i,
  /: warning:/i,
  /\bWARN(?:ING)?\b\s/i,
];

/** In lower case. A line without any of them is not a warning. */
const WARNING_WORDS = ["warn", "(node:", "hint:", "note:", "tip:", "help:"];

const LOG = /(?:^|[\s[|])(?:DEBUG|INFO|TRACE|VERBOSE|debug|verbose|trace)(?:[\]:|]|\s{1,8}\S)/;

/** A search hit. Ruby prints the frame of an exception in the same form. */
const LISTING = /^[\w@./\\-]{1,200}\.[A-Za-z]{1,6}[:-]\d{1,6}[:-](?!\d|in [`'])/;

const NAMES_TROUBLE =
  /\b(?:error|fatal|failed|failure|panic|exception|fehler|erreur|\u043e\u0448\u0438\u0431\u043a\u0430)\b/i;

export function shapeOf(line: string, lineBefore: string): LineShape {
  if (isEcho(line)) return "echo";
  if (COMPARED_START.includes(line.trimStart().charAt(0)) && COMPARED.test(line))
    return "assertion";
  if (RAISED.test(line)) return "raised";
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
