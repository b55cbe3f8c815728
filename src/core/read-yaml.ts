/**
 * Reads YAML (or JSON) against a zod schema; every problem names its line, its path and what would be right.
 * Invariants: never throws; bounded input; aliases cannot explode.
 */
import { LineCounter, parseDocument, type Document } from "yaml";
import type { z } from "zod";
import { nearestName } from "./validate/nearest-name.ts";

const CHARS_MAX = 1_000_000;

export interface Problem {
  /** 1-based; 0 where no place is known. */
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

export type YamlReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface YamlSource {
  readonly value: unknown;
  /** Line and column of the node at this path, or of its nearest parent. */
  readonly placeOf: (path: readonly PropertyKey[]) => Pick<Problem, "line" | "column">;
}

const refused = (message: string): YamlReading<never> => ({
  ok: false,
  problems: [{ line: 0, column: 0, path: "", message }],
});

export function parseYaml(text: string): YamlReading<YamlSource> {
  if (text.length > CHARS_MAX) return refused("the file is too large");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos: [start], message }) => ({
      ...placeAt(lines, start),
      ...{ path: "", message },
    }));
    return { ok: false, problems };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { ok: true, value: { value, placeOf: (path) => placeIn(document, lines, path) } };
  } catch (error) {
    return refused(error instanceof Error ? error.message : "unreadable");
  }
}

export function checkYaml<T>(source: YamlSource, schema: z.ZodType<T>): YamlReading<T> {
  const parsed = schema.safeParse(source.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(source, issue));
  return { ok: false, problems };
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function problemsOf(source: YamlSource, issue: Issue): Problem[] {
  const problem = (path: Path, message: string): Problem => ({
    ...source.placeOf(path),
    path: path.map(String).join("."),
    message,
  });
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) =>
      problem([...issue.path, key], `unknown setting ${JSON.stringify(key)}`),
    );
  if (issue.code === "invalid_union") {
    const inner = closest(issue.errors);
    if (inner !== undefined)
      return problemsOf(source, { ...inner, path: [...issue.path, ...inner.path] });
  }
  if (issue.code !== "invalid_value") return [problem(issue.path, issue.message)];
  const given = valueAt(source.value, issue.path);
  const names = issue.values.map(String);
  const near = typeof given === "string" ? nearestName(given, names) : undefined;
  const hint =
    near === undefined ? `one of ${names.slice(0, 12).join(", ")}` : `did you mean ${near}?`;
  const wrong = JSON.stringify(given) ?? "nothing";
  return [problem(issue.path, `${wrong} is not allowed here: ${hint}`)];
}

/** Of several forms a value could have had, the one it came closest to: a wrong word tells more than a wrong type. */
function closest(branches: readonly (readonly Issue[])[]): Issue | undefined {
  const first = branches.flatMap((issues) => issues.slice(0, 1));
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

type Place = Pick<Problem, "line" | "column">;

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col: column } = lines.linePos(offset);
  return { line, column };
}

function placeIn(document: Document, lines: LineCounter, path: Path): Place {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown =
      length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range =
      typeof node === "object" && node !== null ? (node as { range?: number[] }).range : undefined;
    if (range?.[0] !== undefined) return placeAt(lines, range[0]);
  }
  return { line: 1, column: 1 };
}
