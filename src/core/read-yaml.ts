/**
 * Reads YAML (or JSON) against a zod schema. Each problem has the line and column of the value or key at fault, its
 * path, and a message of our own (`yaml-words.ts`) that says what would be right. Invariants: never throws; the input
 * is bounded; aliases cannot expand without limit.
 */
import { isMap, isScalar, LineCounter, parseDocument, visit } from "yaml";
import type { Alias, Document } from "yaml";
import type { z } from "zod";
import { issueProblems, isUnclosed, syntaxWords, type IssueProblem } from "./yaml-words.ts";

const CHARS_MAX = 1_000_000;

export interface Problem {
  /** 1-based; 0 if unknown. */
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

export type YamlReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

type Place = Pick<Problem, "line" | "column">;
type Path = readonly PropertyKey[];

export interface YamlSource {
  readonly value: unknown;
  /** Line and column of the node at this path, or of its closest existing parent. */
  readonly placeOf: (path: Path) => Place;
  /** Line and column of the last key of this path. */
  readonly placeOfKey: (path: Path) => Place;
}

/** For a value that was parsed elsewhere and has no positions. */
export const withoutPlaces = (value: unknown): YamlSource => ({
  value,
  placeOf: () => ({ line: 0, column: 0 }),
  placeOfKey: () => ({ line: 0, column: 0 }),
});

const refused = (message: string): YamlReading<never> => ({
  ok: false,
  problems: [{ line: 0, column: 0, path: "", message }],
});

export function parseYaml(text: string): YamlReading<YamlSource> {
  if (text.length > CHARS_MAX) return refused("the file is larger than 1 MB: make it smaller");
  const lines = new LineCounter();
  const document = parseDocument(text, {
    ...{ lineCounter: lines, prettyErrors: false, uniqueKeys: false, strict: true },
  });
  // Errors after the first are often only consequences of it.
  const [first] = document.errors;
  if (first !== undefined) {
    const { code, message, pos } = first;
    const at = isUnclosed(message) ? openedBefore(document, pos[0]) : pos[0];
    const problem = { ...placeAt(lines, at), path: "", message: syntaxWords(code, message) };
    return { ok: false, problems: [problem] };
  }
  const misread = [...repeatedKeys(document, lines), ...unknownAliases(document, lines)];
  if (misread.length > 0) return { ok: false, problems: misread };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return {
      ok: true,
      value: {
        value,
        placeOf: (path) => placeIn(document, lines, path),
        placeOfKey: (path) => placeOfKeyIn(document, lines, path),
      },
    };
  } catch {
    return refused("its aliases (*name) stand for too much: write the values out");
  }
}

export function checkYaml<T>(source: YamlSource, schema: z.ZodType<T>): YamlReading<T> {
  const parsed = schema.safeParse(source.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const found = narrowest(parsed.error.issues).flatMap((issue) =>
    issueProblems(schema, source.value, issue),
  );
  // If a misspelt key was meant for a required one, do not report that one as missing too.
  const meant = new Set(
    found.flatMap(({ path, meant }) =>
      meant === undefined ? [] : [String([...path.slice(0, -1), meant])],
    ),
  );
  const problems = found
    .filter(({ path, at }) => at === "key" || !meant.has(String(path)))
    .map((problem) => placed(source, problem));
  return { ok: false, problems };
}

/** One problem per value: a wrong type takes precedence over limits, and the last of several limits is reported. */
function narrowest(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const byPath = new Map<string, z.core.$ZodIssue>();
  for (const issue of issues) {
    const path = JSON.stringify(issue.path);
    const { code = issue.code } = byPath.get(path) ?? {};
    if (code === issue.code) byPath.set(path, issue);
  }
  return [...byPath.values()];
}

const placed = (source: YamlSource, { path, message, at }: IssueProblem): Problem => ({
  ...(at === "key" ? source.placeOfKey(path) : source.placeOf(path)),
  path: path.map(String).join("."),
  message,
});

/** The start of the innermost quote or bracket still open at this offset. */
function openedBefore(document: Document, offset: number): number {
  let found = offset;
  const take = (range: readonly number[] | null | undefined): void => {
    const [start = offset, end = 0] = range ?? [];
    if (start < offset && end >= offset) found = start;
  };
  visit(document, {
    Collection(_, { flow, range }) {
      if (flow === true) take(range);
    },
    Scalar(_, { type, range }) {
      if (type?.startsWith("QUOTE") === true) take(range);
    },
  });
  return found;
}

/** `*name` without a preceding `&name`: usually a glob that needs quotes. */
function unknownAliases(document: Document, lines: LineCounter): Problem[] {
  const marked = new Set<string>();
  const aliases: Alias[] = [];
  visit(document, {
    Value(_, { anchor }) {
      if (anchor !== undefined) marked.add(anchor);
    },
    Alias(_, alias) {
      aliases.push(alias);
    },
  });
  return aliases
    .filter(({ source }) => !marked.has(source))
    .map(({ source, range }) => ({
      ...placeAt(lines, range?.[0] ?? 0),
      path: "",
      message: `put *${source} in quotes: text that begins with * has another meaning`,
    }));
}

/** Keys that appear twice in one map; the second would silently win. */
function repeatedKeys(document: Document, lines: LineCounter): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Map<string, number>();
      for (const { key } of items) {
        if (!isScalar(key) || key.range == null) continue;
        const name = String(key.value);
        const place = placeAt(lines, key.range[0]);
        const before = seen.get(name);
        if (before === undefined) seen.set(name, place.line);
        else
          problems.push({
            ...place,
            path: "",
            message: `${JSON.stringify(name)} is set twice, first on line ${before}: keep one of them`,
          });
      }
    },
  });
  return problems;
}

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

function placeOfKeyIn(document: Document, lines: LineCounter, path: Path): Place {
  const above = path.slice(0, -1);
  const map: unknown = above.length === 0 ? document.contents : document.getIn(above, true);
  const pair = isMap(map)
    ? map.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)))
    : undefined;
  const start = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
  return start === undefined ? placeIn(document, lines, path) : placeAt(lines, start);
}
