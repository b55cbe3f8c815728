/**
 * A check's output as lines that can be compared: no escapes, no carriage-return animation, no label of the tool that
 * ran several commands at once. Invariants: linear; at most MAX_LINES lines, the middle of longer outputs is left out;
 * a line has at most MAX_CHARS characters.
 */
import { stripEscapes } from "../foreign-text.ts";

export interface OutputLine {
  /** Without label, without white space at its end. */
  readonly text: string;
  readonly indent: number;
}

const MAX_CHARS = 1000;
const MAX_LINES = 60_000;

// [web] …, web:test: …, packages/web test: …, 2024-05-01T10:00:00.000Z …, #12 3.456 …, [error] …, │ …, # … of TAP
const LABEL =
  /^(?:\d{4}-\d\d-\d\dT[\d:.]{8,15}Z? |\[\d\d:\d\d:\d\d\] |#\d{1,3} \d{1,4}\.\d{1,3} |\[[\w@/.:-]{1,40}\] (?!\[)|[@\w./-]{1,60}:(?:test|build|lint|check|typecheck|types)[\w:-]{0,30}: |(?:\.|[@\w.-]{1,60}\/[@\w./-]{1,100}) (?:test|check|build|lint)[\w:-]{0,30}: |[│┃|] (?=\S| )|# (?=\s|Subtest|at |node:|Error|\w{0,40}Error))/;
/** Labels that say how bad a line is stay readable as words. */
const SPEAKING = /^\[(?:error|warn|warning|INFO|debug|fatal|failed?|fail|ok)\b|^\[[A-Z]/;

export function outputLines(text: string): readonly OutputLine[] {
  const raw = stripEscapes(text).split("\n");
  const kept =
    raw.length <= MAX_LINES
      ? raw
      : [...raw.slice(0, MAX_LINES / 2), ...raw.slice(raw.length - MAX_LINES / 2)];
  return kept.map(outputLine);
}

function outputLine(raw: string): OutputLine {
  const bare = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
  const shown = bare.includes("\r") ? bare.slice(bare.lastIndexOf("\r") + 1) : bare;
  const line = shown.slice(0, MAX_CHARS).trimEnd();
  const label = LABEL.exec(line)?.[0] ?? "";
  const text = label === "" || SPEAKING.test(label) ? line : line.slice(label.length);
  return { text, indent: text.length - text.trimStart().length };
}

const DIGIT = /\d/;

/** What lines of the same kind have in common: numbers are alike. */
export const shapeOf = (text: string): string =>
  DIGIT.test(text) ? text.replace(/\d+(?:\.\d+)?/g, "0") : text;
