/**
 * The part of an agent's last message that states the outcome: its last two paragraphs of prose and the lists between
 * them. Invariants: excludes code blocks, quotations and our own report tags; bounded; linear.
 */
import { cleanText } from "../foreign-text.ts";

const READ_CHARS = 20_000;
const PROSE_PARAGRAPHS = 2;
const MAX_LINES = 40;

const TAGGED = /<(approach|progress)>[^<]{0,2000}<\/\1>/g;
const FENCE = /^\s{0,3}(?:```|~~~)/;
const QUOTED = /^\s{0,3}>/;
const ITEM = /^\s{0,8}(?:[-*+•]|\(?[0-9a-zA-Z]{1,2}[.)])\s/;

const isListItem = (line: string): boolean => ITEM.test(line);

/** Its lines, with an empty line between paragraphs. */
export function closingPart(message: string): readonly string[] {
  const paragraphs = paragraphsOf(cleanText(message, { maxChars: READ_CHARS }));
  const kept: string[] = [];
  let prose = 0;
  for (const paragraph of paragraphs.toReversed()) {
    if (prose === PROSE_PARAGRAPHS || kept.length >= MAX_LINES) break;
    if (!paragraph.every(isListItem)) prose += 1;
    kept.unshift(...paragraph, "");
  }
  return kept.slice(0, -1).slice(-MAX_LINES);
}

function paragraphsOf(message: string): readonly (readonly string[])[] {
  const paragraphs: string[][] = [[]];
  let isCode = false;
  for (const line of message.replace(TAGGED, "").split("\n")) {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || QUOTED.test(line)) continue;
    if (line.trim() === "") paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs.filter((lines) => lines.length > 0);
}

const SENTENCE_END = /(?<=[.!?？][*_)"'\]]{0,3})\s+/;

/** The sentences of prose; a list item counts as one piece. */
export function sentencesOf(lines: readonly string[]): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let prose = "";
  const close = (): void => {
    for (const text of prose.split(SENTENCE_END))
      if (text.trim() !== "") sentences.push({ text: text.trim(), isItem: false });
    prose = "";
  };
  for (const line of lines) {
    if (line !== "" && !isListItem(line)) prose += `${line} `;
    else {
      close();
      if (line !== "") sentences.push({ text: line.replace(ITEM, "").trim(), isItem: true });
    }
  }
  close();
  return sentences;
}

export interface Sentence {
  readonly text: string;
  readonly isItem: boolean;
}
