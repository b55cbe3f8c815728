/**
 * Text for people, as every face shows it. Foreign text is tamed before it is shown; a line is pieces, each with a
 * style or none, and says everything without its styles.
 */
export { count, duration, spending } from "../core/amounts.ts";
export { waitWords } from "../core/backoff.ts";
export { cleanText, cleanLine } from "../core/foreign-text.ts";
export { withWords } from "../core/system-faults.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";
export type Piece = readonly [text: string, style?: Style];
export type Line = readonly Piece[];
