/**
 * HTML and SVG that cannot be made by foreign text: whatever stands in a template is escaped, cleaned and bounded,
 * unless it is markup itself. Invariant: only the templates of this project write tags and attributes.
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

/** Values go into text or into attributes in double quotes; lists are joined, and nothing stands for `undefined`. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.reduce((sum, text, index) => `${sum}${rendered(parts[index - 1])}${text}`));

function rendered(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(rendered).join("");
  return typeof part === "number" ? String(part) : escapeHtml(part, { maxChars: TEXT_MAX });
}

/** A style sheet, which takes no values: nothing foreign can stand in it. */
export const css = (texts: TemplateStringsArray): Markup => new Markup(texts.join(""));
