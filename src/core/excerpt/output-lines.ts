/**
 * Splits a check's output into lines that can be read one by one: without escapes, carriage-return animations, and
 * labels of tools that run several commands at once. Invariants: linear; at most MAX_LINES lines, cutting the middle of
 * longer outputs; at most MAX_CHARS characters per line.
 */
import { stripEscapes } from "../foreign-text.ts";

const MAX_CHARS = 1000;
const MAX_LINES = 60_000;

const LABEL = new RegExp(
  `^(?:${[
    "\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,15}Z? ",
    "\\[\\d\\d:\\d\\d:\\d\\d\\] ",
    // #6 1.204 npm error … in a container build
    "#\\d{1,3} \\d{1,4}\\.\\d{1,3} ",
    // [web] …, web:test: …, packages/web test: …
    "\\[[\\w@/.:-]{1,40}\\] (?!\\[)",
    "[@\\w./-]{1,60}:(?:test|build|lint|check|typecheck|types)[\\w:-]{0,30}:(?: |$)",
    "(?:\\.|[@\\w.-]{1,60}\\/[@\\w./-]{1,100}) (?:test|check|build|lint)[\\w:-]{0,30}: ",
    // a box around a message
    "[│┃|] (?=\\S| )",
    // output of a test inside TAP
    "# (?=\\s|Subtest|at |node:|Error|\\w{0,40}Error)",
  ].join("|")})`,
);
/** A label with the severity of its line is part of the message. */
const SPEAKING = /^\[(?:error|warn|warning|debug|fatal|fail|failed|ok|[A-Z])/;

export function outputLines(text: string): readonly string[] {
  const raw = stripEscapes(text).split("\n");
  const kept =
    raw.length <= MAX_LINES
      ? raw
      : [...raw.slice(0, MAX_LINES / 2), ...raw.slice(raw.length - MAX_LINES / 2)];
  return kept.map(plainLine);
}

function plainLine(raw: string): string {
  const shown = raw.includes("\r") ? lastShown(raw) : raw;
  const line = shown.length > MAX_CHARS ? shown.slice(0, MAX_CHARS) : shown;
  const label = mayHaveLabel(line) ? LABEL.exec(line)?.[0] : undefined;
  return (label === undefined || SPEAKING.test(label) ? line : line.slice(label.length)).trimEnd();
}

/** A label that starts with a letter ends with a colon, so most lines need no closer look. */
function mayHaveLabel(line: string): boolean {
  const first = line.charCodeAt(0);
  const isLetter = (first >= 97 && first <= 122) || (first >= 65 && first <= 90);
  return !isLetter || line.includes(": ") || line.endsWith(":");
}

/** What a terminal shows at the end of an overwritten line. */
function lastShown(raw: string): string {
  const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
  return line.slice(line.lastIndexOf("\r") + 1);
}

export const indentOf = (text: string): number => text.length - text.trimStart().length;

/** Equal for lines that differ only in their numbers. */
export function shapeOf(text: string): number {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  let inNumber = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const isDigit = unit >= 48 && unit <= 57;
    if (isDigit && inNumber) continue;
    inNumber = isDigit || (inNumber && unit === 46);
    const shown = isDigit ? 48 : unit;
    high = Math.imul(high ^ shown, 0x9e3779b1);
    low = ((low << 5) - low + shown) | 0;
  }
  return (high >>> 0) * 2 ** 21 + ((low ^ (low >>> 15)) >>> 11);
}
