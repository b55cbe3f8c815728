/**
 * What a tool's result means before anything is compared: did it fail although nothing says so, is it the provider's
 * or the network's business, is something still running, does it say anything at all. Not `classify`, which reads
 * whole attempts and answers another question (docs/decisions/2026-11-15-stuck-reads-results.md). Invariants: reads
 * a bounded part in linear time; never throws.
 */

/** A long pattern as a list: one alternative a line. */
export const anyOf = (flags: string, ...alternatives: readonly RegExp[]): RegExp =>
  new RegExp(alternatives.map(({ source }) => source).join("|"), flags);

const STARTS_FAILED = anyOf(
  "i",
  /^\s{0,4}(?:<[a-z_]{1,30}>)?(?:error|fatal|failed|failure|exception|panic|traceback)\b/,
  /^\s{0,4}(?:unhandled|invalid|cannot|could not|unable to|command failed)\b/,
  /^\s{0,4}(?:exit code:? [1-9]|process exited with code [1-9])/,
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

const UNKNOWN_TOOL = anyOf(
  "i",
  /\b(?:unknown|no such) (?:tool|function)|\bunsupported call|\btool_not_registered/,
  /\btool not found|\bis not a (?:valid|known) tool/,
  /\btool \S{1,80} (?:was |is )?(?:not (?:found|available|registered|recogni[sz]ed|a valid))/,
  /\btool \S{1,80} (?:is )?(?:unknown|does not exist)/,
);

export const isUnknownTool = (text: string): boolean => UNKNOWN_TOOL.test(text.slice(0, 400));

/** Nothing but an exit code, or nothing at all: a search without hits looks like this. */
export const saysNothing = (text: string): boolean =>
  text.length < 60 && text.replace(/error|exit(?:ed)?|with|code|\d+|\W+/gi, "") === "";

const RUNNING = anyOf(
  "i",
  /still running|no new output|in[ _-]progress|\bqueued\b|waiting for|is running/,
  /not (?:yet )?(?:ready|finished|complete|done)\b|[a-z]{3,20}ing(?:\.{3}|…)/,
  /\bcontainercreating\b|status\W{1,4}(?:pending|running)|^\W*(?:pending|running|waiting)\W*$/,
);

/** Says that what it watches is not finished. */
export const saysRunning = (text: string): boolean => text.length <= 400 && RUNNING.test(text);

/** Unmistakable: a status with its name, a typed error, an errno. Enough also in an exit-0 result. */
const STRONG = anyOf(
  "i",
  /\b(?:429|5\d\d)\b.{0,40}(?:too many requests|rate.?limit|unavailable|gateway)/,
  /\b5\d\d\b.{0,40}(?:internal server error|overloaded|server error|upstream)/,
  /\b(?:http|status|code|error|statuscode)\W{1,4}(?:\d\.\d )?(?:429|401|50[0234]|529)\b/,
  /\b(?:overloaded_error|rate_limit_error|rate_limit_exceeded|insufficient_quota)\b/,
  /\b(?:authentication_error|server_overloaded|api_error|resource_exhausted)\b/,
  /\b(?:ECONNRESET|ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b/,
  /rate limit (?:exceeded|reached|hit)|too many requests/,
  /service (?:is )?(?:temporarily )?unavailable|socket hang up|could not resolve host/,
  /network is unreachable|name resolution|invalid (?:x-)?api.key|incorrect api key/,
);

/** Said in many ways; enough only where the step is an error anyway. */
const WEAK = anyOf(
  "i",
  /rate.?limit|^\W{0,4}(?:429|401|50[0234]|529)\b|overloaded|unauthori[sz]ed/,
  /connection (?:was )?(?:reset|refused|closed|timed out|error)|network error|fetch failed/,
  /tls handshake|not logged in|authentication (?:failed|required)|usage limit|quota exceeded/,
  /(?:token|session|credentials?) (?:has |have )?expired|request timed out|unexpected eof/,
  /stream (?:disconnected|closed|ended)|reconnecting|deadline exceeded|temporarily unavailable/,
  /\b(?:gateway|upstream|provider|model|llm|api)\W{1,3}(?:request |server )?(?:error|timeout)/,
  /\b(?:gateway|upstream|provider|model|llm|api)\W{1,3}(?:request )?(?:timed out|unavailable)/,
);

const OWN_MACHINE = /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b|\[?::1\]?/;
const CONNECTION = /ECONNREFUSED|ECONNRESET|connection (?:was )?(?:reset|refused|closed)/i;

const EDGE = 400;
/** Longer results that are no errors are content. */
const SHORT = 600;

/**
 * Does a result or error speak of the provider or the network rather than of the agent's work? A refused connection
 * to this machine is the agent's own business, and content that merely mentions such an error is not one.
 */
export function isInfrastructureText(text: string, failed: boolean): boolean {
  if (!failed && text.length > SHORT) return false;
  const seen =
    text.length <= 2 * EDGE ? text : `${text.slice(0, EDGE)}\n${text.slice(text.length - EDGE)}`;
  const found = STRONG.exec(seen) ?? (failed ? WEAK.exec(seen) : null);
  if (found === null) return false;
  if (!failed && isQuoted(seen, found.index)) return false;
  return !(CONNECTION.test(seen) && OWN_MACHINE.test(seen));
}

/** Far inside a line it is content: a search hit, a line of code, a sentence about errors. */
const isQuoted = (text: string, index: number): boolean =>
  index - (text.lastIndexOf("\n", index) + 1) > 60;
