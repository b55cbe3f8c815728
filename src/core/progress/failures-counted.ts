/**
 * The number of failures that a check's output states, whatever program wrote it: "5 failed", "2 tests failing",
 * "failures: 3", "Found 12 errors". Invariants: linear time; the largest stated count is used, so that a count of
 * suites does not hide one of tests; undefined if no count is stated, or only zeros.
 */
import type { Evidence } from "../evidence.ts";
import { stripEscapes } from "../foreign-text.ts";

const MAX_CHARS = 200_000;

const COUNTED =
  "(?:failed|failing|failures?|fails?|errors?|errored|broken|problems?|not ok|did not pass)";
/** A word or two and the total may come in between: "5 tests failed", "3 of 40 tests failed", "3/40 failed". */
const BEFORE =
  "(?<![\\w.:/#-]|(?:of|line) )(\\d{1,7})(?: (?:out )?of \\d{1,7}| ?/ ?\\d{1,7})? " +
  `(?:[a-z]{1,20} ){0,2}${COUNTED}(?![\\w-])`;
const AFTER = `(?<![\\w-])${COUNTED}(?: [a-z]{1,20})?\\s{0,3}[:=]\\s{0,3}(\\d{1,7})(?![\\w.:])`;
const COUNT = new RegExp(`${BEFORE}|${AFTER}`, "gi");

export function failuresCounted({ stdout = "", stderr = "" }: Evidence): number | undefined {
  let most = 0;
  for (const text of [stdout, stderr])
    for (const [, before, after] of stripEscapes(text.slice(-MAX_CHARS)).matchAll(COUNT))
      most = Math.max(most, Number(before ?? after));
  return most === 0 ? undefined : most;
}
