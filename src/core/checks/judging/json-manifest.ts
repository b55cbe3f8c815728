/**
 * Steering keys of JSON manifests (package.json, tsconfig.json, ...): reads them and puts the base's back.
 * Comments and trailing commas are understood. Invariants: never throws; linear time; keys that do not steer keep
 * value and order.
 */
import { parseStrict } from "../../validate/json-text.ts";

export type Fields = Record<string, unknown>;
/** Where a steering value stands: one key, or a key in the object of another. */
export type KeyPath = readonly [string] | readonly [string, string];

/** Undefined: no JSON object. */
export function readFields(text: string): Fields | undefined {
  const bare = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const strict = parseStrict(bare);
  const parsed = strict.ok ? strict : parseStrict(withoutComments(bare));
  return parsed.ok ? fields(parsed.value) : undefined;
}

const fields = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;

function valueAt(from: Fields, [key, inner]: KeyPath): unknown {
  const value = Object.hasOwn(from, key) ? from[key] : undefined;
  if (inner === undefined) return value;
  const within = fields(value);
  return within !== undefined && Object.hasOwn(within, inner) ? within[inner] : undefined;
}

/** The steering values in a form that can be compared. */
export const steeringValues = (from: Fields, keys: readonly KeyPath[]): string =>
  keys
    .flatMap((path) => {
      const value = valueAt(from, path);
      return value === undefined
        ? []
        : [`${JSON.stringify(path)}: ${JSON.stringify(sorted(value))}`];
    })
    .join("\n");

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  const inner = fields(value);
  return inner === undefined
    ? value
    : Object.fromEntries(
        Object.keys(inner)
          .sort()
          .map((key) => [key, sorted(inner[key])]),
      );
}

/** The text of `now` with the base's values at these keys. */
export function withValuesOf(
  base: Fields,
  now: Fields,
  keys: readonly KeyPath[],
  text: string,
): string {
  const result: Fields = { ...now };
  for (const path of keys) {
    const [key, inner] = path;
    const value = valueAt(base, path);
    if (inner === undefined) {
      if (value === undefined) delete result[key];
      else result[key] = value;
      continue;
    }
    const within = { ...fields(result[key]) };
    if (value === undefined) delete within[inner];
    else within[inner] = value;
    if (Object.keys(within).length > 0 || Object.hasOwn(base, key)) result[key] = within;
    else delete result[key];
  }
  const indent = /\n([ \t]{1,8})"/.exec(text)?.[1] ?? (text.includes("\n") ? "  " : "");
  const written =
    JSON.stringify(result, null, indent) + (/\n\s*$/.test(text.slice(-20)) ? "\n" : "");
  return text.includes("\r\n") ? written.replaceAll("\n", "\r\n") : written;
}

/** Comments and commas before a closing bracket left out; strings stay. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let comma = -1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "/" && (text.charAt(at + 1) === "/" || text.charAt(at + 1) === "*")) {
      const end =
        text.charAt(at + 1) === "/" ? text.indexOf("\n", at) : text.indexOf("*/", at + 2) + 1;
      if (end <= 0) break;
      at = end;
      continue;
    }
    if ((char === "]" || char === "}") && comma >= 0) kept[comma] = "";
    if (char === ",") comma = kept.length;
    else if (!/\s/.test(char)) comma = -1;
    const start = at;
    if (char === '"')
      for (at += 1; at < text.length && text.charAt(at) !== '"'; at += 1)
        if (text.charAt(at) === "\\") at += 1;
    kept.push(text.slice(start, at + 1));
  }
  return kept.join("");
}
