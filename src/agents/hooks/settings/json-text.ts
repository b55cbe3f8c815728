/**
 * JSON with comments and trailing commas as a tree of places in its text, so that a settings file can be changed
 * at one place and stay as it was everywhere else. Invariants: never throws; depth is bounded; what is not JSON is
 * refused with its line.
 */

export interface JsonNode {
  readonly kind: "object" | "array" | "string" | "other";
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  /** Of an object or an array, in order; `key` and `keyStart` in objects only. */
  readonly parts: readonly JsonPart[];
  /** Of a string. */
  readonly value: string;
}

export interface JsonPart {
  readonly key: string;
  /** Where the key, or else the value, begins. */
  readonly start: number;
  readonly node: JsonNode;
}

export type JsonReading =
  { readonly ok: true; readonly root: JsonNode } | { readonly ok: false; readonly problem: string };

const MAX_DEPTH = 100;
const SPACE = /[\s\ufeff]/;
const PLAIN = /[^\s,:[\]{}"/]/;

/** A place in a text that moves on. */
interface Cursor {
  readonly text: string;
  at: number;
}

class Fault extends Error {}

export function readJsonText(text: string): JsonReading {
  const cursor: Cursor = { text, at: 0 };
  try {
    pass(cursor);
    const root = readValue(cursor, 0);
    pass(cursor);
    if (cursor.at < text.length) fail(cursor, "something stands behind the end");
    return { ok: true, root };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, problem: error.message };
    throw error;
  }
}

function fail({ text, at }: Cursor, what: string): never {
  throw new Fault(`line ${text.slice(0, at).split("\n").length}: ${what}`);
}

const charAt = ({ text, at }: Cursor): string => text.charAt(at);

/** Over space and comments. */
function pass(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    if (cursor.at < text.length && SPACE.test(charAt(cursor))) cursor.at += 1;
    else if (text.startsWith("//", cursor.at)) cursor.at = lineEnd(text, cursor.at);
    else if (text.startsWith("/*", cursor.at)) {
      const end = text.indexOf("*/", cursor.at + 2);
      cursor.at = end < 0 ? fail(cursor, "a comment has no end") : end + 2;
    } else return;
  }
}

function readValue(cursor: Cursor, depth: number): JsonNode {
  const char = charAt(cursor);
  if (char === "{") return readContainer(cursor, "object", depth);
  if (char === "[") return readContainer(cursor, "array", depth);
  if (char === '"') return readString(cursor);
  const start = cursor.at;
  while (cursor.at < cursor.text.length && PLAIN.test(charAt(cursor))) cursor.at += 1;
  if (cursor.at === start) fail(cursor, "expected a value");
  return { kind: "other", start, end: cursor.at, parts: [], value: "" };
}

function readContainer(cursor: Cursor, kind: "object" | "array", depth: number): JsonNode {
  if (depth > MAX_DEPTH) fail(cursor, "nested too deep");
  const close = kind === "object" ? "}" : "]";
  const start = cursor.at;
  const parts: JsonPart[] = [];
  cursor.at += 1;
  for (pass(cursor); charAt(cursor) !== close; pass(cursor)) {
    const begin = cursor.at;
    const key = kind === "object" ? readKey(cursor) : "";
    parts.push({ key, start: begin, node: readValue(cursor, depth + 1) });
    pass(cursor);
    if (charAt(cursor) === ",") cursor.at += 1;
    else if (charAt(cursor) !== close) fail(cursor, `expected a comma or ${close}`);
  }
  cursor.at += 1;
  return { kind, start, end: cursor.at, parts, value: "" };
}

function readKey(cursor: Cursor): string {
  if (charAt(cursor) !== '"') fail(cursor, "expected a name in quotes");
  const { value } = readString(cursor);
  pass(cursor);
  if (charAt(cursor) !== ":") fail(cursor, "expected a colon");
  cursor.at += 1;
  pass(cursor);
  return value;
}

function readString(cursor: Cursor): JsonNode {
  const { text, at: start } = cursor;
  for (cursor.at += 1; charAt(cursor) !== '"'; cursor.at += 1) {
    if (cursor.at >= text.length || charAt(cursor) === "\n") fail(cursor, "a string has no end");
    if (charAt(cursor) === "\\") cursor.at += 1;
  }
  cursor.at += 1;
  try {
    const value = JSON.parse(text.slice(start, cursor.at)) as string;
    return { kind: "string", start, end: cursor.at, parts: [], value };
  } catch {
    return fail(cursor, "a string is not valid");
  }
}

export const memberOf = ({ parts }: JsonNode, key: string): JsonPart | undefined =>
  parts.findLast((part) => part.key === key);

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Behind the comments that stand on the rest of the line; `from` itself where anything else does. */
export function restOfLine(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (text.charAt(at) === " " || text.charAt(at) === "\t") at += 1;
    if (text.startsWith("//", at)) return lineEnd(text, at) - (crBefore(text, at) ? 1 : 0);
    const end = text.startsWith("/*", at) ? text.indexOf("*/", at) + 2 : -1;
    if (end < 2 || text.slice(at, end).includes("\n")) break;
    at = end;
  }
  return text.charAt(at) === "\n" || text.startsWith("\r\n", at) ? at : from;
}

const crBefore = (text: string, at: number): boolean => text.charAt(lineEnd(text, at) - 1) === "\r";
