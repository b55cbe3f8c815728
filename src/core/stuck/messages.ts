/**
 * Messages that come again, word for word or nearly, without any work between. Invariants: reads at most 4,000
 * units of a message; remembers the last one only.
 */
import type { Origin } from "./event.ts";
import { hashNumber } from "../hash.ts";

export interface Messages {
  hash: number;
  count: number;
  origin: Origin | undefined;
  words: ReadonlySet<string>;
  /** Messages in a row that say nearly the same. */
  alike: number;
  alikeOrigin: Origin | undefined;
  /** The streamed message that is not complete yet. */
  open: string;
  openOrigin: Origin | undefined;
}

const MAX_UNITS = 4000;
const MAX_WORDS = 80;
/** Share of common words from which two messages say the same. */
const ALIKE = 0.7;

export const createMessages = (): Messages => ({
  hash: 0,
  count: 0,
  origin: undefined,
  words: new Set(),
  alike: 0,
  alikeOrigin: undefined,
  open: "",
  openOrigin: undefined,
});

export function noteWork(messages: Messages): void {
  messages.count = 0;
  messages.alike = 0;
  messages.open = "";
}

export function notePiece(messages: Messages, text: string, origin: Origin): void {
  if (messages.open === "") messages.openOrigin = origin;
  if (messages.open.length < MAX_UNITS)
    messages.open += text.slice(0, MAX_UNITS - messages.open.length);
}

/** The streamed message is complete. */
export function closeMessage(messages: Messages): void {
  const { open, openOrigin } = messages;
  messages.open = "";
  if (openOrigin !== undefined) noteMessage(messages, open, openOrigin);
}

export function noteMessage(messages: Messages, text: string, origin: Origin): void {
  const plain = text.slice(0, MAX_UNITS).toLowerCase().replace(/\s+/g, " ").trim();
  if (plain === "") return;
  const hash = hashNumber(plain);
  if (messages.count > 0 && messages.hash === hash) messages.count += 1;
  else {
    messages.count = 1;
    messages.hash = hash;
    messages.origin = origin;
  }
  const words = wordsOf(plain);
  if (messages.alike > 0 && alike(messages.words, words)) messages.alike += 1;
  else {
    messages.alike = 1;
    messages.alikeOrigin = origin;
  }
  messages.words = words;
}

const STOP_WORDS = new Set(
  (
    "a an the i im you me we it is am are be to of in on and or so do does will shall should " +
    "can could would let lets want now then please just this that with for again still there here"
  ).split(" "),
);

/** The words that carry meaning; of a message without any, all. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.replace(/\d+/g, "0").split(/[^\p{L}\p{N}]+/u, MAX_WORDS);
  const all = words.filter((word) => word !== "");
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  return new Set(telling.length > 0 ? telling : all);
}

function alike(before: ReadonlySet<string>, after: ReadonlySet<string>): boolean {
  let common = 0;
  for (const word of after) if (before.has(word)) common += 1;
  const all = before.size + after.size - common;
  return all > 0 && common / all >= ALIKE;
}
