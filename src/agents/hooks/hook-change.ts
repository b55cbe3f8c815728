/**
 * What installing or uninstalling hooks would change in a settings file, computed before anything is written: a JSON
 * file (comments and trailing commas are accepted), a TOML file, or our own plugin file. Invariants: a file that cannot
 * be parsed is refused, never replaced; everything else in it stays unchanged; installing only inserts whole pieces of
 * text, so removing them restores the file byte for byte; never throws.
 */
import { createScanner, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import type { HookTarget } from "./hook-target.ts";
import type { InstalledPieces } from "./hook-settings.ts";
import { tomlBlock, withoutTomlBlock } from "./toml-block.ts";

export type HookChange =
  | {
      readonly kind: "change";
      /** Undefined: there is, or will be, no file. */
      readonly before: string | undefined;
      readonly after: string | undefined;
      /** The inserted pieces, exactly as in the file. */
      readonly pieces: readonly string[];
    }
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly problem: string };

type IsOurs = (command: string) => boolean;

const refused = (problem: string) => ({ kind: "refused", problem }) as const;

export function installChange(
  target: HookTarget,
  before: string | undefined,
  isOurs: IsOurs,
): HookChange {
  const text = before ?? "";
  const added = (piece: string): HookChange => ({
    ...{ kind: "change", before, after: text + piece, pieces: [piece] },
  });
  switch (target.form) {
    case "plugin":
      if (before === target.text) return { kind: "nothing" };
      return before === undefined
        ? added(target.text)
        : refused("there is another file of that name");
    case "toml":
      if (withoutTomlBlock(text) !== undefined) return { kind: "nothing" };
      return added(tomlBlock(text, target.hooks));
    case "json": {
      if (text.trim() === "")
        return added(`${JSON.stringify({ hooks: listsOf(target.entries) }, null, 2)}\n`);
      if (withoutOne(text, isOurs) !== undefined) return { kind: "nothing" };
      const insertions = hookInsertions(text, target.entries);
      if ("kind" in insertions) return insertions;
      let after = text;
      for (const { at, text: piece } of insertions.toSorted((a, b) => b.at - a.at))
        after = after.slice(0, at) + piece + after.slice(at);
      return { kind: "change", before, after, pieces: insertions.map((one) => one.text) };
    }
  }
}

export function uninstallChange(
  target: HookTarget,
  before: string | undefined,
  installed: InstalledPieces | undefined,
  isOurs: IsOurs,
): HookChange {
  if (before === undefined) return { kind: "nothing" };
  const changed = (after: string | undefined): HookChange => ({
    ...{ kind: "change", before, after, pieces: [] },
  });
  const exact = withoutPieces(before, installed?.pieces ?? []);
  if (exact !== undefined)
    return changed(exact === "" && installed?.created === true ? undefined : exact);
  if (target.form === "plugin")
    return before === target.text
      ? changed(undefined)
      : refused("the file was changed since, or is not ours: remove it yourself");
  const after = target.form === "toml" ? withoutTomlBlock(before) : withoutHooks(before, isOurs);
  return after === undefined ? { kind: "nothing" } : changed(after);
}

function withoutPieces(text: string, pieces: readonly string[]): string | undefined {
  let result = text;
  for (const piece of pieces) {
    const at = result.lastIndexOf(piece);
    if (at < 0) return undefined;
    result = result.slice(0, at) + result.slice(at + piece.length);
  }
  return pieces.length === 0 ? undefined : result;
}

type Entries = Readonly<Record<string, unknown>>;

const listsOf = (entries: Entries): Entries =>
  Object.fromEntries(Object.entries(entries).map(([event, entry]) => [event, [entry]]));

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** One entry for each event, added to its list. */
function hookInsertions(
  text: string,
  entries: Entries,
): readonly Insertion[] | ReturnType<typeof refused> {
  const root = readJson(text);
  if ("kind" in root) return root;
  if (root.type !== "object") return refused("expected an object");
  const put = inserter(text);
  const hooks = memberOf(root, "hooks");
  if (hooks === undefined) return [put(root, [["hooks", listsOf(entries)]])];
  if (hooks.type !== "object") return refused("expected `hooks` to be an object");
  const missing: [string, unknown][] = [];
  const insertions: Insertion[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const list = memberOf(hooks, name);
    if (list === undefined) missing.push([name, [entry]]);
    else if (list.type !== "array") return refused(`expected \`hooks.${name}\` to be a list`);
    else insertions.push(put(list, [["", entry]]));
  }
  if (missing.length > 0) insertions.push(put(hooks, missing));
  return insertions;
}

/**
 * The text without our entries, recognised by their command, and without lists that become empty; undefined if there
 * are none.
 */
function withoutHooks(text: string, isOurs: IsOurs): string | undefined {
  let result: string | undefined;
  for (let next = withoutOne(text, isOurs); next !== undefined; next = withoutOne(next, isOurs))
    result = next;
  return result;
}

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

function readJson(text: string): Node | ReturnType<typeof refused> {
  const fail = (at: number, what: string) =>
    refused(`line ${text.slice(0, at).split("\n").length}: ${what}`);
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
  return root ?? fail(0, "expected a value");
}

/** Checked first because the parser recurses for every bracket. */
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

const endOf = ({ offset, length }: Node): number => offset + length;
const partsOf = (node: Node | undefined): readonly Node[] => node?.children ?? [];
const valueOf = (property: Node | undefined): Node | undefined => property?.children?.[1];

/** If several have the same name, the last counts, as for every JSON reader. */
const propertyOf = (object: Node | undefined, key: string): Node | undefined =>
  object?.type === "object"
    ? partsOf(object).findLast((property) => property.children?.[0]?.value === key)
    : undefined;

const memberOf = (object: Node | undefined, key: string): Node | undefined =>
  valueOf(propertyOf(object, key));

/** Inserts before existing members, after a comment on the line of the bracket. */
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

/** The position after the comments on the rest of the line; `from` itself if anything else follows. */
function behindComments(text: string, from: number): number {
  const comments = /(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n)/y;
  comments.lastIndex = from;
  return comments.test(text) ? comments.lastIndex : from;
}

function withoutOne(text: string, isOurs: IsOurs): string | undefined {
  const root = readJson(text);
  if ("kind" in root) return undefined;
  const hooks = propertyOf(root, "hooks");
  const lists = valueOf(hooks);
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

/** Removes one part with its line and one comma. */
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
