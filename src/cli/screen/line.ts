/**
 * A line for a terminal: pieces of text, each with a style or none. Measured and cut before it is coloured, so
 * that colours never change what is shown. Invariant: a fitted line is never wider than asked.
 */
import type { Line, Piece, Style } from "../../operations/text.ts";
import { cutToWidth, textWidth } from "./text-width.ts";

export type Styled = (style: Style, text: string) => string;

export const lineWidth = (line: Line): number =>
  line.reduce((sum, [text]) => sum + textWidth(text), 0);

/** Cut at the end, piece by piece. */
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
