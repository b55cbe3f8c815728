/**
 * Hooks in a settings file of JSON with comments and trailing commas. Invariants: the file is changed by place and
 * stays as it was everywhere else; putting in only adds whole pieces of text, so that taking these out again gives
 * the file back to the byte; what is not JSON is refused with its line; never throws.
 */
import { createScanner, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";

export interface Insertion {
  readonly at: number;
  readonly text: string;
}

export type Inserting =
  | { readonly ok: true; readonly insertions: readonly Insertion[] }
  | { readonly ok: false; readonly problem: string };

/** For each event the one entry that is added to its list. */
export function hookInsertions(
  text: string,
  entries: Readonly<Record<string, unknown>>,
): Inserting {
  const reading = readJson(text);
  if (!reading.ok) return reading;
  const { root } = reading;
  if (root.type !== "object") return no("expected an object");
  const put = inserter(text);
  const hooks = memberOf(root, "hooks");
  if (hooks === undefined) {
    const lists = Object.fromEntries(Object.entries(entries).map(([name, one]) => [name, [one]]));
    return { ok: true, insertions: [put(root, [["hooks", lists]])] };
  }
  if (hooks.type !== "object") return no("expected `hooks` to be an object");
  const missing: [string, unknown][] = [];
  const insertions: Insertion[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const list = memberOf(hooks, name);
    if (list === undefined) missing.push([name, [entry]]);
    else if (list.type !== "array") return no(`expected \`hooks.${name}\` to be a list`);
    else insertions.push(put(list, [["", entry]]));
  }
  if (missing.length > 0) insertions.push(put(hooks, missing));
  return { ok: true, insertions };
}

export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  let result = text;
  for (const { at, text: piece } of [...insertions].sort((a, b) => b.at - a.at))
    result = result.slice(0, at) + piece + result.slice(at);
  return result;
}

/**
 * The text without our entries, which are known by their command; lists that are empty then go with them. Undefined
 * where it holds none or is not JSON.
 */
export function withoutHooks(
  text: string,
  isOurs: (command: string) => boolean,
): string | undefined {
  let result = text;
  for (let changed = false; ; changed = true) {
    const next = withoutOne(result, isOurs);
    if (next === undefined) return changed ? result : undefined;
    result = next;
  }
}

export function holdsHooks(text: string, isOurs: (command: string) => boolean): boolean {
  return withoutOne(text, isOurs) !== undefined;
}

type JsonReading =
  { readonly ok: true; readonly root: Node } | { readonly ok: false; readonly problem: string };

const MAX_DEPTH = 100;

const BEHIND_END = "something stands behind the end";

const PROBLEMS: Readonly<Record<string, string>> = {
  PropertyNameExpected: "expected a name in quotes",
  ValueExpected: "expected a value",
  ColonExpected: "expected a colon",
  CommaExpected: "expected a comma",
  CloseBraceExpected: "expected a comma or }",
  CloseBracketExpected: "expected a comma or ]",
  EndOfFileExpected: BEHIND_END,
  UnexpectedEndOfComment: "a comment has no end",
  UnexpectedEndOfString: "a string has no end",
  InvalidUnicode: "a string is not valid",
  InvalidEscapeCharacter: "a string is not valid",
  InvalidCharacter: "a string is not valid",
};

function readJson(text: string): JsonReading {
  const fail = (at: number, what: string): JsonReading => {
    const line = text.slice(0, at).split("\n").length;
    return { ok: false, problem: `line ${line}: ${what}` };
  };
  const withoutMark = text.replace(/^\ufeff/, " ");
  const deep = firstTooDeep(withoutMark);
  if (deep !== undefined) return fail(deep, "nested too deep");
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const isBehind = root !== undefined && first.offset >= endOf(root);
    const what = isBehind ? BEHIND_END : PROBLEMS[printParseErrorCode(first.error)];
    return fail(first.offset, what ?? "this is not JSON");
  }
  return root === undefined ? fail(0, "expected a value") : { ok: true, root };
}

/** The parser calls itself for every bracket. */
function firstTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (;;) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    if (at >= text.length) return undefined;
    if ("{[".includes(text.charAt(at))) depth += 1;
    if ("}]".includes(text.charAt(at))) depth -= 1;
    if (depth > MAX_DEPTH) return at;
  }
}

const no = (problem: string): Inserting => ({ ok: false, problem });
const endOf = ({ offset, length }: Node): number => offset + length;
const partsOf = (node: Node | undefined): readonly Node[] => node?.children ?? [];
const keyOf = (property: Node): unknown => property.children?.[0]?.value;
const valueOf = (property: Node): Node | undefined => property.children?.[1];

/** Of several with one name the last counts, as for everybody who reads JSON. */
const propertyOf = (object: Node | undefined, key: string): Node | undefined =>
  object?.type === "object"
    ? partsOf(object).findLast((property) => keyOf(property) === key)
    : undefined;

function memberOf(object: Node | undefined, key: string): Node | undefined {
  const property = propertyOf(object, key);
  return property === undefined ? undefined : valueOf(property);
}

/** In front of what is there, behind a comment on the line of the bracket. */
function inserter(text: string) {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return (container: Node, members: readonly (readonly [string, unknown])[]): Insertion => {
    const outer = indentAt(text, container.offset);
    const inner = outer + unit;
    const pieces = members.map(([key, value]) => {
      const lines = JSON.stringify(value, null, unit).replaceAll("\n", newline + inner);
      return inner + (key === "" ? "" : `${JSON.stringify(key)}: `) + lines;
    });
    const body = newline + pieces.join(`,${newline}`);
    const isEmpty = partsOf(container).length === 0;
    return {
      at: behindComments(text, container.offset + 1),
      text: isEmpty ? body + newline + outer : `${body},`,
    };
  };
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Behind the comments on the rest of the line; `from` itself where anything else stands there. */
function behindComments(text: string, from: number): number {
  const comments = /(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n)/y;
  comments.lastIndex = from;
  return comments.test(text) ? comments.lastIndex : from;
}

function withoutOne(text: string, isOurs: (command: string) => boolean): string | undefined {
  const reading = readJson(text);
  if (!reading.ok) return undefined;
  const hooks = propertyOf(reading.root, "hooks");
  const lists = hooks === undefined ? undefined : valueOf(hooks);
  for (const property of partsOf(lists)) {
    const list = valueOf(property);
    const ours = partsOf(list).find((entry) => commandsOf(entry).some(isOurs));
    if (ours === undefined) continue;
    if (partsOf(list).length > 1) return cut(text, ours);
    return cut(text, partsOf(lists).length > 1 ? property : hooks);
  }
  return undefined;
}

const commandsOf = (entry: Node): string[] =>
  partsOf(memberOf(entry, "hooks")).flatMap((hook) => {
    const command: unknown = memberOf(hook, "command")?.value;
    return typeof command === "string" ? [command] : [];
  });

/** One part with its line and one comma. */
function cut(text: string, part: Node | undefined): string {
  if (part === undefined) return text;
  const start = lineBefore(text, part.offset);
  const comma = commaBehind(text, part);
  if (comma !== undefined) return text.slice(0, start) + text.slice(comma + 1);
  const siblings = partsOf(part.parent);
  const previous = siblings[siblings.indexOf(part) - 1];
  const before = previous === undefined ? undefined : commaBehind(text, previous);
  const head =
    before === undefined
      ? text.slice(0, start)
      : text.slice(0, before) + text.slice(before + 1, Math.max(start, before + 1));
  return head + text.slice(endOf(part));
}

function lineBefore(text: string, at: number): number {
  let start = at;
  while (text.charAt(start - 1) === " " || text.charAt(start - 1) === "\t") start -= 1;
  if (text.charAt(start - 1) !== "\n") return at;
  return text.charAt(start - 2) === "\r" ? start - 2 : start - 1;
}

function commaBehind(text: string, part: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(part));
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text.charAt(at) === "," ? at : undefined;
}
