/**
 * Detects whether an agent's last message asks for something that only a person can give, and extracts the text. It
 * goes by structure: the message ends with a question or a request and does not settle it itself. Invariants: questions
 * in code or quotes, rhetorical questions answered in the next sentence, and polite offers do not count; linear;
 * bounded.
 */
import { cutMiddle } from "../foreign-text.ts";
import { closingPart, sentencesOf, type Sentence } from "./closing-part.ts";

const MAX_CHARS = 1500;

/** The end of the message, verbatim; undefined if it asks for nothing. */
export function questionIn(message: string): string | undefined {
  const lines = closingPart(message);
  const sentences = sentencesOf(lines);
  const last = sentences.findLastIndex(isAsking);
  if (last < 0 || !sentences.slice(last + 1).every(leavesItOpen)) return undefined;
  return cutMiddle(lines.join("\n").trim(), MAX_CHARS);
}

const QUOTES = /`[^`\n]{0,300}`|"[^"\n]{0,300}"|“[^”\n]{0,300}”/g;
const COURTESY =
  /\banything else\b|\bany (?:other |further |more )?questions\b|\bmakes? sense\b|\b(?:does|did) (?:this|that) help\b|\bif you (?:have|need|run into|notice|spot)\b|\bif (?:there|anything|something|this|that)\b/i;

const isAsking = ({ text, isItem }: Sentence): boolean => {
  const said = text.replace(QUOTES, "X");
  if (COURTESY.test(said)) return false;
  return isQuestion(said) || (!isItem && REQUESTS.some((request) => request.test(said)));
};

const isQuestion = (said: string): boolean => /[?？][*_)"'\]]{0,3}$/.test(said);

const CANNOT =
  "(?:cannot|can't|can not|could not|couldn't|am unable to|'m unable to|was unable to|am not able to|'m not able to)";

const REQUESTS: readonly RegExp[] = [
  /\bI(?:'d| would)? (?:still |first |also )?(?:need|require) (?:to know|you to|your|more (?:information|details|context|input)|(?:some |further |a |an )?(?:clarification|guidance|decision|confirmation|instructions?|answer))\b/i,
  /\bplease (?:also )?(?:provide|confirm|specify|clarify|tell me|let me know|advise|share|supply|decide|choose|answer|give me|grant|send)\b/i,
  /\blet me know (?:which|what|whether|how|where|who|if (?:I|we) (?:should|may|can)|your)\b/i,
  /\bwait(?:ing)? for (?:your|a|an|the|some)\b.{0,60}\b(?:answer|reply|response|input|decision|confirmation|approval|go-ahead|guidance|instructions?|credentials?|access|key)\b/i,
  new RegExp(
    String.raw`\bI ?${CANNOT} (?:\w+ ){0,2}(?:proceed|continue|go on|go further|complete|finish|start|begin|implement|do (?:this|that|it)|decide|make (?:any )?progress|determine)\b`,
    "i",
  ),
];

const SETTLED =
  /\bI(?:'ve| have)? (?:went|gone|decided|chose|chosen|picked|assumed|opted|took|taken|used|settled|kept|implemented|fixed|added)\b|\bI(?:'ll| will| am going to|'m going to) (?:assume|go (?:with|for)|use|take|keep|pick)\b|\bfor now\b|\bbecause\b/i;
const TO_THE_READER =
  /\b(?:you|your|please|wait|once|until|otherwise|either|need|let me know|before|thanks|thank)\b/i;

/** After the question, only text that belongs to it: its choices, or more words addressed to the reader. */
const leavesItOpen = ({ text, isItem }: Sentence): boolean =>
  isItem || (!SETTLED.test(text) && (TO_THE_READER.test(text) || COURTESY.test(text)));
