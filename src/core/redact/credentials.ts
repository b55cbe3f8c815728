/**
 * Finds credentials by their context: in addresses (`https://user:password@host`, webhooks), after command line options
 * (`curl -u user:password`, `--token ...`, `mysql -p...`), and in `Authorization` and cookie headers in any notation.
 * Invariants: every lookup is bounded; a value never ends inside an escape or beyond a closing quote.
 */
import {
  MARK,
  SPACES,
  VALUE_MAX,
  codesOf,
  isSecretValue,
  stopAt,
  type FoundSecret,
} from "./values.ts";
import { isPlaceholder } from "./placeholders.ts";
import { kindOfName } from "./names.ts";

const USER_MAX = 1024;
const USER_STOPS = codesOf(`${SPACES}"'\`\\/?#@<>`);
const WORD_STOPS = codesOf(`${SPACES}"'\`\\|;&<>`);

/** `at`: the offset of an address's `://`. */
export function addressSecret(text: string, at: number, limit: number): FoundSecret | undefined {
  const start = at + 3;
  const end = stopAt(text, start, Math.min(limit, start + USER_MAX), USER_STOPS);
  if (text.charAt(end) !== "@") return webhookSecret(text, start, limit);
  const colon = text.slice(start, end).indexOf(":");
  if (colon >= 0) {
    const secret = text.slice(start + colon + 1, end);
    return isPlaceholder(secret) ? undefined : { start: start + colon + 1, end, secret };
  }
  const secret = text.slice(start, end);
  const isToken = secret.length >= 16 && /\d/.test(secret) && !isPlaceholder(secret);
  return isToken ? { start, end, secret } : undefined;
}

const WEBHOOK =
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/|[\w-]{1,60}\.webhook\.office\.com\/webhookb2\/|outlook\.office\.com\/webhook\/)([\w@/-]{16,300})/y;

function webhookSecret(text: string, start: number, limit: number): FoundSecret | undefined {
  WEBHOOK.lastIndex = start;
  const length = WEBHOOK.exec(text)?.[1]?.length ?? 0;
  const from = WEBHOOK.lastIndex - length;
  const end = Math.min(WEBHOOK.lastIndex, limit);
  const secret = text.slice(from, end);
  if (end - from < 16 || isPlaceholder(secret.replaceAll("/", ""))) return undefined;
  return { start: from, end, secret };
}

const PASSWORD_COMMANDS =
  /\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|unzip|zip|7z|(?:docker|podman|helm) [^\n]*\blogin)\b[^\n]*$/;
const MYSQL = /\b(?:mysql\w*|mariadb)\b[^\n]*$/;
const LOOK_BACK = 120;

/** `[start, end)`: a command line word that begins with a dash. */
export function optionSecret(
  text: string,
  start: number,
  end: number,
  limit: number,
): FoundSecret | undefined {
  const option = text.slice(start, Math.min(end, start + 80));
  const glued = /^-p(?=.{3})/.test(option) && !option.startsWith("-p=");
  const next = text.charCodeAt(end);
  const isQuoted = option === "-p" && (next === 34 || next === 39);
  if ((glued || isQuoted) && MYSQL.test(before(text, start))) {
    const from = isQuoted ? end + 1 : start + 2;
    return found(text, from, stopAt(text, from, limit, WORD_STOPS), "password");
  }
  if (next !== 32 && next !== 61) return undefined;
  const value = /\\*["']/y;
  value.lastIndex = end + 1;
  const from = value.test(text) ? value.lastIndex : end + 1;
  const last = stopAt(text, from, limit, WORD_STOPS);
  if (option === "-u" || option === "--user" || option === "--proxy-user")
    return userSecret(text, from, last);
  if (option === "-p" || option === "-a") {
    const asks = option === "-p" ? PASSWORD_COMMANDS : /\bredis-cli\b[^\n]*$/;
    return asks.test(before(text, start)) ? found(text, from, last, "password") : undefined;
  }
  if (!option.startsWith("--") || next !== 32) return undefined;
  const kind = kindOfName(option.slice(2));
  if (kind === undefined || text.charCodeAt(from) === 45) return undefined;
  return found(text, from, last, kind === "password" ? "password" : "token");
}

const before = (text: string, start: number): string =>
  text.slice(Math.max(0, start - LOOK_BACK), start);

/** Matches `user:password` but not a container's `uid:gid`. */
function userSecret(text: string, start: number, end: number): FoundSecret | undefined {
  const colon = text.slice(start, Math.min(end, start + USER_MAX)).indexOf(":");
  if (colon < 1) return undefined;
  const secret = text.slice(start + colon + 1, end);
  if (/^\d{1,6}$/.test(secret) || secret.length < 3 || secret.startsWith("//")) return undefined;
  return isPlaceholder(secret) || MARK.test(secret)
    ? undefined
    : { start: start + colon + 1, end, secret };
}

function found(
  text: string,
  start: number,
  end: number,
  kind: "password" | "token",
): FoundSecret | undefined {
  const secret = text.slice(start, Math.min(end, start + VALUE_MAX));
  const how = { quoted: false, variable: true, assigned: true, alone: false, next: "" };
  return isSecretValue(kind, secret, how) ? { start, end, secret } : undefined;
}

/** `machine host login user password ...`, as in a .netrc file. */
export function netrcSecret(text: string, start: number, limit: number): FoundSecret | undefined {
  if (!/\blogin\s+\S{1,80}\s+password\s+$/.test(before(text, start))) return undefined;
  return found(text, start, stopAt(text, start, limit, WORD_STOPS), "password");
}

const TOKEN_STOPS = codesOf(`${SPACES}"'\`\\<>,;(){}[]`);
const HEADER_STOPS = codesOf("\n\r\"'`\\");
const SCHEME =
  /(?:bearer|basic|token|digest|negotiate|apikey|api-key|key|bot|oauth|aws4-hmac-sha256)(?:[ \t]|%20|\+){1,4}/iy;

/** Skips the quotes that open a value, with their backslashes. */
function opened(text: string, at: number): number {
  const opening = /\\*["'`]/y;
  opening.lastIndex = at;
  return opening.test(text) ? opening.lastIndex : at;
}

export function authorizationValue(
  text: string,
  from: number,
  limit: number,
): FoundSecret | undefined {
  const value = opened(text, from);
  SCHEME.lastIndex = value;
  const start = SCHEME.test(text) ? SCHEME.lastIndex : value;
  if (/^(?:digest|aws4)/i.test(text.slice(value, value + 6)))
    return headerPairs(text, start, limit);
  return tokenAt(text, start, limit, 8);
}

export function tokenAt(
  text: string,
  start: number,
  limit: number,
  least: number,
): FoundSecret | undefined {
  const end = stopAt(text, start, limit, TOKEN_STOPS);
  const secret = text.slice(start, Math.min(end, start + VALUE_MAX));
  const isOne =
    secret.length >= least && !isPlaceholder(secret) && !/^process\.|^[a-z]+$/.test(secret);
  return isOne ? { start, end, secret } : undefined;
}

/** A sent cookie header as a whole; of `Set-Cookie`, only the value, without its attributes. */
export function cookieValue(
  text: string,
  from: number,
  limit: number,
  isSet: boolean,
): FoundSecret | undefined {
  const start = opened(text, from);
  if (!isSet) return headerPairs(text, start, limit);
  const pair = stopAt(text, start, Math.min(limit, start + 200), codesOf('=\n"\\;'));
  if (text.charAt(pair) !== "=") return undefined;
  return tokenAt(text, pair + 1, limit, 4);
}

/** The rest of a header, if it is a list of `name=value` pairs. */
function headerPairs(text: string, start: number, limit: number): FoundSecret | undefined {
  const end = stopAt(text, start, limit, HEADER_STOPS);
  const secret = text.slice(start, Math.min(end, start + VALUE_MAX)).trimEnd();
  if (MARK.test(secret) || isPlaceholder(secret)) return undefined;
  if (!/^[^\s=;,]{1,200}=[^\s;]{3}/.test(secret)) return undefined;
  return { start, end: start + (end - start > VALUE_MAX ? end - start : secret.length), secret };
}
