/** Measures how much of an attempt's output is new, by shared word sequences. */

const MAX_CHARS = 200_000;

const SHINGLE_WORDS = 2;

const TIMES =
  /\b\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:z|[+-]\d{2}:?\d{2})?)?|\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?\b/g;

const LONG_NUMBERS = /\b\d{10,}\b/g;

/**
 * The share of an attempt's output that was not in the previous one: 0 for equal texts or no output, 1 if there is
 * nothing to compare with. Times and long numbers are ignored. Compares pairs of words instead of computing a quadratic
 * diff.
 */
export function outputNovelty(previous: string, current: string): number {
  const now = normalised(current);
  const before = normalised(previous);
  if (now.length === 0) return 0;
  if (before.length === 0) return 1;
  return 1 - similarity(before, now);
}

function normalised(text: string): readonly string[] {
  return text
    .slice(-MAX_CHARS)
    .toLowerCase()
    .replace(TIMES, " ")
    .replace(LONG_NUMBERS, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** The Dice coefficient of the two multisets of shingles. */
function similarity(before: readonly string[], now: readonly string[]): number {
  const counts = new Map<string, number>();
  const old = shingles(before);
  for (const shingle of old) counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  const current = shingles(now);
  let shared = 0;
  for (const shingle of current) {
    const left = counts.get(shingle) ?? 0;
    if (left === 0) continue;
    counts.set(shingle, left - 1);
    shared += 1;
  }
  return (2 * shared) / (old.length + current.length);
}

/** Pairs of adjacent words, starting with the first word alone so that a single word has a shingle too. */
function shingles(words: readonly string[]): readonly string[] {
  return words.map((_, index) =>
    words.slice(Math.max(0, index + 1 - SHINGLE_WORDS), index + 1).join(" "),
  );
}
