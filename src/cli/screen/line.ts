/**
 * A terminal line: pieces of text with optional styles; the width of a text, and cutting it to a width. Lines are cut
 * before they are coloured, so colours never change what is shown. Invariants: never throws; a fitted or cut text is
 * never wider than requested, and no grapheme is split; the text was sanitized before.
 */
import stringWidth from "string-width";
import type { Line, Piece, Style } from "../../operations/text.ts";

export type Styled = (style: Style, text: string) => string;

export const lineWidth = (line: Line): number =>
  line.reduce((sum, [text]) => sum + textWidth(text), 0);

/** Cuts the end, piece by piece. */
export function fitted(line: Line, columns: number): Line {
  if (lineWidth(line) <= columns) return line;
  const kept: Piece[] = [];
  let left = columns;
  for (const [text, style] of line) {
    const width = textWidth(text);
    const isLast = width >= left;
    const part = isLast ? cutToWidth(`${text} `, left) : text;
    kept.push(style === undefined ? [part] : [part, style]);
    left -= width;
    if (isLast) break;
  }
  return kept;
}

export const painted = (line: Line, styled: Styled): string =>
  line
    .map(([text, style]) => (style === undefined || text === "" ? text : styled(style, text)))
    .join("");

export const plain = (line: Line): string => line.map(([text]) => text).join("");

let segmenter: Intl.Segmenter | undefined;
/** The graphemes of a text. Created on first use: its tables take a tenth of a short command's time. */
export const graphemes = (text: string): Intl.Segments =>
  (segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })).segment(text);

/** Characters of most lines, each one column wide: for them the tables of all other characters need not be built. */
const NARROW = /^[ -~·…±»›→─-╿▀-▟▸◔✓✗]*$/;

/** Escape sequences count as visible: cutting between two of their characters must not change the width of the rest. */
export const textWidth = (text: string): number =>
  NARROW.test(text) ? text.length : stringWidth(text, { countAnsiEscapeCodes: true });

/** The text, or its beginning with an ellipsis if it is wider. */
export function cutToWidth(text: string, columns: number): string {
  if (columns <= 0) return "";
  if (textWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes(text)) {
    width += textWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

export const padToWidth = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - textWidth(text)));

/** Wraps a text at words to lines of at most `columns`, keeping its indent; a word that is wider is cut. */
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

/** Splits all of a text into lines of at most `columns`, at any character. */
export function folded(text: string, columns: number): readonly string[] {
  if (textWidth(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const { segment } of graphemes(text))
    // A single character can be wider than a narrow line: then its parts are split too.
    for (const piece of textWidth(segment) > columns ? segment : [segment]) {
      const more = textWidth(piece);
      if (width + more > columns && line !== "") {
        lines.push(line);
        [line, width] = ["", 0];
      }
      line += piece;
      width += more;
    }
  return [...lines, line];
}

const LABEL_COLUMNS = 18;

/** A label and a command, which is never cut: on a separate line if both do not fit. */
export function commandLines(label: string, command: string, columns: number): readonly string[] {
  const inOne = `${padToWidth(label, LABEL_COLUMNS)}${label.length < LABEL_COLUMNS ? "" : " "}${command}`;
  return textWidth(inOne) <= columns ? [inOne] : [label, `  ${command}`];
}
