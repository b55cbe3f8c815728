/**
 * How an agent ends: it asks something, says that it could not do everything, or considers its work done. The checks
 * decide whether that is true; together with failed checks it helps to tell causes apart. It goes by structure: what
 * the agent says about itself. Invariants: a problem the agent solved itself does not count as unable; undefined if it
 * said nothing; linear; bounded.
 */
import { closingPart, sentencesOf } from "./closing-part.ts";

export type Closing = "asks" | "unable" | "done";

export function closingOf(
  message: string,
  said: { readonly asks?: string | undefined; readonly lacks?: unknown },
): Closing | undefined {
  if (said.asks !== undefined) return "asks";
  if (said.lacks !== undefined) return "unable";
  const sentences = sentencesOf(closingPart(message)).map(({ text }) => text.slice(0, MAX_CHARS));
  if (sentences.length === 0) return undefined;
  const last = sentences.findLastIndex((text) => UNABLE.some((pattern) => pattern.test(text)));
  return last < 0 || sentences.slice(last).some((text) => SETTLED.test(text)) ? "done" : "unable";
}

const MAX_CHARS = 600;

const UNABLE: readonly RegExp[] = [
  /\b(?:I|we) ?(?:cannot|can't|can not|could not|couldn't|was unable|were unable|am unable|are unable|'m unable|was not able|am not able|'m not able)\b/i,
  /\b(?:I|we)(?:'ve| have)? (?:stopped|gave up|given up|did not (?:finish|complete|manage|succeed)|didn't (?:finish|complete|manage|succeed)|do not (?:have|know)|don't (?:have|know)|lack)\b/i,
  /\b(?:left|leave|leaves|remains?|is still|are still) (?:\w+ ){0,4}(?:open|undone|unfinished|incomplete|undecided|unresolved|unclear|ambiguous)\b/i,
  /\b(?:is|are|was|were|seems?) (?:not |n't )(?:\w+ )?(?:possible|feasible)\b|\bimpossible to\b|\bno way to\b/i,
  /\b(?:is|are|was|were)(?: not|n't| nowhere) (?:\w+ )?(?:written|documented|specified|defined|decided|configured|stated|described)\b/i,
  /\bnothing (?:\w+ ){0,5}(?:says|tells|specifies|defines|states|explains)\b|\bno \w+ (?:\w+ ){0,3}(?:is|are|was|were) (?:configured|given|specified|documented|available|provided)\b/i,
  /\b(?:blocked|stuck)\b/i,
];

const SETTLED =
  /\b(?:so|instead|therefore|then) (?:I|we) (?:used|added|chose|took|wrote|implemented|assumed|went|kept|made|fixed|replaced|changed)\b|\b(?:now|finally) (?:works|passes|handles)\b|\bwork(?:ed|ing)? around\b|\bno longer\b/i;
