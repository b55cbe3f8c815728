/**
 * The longest piece of plain text that whatever a pattern matches must hold. Looking for it costs nothing beside
 * making the pattern, which most candidate lines then do not need. Invariants: reads patterns of the rules only;
 * where it is not sure, nothing is needed.
 */

const SHORTEST = 3;
const CLOSED_BY: Readonly<Record<string, string>> = { "[": "]", "(": ")" };

/** Empty where no such piece is known. */
export function neededText(source: string): string {
  let longest = "";
  let run = "";
  const end = (): void => {
    if (run.length > longest.length) longest = run;
    run = "";
  };
  for (let at = 0; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === "|") return "";
    if ("?*+{".includes(char)) {
      // what is repeated may be there once, often or not at all
      run = run.slice(0, -1);
      end();
      while (char === "{" && at < source.length && source.charAt(at) !== "}") at += 1;
    } else if (char === "[" || char === "(") {
      end();
      at = closing(source, at);
    } else if (char === "\\" && /[^A-Za-z0-9]/.test(source.charAt(at + 1))) {
      at += 1;
      run += source.charAt(at);
    } else if (char === "\\") {
      end();
      at += escapeLength(source.charAt(at + 1));
    } else if (".^$".includes(char)) end();
    else run += char;
  }
  end();
  return longest.length >= SHORTEST && /^[\x20-\x7e]*$/.test(longest) ? longest : "";
}

/** How many characters follow the backslash of an escape that stands for no plain character. */
function escapeLength(letter: string): number {
  if (letter === "u") return 5;
  return letter === "x" ? 3 : 1;
}

/** Where a class or group that opens here closes; inside a class only escapes and its end count. */
function closing(source: string, from: number): number {
  const close = CLOSED_BY[source.charAt(from)];
  let at = from + 1;
  for (; at < source.length && source.charAt(at) !== close; at += 1) {
    const char = source.charAt(at);
    if (char === "\\") at += 1;
    else if (close === ")" && (char === "[" || char === "(")) at = closing(source, at);
  }
  return at;
}
