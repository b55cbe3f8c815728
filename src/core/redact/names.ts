/**
 * Decides which names (of variables, fields, headers, options) have secret values. Invariants: callers bound the length
 * of a name; `mayBeSecretName` never returns false for a name that `kindOfName` classifies.
 */

/**
 * How strictly the value is examined: a password may be any word, a secret almost any; a token or key has to look
 * generated; a plain `key` or a signature has to look random.
 */
export type NameKind = "password" | "secret" | "token" | "random" | "authorization" | "cookie";

const ENDINGS: readonly string[] = [
  ..."ord swd ase pwd ode ass ret ken key ial als uth ion kie sig ure rer rod dev lue".split(" "),
];
const LAST_THREE = new Uint8Array(1 << 15);
const place = (a: number, b: number, c: number): number =>
  ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
for (const ending of ENDINGS)
  LAST_THREE[place(ending.charCodeAt(0), ending.charCodeAt(1), ending.charCodeAt(2))] = 1;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** A quick test of the last letters of a name that ends before `end`. */
export function mayBeSecretName(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1);
  if (isDigit(last)) {
    let start = end - 1;
    while (start > end - 3 && isDigit(text.charCodeAt(start - 1))) start -= 1;
    return "_-.".includes(text.charAt(start - 1));
  }
  return LAST_THREE[place(text.charCodeAt(end - 3), text.charCodeAt(end - 2), last)] === 1;
}

/** Keys used for lookup or ordering, which are not secret. */
const OPEN_KEYS = new Set(
  (
    "primary foreign public pub cache sort partition row object map index group hot short cut unique i18n translation " +
    "idempotency query lookup hash dict array composite natural surrogate candidate search storage message locale label " +
    "arrow enter escape tab shift ctrl any s3 registry item react list node parent child order filter config data field column"
  ).split(" "),
);
const JOINED_KEY =
  /(?:api|secret|access|private|account|auth|shared|master|signing|encryption|license|app|deploy|service)key$/;
const NO_PASSWORD = /^(?:bypass|compass|trespass|surpass|overpass|underpass|encompass|multipass)$/;
const STAGES = /^(?:base|prod|production|dev|value|\d{1,3})$/;

export function kindOfName(name: string): NameKind | undefined {
  if (/^(?:OLD)?PWD$/.test(name)) return undefined;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  while (words.length > 1 && STAGES.test(words.at(-1) ?? "")) words.pop();
  const last = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  if (/(?:password|passwd|passphrase|passwort|pwd|passcode)$/.test(last)) return "password";
  if (last === "pass") return words.length > 1 ? "password" : undefined;
  if (last.endsWith("pass")) return NO_PASSWORD.test(last) ? undefined : "password";
  if (last.endsWith("secret")) return "secret";
  if (last.endsWith("token") || /^credentials?$/.test(last) || last === "bearer") return "token";
  if (last === "key") return keyKind(before);
  if (JOINED_KEY.test(last)) return "token";
  if (last === "auth" || last === "basicauth") return "token";
  if (last === "authorization") return "authorization";
  if (last === "cookie") return "cookie";
  if (name === "sig" || (last === "signature" && before === "amz")) return "random";
  return undefined;
}

function keyKind(before: string): NameKind | undefined {
  if (before === "") return "random";
  return OPEN_KEYS.has(before) ? undefined : "token";
}

const IN_ENVIRONMENT =
  /(?:^|_)(?:KEY|TOKEN|SECRETS?|PASS|PASSWORD|PASSWD|PASSPHRASE|PWD|CREDENTIALS?|AUTH|COOKIE|DSN)(?:_|$)/i;
/** Suffixes of variables that refer to a secret instead of containing it. */
const ABOUT_ONE =
  /_(?:FILE|PATH|DIR|URL|URI|HOST|NAME|TYPE|TTL|ID|SOCK|COUNT|LIMIT|LENGTH|ALGORITHM|EXPIRY)$/i;

/** Variables whose values are secret wherever they occur. */
export function isSecretVariable(name: string): boolean {
  if (/^(?:OLD)?PWD$/.test(name) || ABOUT_ONE.test(name)) return false;
  return IN_ENVIRONMENT.test(name) || (kindOfName(name) ?? "random") !== "random";
}
