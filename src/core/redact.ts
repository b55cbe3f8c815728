/**
 * Takes secrets out of text before it is kept or shown (U12): by shape, by the name they are assigned to, and by value where the
 * user's own environment holds them. Imports nothing. Invariants: never throws; linear time (every repeat is bounded or over one
 * class); the words around a secret stay, so that a failure is still understood.
 */

export const REDACTED = "[redacted]";

/** Tokens that are known by how they begin. */
const TOKENS = new RegExp(
  [
    /\bsk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{16,300}/,
    /\b(?:gh[opsur]_|github_pat_)[A-Za-z0-9_]{20,300}/,
    /\bgl(?:pat|cbt|dt|rt)-[A-Za-z0-9_-]{16,300}/,
    /\bxox[abeoprs]-[A-Za-z0-9-]{10,300}/,
    /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
    /\bAIza[A-Za-z0-9_-]{30,60}/,
    /\bya29\.[A-Za-z0-9_-]{20,500}/,
    /\b(?:npm|hf|r8|gsk|pplx|fw|tvly|lin_api|dop_v1)[-_][A-Za-z0-9]{20,200}/,
    /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}/,
    /\beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g;
const AUTHORIZATION =
  /\b((?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)?\s{0,4})[A-Za-z0-9+/=._~-]{8,4000}/gi;
const BEARER = /\b(bearer\s{1,4})[A-Za-z0-9+/=._~-]{16,4000}/gi;
const IN_ADDRESS = /(:\/\/[^\s/:@"']{0,200}:)[^\s/@"']{1,300}@/g;
/** `API_KEY=...`, `"password": "..."`, `client-secret: ...`: a name that ends so, then a value that is not itself a name or a mask. */
const ASSIGNED =
  /((?:(?:api|access|private)[_-]?key|secret(?:[_-]?key)?|password|passwd|credentials?|token)["']?\s{0,4}[:=]\s{0,4}["']?)(?!\[redacted\])([^\s"',;&<>(){}[\]]{8,500})/gi;

/** What a token that is known by how it begins has in it: a look that saves most texts the pattern. */
const TOKEN_BEGINNINGS: readonly string[] = [
  ...["sk-", "gho_", "ghp_", "ghs_", "ghu_", "ghr_", "github_pat_"],
  ...["glpat-", "glcbt-", "gldt-", "glrt-", "xox", "AKIA", "ASIA", "AIza", "ya29."],
  ...["npm-", "npm_", "hf-", "hf_", "r8-", "r8_", "gsk-", "gsk_", "pplx", "fw-", "fw_", "tvly"],
  ...["lin_api", "dop_v1", "k_live_", "k_test_", "eyJ"],
];
/** In lower case; one of them is in each name that says it. */
const NAME_PIECES: readonly string[] = ["key", "secret", "passw", "token", "credential"];

const hasOne = (text: string, pieces: readonly string[]): boolean =>
  pieces.some((piece) => text.includes(piece));

/** `mark`: what stands for a secret that is taken out. */
export function redactor(
  secrets: readonly string[],
  mark: (secret: string) => string = () => REDACTED,
): (text: string) => string {
  const values = [...new Set(secrets)].filter(isSecretValue).sort((a, b) => b.length - a.length);
  const afterStart = (whole: string, start: string): string =>
    start + mark(whole.slice(start.length));
  return (text) => {
    let clean = text;
    for (const value of values) clean = clean.replaceAll(value, mark);
    const lower = clean.toLowerCase();
    if (clean.includes("-----BEGIN ")) clean = clean.replace(PRIVATE_KEY, (secret) => mark(secret));
    if (lower.includes("authorization")) clean = clean.replace(AUTHORIZATION, afterStart);
    if (lower.includes("bearer")) clean = clean.replace(BEARER, afterStart);
    if (clean.includes("://"))
      clean = clean.replace(
        IN_ADDRESS,
        (whole, start: string) => `${afterStart(whole.slice(0, -1), start)}@`,
      );
    if (hasOne(clean, TOKEN_BEGINNINGS)) clean = clean.replace(TOKENS, (secret) => mark(secret));
    if (hasOne(lower, NAME_PIECES))
      clean = clean.replace(ASSIGNED, (whole, start: string, value: string) =>
        looksSecret(value) ? afterStart(whole, start) : whole,
      );
    return clean;
  };
}

/** Names of environment variables whose values are never to be kept. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

export const secretsOf = (environment: Readonly<Record<string, string>>): string[] =>
  Object.entries(environment).flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : []));

const isSecretValue = (value: string): boolean => value.length >= 8 && looksSecret(value);

/** A value a person or machine made up: not a path, not one word of letters, not the name of a variable or type. */
function looksSecret(value: string): boolean {
  if (/^[./~]|^[A-Za-z]:\\/.test(value)) return false;
  if (/^\$|^process\.env|^os\.environ|^%/.test(value)) return false;
  return value.length >= 24 || /\d/.test(value) || /[A-Z].*[a-z].*[A-Z]/.test(value);
}

/** Fields by which things are found again: ours, never an agent's words. */
const NAMES: ReadonlySet<string> = new Set([
  ...["kind", "subtask", "slot", "identity", "session", "signature"],
  ...["treeBefore", "treeAfter", "commit", "checkpoint"],
]);

/** Every text inside a value, whatever it is made of, but for names. */
export function redactDeep<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === "string") return redact(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => redactDeep(item, redact)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      NAMES.has(name) ? (item as unknown) : redactDeep(item as unknown, redact),
    ]),
  ) as T;
}
