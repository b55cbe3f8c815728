/**
 * Error messages for YAML files: our own wording for what the YAML parser and the schema checker report, never theirs.
 * Invariants: every message says what is wrong and, if known, what to write instead; values from the file are
 * shortened.
 */
import type { z } from "zod";
import { defined } from "./defined.ts";
import { cleanLine } from "./foreign-text.ts";
import { nearestName } from "./validate/nearest-name.ts";

const SYNTAX: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "this line is indented with a tab: use spaces",
  BAD_INDENT: "this line is not indented like the lines it belongs to",
  BLOCK_AS_IMPLICIT_KEY:
    'text with ": " in it needs quotes; if this is a setting, check the indentation of its line',
  MULTILINE_IMPLICIT_KEY: 'a ":" is missing after this key, or a quote is missing in this text',
  BLOCK_IN_FLOW: "inside [ ] and { } everything has to stay in that form",
  BAD_SCALAR_START: "text that begins with this character needs quotes around it",
  BAD_ALIAS: "text that begins with * needs quotes around it",
  BAD_DQ_ESCAPE: "a \\ in double quotes begins an escape: write \\\\, or use single quotes",
  MULTIPLE_DOCS: "a second document begins here: keep one, without --- between",
  KEY_OVER_1024_CHARS: "this key is too long, or a closing quote is missing",
  UNEXPECTED_TOKEN: "this does not belong here: look for a missing quote, comma or bracket",
};

export function syntaxWords(code: string, message: string): string {
  const bracket = /end with a ([\]}])/.exec(message)?.[1];
  if (bracket !== undefined) return `this bracket is not closed: add ${bracket}`;
  if (code !== "MISSING_CHAR") return SYNTAX[code] ?? "this cannot be read as YAML";
  if (/quote/.test(message)) return "this quote is not closed";
  return /^Implicit/.test(message)
    ? 'a ":" is missing after this key'
    : "a comma, colon or space is missing here";
}

/** The parser reports it at the end of the file, but it has to be fixed where it starts. */
export const isUnclosed = (message: string): boolean => /quote|end with a [\]}]/.test(message);

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];
type Schema = z.core.$ZodType;

export interface IssueProblem {
  readonly path: Path;
  readonly message: string;
  /** Whether the problem is positioned at the key or at its value. */
  readonly at: "key" | "value";
  /** The key that was most likely intended. */
  readonly meant?: string;
}

export function issueProblems(schema: Schema, value: unknown, issue: Issue): IssueProblem[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, path);
    return issue.keys.map((key) => {
      const meant = nearestName(key, known);
      const hint = meant === undefined ? listed(known) : `: did you mean ${meant}?`;
      const message = `unknown setting ${shown(key)}${hint}`;
      return { path: [...path, key], at: "key", message, ...defined({ meant }) };
    });
  }
  if (issue.code === "invalid_union") {
    const inner = closest(issue.errors);
    if (inner !== undefined)
      return issueProblems(schema, value, { ...inner, path: [...path, ...inner.path] });
  }
  const given = valueAt(value, path);
  const isOfText =
    (issue.code === "invalid_type" && issue.expected === "string") ||
    (issue.code === "too_small" && issue.origin === "string");
  const meaning = isOfText ? meaningAt(schema, path) : undefined;
  const message = `${wordsOf(issue, given)}${meaning === undefined ? "" : ` (${meaning})`}`;
  return [{ path, message, at: issue.code === "invalid_key" ? "key" : "value" }];
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "settings (name: value)",
  record: "settings (name: value)",
};

function wordsOf(issue: Issue, given: unknown): string {
  switch (issue.code) {
    case "invalid_type": {
      const wanted = TYPES[issue.expected] ?? issue.expected;
      if (given === undefined) return `is missing: expected ${wanted}`;
      const listed = issue.expected === "array" && typeof given === "string";
      return `expected ${wanted}, got ${shown(given)}${listed ? `: write [${shown(given)}]` : ""}`;
    }
    case "too_small":
      if (issue.origin === "string") return "is empty";
      if (issue.origin === "array") return `is empty: list at least ${number(issue.minimum)}`;
      return `must be ${issue.inclusive === true ? "at least" : "more than"} ${number(issue.minimum)}, got ${shown(given)}`;
    case "too_big":
      if (issue.origin === "string") return `is longer than ${number(issue.maximum)} characters`;
      if (issue.origin === "array") return `has more than ${number(issue.maximum)} entries`;
      return `must be ${issue.inclusive === true ? "at most" : "less than"} ${number(issue.maximum)}, got ${shown(given)}`;
    case "invalid_value": {
      const names = issue.values.map(String);
      const near = typeof given === "string" ? nearest(given, names) : undefined;
      return `${shown(given)} is not allowed here${near ?? `: one of ${names.slice(0, 12).join(", ")}`}`;
    }
    case "custom":
      return `${shown(given)} is not allowed here: ${issue.message}`;
    case "invalid_format":
      // Without a message of our own, only the library's default is available: omit it.
      return `${shown(given)} is not allowed here${issue.message.startsWith("Invalid") ? "" : `: ${issue.message}`}`;
    case "invalid_key":
      return `this name is not allowed: ${issue.issues[0]?.message ?? "use letters and digits"}`;
    default:
      return `${shown(given)} is not allowed here`;
  }
}

const number = (amount: number | bigint): string => amount.toLocaleString("en-US");

const nearest = (asked: string, names: readonly string[]): string | undefined => {
  const near = nearestName(asked, names);
  return near === undefined ? undefined : `: did you mean ${near}?`;
};

const listed = (names: readonly string[]): string =>
  names.length === 0 ? "" : `: known are ${names.slice(0, 20).join(", ")}`;

const shown = (value: unknown): string => cleanLine(JSON.stringify(value) ?? "nothing", 80);

/** Of several allowed forms, the issue of the closest one: a wrong word says more than a wrong type. */
function closest(branches: readonly (readonly Issue[])[]): Issue | undefined {
  const first = branches.flatMap((issues) => {
    const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
    return issue === undefined ? [] : [issue];
  });
  return (
    first.find(({ code }) => code !== "invalid_type") ??
    first.toSorted((a, b) => b.path.length - a.path.length)[0]
  );
}

function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path)
    found = typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined;
  return found;
}

/** The parts of a zod schema definition that are read here. */
interface Definition {
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
}

const definitionOf = (schema: Schema): Definition => schema._zod.def as Definition;

/** The schemas allowed at this path, with optional and union wrappers still in place. */
function schemasAt(schema: Schema, path: Path): readonly Schema[] {
  let open: readonly Schema[] = [schema];
  for (const key of path)
    open = open.flatMap(withoutWrapping).flatMap((one) => {
      const { shape, element, valueType } = definitionOf(one);
      const inner = shape === undefined ? (element ?? valueType) : shape[String(key)];
      return inner === undefined ? [] : [inner];
    });
  return open;
}

/** The schemas inside optional wrappers and unions. */
function withoutWrapping(schema: Schema): readonly Schema[] {
  const { innerType, options } = definitionOf(schema);
  if (innerType !== undefined) return withoutWrapping(innerType);
  return options === undefined ? [schema] : options.flatMap(withoutWrapping);
}

const keysAt = (schema: Schema, path: Path): readonly string[] => [
  ...new Set(
    schemasAt(schema, path)
      .flatMap(withoutWrapping)
      .flatMap((one) => Object.keys(definitionOf(one).shape ?? {})),
  ),
];

function meaningAt(schema: Schema, path: Path): string | undefined {
  const found = schemasAt(schema, path).map((one) => (one as z.ZodType).description);
  return path.length === 0 ? undefined : found.find((words) => words !== undefined);
}
