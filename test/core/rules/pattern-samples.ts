/**
 * Random texts that a rule's pattern matches, to prove that the word index finds whatever a pattern
 * does. Reads the regular expressions of the rule tables only (no backreferences).
 */

/** Picks one of `count` choices. */
export type Choose = (count: number) => number;

interface Cursor {
  readonly source: string;
  readonly choose: Choose;
  at: number;
}

export function sampleOf(source: string, choose: Choose): string {
  return alternatives({ source, choose, at: 0 });
}

function alternatives(cursor: Cursor): string {
  const all = [sequence(cursor)];
  while (cursor.source[cursor.at] === "|") {
    cursor.at += 1;
    all.push(sequence(cursor));
  }
  return all[cursor.choose(all.length)] ?? "";
}

function sequence(cursor: Cursor): string {
  let text = "";
  while (cursor.at < cursor.source.length && !"|)".includes(cursor.source[cursor.at] ?? "")) {
    const start = cursor.at;
    const once = atom(cursor);
    text += repeated(cursor, start, once);
  }
  return text;
}

/** Repeats by re-reading the atom, so that each repetition may choose anew. */
function repeated(cursor: Cursor, start: number, once: string): string {
  const rest = cursor.source.slice(cursor.at);
  const found = /^(?:([?*+])|\{(\d+)(?:,(\d*))?\})\??/.exec(rest);
  if (found === null) return once;
  const [whole, sign, low, high] = found;
  const least = low !== undefined ? Number(low) : sign === "+" ? 1 : 0;
  const most = high !== undefined && high !== "" ? Number(high) : sign === "?" ? 1 : least;
  const count = least + cursor.choose(Math.min(3, most - least + 1));
  let text = "";
  for (let round = 0; round < count; round += 1) {
    cursor.at = start;
    text += atom(cursor);
  }
  cursor.at = start;
  atom(cursor);
  cursor.at += whole.length;
  return text;
}

function atom(cursor: Cursor): string {
  const char = cursor.source[cursor.at] ?? "";
  cursor.at += 1;
  if (char === "(") return group(cursor);
  if (char === "[") return fromClass(cursor);
  if (char === "\\") return escaped(cursor);
  if (char === ".") return " ";
  return char === "^" || char === "$" ? "" : char;
}

function group(cursor: Cursor): string {
  const head = /^\?(?:<?[=!]|:)/.exec(cursor.source.slice(cursor.at))?.[0] ?? "";
  cursor.at += head.length;
  const text = alternatives(cursor);
  cursor.at += 1;
  return head === "" || head === "?:" ? text : "";
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: "",
  s: " ",
  d: "7",
  t: "\t",
  w: "q",
  S: "q",
};

function escaped(cursor: Cursor): string {
  const char = cursor.source[cursor.at] ?? "";
  cursor.at += 1;
  return ESCAPES[char] ?? char;
}

function fromClass(cursor: Cursor): string {
  const start = cursor.at;
  while (cursor.source[cursor.at] !== "]") cursor.at += cursor.source[cursor.at] === "\\" ? 2 : 1;
  const body = cursor.source.slice(start, cursor.at);
  cursor.at += 1;
  if (body.startsWith("^")) return "q";
  const plain = body.replace(/\\d|\d-\d/g, "7").replace(/\\[wS]|[a-zA-Z]-[a-zA-Z]/g, "q");
  const letters = [...plain.replace(/\\s/g, " ").replace(/\\(.)/g, "$1")];
  return letters[cursor.choose(letters.length)] ?? "";
}
