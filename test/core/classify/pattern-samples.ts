/**
 * Texts a rule's pattern matches: one for each of its alternatives, as short as possible. A test uses
 * them to prove that the word index finds every alternative. Reads the regular expressions of the rule
 * tables only (no backreferences, no lookbehind with alternatives of its own).
 */

/** Stands for a character that may be part of any word, so that its word cannot be an anchor. */
export const ANY_LETTER = "\ue000";

interface Cursor {
  readonly source: string;
  at: number;
}

export function samplesOf(pattern: RegExp): readonly string[] {
  return alternatives({ source: pattern.source, at: 0 });
}

function alternatives(cursor: Cursor): string[] {
  const all = sequence(cursor);
  while (cursor.source[cursor.at] === "|") {
    cursor.at += 1;
    all.push(...sequence(cursor));
  }
  return all;
}

/** Each choice of each part stands in at least one sample; the other parts take their first choice. */
function sequence(cursor: Cursor): string[] {
  const parts: string[][] = [];
  while (cursor.at < cursor.source.length && !"|)".includes(cursor.source[cursor.at] ?? ""))
    parts.push(quantified(cursor, atom(cursor)));
  const first = parts.map((choices) => choices[0] ?? "");
  const all = [first.join("")];
  parts.forEach((choices, at) => {
    for (const choice of choices.slice(1))
      all.push([...first.slice(0, at), choice, ...first.slice(at + 1)].join(""));
  });
  return all;
}

function quantified(cursor: Cursor, choices: string[]): string[] {
  const rest = cursor.source.slice(cursor.at);
  const found = /^(?:([?*+])|\{(\d+)(?:,\d*)?\})\??/.exec(rest);
  if (found === null) return choices;
  cursor.at += found[0].length;
  const least = found[2] !== undefined ? Number(found[2]) : found[1] === "+" ? 1 : 0;
  if (least > 0) return choices.map((choice) => choice.repeat(Math.min(least, 12)));
  return choices.every((choice) => choice === " ") ? [" "] : ["", ...choices];
}

function atom(cursor: Cursor): string[] {
  const char = cursor.source[cursor.at] ?? "";
  cursor.at += 1;
  if (char === "(") return group(cursor);
  if (char === "[") return classChoices(cursor);
  if (char === "\\") return [escaped(cursor)];
  if (char === ".") return [" "];
  return char === "^" || char === "$" ? [""] : [char];
}

function group(cursor: Cursor): string[] {
  const head = /^\?(?:<?[=!]|:)/.exec(cursor.source.slice(cursor.at))?.[0] ?? "";
  cursor.at += head.length;
  const choices = alternatives(cursor);
  cursor.at += 1;
  return head === "" || head === "?:" ? choices : [""];
}

function escaped(cursor: Cursor): string {
  const char = cursor.source[cursor.at] ?? "";
  cursor.at += 1;
  if (char === "x") {
    const code = cursor.source.slice(cursor.at, cursor.at + 2);
    cursor.at += 2;
    return String.fromCharCode(parseInt(code, 16));
  }
  const known: Record<string, string> = { b: "", B: "", s: " ", d: "1", t: "\t", n: "\n" };
  return known[char] ?? ("wWSD".includes(char) ? ANY_LETTER : char);
}

/** A few letters are choices; more, or a range, or a negated class may be any letter. */
function classChoices(cursor: Cursor): string[] {
  const start = cursor.at;
  while (cursor.source[cursor.at] !== "]") cursor.at += cursor.source[cursor.at] === "\\" ? 2 : 1;
  const body = cursor.source.slice(start, cursor.at);
  cursor.at += 1;
  if (body.startsWith("^") || /\\[wSD]|[a-z]-[a-z]/i.test(body)) return [ANY_LETTER];
  if (/^\\d|^\d-\d|^[1-9]/.test(body)) return ["1"];
  const letters = [...body.replace(/\\(.)/g, "$1")];
  return letters.length <= 4 ? letters : [letters[0] ?? ""];
}
