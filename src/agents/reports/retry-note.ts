/**
 * A retry announced in words, on standard error: for agents that have no typed event for it. The line before it is
 * read too: that is where the reason often stands.
 */
import { evidenceOfText } from "./error-text.ts";
import { retrying } from "./seen.ts";
import type { Seen } from "./seen.ts";

const RETRYING = /\b(?:retrying|will retry|reconnecting|retry in)\b/i;
const WAIT = /\b(?:in|after) (\d{1,9})(?:\.\d{1,6})? ?(ms|s|sec|seconds)\b/i;

export const announcesRetry = (text: string): boolean => RETRYING.test(text.slice(0, 4000));

export function noteRetry(seen: Seen, line: string, before: string): Seen {
  if (line.length > 4000 || !RETRYING.test(line)) return seen;
  const wait = WAIT.exec(line);
  const waitMs = wait === null ? 0 : Number(wait[1]) * (wait[2] === "ms" ? 1 : 1000);
  const text = before.trim() === "" || RETRYING.test(before) ? line : `${before}\n${line}`;
  return retrying(seen, { evidence: evidenceOfText(text), waitMs });
}
