/**
 * HTML and SVG templates that are safe against injection: every value is escaped, cleaned and bounded unless it is
 * markup itself. Invariant: only this project's templates write tags and attributes.
 */
import { escapeHtml } from "../../foreign-text.ts";

class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
export type { Markup };

type Part = Markup | string | number | undefined | readonly Part[];

const TEXT_MAX = 4000;

/** For values in text or in double-quoted attributes; lists are joined, `undefined` becomes empty. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.reduce((sum, text, index) => `${sum}${rendered(parts[index - 1])}${text}`));

function rendered(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(rendered).join("");
  return typeof part === "number" ? String(part) : escapeHtml(part, { maxChars: TEXT_MAX });
}

/** A style sheet without values, so nothing foreign can get into it. */
export const css = (texts: TemplateStringsArray): Markup => new Markup(texts.join(""));
