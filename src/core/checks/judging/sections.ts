/**
 * A text manifest (TOML, INI, YAML) cut into tables and their entries, so that some entries can be put back and
 * all else stays as it is. Invariants: the parts joined are the text; linear time; undefined where it cannot be
 * sure.
 */
interface Entry {
  /** Empty: only comments and white space. */
  readonly key: string;
  readonly text: string;
}

interface Section {
  /** Dotted path of the table, "" before the first header. */
  readonly path: string;
  /** One of several of the same path (`[[test]]`). */
  readonly repeated: boolean;
  readonly header: string;
  readonly entries: readonly Entry[];
}

export type Splitter = (text: string) => readonly Section[] | undefined;

/** Whether an entry steers; a repeated table is asked for as a whole, with an empty key. */
export type Steers = (path: string, key: string, text: string) => boolean;

/** Everything that steers, in a form that can be compared: order, comments and white space around it do not count. */
export function steeringIn(sections: readonly Section[], steers: Steers): string {
  const found = sections.flatMap((section) =>
    section.repeated
      ? steers(section.path, "", "")
        ? [`[[${section.path}]] ${section.entries.map(bare).join("")}`]
        : []
      : section.entries
          .filter((entry) => isSteering(section, entry, steers))
          .map((entry) => `[${section.path}] ${bare(entry)}`),
  );
  return found.sort().join("\n");
}

/** The text of `now` with the steering entries of `base` in place of its own. */
export function withSteeringOf(
  base: readonly Section[],
  now: readonly Section[],
  steers: Steers,
): string {
  const wanted = new Map<string, Section>();
  const appended: Section[] = [];
  for (const section of base) {
    if (section.repeated) {
      if (steers(section.path, "", "")) appended.push(section);
      continue;
    }
    const entries = section.entries.filter((entry) => isSteering(section, entry, steers));
    const known = wanted.get(section.path)?.entries ?? [];
    if (entries.length > 0)
      wanted.set(section.path, { ...section, entries: [...known, ...entries] });
  }
  const parts = now.flatMap((section): readonly string[] => {
    if (section.repeated) return steers(section.path, "", "") ? [] : [textOf(section)];
    const entries = section.entries.filter((entry) => !isSteering(section, entry, steers));
    const restored = wanted.get(section.path)?.entries ?? [];
    wanted.delete(section.path);
    const lostAll =
      entries.length < section.entries.length && entries.every(({ key }) => key === "");
    if (lostAll && restored.length === 0 && section.header !== "")
      return [entries.map(({ text }) => text).join("")];
    return [textOf({ ...section, entries: [...restored.map(ended), ...entries] })];
  });
  const [root, ...others] = [
    wanted.get(""),
    ...[...wanted.values()].filter(({ path }) => path !== ""),
  ];
  const first = root === undefined ? [] : root.entries.map((entry) => ended(entry).text);
  const last = [...others, ...appended].flatMap((section) =>
    section === undefined ? [] : [textOf({ ...section, entries: section.entries.map(ended) })],
  );
  return [...first, ...parts, ...last].reduce(joinedLines, "");
}

const isSteering = ({ path }: Section, { key, text }: Entry, steers: Steers): boolean =>
  key !== "" && steers(path, key, text);

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

const INI_HEADER = /^\[([^\]\n]{1,200})\]/;
const INI_KEY = /^([^\s#;[=:][^=:\n]{0,200})[=:]/;
const YAML_KEY = /^["']?([A-Za-z][\w-]{0,100})["']?[ \t]{0,10}:/;

export const splitIni = (text: string): readonly Section[] => split(text, INI_KEY, INI_HEADER);

export const splitYaml = (text: string): readonly Section[] => split(text, YAML_KEY, undefined);

function split(text: string, keys: RegExp, headers: RegExp | undefined): readonly Section[] {
  const sections: { path: string; repeated: false; header: string; entries: Entry[] }[] = [
    { path: "", repeated: false, header: "", entries: [] },
  ];
  let current: string[] = [];
  let key = "";
  const close = (next: string): void => {
    if (current.length > 0) sections.at(-1)!.entries.push({ key, text: current.join("") });
    current = [];
    key = next;
  };
  for (const line of text.split(/(?<=\n)/)) {
    const header = headers?.exec(line);
    const found = keys.exec(line);
    if (header !== null && header !== undefined) {
      close("");
      sections.push({ path: header[1]!.trim(), repeated: false, header: line, entries: [] });
      continue;
    }
    if (found !== null) close(found[1]!.trim());
    else if (/^\S/.test(line) && key !== "") close("");
    current.push(line);
  }
  close("");
  return sections;
}

const NAME = String.raw`"(?:[^"\\\n]|\\.){0,200}"|'[^'\n]{0,200}'`;
const HEADER = new RegExp(
  String.raw`^\uFEFF?[ \t]{0,40}(\[\[?)((?:[\w.\- \t]|${NAME}){1,400})\]\]?[ \t]{0,40}(?:#.*)?$`,
);
const KEY = new RegExp(String.raw`^\uFEFF?[ \t]{0,40}((?:[\w.\- \t]|${NAME}){1,400})=`);

interface Open {
  /** The marks that end a string over several lines. */
  quote: string;
  depth: number;
}

export function splitToml(text: string): readonly Section[] | undefined {
  const sections: { path: string; repeated: boolean; header: string; entries: Entry[] }[] = [
    { path: "", repeated: false, header: "", entries: [] },
  ];
  const open: Open = { quote: "", depth: 0 };
  let current: string[] = [];
  let key = "";
  const close = (): void => {
    if (current.length > 0) sections.at(-1)!.entries.push({ key, text: current.join("") });
    current = [];
  };
  for (const line of text.split(/(?<=\n)/)) {
    const fresh = open.quote === "" && open.depth === 0;
    const header = fresh ? HEADER.exec(line.replace(/\r?\n$/, "")) : null;
    if (header !== null) {
      close();
      key = "";
      const path = plainKey(header[2]!);
      sections.push({ path, repeated: header[1] === "[[", header: line, entries: [] });
      continue;
    }
    if (fresh) {
      const isBlank = /^\s*(?:#|$)/.test(line);
      const found = isBlank ? null : KEY.exec(line);
      if (!isBlank && found === null) return undefined;
      if (!isBlank || key !== "") close();
      key = found === null ? "" : plainKey(found[1]!);
    }
    if (!scan(line, open)) return undefined;
    current.push(line);
  }
  if (open.quote !== "" || open.depth !== 0) return undefined;
  close();
  return sections;
}

const plainKey = (key: string): string =>
  key
    .replace(/["'\s]/g, "")
    .replace(/\\u([\da-fA-F]{4})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );

/** Follows strings and brackets to the end of the line; false: not TOML as known here. */
function scan(line: string, open: Open): boolean {
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
