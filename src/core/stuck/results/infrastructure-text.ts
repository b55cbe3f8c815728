/** Recognises results that concern the machine or the network rather than the work. */
import { anyOf } from "./any-of.ts";

/** Unmistakable: a status with its name, a typed error, an errno. Enough even in a successful result. */
const STRONG_OUTAGE = anyOf(
  "i",
  /\b(?:429|5\d\d)\b.{0,40}(?:too many requests|rate.?limit|unavailable|gateway)/,
  /\b5\d\d\b.{0,40}(?:internal server error|overloaded|server error|upstream)/,
  /\b(?:http|status|code|error|statuscode)\W{1,4}(?:\d\.\d )?(?:429|50[0234]|529)\b/,
  /\b(?:overloaded_error|rate_limit_error|rate_limit_exceeded|insufficient_quota)\b/,
  /\b(?:server_overloaded|api_error|resource_exhausted)\b/,
  /\b(?:ECONNRESET|ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b/,
  /rate limit (?:exceeded|reached|hit)|too many requests/,
  /service (?:is )?(?:temporarily )?unavailable|socket hang up|could not resolve host/,
  /network is unreachable|name resolution/,
);

const STRONG_REFUSAL = anyOf(
  "i",
  /\b(?:http|status|code|error|statuscode)\W{1,4}(?:\d\.\d )?401\b/,
  /\bauthentication_error\b|invalid (?:x-)?api.key|incorrect api key/,
);

/** Vaguer wordings, which count only if the step is an error anyway. */
const WEAK_OUTAGE = anyOf(
  "i",
  /rate.?limit|^\W{0,4}(?:429|50[0234]|529)\b|overloaded/,
  /connection (?:was )?(?:reset|refused|closed|timed out|error)|network error|fetch failed/,
  /tls handshake|usage limit|quota exceeded|request timed out|unexpected eof/,
  /stream (?:disconnected|closed|ended)|reconnecting|deadline exceeded|temporarily unavailable/,
  /\b(?:gateway|upstream|provider|model|llm|api)\W{1,3}(?:request |server )?(?:error|timeout)/,
  /\b(?:gateway|upstream|provider|model|llm|api)\W{1,3}(?:request )?(?:timed out|unavailable)/,
);

const WEAK_REFUSAL = anyOf(
  "i",
  /^\W{0,4}401\b|unauthori[sz]ed|not logged in|authentication (?:failed|required)/,
  /(?:token|session|credentials?) (?:has |have )?expired/,
);

/** Most results match neither, and testing one combined pattern is cheaper than two. */
const STRONG = anyOf("i", STRONG_OUTAGE, STRONG_REFUSAL);
const WEAK = anyOf("i", WEAK_OUTAGE, WEAK_REFUSAL);

const OWN_MACHINE = /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b|\[?::1\]?/;

const CONNECTION = /ECONNREFUSED|ECONNRESET|connection (?:was )?(?:reset|refused|closed)/i;

const EDGE = 400;

/** Longer results that are not errors are content. */
const SHORT = 600;

/** `outage`: passes by itself; `refusal`: a login or key is missing, and asking differently will not help. */
type Infrastructure = "outage" | "refusal";

/**
 * Does a result or error concern the provider or the network rather than the agent's work? A refused connection to this
 * machine is the agent's own business, and content that merely mentions such an error does not count.
 */
export function infrastructureOf(text: string, failed: boolean): Infrastructure | undefined {
  if (!failed && text.length > SHORT) return undefined;
  const seen =
    text.length <= 2 * EDGE ? text : `${text.slice(0, EDGE)}\n${text.slice(text.length - EDGE)}`;
  const found = STRONG.exec(seen) ?? (failed ? WEAK.exec(seen) : null);
  if (found === null) return undefined;
  if (!failed && isQuoted(seen, found.index)) return undefined;
  if (CONNECTION.test(seen) && OWN_MACHINE.test(seen)) return undefined;
  const isOutage = STRONG_OUTAGE.test(seen) || (failed && WEAK_OUTAGE.test(seen));
  return isOutage ? "outage" : "refusal";
}

/** A match far inside a line is content: a search hit, a line of code, a sentence about errors. */
const isQuoted = (text: string, index: number): boolean =>
  index - (text.lastIndexOf("\n", index) + 1) > 60;
