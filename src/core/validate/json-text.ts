/**
 * Finds the JSON in a model's answer: bare, in a fence with or without a language, or in the middle of prose.
 * Invariants: never throws; the size limits below bound the work whatever the text (jsonrepair takes quadratic time on
 * hostile text); nesting beyond the limit is rejected before any recursive code sees it; a `__proto__` key never
 * reaches a value; truncated JSON is never completed, and no part of it is taken for the whole.
 */
import { jsonrepair } from "jsonrepair";
import { closedEnd } from "./closed-json.ts";
import { isTooDeep, parseStrict } from "./strict-json.ts";

export const MAX_ANSWER_CHARS = 1_000_000;

const MAX_REPAIR_CHARS = 32_000;

const MAX_REPAIRS = 3;

const MAX_FENCES = 50;

const MAX_STARTS = 20;

export interface JsonCandidate {
  readonly value: unknown;
  readonly repaired: boolean;
}

interface JsonSearch {
  /** Best first. */
  readonly candidates: readonly JsonCandidate[];
  /** Why the text as a whole is not JSON. */
  readonly error: string;
}

/** Everything in the text that is or can be made JSON, valid parts before repaired ones. */
export function findJson(text: string): JsonSearch {
  const whole = text.trim();
  const bare = parseStrict(whole);
  if (bare.ok) return { candidates: [{ value: bare.value, repaired: false }], error: "" };
  const fenced = fencedTexts(whole);
  const embedded = fenced.concat(whole).flatMap(bracketedTexts).toSorted(objectsThenLongest);
  const strict = [...fenced, ...embedded].flatMap((part) => {
    const parsed = parseStrict(part.trim());
    return parsed.ok ? [{ value: parsed.value, repaired: false }] : [];
  });
  const broken = fenced.concat(whole).map(closedFromFirstBracket);
  const repaired = broken
    .filter((part) => part !== "")
    .slice(0, MAX_REPAIRS)
    .flatMap(repair);
  const candidates = [...strict, ...repaired];
  const isCut = candidates.length === 0 && fenced.concat(whole).some(isCutOff);
  return { candidates, error: isCut ? "it ends before its JSON does" : bare.error };
}

/** Brackets in prose, such as "[sic]", are not broken JSON. */
const MEANT_AS_JSON = /^[[{]\s{0,200}(?:["'[{\d-]|true|false|null|\w{1,60}\s{0,20}:)/;

function repair(text: string): readonly JsonCandidate[] {
  if (!MEANT_AS_JSON.test(text) || text.length > MAX_REPAIR_CHARS || isTooDeep(text)) return [];
  try {
    const parsed = parseStrict(jsonrepair(text));
    return parsed.ok ? [{ value: parsed.value, repaired: true }] : [];
  } catch {
    return [];
  }
}

/** From the first bracket to the one that closes it; empty if none does. */
function closedFromFirstBracket(text: string): string {
  const start = text.search(/[[{]/);
  const end = start < 0 ? undefined : closedEnd(text, start);
  return end === undefined ? "" : text.slice(start, end);
}

function isCutOff(text: string): boolean {
  const start = text.search(/[[{]/);
  return start >= 0 && isCutOffAt(text, start);
}

/** Whether JSON begins here and never ends; anything complete after this point is only a part of it. */
const isCutOffAt = (text: string, start: number): boolean =>
  MEANT_AS_JSON.test(text.slice(start, start + 300)) && closedEnd(text, start) === undefined;

function fencedTexts(text: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; parts.length < MAX_FENCES;) {
    const open = text.indexOf("```", at);
    if (open < 0) break;
    const body = open + 3 + languageChars(text.slice(open + 3, open + 63));
    const close = text.indexOf("```", body);
    const end = close < 0 ? text.length : close;
    parts.push(text.slice(body, end));
    at = end + 3;
  }
  return parts;
}

const languageChars = (line: string): number =>
  /^[\w+#.-]{0,40}[ \t\r]{0,8}\n/.exec(line)?.[0].length ?? 0;

/** The balanced parts of a text that begin with a bracket, respecting strings. */
function bracketedTexts(text: string): readonly string[] {
  const parts: string[] = [];
  let at = 0;
  for (let starts = 0; starts < MAX_STARTS; starts += 1) {
    const offset = text.slice(at).search(/[[{]/);
    if (offset < 0) break;
    const start = at + offset;
    const end = balancedEnd(text, start);
    if (end !== undefined) parts.push(text.slice(start, end));
    else if (isCutOffAt(text, start)) break;
    at = end ?? start + 1;
  }
  return parts;
}

function balancedEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '"') {
      index = stringEnd(text, index);
      if (index < 0) return undefined;
    } else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function stringEnd(text: string, quote: number): number {
  for (let index = quote + 1; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === "\\") index += 1;
    else if (char === '"') return index;
  }
  return -1;
}

function objectsThenLongest(a: string, b: string): number {
  const objects = Number(b.startsWith("{")) - Number(a.startsWith("{"));
  return objects !== 0 ? objects : b.length - a.length;
}
