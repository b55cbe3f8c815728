/**
 * How many columns a text takes in a terminal, and cutting it to some. Invariants: never throws; the cut is never
 * wider than asked and never splits what is seen as one character; text has been tamed before.
 */

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** East Asian wide and full-width ranges (first, last). Emoji are known by their property. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const NO_WIDTH = /^[\p{M}\p{Cf}\p{Cc}]+$/u;
const ASCII = /^[\x20-\x7e]*$/;

export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (code < 0x300) return code < 0x20 ? 0 : 1;
  if (NO_WIDTH.test(grapheme)) return 0;
  const wide = WIDE.some(([first, last]) => code >= first && code <= last);
  return wide || EMOJI.test(grapheme) ? 2 : 1;
}

/** The text, or its beginning with an ellipsis where it is wider than this. */
export function cutToWidth(text: string, columns: number): string {
  if (columns <= 0) return "";
  if (textWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export const padToWidth = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - textWidth(text)));

/** The words of a text in lines of at most so many columns, indented as it is; a word that is wider is cut. */
export function wrapped(text: string, columns: number): readonly string[] {
  if (textWidth(text) <= columns) return [text];
  const indent = text.slice(0, text.length - text.trimStart().length);
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trimStart().split(" ")) {
    const longer = line === indent ? indent + word : `${line} ${word}`;
    if (line !== indent && textWidth(longer) > columns) {
      lines.push(line);
      line = indent + word;
    } else line = longer;
  }
  return [...lines, line].map((each) => cutToWidth(each, columns));
}

/** All of a text in lines of at most so many columns, split anywhere. */
export function folded(text: string, columns: number): readonly string[] {
  if (textWidth(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    const more = graphemeWidth(segment);
    if (width + more > columns && line !== "") {
      lines.push(line);
      [line, width] = ["", 0];
    }
    line += segment;
    width += more;
  }
  return [...lines, line];
}
