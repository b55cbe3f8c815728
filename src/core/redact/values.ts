/**
 * Whether a value that stands under a secret's name is one: not a placeholder, a type, a word, code or a path.
 * Invariants: linear time, every pattern is over a bounded value; a mark of ours is never a secret.
 */
import type { NameKind } from "./names.ts";

/** How a value stands there. */
export interface Standing {
  readonly quoted: boolean;
  /** `NAME=value` with a name in capitals. */
  readonly variable: boolean;
  /** Between name and value stands `=`. */
  readonly assigned: boolean;
  /** Name and value are the whole line. */
  readonly alone: boolean;
  /** What comes right after it. */
  readonly next: string;
}

const WORDS = new Set(
  (
    "true false null none nil undefined yes no on off required optional string str text number int integer bool boolean bytes any " +
    "unknown void object never symbol varchar char secretstr hidden invalid incorrect wrong missing expired empty unset changed " +
    "changeme change_me example placeholder redacted masked removed prompt input field value default done ok failed passed " +
    "inherit self this new await async return function const let var auto manual ask always enabled disabled basic bearer"
  ).split(" "),
);
const PLACEHOLDER =
  /^(?:\$[A-Za-z_{($]|\$$|%[A-Za-z_]|[<{([]|\*{3}|\.{3}|…|!|#|process\.env|os\.environ|os\.getenv|import\.meta|env[.([]|ENV\[|secrets\.|vault:|op:\/\/|arn:|file:|sha\d+[-:]|\/\/|&)/;
const MADE_UP_WORDS =
  /^(?:your|my|the|some|example|dummy|fake|sample|placeholder|change|replace|insert|enter|todo|put)[-_ ]/i;
const PROSE =
  /\b(?:must|should|is|are|be|the|at least|required|enter|your|please|too|cannot|invalid|incorrect|does|not|for|of|to|has|was)\b/i;
const PATH =
  /^(?:~|\.{1,2})?\/[\w.@ -]{0,200}(?:[/.]|$)|^[A-Za-z]:[\\/]|^[\w@-]{1,100}(?:\/[\w.@-]{1,100}){0,20}\.[a-z]{2,4}$/;
const FILE =
  /^[\w.-]{1,100}\.(?:[cm]?[jt]sx?|py|json|ya?ml|toml|pem|key|txt|env|go|rs|java|rb|sh|md|cfg|ini|crt|conf)$/i;
const CODE = /^[A-Za-z_$][\w$]{0,40}(?:\??\.#?[A-Za-z_$][\w$]{0,40}){1,8}$/;
const IDENTIFIER = /^[A-Za-z_]+$/;
const ABOUT_SECRETS = /pass|pwd|secret|token|key|auth|credential/i;
export const MARK = /^\[secret(?: [a-z0-9]+)?\]/;

export function isSecretUnder(kind: NameKind, value: string, standing: Standing): boolean {
  if (MARK.test(value) || isPlaceholder(value) || WORDS.has(value.toLowerCase())) return false;
  if (!standing.quoted && (standing.next === "(" || CODE.test(value))) return false;
  if (kind === "random") return isRandom(value);
  if (isPath(value)) return false;
  if (kind === "password" || kind === "secret") return isPassword(kind, value, standing);
  return value.length >= 8 && !/\s/.test(value) && looksMadeUp(value);
}

function isPassword(kind: NameKind, value: string, standing: Standing): boolean {
  if (value.length < (kind === "password" ? 3 : 6) || /^\d{1,3}$/.test(value)) return false;
  if (/\d/.test(value) && !/\s/.test(value)) return true;
  if (ABOUT_SECRETS.test(value) && !/[^A-Za-z_ .:'-]/.test(value)) return false;
  if (standing.quoted) return !(/\s/.test(value) && PROSE.test(value));
  if (!IDENTIFIER.test(value)) return true;
  if (standing.assigned)
    return standing.variable || !/[,).[;]/.test(standing.next === "" ? " " : standing.next);
  return standing.alone;
}

/** Holds a digit, capitals inside, or is longer than a name. */
function looksMadeUp(value: string): boolean {
  return /\d/.test(value) || hasInnerCapital(value) || value.length >= 24;
}

function hasInnerCapital(value: string): boolean {
  const small = value.search(/[a-z]/);
  return small >= 0 && /[A-Z]/.test(value.slice(small));
}

const isRandom = (value: string): boolean =>
  value.length >= 20 &&
  /^[A-Za-z0-9+/=_%-]+$/.test(value) &&
  /\d/.test(value) &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  !isPath(value);

export const isPlaceholder = (value: string): boolean =>
  value === "" ||
  PLACEHOLDER.test(value) ||
  /^(.)\1*$/.test(value) ||
  /^[xX*.•#_-]+$/.test(value) ||
  (!/\d/.test(value) && (MADE_UP_WORDS.test(value) || /[-_]here$/i.test(value)));

function isPath(value: string): boolean {
  if (FILE.test(value)) return true;
  if (!PATH.test(value)) return false;
  const isBase64 = value.length >= 32 && /^[A-Za-z0-9+/]+=*$/.test(value) && /\d/.test(value);
  return !(
    isBase64 &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    /[+=]|[A-Z][a-z][A-Z]/.test(value)
  );
}

/** The value of a variable with a secret's name: from eight characters on, unless it is a path or a plain word. */
export const isKnownSecret = (value: string): boolean =>
  value.length >= 8 &&
  !isPlaceholder(value) &&
  !isPath(value) &&
  !/^[A-Za-z]?[a-z]{0,19}$|^[A-Z]{1,20}$/.test(value);
