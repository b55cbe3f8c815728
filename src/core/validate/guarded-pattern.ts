/** Patterns of a foreign schema: only such as cannot take more than linear time are run. */

/**
 * A `pattern` is a regular expression from outside, run on an answer from outside. One that can explode, or costs too much for
 * the length of a text, is not tested, and the text counts as matching (the tool checks its own arguments anyway).
 */
interface GuardedPattern {
  readonly test: (text: string) => boolean;
  /** What tells two patterns apart. */
  readonly toString: () => string;
}

const MAX_PATTERN_CHARS = 1000;

const MAX_STEPS = 10_000_000;

export function guardedPattern(source: string, flags: string): GuardedPattern {
  const expression = new RegExp(source, flags);
  const repeats = source.length > MAX_PATTERN_CHARS ? undefined : repeatsOf(source);
  const longest = repeats === undefined ? -1 : MAX_STEPS ** (1 / (repeats + 1));
  return {
    test: (text) => text.length > longest || expression.test(text),
    toString: () => String(expression),
  };
}

interface Group {
  /**
   * A repeat or an alternative inside, at any depth: repeating the group then multiplies the ways
   * to match.
   */
  ambiguous: boolean;
}

const TWO_CHARS = /^\\[^]/;

const CHARACTER_CLASS = /^\[(?:\\[^]|[^\]\\])*\]/;

const GROUP_OPEN = /^\((?:\?(?::|<[A-Za-z]\w*>))?/;

const REPEAT = /^(?:[*+?]|\{\d{1,6}(?:,\d{0,6})?\})\??/;

/** How many repeats a pattern has; undefined if they are nested, refer back or look around. */
function repeatsOf(source: string): number | undefined {
  const open: Group[] = [{ ambiguous: false }];
  let closed: Group | undefined;
  let repeats = 0;
  for (let rest = source; rest !== "";) {
    if (/^\\[1-9k]|^\(\?[=!]|^\(\?<[=!]/.test(rest)) return undefined;
    const repeat = REPEAT.exec(rest)?.[0];
    const token =
      repeat ?? (TWO_CHARS.exec(rest) ?? CHARACTER_CLASS.exec(rest) ?? GROUP_OPEN.exec(rest))?.[0];
    const char = rest.charAt(0);
    const group = open.at(-1);
    if (group === undefined) return undefined;
    if (repeat !== undefined) {
      if (closed?.ambiguous) return undefined;
      repeats += 1;
      group.ambiguous = true;
    } else if (char === "|") group.ambiguous = true;
    else if (char === "(") open.push({ ambiguous: false });
    closed = char === ")" ? open.pop() : undefined;
    const parent = open.at(-1);
    if (closed?.ambiguous && parent !== undefined) parent.ambiguous = true;
    rest = rest.slice(token?.length ?? 1);
  }
  return repeats;
}
