/**
 * Finds the end of loosely written JSON from a model: with single quotes, comments, bare words, nested quotes or a
 * missing bracket in the middle. Invariants: linear time; only the bracket that closes the first one is an end, so
 * truncated JSON has none, wherever it was cut.
 */

const OPENED_BY: Readonly<Record<string, string>> = { "}": "{", "]": "[" };
const QUOTES = "\"'`";
/** A quote opens a string only where a key or a value may begin: "it's" is a word. */
const BEFORE_A_STRING = "{[,:";

/** The offset after the bracket that closes the one at `start`. */
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

/** A closing bracket also closes brackets left open inside its pair; one that matches nothing is ignored. */
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

/** The last offset of the comment that begins here, if one does. */
function commentEnd(text: string, slash: number): number | undefined {
  const mark = text.slice(slash, slash + 2);
  const close = { "//": "\n", "/*": "*/" }[mark];
  if (close === undefined) return undefined;
  const end = text.indexOf(close, slash + 2);
  return end < 0 ? text.length : end + close.length - 1;
}
