/** Foreign text inside a sentence of a prompt (U15): one bounded line between backticks. */
import { tameLine } from "../foreign-text.ts";

export const escapeInline = (text: string): string =>
  `\`${tameLine(text, 200).replaceAll("`", "'")}\``;
