/**
 * A text manifest cut into tables and their entries, so that some entries can be put back and all else stays as it
 * is (pyproject.toml, setup.cfg, Cargo.toml). Invariants: the parts joined are the text; linear time.
 */

export interface Entry {
  /** Empty: only comments and white space. */
  readonly key: string;
  readonly text: string;
}

export interface Section {
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
