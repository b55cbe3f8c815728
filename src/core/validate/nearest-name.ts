/**
 * The name that was most likely meant, for invented tools and misspelt fields. Invariants: bounded work (long names are
 * cut, and only so many are compared); undefined rather than a bad guess.
 */

const MAX_CHARS = 64;
const MAX_NAMES = 500;

export function nearestName(asked: string, names: readonly string[]): string | undefined {
  const wanted = bare(asked);
  let best: string | undefined;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const name of names.slice(0, MAX_NAMES)) {
    const distance = editDistance(wanted, bare(name));
    if (distance < least) {
      best = name;
      least = distance;
    }
  }
  return wanted === "" ? undefined : best;
}

/** `readFile`, `read-file` and `read_file` are the same name. */
const bare = (name: string): string =>
  name
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Counts insertions, deletions, replacements and swaps of adjacent characters. */
function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const options = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + cost];
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) options.push(at(beforeLast, j - 2) + 1);
      row.push(Math.min(...options));
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0;
