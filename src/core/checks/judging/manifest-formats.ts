/**
 * The formats of shared manifests (JSON with comments, TOML, INI, YAML): compares their steering entries, and puts the
 * base's entries back without touching the rest. Invariants: never throws; linear time; undefined when in doubt;
 * restored text must read back with the base's entries, otherwise nothing is restored.
 */
import { isRecord } from "../../defined.ts";
import { parseStrict } from "../../validate/strict-json.ts";
import { manifest, entryAt, split, type Manifest, type Splitter } from "./sections.ts";

export type Fields = Record<string, unknown>;

/** Path of a steering value: a top-level key, or a key inside a top-level object. */
export type KeyPath = readonly [string] | readonly [string, string];

/** A JSON manifest; comments and trailing commas are accepted. Keys that do not steer keep their value and order. */
export const jsonManifest = (keys: readonly KeyPath[]): Manifest =>
  manifest(
    (text) => (text.trim() === "" ? {} : readFields(text)),
    (read) => steeringValues(read, keys),
    (base, now, text) => (text.trim() === "" ? undefined : withValuesOf(base, now, keys, text)),
  );

/** Undefined if the text is not a JSON object. */
export function readFields(text: string): Fields | undefined {
  const bare = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const strict = parseStrict(bare);
  const parsed = strict.ok ? strict : parseStrict(withoutComments(bare));
  return parsed.ok ? fields(parsed.value) : undefined;
}

/** Removes comments and trailing commas, but not inside strings. */
const withoutComments = (text: string): string =>
  text
    .replace(/("[^"\\]*(?:\\[^][^"\\]*)*"?)|\/\/.*|\/\*[^]*?(?:\*\/|$)/g, "$1")
    .replace(/("[^"\\]*(?:\\[^][^"\\]*)*"?)|,(?=\s*[\]}])/g, "$1");

const fields = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined);

function valueAt(from: Fields, [key, inner]: KeyPath): unknown {
  const value = Object.hasOwn(from, key) ? from[key] : undefined;
  if (inner === undefined) return value;
  const within = fields(value);
  return within !== undefined && Object.hasOwn(within, inner) ? within[inner] : undefined;
}

const steeringValues = (from: Fields, keys: readonly KeyPath[]): string =>
  keys
    .map((path) => [path, valueAt(from, path)])
    .filter(([, value]) => value !== undefined)
    .map(([path, value]) => `${JSON.stringify(path)}: ${JSON.stringify(sorted(value))}`)
    .join("\n");

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  const inner = fields(value);
  if (inner === undefined) return value;
  const keys = Object.keys(inner).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(inner[key])]));
}

function withValuesOf(base: Fields, now: Fields, keys: readonly KeyPath[], text: string): string {
  const result: Fields = { ...now };
  for (const path of keys) {
    const [key, inner] = path;
    if (inner === undefined) put(result, key, valueAt(base, path));
    else {
      const within = { ...fields(result[key]) };
      put(within, inner, valueAt(base, path));
      const stays = Object.keys(within).length > 0 || Object.hasOwn(base, key);
      put(result, key, stays ? within : undefined);
    }
  }
  const indent = /\n([ \t]{1,8})"/.exec(text)?.[1] ?? (text.includes("\n") ? "  " : "");
  const written =
    JSON.stringify(result, null, indent) + (/\n\s*$/.test(text.slice(-20)) ? "\n" : "");
  return text.includes("\r\n") ? written.replaceAll("\n", "\r\n") : written;
}

function put(into: Fields, key: string, value: unknown): void {
  if (value === undefined) delete into[key];
  else into[key] = value;
}

const YAML_KEY = /^["']?([A-Za-z][\w-]{0,100})["']?[ \t]{0,10}:/;

export const splitYaml: Splitter = (text) =>
  split(text, (line, key) => entryAt(YAML_KEY, line, key));

const NAME = String.raw`"(?:[^"\\\n]|\\.){0,200}"|'[^'\n]{0,200}'`;

const TOML_HEADER = new RegExp(
  String.raw`^\uFEFF?[ \t]{0,40}(\[\[?)((?:[\w.\- \t]|${NAME}){1,400})\]\]?[ \t]{0,40}(?:#.*)?$`,
);

const TOML_KEY = new RegExp(String.raw`^\uFEFF?[ \t]{0,40}((?:[\w.\- \t]|${NAME}){1,400})=`);

export const splitToml: Splitter = (text) => {
  const open: OpenValue = { quote: "", depth: 0 };
  let isToml = true;
  const sections = split(text, (line, key) => {
    const goesOn = open.quote !== "" || open.depth > 0;
    const header = goesOn ? null : TOML_HEADER.exec(line.replace(/\r?\n$/, ""));
    if (header !== null) return { path: plainKey(header[2]!), repeated: header[1] === "[[" };
    const isBlank = /^\s*(?:#|$)/.test(line);
    const found = goesOn || isBlank ? undefined : TOML_KEY.exec(line)?.[1];
    isToml &&= (goesOn || isBlank || found !== undefined) && followValue(line, open);
    if (found !== undefined) return { key: plainKey(found) };
    return !goesOn && key !== "" ? { key: "" } : undefined;
  });
  return isToml && open.quote === "" && open.depth === 0 ? sections : undefined;
};

const plainKey = (key: string): string =>
  key
    .replace(/["'\s]/g, "")
    .replace(/\\u([\da-fA-F]{4})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );

interface OpenValue {
  /** The delimiter of an open multi-line string. */
  quote: string;
  depth: number;
}

/** Tracks strings and brackets to the end of the line; false if the line is not TOML we understand. */
function followValue(line: string, open: OpenValue): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (open.quote !== "") {
      if (char === "\\" && open.quote === '"""') at += 1;
      else if (line.startsWith(open.quote, at)) {
        at += 2;
        for (let more = 0; more < 2 && line.charAt(at + 1) === open.quote.charAt(0); more += 1)
          at += 1;
        open.quote = "";
      }
    } else if (char === "#") return true;
    else if (char === '"' || char === "'") {
      if (line.startsWith(char.repeat(3), at)) {
        open.quote = char.repeat(3);
        at += 2;
        continue;
      }
      for (at += 1; at < line.length && line.charAt(at) !== char; at += 1)
        if (char === '"' && line.charAt(at) === "\\") at += 1;
      if (at >= line.length) return false;
    } else if (char === "[" || char === "{") open.depth += 1;
    else if (char === "]" || char === "}") open.depth -= 1;
    if (open.depth < 0) return false;
  }
  return true;
}
