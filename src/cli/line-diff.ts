/**
 * A change of a small text file as lines for a person: what goes, what comes, a little around it. Bounded: a
 * stretch too long to compare line by line is shown as gone and come.
 */
import { tameLine } from "../core/foreign-text.ts";

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

const AROUND = 2;
const COMPARED_MAX = 1500;
const WIDTH = 200;

export function lineDiff(before: string, after: string): readonly string[] {
  const lines = compared(linesOf(before), linesOf(after));
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ mark }) => mark !== " "),
  );
  return lines.flatMap(({ mark, text }, at) => {
    if (near[at] === true) return [`${mark} ${shown(text)}`.trimEnd()];
    return near[at - 1] === true ? ["@@"] : [];
  });
}

const linesOf = (text: string): string[] =>
  text === "" ? [] : text.replace(/\n$/, "").split("\n");

/** Indentation is kept: it is what makes a change readable. */
function shown(text: string): string {
  const indent = /^[ \t]{0,80}/.exec(text)?.[0] ?? "";
  return indent + tameLine(text, WIDTH);
}

function compared(old: readonly string[], fresh: readonly string[]): Line[] {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]): Line[] => lines.map((text) => ({ mark: " ", text }));
  return [
    ...same(old.slice(0, head)),
    ...middle(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...same(old.slice(old.length - tail)),
  ];
}

function middle(old: readonly string[], fresh: readonly string[]): Line[] {
  const gone = (text: string): Line => ({ mark: "-", text });
  const come = (text: string): Line => ({ mark: "+", text });
  if (old.length > COMPARED_MAX || fresh.length > COMPARED_MAX)
    return [...old.map(gone), ...fresh.map(come)];
  const common = commonLengths(old, fresh);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [a, b] = [old[i], fresh[j]];
    if (a !== undefined && a === b) {
      lines.push({ mark: " ", text: a });
      i += 1;
      j += 1;
    } else if (
      a !== undefined &&
      (b === undefined || at(common, i + 1, j) >= at(common, i, j + 1))
    ) {
      lines.push(gone(a));
      i += 1;
    } else {
      lines.push(come(b ?? ""));
      j += 1;
    }
  }
  return lines;
}

/** Longest common rest from each pair of places on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      const longest =
        old[i] === fresh[j]
          ? at(rows, i + 1, j + 1) + 1
          : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
      rows[i]?.fill(longest, j, j + 1);
    }
  return rows;
}

const at = (rows: readonly Uint16Array[], i: number, j: number): number => rows[i]?.[j] ?? 0;
