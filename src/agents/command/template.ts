/**
 * A user's agent command such as `my-agent --model {model} {prompt}`, split into words without a shell and filled in.
 * Invariants: a filled-in value never becomes more than one argument, is never expanded again, and never ends up inside
 * a shell script; anything that would need a shell is refused with the reason, not passed on in another meaning.
 */

type Template = { readonly ok: true; readonly words: readonly string[] } | Refused;

interface Refused {
  readonly ok: false;
  readonly problem: string;
  /** The reason alone, for callers that add their own context and advice. */
  readonly why: string;
}

interface TemplateValues {
  readonly prompt: string;
  readonly promptFile: string;
  readonly model?: string;
  readonly thinking?: "on" | "off";
}

const PLACEHOLDER = /\{(prompt|promptFile|model|thinking)\}/g;
const NEEDS_SHELL = "|&;<>()`$";
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh", "fish", "ash"]);

/** Quotes and backslashes mean what they mean to `sh`. */
export function parseTemplate(text: string): Template {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === " " || char === "\t" || char === "\n") {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    const piece = readPiece(text, at, word === undefined);
    if (!piece.ok) return piece;
    word = (word ?? "") + piece.text;
    at = piece.next;
  }
  if (word !== undefined) words.push(word);
  return checkWords(words);
}

/** True if the template itself says where the prompt goes. */
export const takesPrompt = (words: readonly string[]): boolean =>
  words.some((word) => word.includes("{prompt}") || word.includes("{promptFile}"));

export const takesThinking = (words: readonly string[]): boolean =>
  words.some((word) => word.includes("{thinking}"));

export function fillTemplate(words: readonly string[], values: TemplateValues): string[] {
  return words.map((word) =>
    word.replace(PLACEHOLDER, (whole, name: keyof TemplateValues) => values[name] ?? whole),
  );
}

type Piece = { readonly ok: true; readonly text: string; readonly next: number } | Refused;

function readPiece(text: string, at: number, wordStart: boolean): Piece {
  const char = text.charAt(at);
  if (char === "'") {
    const end = text.indexOf("'", at + 1);
    if (end < 0) return refuse(`the ' at character ${at + 1} is never closed`);
    return { ok: true, text: text.slice(at + 1, end), next: end + 1 };
  }
  if (char === '"') return readDoubleQuoted(text, at);
  if (char === "\\") {
    if (at + 1 >= text.length) return refuse("it ends in a lone backslash");
    const next = text.charAt(at + 1);
    return { ok: true, text: next === "\n" ? "" : next, next: at + 2 };
  }
  if (NEEDS_SHELL.includes(char) || (char === "~" && wordStart))
    return refuse(
      `${char} at character ${at + 1} needs a shell, and agents are started without one`,
      `quote it, or write sh -c '... "$1"' sh {prompt}`,
    );
  return { ok: true, text: char, next: at + 1 };
}

function readDoubleQuoted(text: string, start: number): Piece {
  let inner = "";
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === '"') return { ok: true, text: inner, next: at + 1 };
    if (char === "$" || char === "`")
      return refuse(`${char} at character ${at + 1} needs a shell`, "put it in single quotes");
    if (char === "\\" && next !== "" && '"\\$`\n'.includes(next)) {
      inner += next === "\n" ? "" : next;
      at += 1;
    } else inner += char;
  }
  return refuse(`the " at character ${start + 1} is never closed`);
}

function checkWords(words: readonly string[]): Template {
  if (words.length === 0 || words[0] === "") return refuse("there is no command in it");
  if (words.some((word) => word.includes("\0"))) return refuse("it has a NUL character");
  for (const [index, word] of words.entries()) {
    const name = word.slice(word.lastIndexOf("/") + 1);
    const script = SHELLS.has(name) ? scriptOf(words.slice(index + 1)) : undefined;
    if (script?.search(PLACEHOLDER) !== undefined && script.search(PLACEHOLDER) >= 0)
      return refuse(
        `a placeholder inside the script of ${name} would let a prompt run as shell text`,
        `write ${name} -c '... "$1"' ${name} {prompt}`,
      );
  }
  return { ok: true, words };
}

/** The word after `-c` (or `-lc`, ...), which a shell runs as a script. */
function scriptOf(args: readonly string[]): string | undefined {
  const flag = args.findIndex((arg) => /^-[a-zA-Z]{0,20}c$/.test(arg));
  return flag < 0 ? undefined : args[flag + 1];
}

const refuse = (why: string, mend?: string): Refused => ({
  ok: false,
  problem: `the agent command cannot be used: ${why}${mend === undefined ? "" : `: ${mend}`}`,
  why,
});
