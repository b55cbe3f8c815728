/** A git diff, line by line with a colour and its own sign. Invariant: bounded, with a note if it was cut. */
import { cleanText } from "../../foreign-text.ts";
import { html, type Markup } from "./markup.ts";

export interface ShownDiff {
  readonly text: string;
  /** The diff was longer. */
  readonly cut: boolean;
}

const LINES_MAX = 3000;
const LINE_CHARS_MAX = 500;

export function diffBlock({ text, cut }: ShownDiff): Markup {
  const all = text.replace(/\n$/, "").split("\n");
  const lines = all.slice(0, LINES_MAX);
  const isCut = cut || all.length > lines.length;
  if (text.trim() === "") return html`<p class="quiet">Nothing was changed.</p>`;
  return html`<pre class="diff">${lines.map(diffLine)}</pre>
    ${isCut ? html`<p class="quiet">The diff is cut here: it is longer than a report should be.</p>` : ""}`;
}

const KINDS: readonly (readonly [start: string, kind: string])[] = [
  ["diff --git ", "f"],
  ["+++ ", "h"],
  ["--- ", "h"],
  ["index ", "h"],
  ["@@", "h"],
  ["+", "a"],
  ["-", "d"],
];

function diffLine(line: string): Markup {
  const kind = KINDS.find(([start]) => line.startsWith(start))?.[1] ?? "c";
  const text = cleanText(line, { maxChars: LINE_CHARS_MAX }).replace(/\n+/g, " ");
  return html`<span class="${kind}">${text === "" ? " " : text}</span>`;
}
