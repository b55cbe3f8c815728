/**
 * Variables of shell text: what is assigned, and what an expansion stands for. Invariants: bounded patterns; never
 * throws.
 */

/** In place of an expansion whose value is not in the text. */
export const UNKNOWN = "\0";

const DECLARES = new Set(["export", "local", "readonly", "declare", "typeset"]);
const ASSIGNS = /^([A-Za-z_][A-Za-z0-9_]{0,60})\+?=/;

/** The words without assignments in front; those are told. */
export function assigned(
  words: readonly string[],
  tell: (name: string, value: string) => void,
): readonly string[] {
  const declares = DECLARES.has(words[0] ?? "");
  const sets = words[0] === "env" || words[0] === "cross-env";
  let at = declares || sets ? 1 : 0;
  for (; at < words.length; at += 1) {
    const name = ASSIGNS.exec(words[at]!);
    if (name !== null) tell(name[1]!, words[at]!.slice(name[0].length));
    else if (!sets || !words[at]!.startsWith("-")) break;
  }
  return declares ? [] : words.slice(at);
}

/** How many characters an expansion takes, and what it stands for; 0: it is none. */
export function expansion(
  text: string,
  variables: ReadonlyMap<string, string>,
): readonly [number, string] {
  const found =
    /^\$(?:\{([A-Za-z_]\w{0,60})(?::?-([^{}$`"]{0,100}))?\}|\{[^{}]{1,150}\}|([A-Za-z_]\w{0,60})|[\d@*#?$!-])/.exec(
      text,
    );
  if (found === null) return [0, ""];
  const [whole, braced, fallback, bare] = found;
  return [whole.length, variables.get(braced ?? bare ?? "") ?? fallback ?? UNKNOWN];
}
