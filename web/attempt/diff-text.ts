/**
 * Parses a unified diff into files, parts and lines, with the changed words within a line. Pure and bounded: words are
 * compared only if lines are short, and an unknown line is kept as it is.
 */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
  readonly oldNumber?: number;
  readonly newNumber?: number;
  /** Start and end of each changed part within the line. */
  readonly words?: readonly (readonly [number, number])[];
}

export interface DiffPart {
  readonly head: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly parts: readonly DiffPart[];
  /** What git prints instead of lines, for example that the file is binary. */
  readonly note?: string;
}

const PART = /^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@(.*)$/;

export function readDiff(text: string): readonly DiffFile[] {
  const files: DiffFile[] = [];
  const blocks = `\n${text}`.split("\ndiff --git ").slice(1);
  for (const block of blocks) files.push(readFile(block));
  return files;
}

function readFile(block: string): DiffFile {
  const lines = block.replace(/\n$/, "").split("\n");
  const named = (mark: string): string | undefined => {
    const line = lines.find((one) => one.startsWith(mark));
    const name = line?.slice(mark.length).replace(/\t$/, "");
    return name === undefined || name === "/dev/null"
      ? undefined
      : unquoted(name).replace(/^[ab]\//, "");
  };
  const path =
    named("+++ ") ?? named("--- ") ?? unquoted((lines[0] ?? "").split(" b/").at(-1) ?? "");
  const parts: { head: string; lines: DiffLine[] }[] = [];
  let [oldNumber, newNumber] = [0, 0];
  for (const line of lines.slice(1)) {
    const head = PART.exec(line);
    const part = parts.at(-1);
    if (head !== null) {
      [oldNumber, newNumber] = [Number(head[1]), Number(head[2])];
      parts.push({ head: (head[3] ?? "").trim(), lines: [] });
    } else if (part === undefined) continue;
    else if (line.startsWith("+"))
      part.lines.push({ kind: "added", text: line.slice(1), newNumber: newNumber++ });
    else if (line.startsWith("-"))
      part.lines.push({ kind: "removed", text: line.slice(1), oldNumber: oldNumber++ });
    else if (!line.startsWith("\\"))
      part.lines.push({
        ...{ kind: "same", text: line.slice(1) },
        ...{ oldNumber: oldNumber++, newNumber: newNumber++ },
      });
  }
  const note = lines.find((line) => /^(Binary files|GIT binary patch)/.test(line));
  const count = (kind: DiffLine["kind"]): number =>
    parts.reduce((sum, part) => sum + part.lines.filter((line) => line.kind === kind).length, 0);
  return {
    path,
    added: count("added"),
    removed: count("removed"),
    parts: parts.map(({ head, lines: own }) => ({ head, lines: withWords(own) })),
    ...(note === undefined ? {} : { note: "A binary file" }),
  };
}

const unquoted = (name: string): string =>
  name.startsWith('"') ? name.replace(/^"|"$/g, "").replace(/\\(["\\])/g, "$1") : name;

/** Compares removed lines with the added lines that follow them, one by one. */
function withWords(lines: readonly DiffLine[]): readonly DiffLine[] {
  const marked = [...lines];
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed, "added");
    if (removed > 0 && removed === added)
      for (let pair = 0; pair < removed; pair += 1) {
        const [before, after] = [marked[at + pair], marked[at + removed + pair]];
        const changed = before && after && changedWords(before.text, after.text);
        if (changed === undefined || before === undefined || after === undefined) continue;
        marked[at + pair] = { ...before, words: changed[0] };
        marked[at + removed + pair] = { ...after, words: changed[1] };
      }
    at += Math.max(1, removed + added);
  }
  return marked;
}

function runOf(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): number {
  let length = 0;
  while (lines[from + length]?.kind === kind) length += 1;
  return length;
}

type Spans = readonly (readonly [number, number])[];
const WORDS_MOST = 200;

/** Undefined if the lines have too little in common to be worth marking. */
export function changedWords(before: string, after: string): readonly [Spans, Spans] | undefined {
  const [old, young] = [wordsOf(before), wordsOf(after)];
  if (old.length > WORDS_MOST || young.length > WORDS_MOST) return undefined;
  const common = longestCommon(old, young);
  const kept = common.reduce((sum, [at]) => sum + (old[at]?.trim().length ?? 0), 0);
  if (kept * 3 < Math.max(before.trim().length, after.trim().length)) return undefined;
  return [
    spansBut(old, new Set(common.map(([at]) => at))),
    spansBut(young, new Set(common.map(([, at]) => at))),
  ];
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];

function spansBut(words: readonly string[], kept: ReadonlySet<number>): Spans {
  const spans: [number, number][] = [];
  let at = 0;
  for (const [index, word] of words.entries()) {
    const last = spans.at(-1);
    if (!kept.has(index)) {
      if (last?.[1] === at) last[1] = at + word.length;
      else spans.push([at, at + word.length]);
    }
    at += word.length;
  }
  return spans;
}

function longestCommon(a: readonly string[], b: readonly string[]): readonly [number, number][] {
  const wide = b.length + 1;
  const best = new Uint16Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      best[i * wide + j] =
        a[i] === b[j]
          ? (best[(i + 1) * wide + j + 1] ?? 0) + 1
          : Math.max(best[(i + 1) * wide + j] ?? 0, best[i * wide + j + 1] ?? 0);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((best[(i + 1) * wide + j] ?? 0) >= (best[i * wide + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}
