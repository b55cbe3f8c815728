/**
 * Editing a line of text: the text, the cursor, and what each key does. Pure. Invariants: the cursor is never inside a
 * grapheme; the text is bounded.
 */
import type { Line } from "../../operations/text.ts";
import type { Key } from "./keys.ts";
import { folded, graphemes } from "./line.ts";

export interface Draft {
  readonly before: string;
  readonly after: string;
}

export const draftOf = (text: string): Draft => ({ before: text.slice(0, CHARS_MAX), after: "" });

export const draftText = ({ before, after }: Draft): string => before + after;

const CHARS_MAX = 20_000;

const lastOf = (text: string): string => [...graphemes(text)].at(-1)?.segment ?? "";
const firstOf = (text: string): string => [...graphemes(text)][0]?.segment ?? "";

export function edited(draft: Draft, { name, text }: Key): Draft {
  const { before, after } = draft;
  const [last, first] = [lastOf(before), firstOf(after)];
  switch (name) {
    case "text":
    case "enter":
      return before.length + after.length >= CHARS_MAX ? draft : { before: before + text, after };
    case "backspace":
      return { before: before.slice(0, before.length - last.length), after };
    case "delete":
      return { before, after: after.slice(first.length) };
    case "left":
      return { before: before.slice(0, before.length - last.length), after: last + after };
    case "right":
      return { before: before + first, after: after.slice(first.length) };
    case "home":
      return { before: "", after: before + after };
    case "end":
      return { before: before + after, after: "" };
    case "erase-line":
      return { before: "", after };
    case "erase-word":
      return { before: before.trimEnd().replace(/\S+$/, ""), after };
    default:
      return draft;
  }
}

/** The last lines if there are more than `most`; the cursor is a character, because colours may be missing. */
export function draftLines({ before, after }: Draft, columns: number, most: number): Line[] {
  const lines = `${before}▏${after}`
    .split("\n")
    .flatMap((line) => folded(line, Math.max(10, columns - 4)));
  return lines.slice(-most).map((line, index) => [[index === 0 ? "  > " : "    ", "dim"], [line]]);
}
