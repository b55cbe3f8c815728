/**
 * Keywords and assignments in front of a shell command, and variable expansion. Invariants: bounded patterns; never
 * throws.
 */

/** Replaces an expansion whose value is not in the text. */
export const UNKNOWN = "\0";

/** Keywords that only structure other commands. */
const KEYWORDS = new Set(
  "if then else elif fi do done while until ! { } time exec esac".split(" "),
);
const DECLARES = new Set(["export", "local", "readonly", "declare", "typeset"]);
const ASSIGNS = /^([A-Za-z_][A-Za-z0-9_]{0,60})\+?=/;

interface Program {
  readonly assigned: readonly (readonly [name: string, value: string])[];
  /** The program and its arguments; empty if the command only assigns, or only structures others. */
  readonly words: readonly string[];
}

/** A command's words without leading keywords and assignments. */
export function programOf(words: readonly string[]): Program {
  let at = words.findIndex((word) => !KEYWORDS.has(word));
  if (at < 0) return { assigned: [], words: [] };
  const declares = DECLARES.has(words[at]!);
  const sets = words[at] === "env" || words[at] === "cross-env";
  if (declares || sets) at += 1;
  const assigned: (readonly [string, string])[] = [];
  for (; at < words.length; at += 1) {
    const name = ASSIGNS.exec(words[at]!);
    if (name !== null) assigned.push([name[1]!, words[at]!.slice(name[0].length)]);
    else if (!sets || !words[at]!.startsWith("-")) break;
  }
  return { assigned, words: declares ? [] : words.slice(at) };
}

const EXPANSION =
  /^\$(?:\{([A-Za-z_]\w{0,60})(?::?-([^{}$`"]{0,100}))?\}|\{[^{}]{1,150}\}|([A-Za-z_]\w{0,60})|[\d@*#?$!-])/;

/** The length of an expansion and its value; length 0 if there is none. */
export function expansion(
  text: string,
  variables: ReadonlyMap<string, string>,
): readonly [number, string] {
  const found = EXPANSION.exec(text);
  if (found === null) return [0, ""];
  const [whole, braced, fallback, bare] = found;
  return [whole.length, variables.get(braced ?? bare ?? "") ?? fallback ?? UNKNOWN];
}
