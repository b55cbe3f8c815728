/**
 * Foreign text inside a prompt: fenced as data, and bounded including its fence. Invariant: the result is never longer
 * than requested, fence and label included, whatever the text contains.
 */
import { cutMiddle, fence, cleanText, cleanLine } from "../foreign-text.ts";

const MOST_CHARS = 4000;
const LONGEST_TICKS = "`".repeat(8);
/** Two fences of at most nine ticks, the word `text` and two line ends. */
const FENCE_CHARS = 2 * 9 + 4 + 2;

export function quoted(text: string, maxChars: number): string {
  const room = Math.max(0, maxChars - FENCE_CHARS);
  const calm = cleanText(text, { maxChars: room }).replace(/`{9,}/g, LONGEST_TICKS);
  return fence(calm, { maxChars: room });
}

const LINE_CHARS = 300;
const INDENT = "\n    ";

/**
 * A label and its text. Continuation lines are indented, so that none can pose as a label. If the text does not fit,
 * whole lines are dropped from the middle: the first or the last line usually says what went wrong.
 */
export function labelled(label: string, text: string, maxChars: number): string {
  const lines = cleanText(text, { maxChars: MOST_CHARS })
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => cutMiddle(line, LINE_CHARS).replaceAll("\n", " "));
  const all = `  ${label}: ${lines.join(INDENT)}`;
  const [first = "", last] = [lines[0], lines.slice(1).at(-1)];
  if (all.length <= maxChars || last === undefined) return cutMiddle(all, maxChars);
  const note = (left: number): string => `${INDENT}[${left} lines left out]${INDENT}${last}`;
  let kept = `  ${label}: ${first}`;
  let count = 1;
  for (const line of lines.slice(1, -1)) {
    if (kept.length + INDENT.length + line.length + note(lines.length).length > maxChars) break;
    kept += INDENT + line;
    count += 1;
  }
  return cutMiddle(kept + note(lines.length - count - 1), maxChars);
}

export const escapeInline = (text: string): string =>
  `\`${cleanLine(text, 200).replaceAll("`", "'")}\``;
