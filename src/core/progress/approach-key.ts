/**
 * When two approaches, or two errors in words, are the same (B10). Invariants: linear time; the key keeps every
 * word that carries meaning, in order, so that only equal texts are equal ("async/await pattern" is not "callback
 * pattern"); empty when nothing is said.
 */

const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an the with using use by and or but in on at to for of again once more trying try tried now then".split(
    " ",
  ),
);
const MAX_CHARS = 2000;

export function approachKey(text: string): string {
  return text
    .slice(0, MAX_CHARS)
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .join(" ");
}
