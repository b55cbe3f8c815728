/**
 * Parses shell text into simple commands: their words without quotes, separated by `;`, `&&`, `||`, `|`, `&` or a line
 * end, including those in subshells and substitutions. Where only a shell could know a value, it writes UNKNOWN;
 * callers that need certainty use `plainWords` or `commandParts`. Invariants: linear time, bounded sizes; never throws.
 */
import { expansion, programOf, UNKNOWN } from "./variables.ts";

export interface ShellCommand {
  /** Without redirections. */
  readonly words: readonly string[];
  /** The working directory at this point, following `cd`. */
  readonly folder: string;
  /** Its output is redirected to a file. */
  readonly writes: boolean;
  /** Its position in the text, and the operator after it. */
  readonly start: number;
  readonly end: number;
  readonly endedBy: string;
}

interface ShellOptions {
  readonly folder?: string;
  /** Where `cd target` leads from a folder. */
  readonly moved?: (folder: string, target: string) => string;
  /** Called for each file that output is redirected to. */
  readonly wrote?: (file: string) => void;
}

const TEXT_MAX = 256_000;
const COMMANDS_MAX = 4000;
const WORDS_MAX = 4000;
/** The longest word that expansions can produce; literal text is already bounded. */
const EXPANDED_MAX = 1000;
const VARIABLES_MAX = 400;
const DEPTH_MAX = 100;

/** The parser's state at one depth of subshells and substitutions. */
interface Level {
  words: string[];
  word: string | undefined;
  folder: string;
  quoted: boolean;
  /** The redirection operator whose target is the next word: `>`, `2>&`. */
  redirection: string;
  writes: boolean;
  start: number;
  readonly closes: ")" | "`" | "";
}

const opened = (closes: Level["closes"], folder: string): Level => ({
  words: [],
  word: undefined,
  folder,
  quoted: false,
  redirection: "",
  writes: false,
  start: -1,
  closes,
});

const REDIRECTION = /<<<|<<-?\s{0,3}\\?['"]?([A-Za-z_][A-Za-z0-9_]{0,40})['"]?|[<>]{1,2}&?[|]?/y;
const OPERATOR = /&&|\|\||;;|[&|;\n]/y;

export function shellCommands(text: string, options: ShellOptions = {}): readonly ShellCommand[] {
  const source = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text;
  const commands: ShellCommand[] = [];
  const variables = new Map<string, string>();
  const heredocs: string[] = [];
  const levels: Level[] = [];
  let level = opened("", options.folder ?? "");
  let at = 0;

  const add = (part: string): void => {
    if (level.start < 0) level.start = at;
    level.word = (level.word ?? "") + part;
  };
  const endWord = (): void => {
    const { word, redirection } = level;
    level.word = undefined;
    if (word === undefined) return;
    level.redirection = "";
    if (redirection !== "") {
      const isFile = goesIntoFile(redirection, word);
      level.writes ||= isFile;
      if (isFile) options.wrote?.(word);
    } else if (level.words.length < WORDS_MAX) level.words.push(word);
  };
  const endCommand = (endedBy: string): void => {
    endWord();
    const { words, folder, writes, start } = level;
    Object.assign(level, { words: [], redirection: "", writes: false, start: -1 });
    if (words.length === 0) return;
    const program = programOf(words);
    for (const [name, value] of program.assigned)
      if (variables.size < VARIABLES_MAX) variables.set(name, value);
    if (commands.length < COMMANDS_MAX)
      commands.push({ words, folder, writes, start, end: at, endedBy });
    const [first, target = ""] = program.words;
    if (first === "cd" || first === "pushd")
      level.folder = options.moved?.(folder, target) ?? folder;
  };
  const open = (closes: ")" | "`"): void => {
    if (levels.length >= DEPTH_MAX) return;
    levels.push(level);
    level = opened(closes, level.folder);
  };
  const close = (): void => {
    endCommand(level.closes);
    level = levels.pop() ?? level;
  };
  const expand = (value: string): void => {
    if ((level.word ?? "").length > EXPANDED_MAX) return;
    if (level.quoted) return add(value.slice(0, EXPANDED_MAX));
    const parts = value.slice(0, EXPANDED_MAX).split(/\s+/);
    parts.forEach((part, index) => {
      if (index > 0) endWord();
      if (part !== "") add(part);
    });
  };

  for (; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === "\\") {
      at += 1;
      if (source.charAt(at) !== "\n") add(source.charAt(at));
    } else if (char === '"') {
      level.quoted = !level.quoted;
      add("");
    } else if (char === "`") {
      if (level.closes === "`") close();
      else {
        add(UNKNOWN);
        open("`");
      }
    } else if (char === "$" && source.charAt(at + 1) === "(") {
      add(UNKNOWN);
      open(")");
      at += 1;
    } else if (char === "$") {
      const [length, value] = expansion(source.slice(at, at + 200), variables);
      if (length === 0) add(char);
      else expand(value);
      at += Math.max(0, length - 1);
    } else if (level.quoted) add(char);
    else if (char === "'") {
      const end = source.indexOf("'", at + 1);
      add(source.slice(at + 1, end < 0 ? source.length : end));
      at = end < 0 ? source.length : end;
    } else if (char === "#" && level.word === undefined) {
      const end = source.indexOf("\n", at);
      at = (end < 0 ? source.length : end) - 1;
    } else if (char === "(") {
      endWord();
      open(")");
    } else if (char === ")") {
      if (level.closes === ")") close();
      else [level.words, level.word] = [[], undefined];
    } else if (char === "<" || char === ">") {
      const [sign, heredoc] = signAt(REDIRECTION, source, at);
      if (level.word !== undefined && /^\d$/.test(level.word)) level.word = undefined;
      endWord();
      if (heredoc === undefined) level.redirection = sign;
      else heredocs.push(heredoc);
      at += sign.length - 1;
    } else if (char === "&" && source.charAt(at + 1) === ">") endWord();
    else if (char === "\n" || char === ";" || char === "&" || char === "|") {
      const [operator] = signAt(OPERATOR, source, at);
      endCommand(operator);
      at = char === "\n" ? afterHeredocs(source, at, heredocs) : at + operator.length - 1;
    } else if (char === " " || char === "\t" || char === "\r") endWord();
    else add(char);
  }
  while (levels.length > 0) close();
  endCommand("");
  return commands;
}

function signAt(pattern: RegExp, text: string, at: number): readonly [string, string | undefined] {
  pattern.lastIndex = at;
  const [sign = "", name] = pattern.exec(text) ?? [];
  return [sign, name];
}

const goesIntoFile = (sign: string, target: string): boolean =>
  sign.includes(">") && target !== "/dev/null" && !(sign.includes("&") && /^[\d-]$/.test(target));

/** The offset of the last character of the here-documents that begin after this line end. */
function afterHeredocs(source: string, at: number, heredocs: string[]): number {
  let end = at;
  for (const mark of heredocs.splice(0)) {
    for (let line = ""; end < source.length && line !== mark;) {
      const next = source.indexOf("\n", end + 1);
      const stop = next < 0 ? source.length : next;
      line = source.slice(end + 1, Math.min(stop, end + 61)).trim();
      end = stop;
    }
  }
  return end;
}
