/**
 * The formats of shared manifests (JSON with comments, TOML, INI, YAML): what some of their entries say, and the text
 * with the base's entries put back while all else stays as it is. Invariants: never throws; linear time; undefined
 * where it cannot be sure; what is put back reads as the base's, else nothing is put back.
 */
import { parseStrict } from "../../validate/json-text.ts";

export interface Manifest {
  /** What steers, in a form that can be compared; undefined: cannot be read. */
  readonly steering: (text: string) => string | undefined;
  /** The text of `now` with what steers as it is in `base`. */
  readonly restored: (base: string, now: string) => string | undefined;
}

function manifest<Parsed>(
  read: (text: string) => Parsed | undefined,
  steeringIn: (parsed: Parsed) => string,
  withSteeringOf: (base: Parsed, now: Parsed, text: string) => string | undefined,
): Manifest {
  const steering = (text: string): string | undefined => {
    const parsed = read(text);
    return parsed === undefined ? undefined : steeringIn(parsed);
  };
  const restored = (base: string, now: string): string | undefined => {
    const [was, is] = [read(base), read(now)];
    if (was === undefined || is === undefined) return undefined;
    const text = withSteeringOf(was, is, now);
    return text !== undefined && steering(text) === steering(base) ? text : undefined;
  };
  return { steering, restored };
}

export type Fields = Record<string, unknown>;
/** Where a steering value stands: one key, or a key in the object of another. */
export type KeyPath = readonly [string] | readonly [string, string];

/** A manifest in JSON; comments and trailing commas are understood, keys that do not steer keep value and order. */
export const jsonManifest = (keys: readonly KeyPath[]): Manifest =>
  manifest(
    (text) => (text.trim() === "" ? {} : readFields(text)),
    (read) => steeringValues(read, keys),
    (base, now, text) => (text.trim() === "" ? undefined : withValuesOf(base, now, keys, text)),
  );

/** Undefined: no JSON object. */
export function readFields(text: string): Fields | undefined {
  const bare = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const strict = parseStrict(bare);
  const parsed = strict.ok ? strict : parseStrict(withoutComments(bare));
  return parsed.ok ? fields(parsed.value) : undefined;
}

/** Comments and commas before a closing bracket left out; strings stay. */
const withoutComments = (text: string): string =>
  text
    .replace(/("[^"\\]*(?:\\[^][^"\\]*)*"?)|\/\/.*|\/\*[^]*?(?:\*\/|$)/g, "$1")
    .replace(/("[^"\\]*(?:\\[^][^"\\]*)*"?)|,(?=\s*[\]}])/g, "$1");

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

interface Entry {
  /** Empty: only comments and white space. */
  readonly key: string;
  readonly text: string;
}

/** A table of a text manifest. All of them joined are the text. */
interface Section {
  /** Dotted path of the table, "" before the first header. */
  readonly path: string;
  /** One of several of the same path (`[[test]]`). */
  readonly repeated: boolean;
  readonly header: string;
  readonly entries: readonly Entry[];
}

type Splitter = (text: string) => readonly Section[] | undefined;

/** Whether an entry steers; a repeated table is asked for as a whole, with an empty key. */
export type Steers = (path: string, key: string, text: string) => boolean;

/** A manifest of tables and entries. Order, comments and white space around what steers do not count. */
export const sectionedManifest = (splitter: Splitter, steers: Steers): Manifest =>
  manifest(
    splitter,
    (sections) =>
      sections
        .flatMap((section) => steeringLines(section, steers))
        .sort()
        .join("\n"),
    (base, now) => withSectionsOf(base, now, steers),
  );

function steeringLines(section: Section, steers: Steers): readonly string[] {
  const { path, repeated, entries } = section;
  if (!repeated) return steering(section, steers).map((entry) => `[${path}] ${bare(entry)}`);
  return steers(path, "", "") ? [`[[${path}]] ${entries.map(bare).join("")}`] : [];
}

function withSectionsOf(base: readonly Section[], now: readonly Section[], steers: Steers): string {
  const wanted = new Map<string, Section>();
  const repeated = base.filter((section) => section.repeated && steers(section.path, "", ""));
  for (const section of base.filter((one) => !one.repeated)) {
    const entries = steering(section, steers);
    const known = wanted.get(section.path)?.entries ?? [];
    if (entries.length > 0)
      wanted.set(section.path, { ...section, entries: [...known, ...entries] });
  }
  const parts = now.flatMap((section): readonly string[] => {
    if (section.repeated) return steers(section.path, "", "") ? [] : [textOf(section)];
    const lost = new Set(steering(section, steers));
    const entries = section.entries.filter((entry) => !lost.has(entry));
    const restored = wanted.get(section.path)?.entries ?? [];
    wanted.delete(section.path);
    const isEmpty = lost.size > 0 && entries.every(({ key }) => key === "");
    if (isEmpty && restored.length === 0 && section.header !== "")
      return [entries.map(({ text }) => text).join("")];
    return [textOf({ ...section, entries: [...restored.map(ended), ...entries] })];
  });
  const missing = [...wanted.values(), ...repeated].map((section) =>
    textOf({ ...section, entries: section.entries.map(ended) }),
  );
  return [...parts, ...missing].reduce(joinedLines, "");
}

const steering = ({ path, entries }: Section, steers: Steers): readonly Entry[] =>
  entries.filter(({ key, text }) => key !== "" && steers(path, key, text));

const textOf = ({ header, entries }: Section): string =>
  entries.reduce((text, entry) => joinedLines(text, entry.text), header);

const ended = (entry: Entry): Entry =>
  entry.text.endsWith("\n") ? entry : { ...entry, text: `${entry.text}\n` };

const joinedLines = (one: string, next: string): string =>
  one === "" || one.endsWith("\n") || next === "" ? one + next : `${one}\n${next}`;

const bare = ({ text }: Entry): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .join("\n");

/** What a line begins: a table, or an entry; undefined: it goes on. */
type Begins = Pick<Section, "path" | "repeated"> | Pick<Entry, "key"> | undefined;

/** `beginsOf` is also told the key of the entry that the line would go on with. */
function split(text: string, beginsOf: (line: string, key: string) => Begins): readonly Section[] {
  let entries: { key: string; text: string }[] = [];
  const sections: Section[] = [{ path: "", repeated: false, header: "", entries }];
  for (const line of text.split(/(?<=\n)/)) {
    const open = entries.at(-1);
    const begins = beginsOf(line, open?.key ?? "");
    if (begins !== undefined && "path" in begins)
      sections.push({ ...begins, header: line, entries: (entries = []) });
    else if (begins === undefined && open !== undefined) open.text += line;
    else entries.push({ key: begins?.key ?? "", text: line });
  }
  return sections;
}

const INI_HEADER = /^\[([^\]\n]{1,200})\]/;
const INI_KEY = /^([^\s#;[=:][^=:\n]{0,200})[=:]/;
const YAML_KEY = /^["']?([A-Za-z][\w-]{0,100})["']?[ \t]{0,10}:/;

export const splitIni: Splitter = (text) =>
  split(text, (line, key) => {
    const path = INI_HEADER.exec(line)?.[1];
    return path === undefined
      ? entryAt(INI_KEY, line, key)
      : { path: path.trim(), repeated: false };
  });

export const splitYaml: Splitter = (text) =>
  split(text, (line, key) => entryAt(YAML_KEY, line, key));

function entryAt(keys: RegExp, line: string, key: string): Begins {
  const found = keys.exec(line)?.[1];
  if (found !== undefined) return { key: found.trim() };
  return /^\S/.test(line) && key !== "" ? { key: "" } : undefined;
}

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
  /** The marks that end a string over several lines. */
  quote: string;
  depth: number;
}

/** Follows strings and brackets to the end of the line; false: not TOML as known here. */
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
