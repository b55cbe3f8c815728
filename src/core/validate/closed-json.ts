/**
 * Where JSON that a model wrote loosely comes to its end: with single quotes, comments, bare words, quotes in quotes or
 * a bracket too few in the middle. Invariants: linear time; nothing is an end but the bracket that closes the first, so
 * what was cut off, wherever it was, has none.
 */

const OPENED_BY: Readonly<Record<string, string>> = { "}": "{", "]": "[" };
const QUOTES = "\"'`";
/** A quote opens a string only where a key or a value may begin: "it's" is a word. */
const BEFORE_A_STRING = "{[,:";

/** The place after the bracket that closes the one at `start`. */
export function closedEnd(text: string, start: number): number | undefined {
  const brackets = new OpenBrackets();
  let before = "";
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char.trim() === "") continue;
    const comment = char === "/" && before !== ":" ? commentEnd(text, at) : undefined;
    if (comment !== undefined) {
      at = comment;
      continue;
    }
    if (QUOTES.includes(char) && BEFORE_A_STRING.includes(before)) at = stringEnd(text, at);
    else if (char === "{" || char === "[") brackets.open(char);
    else if (char === "}" || char === "]") {
      brackets.close(OPENED_BY[char] ?? "");
      if (brackets.areClosed) return at + 1;
    }
    before = char;
  }
  return undefined;
}

/** A closing bracket closes what was left open inside it too; one that closes nothing is passed over. */
class OpenBrackets {
  private readonly stack: string[] = [];
  private readonly counts: Record<string, number> = { "{": 0, "[": 0 };

  get areClosed(): boolean {
    return this.stack.length === 0;
  }

  open(bracket: string): void {
    this.stack.push(bracket);
    this.counts[bracket] = (this.counts[bracket] ?? 0) + 1;
  }

  close(bracket: string): void {
    if ((this.counts[bracket] ?? 0) === 0) return;
    for (let last = this.stack.pop(); last !== undefined; last = this.stack.pop()) {
      this.counts[last] = (this.counts[last] ?? 0) - 1;
      if (last === bracket) return;
    }
  }
}

function stringEnd(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === text.charAt(quote)) return at;
  }
  return text.length;
}

/** The last place of the comment that begins here, if one does. */
function commentEnd(text: string, slash: number): number | undefined {
  const mark = text.slice(slash, slash + 2);
  const close = { "//": "\n", "/*": "*/" }[mark];
  if (close === undefined) return undefined;
  const end = text.indexOf(close, slash + 2);
  return end < 0 ? text.length : end + close.length - 1;
}
