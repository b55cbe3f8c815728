/**
 * Foreign text inside a prompt (U15): fenced as data, bounded with its fence. Invariant: the result is never
 * longer than asked, fence and label included, whatever the text holds.
 */
import { cutMiddle, fence, tame, tameLine } from "../foreign-text.ts";

const LONGEST_TICKS = "`".repeat(8);
/** Two fences of at most nine ticks, the word `text` and two line ends. */
const FENCE_CHARS = 2 * 9 + 4 + 2;

export function quoted(text: string, maxChars: number): string {
  const room = Math.max(0, maxChars - FENCE_CHARS);
  const calm = tame(text, { maxChars: room }).replace(/`{9,}/g, LONGEST_TICKS);
  return fence(calm, { maxChars: room });
}

/** A label and its text; further lines are set in, so that none can pose as a label. */
export function labelled(label: string, text: string, maxChars: number): string {
  const lines = tame(text, { maxChars }).split("\n");
  const body = lines.filter((line) => line.trim() !== "").join("\n    ");
  return cutMiddle(`  ${label}: ${body}`, maxChars);
}

export const escapeInline = (text: string): string =>
  `\`${tameLine(text, 200).replaceAll("`", "'")}\``;
