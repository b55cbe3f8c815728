/**
 * Matches paths against globs as runners and shells write them. Invariants: time is at most pattern length times path
 * length; patterns have a maximum length; unsupported syntax (classes, extended globs) matches more rather than less.
 */

const PATTERN_MAX = 300;
const BRACES_MAX = 16;

export const isGlob = (word: string): boolean => /[*?[{]/.test(word);

/** Returns a path matcher; `**` crosses folders, `*` and `?` stay within one name. */
export function globMatcher(pattern: string): (path: string) => boolean {
  if (pattern.length > PATTERN_MAX) return () => false;
  const alternatives = unbraced(pattern.replace(/^(?:\.\/)+/, "")).map((one) =>
    plain(one).split("/"),
  );
  return (path) => {
    const names = path.split("/");
    return alternatives.some((parts) => matches(parts, names, "**", nameMatches));
  };
}

/** Simplifies classes to `?` and extended globs to `*`. */
const plain = (pattern: string): string =>
  pattern.replace(/[@+?*!]\([^()]{0,200}\)/g, "*").replace(/\[[^\]/]{1,100}\]/g, "?");

function unbraced(pattern: string): readonly string[] {
  let done: readonly string[] = [pattern];
  for (let round = 0; round < 4; round += 1)
    done = done
      .flatMap((one) => {
        const found = /\{([^{}]{0,200})\}/.exec(one);
        if (found === null) return [one];
        const before = one.slice(0, found.index);
        const after = one.slice(found.index + found[0].length);
        return found[1]!.split(",").map((choice) => before + choice + after);
      })
      .slice(0, BRACES_MAX);
  return done;
}

const nameMatches = (pattern: string, name: string): boolean =>
  matches([...pattern], [...name], "*", (a, b) => a === "?" || a === b);

/** Greedy matching that backtracks to the last star only: steps are bounded by the product of both lengths. */
function matches(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  same: (pattern: string, item: string) => boolean,
): boolean {
  let at = 0;
  let lastStar = -1;
  let resume = 0;
  for (let item = 0; item < items.length;) {
    if (pattern[at] === star) {
      lastStar = at;
      resume = item;
      at += 1;
    } else if (at < pattern.length && same(pattern[at]!, items[item]!)) {
      at += 1;
      item += 1;
    } else if (lastStar >= 0) {
      at = lastStar + 1;
      resume += 1;
      item = resume;
    } else return false;
  }
  while (pattern[at] === star) at += 1;
  return at === pattern.length;
}
