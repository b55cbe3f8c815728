/**
 * Files divided into sections, such as INI and TOML: splitting them, comparing their steering entries, restoring those.
 */

export interface Manifest {
  /** The steering entries in comparable form; undefined if the text cannot be read. */
  readonly steering: (text: string) => string | undefined;
  /** The text of `now` with the steering entries of `base`. */
  readonly restored: (base: string, now: string) => string | undefined;
}

export function manifest<Parsed>(
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

interface Entry {
  /** Empty for comments and blank lines. */
  readonly key: string;
  readonly text: string;
}

/** A table of a text manifest. All sections joined give the whole text. */
interface Section {
  /** Dotted path of the table, "" before the first header. */
  readonly path: string;
  /** One of several tables with the same path (`[[test]]`). */
  readonly repeated: boolean;
  readonly header: string;
  readonly entries: readonly Entry[];
}

export type Splitter = (text: string) => readonly Section[] | undefined;

/** Whether an entry steers. A repeated table is tested as a whole, with an empty key. */
export type Steers = (path: string, key: string, text: string) => boolean;

/**
 * A manifest of tables and entries. The order of steering entries, and comments and white space around them, do not
 * count.
 */
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

/** What a line starts: a table or an entry; undefined if it continues the previous one. */
type Begins = Pick<Section, "path" | "repeated"> | Pick<Entry, "key"> | undefined;

/** `beginsOf` also receives the key of the entry that the line would continue. */
export function split(
  text: string,
  beginsOf: (line: string, key: string) => Begins,
): readonly Section[] {
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

export const splitIni: Splitter = (text) =>
  split(text, (line, key) => {
    const path = INI_HEADER.exec(line)?.[1];
    return path === undefined
      ? entryAt(INI_KEY, line, key)
      : { path: path.trim(), repeated: false };
  });

export function entryAt(keys: RegExp, line: string, key: string): Begins {
  const found = keys.exec(line)?.[1];
  if (found !== undefined) return { key: found.trim() };
  return /^\S/.test(line) && key !== "" ? { key: "" } : undefined;
}
