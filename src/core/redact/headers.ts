/**
 * Values of `Authorization` and cookie headers, wherever they are written: on the wire, in a command line, in
 * JSON. Invariant: never ends inside an escape or beyond a closing quote.
 */
import { codesOf, SPACES, stopAt, VALUE_MAX } from "./found.ts";
import type { Found } from "./found.ts";
import { isPlaceholder, MARK } from "./values.ts";

const TOKEN_STOPS = codesOf(`${SPACES}"'\`\\<>,;(){}[]`);
const HEADER_STOPS = codesOf("\n\r\"'`\\");
const SCHEME =
  /(?:bearer|basic|token|digest|negotiate|apikey|api-key|key|bot|oauth|aws4-hmac-sha256)(?:[ \t]|%20|\+){1,4}/iy;
const LEAST = 8;

/** Past quotes that open a value, with their backslashes. */
function opened(text: string, at: number): number {
  const opening = /\\*["'`]/y;
  opening.lastIndex = at;
  return opening.test(text) ? opening.lastIndex : at;
}

export function authorizationValue(text: string, from: number, limit: number): Found | undefined {
  const value = opened(text, from);
  SCHEME.lastIndex = value;
  const start = SCHEME.test(text) ? SCHEME.lastIndex : value;
  if (/^(?:digest|aws4)/i.test(text.slice(value, value + 6)))
    return headerRest(text, start, limit, true);
  return token(text, start, limit, LEAST);
}

/** `bearer` and a token, without the header's name. */
export function bearerToken(text: string, start: number, limit: number): Found | undefined {
  return token(text, start, limit, 16);
}

function token(text: string, start: number, limit: number, least: number): Found | undefined {
  const end = stopAt(text, start, limit, TOKEN_STOPS);
  const secret = text.slice(start, Math.min(end, start + VALUE_MAX));
  const isOne =
    secret.length >= least && !isPlaceholder(secret) && !/^process\.|^[a-z]+$/.test(secret);
  return isOne ? { start, end, secret } : undefined;
}

/** All that is sent; of what is set, the value alone: its attributes stay. */
export function cookieValue(
  text: string,
  from: number,
  limit: number,
  isSet: boolean,
): Found | undefined {
  const start = opened(text, from);
  if (!isSet) return headerRest(text, start, limit, true);
  const pair = stopAt(text, start, Math.min(limit, start + 200), codesOf('=\n"\\;'));
  if (text.charAt(pair) !== "=") return undefined;
  return token(text, pair + 1, limit, 4);
}

function headerRest(text: string, start: number, limit: number, pairs: boolean): Found | undefined {
  const end = stopAt(text, start, limit, HEADER_STOPS);
  const secret = text.slice(start, Math.min(end, start + VALUE_MAX)).trimEnd();
  if (MARK.test(secret) || isPlaceholder(secret)) return undefined;
  if (pairs && !/^[^\s=;,]{1,200}=[^\s;]{3}/.test(secret)) return undefined;
  return { start, end: start + (end - start > VALUE_MAX ? end - start : secret.length), secret };
}
