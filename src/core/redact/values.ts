/**
 * Decides whether the value of a secret name is a secret and not a placeholder, a type, a word, code or a path.
 * Invariants: linear time, with every pattern applied to a bounded value; our own mark is never a secret.
 */
import type { NameKind } from "./names.ts";
import { isPlaceholder, isPath } from "./placeholders.ts";

/** The context of a value. */
interface Standing {
  readonly quoted: boolean;
  /** `NAME=value` with a name in capitals. */
  readonly variable: boolean;
  /** The operator between name and value is `=`. */
  readonly assigned: boolean;
  /** Name and value are the whole line. */
  readonly alone: boolean;
  /** The character right after it. */
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

const PROSE =
  /\b(?:must|should|is|are|be|the|at least|required|enter|your|please|too|cannot|invalid|incorrect|does|not|for|of|to|has|was)\b/i;

const CODE = /^[A-Za-z_$][\w$]{0,40}(?:\??\.#?[A-Za-z_$][\w$]{0,40}){1,8}$/;

const IDENTIFIER = /^[A-Za-z_]+$/;

const ABOUT_SECRETS = /pass|pwd|secret|token|key|auth|credential/i;

export const MARK = /^\[secret(?: [a-z0-9]+)?\]/;

export function isSecretValue(kind: NameKind, value: string, standing: Standing): boolean {
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

/** Contains a digit or inner capitals, or is longer than a name. */
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

/** A secret found in a text. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  /** Identifies the secret: equal for equal secrets, however they are written. */
  readonly secret: string;
  /** The mark has to be put in these quotes, because it replaces a bare number in JSON. */
  readonly quote?: string;
}

/** No value is read further than this; a longer one is redacted whole. */
export const VALUE_MAX = 4096;

/** The last result of `stopAt`, reused when it is called again from inside the same stretch of text. */
const last = { text: "", stops: new Uint8Array(0), limit: 0, at: 0, end: 0 };

/** The first of `stops` at or after `at`, or `limit`. */
export function stopAt(text: string, at: number, limit: number, stops: Uint8Array): number {
  if (last.stops === stops && last.limit === limit && at >= last.at && at <= last.end)
    if (last.text === text) return last.end;
  let end = at;
  while (end < limit) {
    const code = text.charCodeAt(end);
    if (code < 128 && stops[code] === 1) break;
    end += 1;
  }
  if (end - at > 64) Object.assign(last, { text, stops, limit, at, end });
  return end;
}

export function codesOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

export const SPACES = " \t\r\n\0";

/** The characters of names, options and keys. */
export const WORD_CODES = codesOf(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.",
);
