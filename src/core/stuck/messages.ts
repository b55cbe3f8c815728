/**
 * Messages that repeat, exactly or nearly, without any work in between. Invariants: compares at most 4,000 UTF-16 units
 * of a message; remembers only the last one.
 */
import { hashNumber } from "../hash.ts";
import { wordSet } from "./command.ts";
import type { Origin } from "./event.ts";
import { beginMessage, readText, RepeatedText } from "./repeated-text.ts";
import type { MessageStep } from "./step.ts";

/** The messages of one channel. */
export class Messages {
  hash = 0;
  count = 0;
  origin: Origin | undefined;
  words: ReadonlySet<string> = new Set();
  /** Consecutive messages that say nearly the same. */
  alike = 0;
  alikeOrigin: Origin | undefined;
  /** The streamed message that is not yet complete. */
  open = "";
  openOrigin: Origin | undefined;
  /** Hash of the last streamed message, because agents report it again as a whole. */
  streamed = 0;
  /** The text as it arrives; created with the first message. */
  repeated: RepeatedText | undefined;
}

const MAX_UNITS = 4000;
const MAX_WORDS = 80;
/** Share of common words from which two messages say the same. */
const ALIKE = 0.7;

/** Called at each tool call: work happened, so messages before and after it do not count as repeated. */
export function forgetMessages(messages: Messages): void {
  messages.count = 0;
  messages.alike = 0;
  messages.open = "";
  if (messages.repeated !== undefined) beginMessage(messages.repeated);
}

export function noteText(messages: Messages, step: MessageStep, origin: Origin): void {
  const repeated = (messages.repeated ??= new RepeatedText());
  if (step.partial === true) {
    messages.streamed = 0;
    if (messages.open === "") messages.openOrigin = origin;
    const room = MAX_UNITS - messages.open.length;
    if (room > 0) messages.open += step.text.slice(0, room);
  } else {
    endMessage(messages);
    const isShownAgain = messages.streamed !== 0 && messages.streamed === markOf(step.text);
    messages.streamed = 0;
    if (isShownAgain) return;
    messages.openOrigin = origin;
    compare(messages, step.text, origin);
  }
  readText(repeated, step.text);
}

/** The streamed message is complete. */
export function endMessage(messages: Messages): void {
  const { open, openOrigin, repeated } = messages;
  messages.open = "";
  if (open !== "") messages.streamed = markOf(open);
  if (openOrigin !== undefined) compare(messages, open, openOrigin);
  if (repeated !== undefined) beginMessage(repeated);
}

const plainOf = (text: string): string =>
  text.slice(0, MAX_UNITS).toLowerCase().replace(/\s+/g, " ").trim();

const markOf = (text: string): number => hashNumber(plainOf(text));

function compare(messages: Messages, text: string, origin: Origin): void {
  const plain = plainOf(text);
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

const STOP_WORDS = wordSet(
  "a an the i im you me we it is am are be to of in on and or so do does will shall should " +
    "can could would let lets want now then please just this that with for again still there here",
);

/** The meaningful words, or all words if none are. */
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
