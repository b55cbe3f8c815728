/**
 * Text from an agent, an error, a repository or a person's terminal is treated as hostile. This is the one place that
 * truncates it, strips what a terminal or reader would interpret, and quotes it for prompts, Markdown and HTML.
 * Invariants: never throws; linear time; bounded output.
 */

const ESCAPES =
  // OSC, DCS, APC, PM, SOS up to their terminator (bounded); CSI; two-byte escapes
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]?|\x1b[ -/]{0,4}[0-~]?/g;
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
const BIDI_AND_INVISIBLE =
  /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

interface CleanOptions {
  /** The maximum length of the result in UTF-16 units; longer text loses its middle, with a note in its place. */
  readonly maxChars?: number;
}

/** Removes terminal escapes only; the remaining characters and lines stay as they are. */
export function stripEscapes(text: string): string {
  return text.includes("\x1b") || /[\x90-\x9f]/.test(text) ? text.replace(ESCAPES, "") : text;
}

/** Safe to print, log or quote: no escapes, controls, bidi overrides or lone surrogates; bounded. */
export function cleanText(text: string, { maxChars = 4000 }: CleanOptions = {}): string {
  const bounded = cutMiddle(text, maxChars * 4);
  const clean = stripEscapes(bounded)
    .replace(/\r\n?/g, "\n")
    .replace(CONTROLS, "")
    .replace(BIDI_AND_INVISIBLE, "")
    .replace(LONE_SURROGATE, "\ufffd");
  return cutMiddle(clean, maxChars);
}

/** One line of clean text, for tables, reasons and titles. */
export function cleanLine(text: string, maxChars = 160): string {
  const line = cleanText(text, { maxChars: maxChars * 4 })
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).trimEnd()}…`;
}

/** Keeps the beginning and twice as much of the end, because errors come last. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const note = `\n[... ${text.length - maxChars} characters left out ...]\n`;
  const room = Math.max(0, maxChars - note.length);
  const head = Math.floor(room / 3);
  return text.slice(0, head) + note.slice(0, maxChars) + text.slice(text.length - (room - head));
}

/** Fences text as quoted data for a prompt or a Markdown page, with a fence longer than any in the text. */
export function fence(
  text: string,
  options: CleanOptions & { readonly language?: string } = {},
): string {
  const clean = cleanText(text, options).replace(/\n+$/, "");
  let longest = 2;
  for (const run of clean.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length);
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${options.language ?? "text"}\n${clean}\n${ticks}`;
}

/** Escapes inline text for Markdown: nothing in it can become a link, an image, a tag or a heading. */
export function escapeMarkdown(text: string, maxChars = 400): string {
  return cleanLine(text, maxChars)
    .replace(/[\\`*_{}[\]()#+!|<>~&]/g, "\\$&")
    .replace(/(https?|ftp|file|data|javascript):/gi, "$1\\:")
    .replace(/\bwww\./gi, "www\\.")
    .replace(/@/g, "\\@");
}

export function escapeHtml(text: string, options: CleanOptions = {}): string {
  return cleanText(text, options)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}

/** Makes paths relative to a folder: the location of a tree is private, and the next tree is elsewhere. */
export const withoutFolder = (text: string, folder: string): string =>
  folder.length < 2
    ? text
    : text.replaceAll(`file://${folder}/`, "").replaceAll(`${folder}/`, "").replaceAll(folder, ".");
