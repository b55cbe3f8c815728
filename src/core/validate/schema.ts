/**
 * Compiles and applies a JSON Schema from outside. Invariants: never throws (an unusable schema is returned as an
 * error); nothing is fetched, so an external `$ref` is an error; formats are not checked; complaints are few and say
 * where and what.
 */
import { Ajv, type ErrorObject, type KeywordDefinition, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isRecord } from "../defined.ts";
import { cleanLine } from "../foreign-text.ts";

type JsonSchema = boolean | Readonly<Record<string, unknown>>;

export interface Complaint {
  /** JSON pointer into the value; empty for the value itself. */
  readonly place: string;
  readonly problem: string;
  readonly suggestion: string;
}

export type SchemaCheck = (value: unknown) => readonly Complaint[];

type CompiledSchema =
  | { readonly ok: true; readonly check: SchemaCheck }
  | { readonly ok: false; readonly schemaError: string };

const MAX_COMPLAINTS = 5;

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  logger: false,
  verbose: true,
  code: { regExp: Object.assign(guardedPattern, { code: "guardedPattern" }) },
};

/** Ajv compares every pair of items, which takes quadratic time; this compares their JSON texts. */
const UNIQUE_ITEMS: KeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: (wanted: boolean, items: readonly unknown[]) =>
    !wanted || new Set(items.map((item) => JSON.stringify(item))).size === items.length,
  error: { message: "must not hold the same item twice" },
};

export function compileSchema(schema: unknown): CompiledSchema {
  if (!isSchema(schema))
    return { ok: false, schemaError: "expected a JSON Schema: an object or true or false" };
  try {
    const validate = engineFor(schema).compile(withoutDialect(schema));
    return {
      ok: true,
      check: (value) => {
        try {
          if (validate(value)) return [];
          return (validate.errors ?? []).slice(0, MAX_COMPLAINTS).map(complaint);
        } catch {
          return [
            {
              place: "",
              problem: "the answer cannot be checked",
              suggestion: "Nest it less deeply.",
            },
          ];
        }
      },
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : "unusable";
    return { ok: false, schemaError: cleanLine(message, 300) };
  }
}

/** Why a schema is unusable, with the place in it; undefined if it is usable. */
export function schemaProblem(schema: unknown): Pick<Complaint, "place" | "problem"> | undefined {
  const compiled = compileSchema(schema);
  if (compiled.ok) return undefined;
  const engine = engineFor(isSchema(schema) ? schema : false);
  const [error] =
    isSchema(schema) && engine.validateSchema(withoutDialect(schema)) !== true
      ? (engine.errors ?? [])
      : [];
  if (error === undefined) {
    const reference = /reference (\S{1,200}) from/.exec(compiled.schemaError)?.[1];
    if (reference !== undefined)
      return {
        place: "",
        problem: `it refers to ${cleanLine(reference, 100)}, which is not in it`,
      };
    const isPattern = /regular expression/i.test(compiled.schemaError);
    return {
      place: "",
      problem: isPattern ? "a pattern in it cannot be read" : "it cannot be read",
    };
  }
  const { instancePath, keyword, params, data } = error;
  const wanted = SCHEMA_WORDS[keyword]?.(params) ?? "is not allowed here";
  return { place: cleanLine(instancePath, 300), problem: `${shown(data)} ${wanted}` };
}

const SCHEMA_WORDS: Readonly<Record<string, (params: Params) => string>> = {
  enum: ({ allowedValues }) => `is not one of ${listOf(allowedValues)}`,
  anyOf: () =>
    "is not one of array, boolean, integer, null, number, object, string, or a list of them",
  type: ({ type }) => `should be ${listOf(type)}`,
  minimum: ({ limit }) => `should be at least ${shown(limit)}`,
  minItems: ({ limit }) => `should hold at least ${shown(limit)}`,
  format: () => "is no regular expression",
};

const listOf = (value: unknown): string =>
  Array.isArray(value)
    ? cleanLine(value.map(String).join(", "), 200)
    : cleanLine(String(value), 60);

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "boolean" || isRecord(value);

/** Ajv has one engine for drafts 2019-09 and 2020-12, and one for earlier drafts. */
function engineFor(schema: JsonSchema): Ajv | Ajv2020 {
  const dialect = typeof schema === "object" ? schema["$schema"] : undefined;
  const isNew = typeof dialect === "string" && /\/(?:2019-09|2020-12)\//.test(dialect);
  const engine = isNew ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
  return engine.removeKeyword("uniqueItems").addKeyword(UNIQUE_ITEMS);
}

/** `$async` would turn the check into a promise, which is always truthy. */
function withoutDialect(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const kept = Object.entries(schema).filter(([key]) => key !== "$schema" && key !== "$async");
  return Object.fromEntries(kept);
}

function complaint(error: ErrorObject): Complaint {
  const { instancePath, keyword, params, message = "is not allowed", data } = error;
  const place = cleanLine(instancePath, 120);
  const where = place === "" ? "the answer" : `"${place}"`;
  const problem = `${where} ${cleanLine(message, 160)}`;
  const suggestion =
    SUGGESTION[keyword]?.(where, params, data) ?? `Change ${where}: it ${cleanLine(message, 160)}.`;
  return { place, problem, suggestion };
}

type Params = Readonly<Record<string, unknown>>;

const SUGGESTION: Readonly<
  Record<string, (where: string, params: Params, data: unknown) => string>
> = {
  required: (where, { missingProperty }) =>
    `Add the property ${shown(missingProperty)} to ${where}.`,
  type: (where, { type }, data) => `Make ${where} of type ${shown(type)}, not ${typeName(data)}.`,
  enum: (where, { allowedValues }) => `Make ${where} one of ${shown(allowedValues)}.`,
  const: (where, { allowedValue }) => `Make ${where} exactly ${shown(allowedValue)}.`,
  additionalProperties: (where, { additionalProperty }) =>
    `Remove the property ${shown(additionalProperty)} from ${where}.`,
};

const shown = (value: unknown): string => cleanLine(JSON.stringify(value) ?? "undefined", 200);

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/**
 * A `pattern` is an untrusted regular expression applied to an untrusted answer. One that may backtrack
 * catastrophically, or is too expensive for the length of the text, is skipped, and the text counts as matching (the
 * tool checks its own arguments anyway).
 */
interface GuardedPattern {
  readonly test: (text: string) => boolean;
  /** Distinguishes two patterns. */
  readonly toString: () => string;
}

const MAX_PATTERN_CHARS = 1000;

const MAX_STEPS = 10_000_000;

export function guardedPattern(source: string, flags: string): GuardedPattern {
  const expression = new RegExp(source, flags);
  const repeats = source.length > MAX_PATTERN_CHARS ? undefined : repeatsOf(source);
  const longest = repeats === undefined ? -1 : MAX_STEPS ** (1 / (repeats + 1));
  return {
    test: (text) => text.length > longest || expression.test(text),
    toString: () => String(expression),
  };
}

interface Group {
  /** Contains a repeat or an alternative at any depth, so repeating the group multiplies the ways to match. */
  ambiguous: boolean;
}

const TWO_CHARS = /^\\[^]/;

const CHARACTER_CLASS = /^\[(?:\\[^]|[^\]\\])*\]/;

const GROUP_OPEN = /^\((?:\?(?::|<[A-Za-z]\w*>))?/;

const REPEAT = /^(?:[*+?]|\{\d{1,6}(?:,\d{0,6})?\})\??/;

/** The number of repeats in a pattern; undefined if they are nested, or if it has back references or look-arounds. */
function repeatsOf(source: string): number | undefined {
  const open: Group[] = [{ ambiguous: false }];
  let closed: Group | undefined;
  let repeats = 0;
  for (let rest = source; rest !== "";) {
    if (/^\\[1-9k]|^\(\?[=!]|^\(\?<[=!]/.test(rest)) return undefined;
    const repeat = REPEAT.exec(rest)?.[0];
    const token =
      repeat ?? (TWO_CHARS.exec(rest) ?? CHARACTER_CLASS.exec(rest) ?? GROUP_OPEN.exec(rest))?.[0];
    const char = rest.charAt(0);
    const group = open.at(-1);
    if (group === undefined) return undefined;
    if (repeat !== undefined) {
      if (closed?.ambiguous) return undefined;
      repeats += 1;
      group.ambiguous = true;
    } else if (char === "|") group.ambiguous = true;
    else if (char === "(") open.push({ ambiguous: false });
    closed = char === ")" ? open.pop() : undefined;
    const parent = open.at(-1);
    if (closed?.ambiguous && parent !== undefined) parent.ambiguous = true;
    rest = rest.slice(token?.length ?? 1);
  }
  return repeats;
}
