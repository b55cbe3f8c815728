/** The part of a result that is read: its beginning and its end. */

const HEAD = 6000;

const TAIL = 3000;

const MAX_LINES = 200;

export const boundedPart = (text: string): string =>
  text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(text.length - TAIL)}`;

export const boundedLines = (text: string): string[] =>
  boundedPart(text)
    .split("\n", MAX_LINES)
    .map((line) => line.trim());
