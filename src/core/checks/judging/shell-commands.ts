/**
 * The simple commands in shell text, each with its words and the folder it runs in. The readers of repairs and of
 * the loop guard refuse what is not plain; this one guesses, because a script that is not understood still judges.
 * Invariants: linear time, bounded sizes; never throws; what only a shell could know stands as UNKNOWN.
 */
import { assigned, expansion, UNKNOWN } from "./shell-variables.ts";
import { joined } from "./tree-paths.ts";

export interface ShellCommand {
  readonly words: readonly string[];
  /** Folder in the tree; begins with UNKNOWN where the script itself moved to a folder of its own finding. */
  readonly folder: string;
}

const TEXT_MAX = 256_000;
const COMMANDS_MAX = 4000;
const WORDS_MAX = 400;
const WORD_MAX = 1000;
const VARIABLES_MAX = 400;
const DEPTH_MAX = 100;

/** Words that only hold commands together. */
const KEYWORDS = new Set(
  "if then else elif fi do done while until ! { } time exec esac".split(" "),
);
const NO_COMMAND = new Set(["for", "case", "select", "function", "[[", "[", "echo", "printf"]);
/** Variables whose value is options of a program. */
const OPTIONS_OF: Readonly<Record<string, string>> = {
  NODE_OPTIONS: "node",
  PYTEST_ADDOPTS: "pytest",
  MOCHA_OPTS: "mocha",
};

interface Level {
  words: string[];
  word: string | undefined;
  folder: string;
  quoted: boolean;
  /** The next word is the target of a redirection. */
  target: boolean;
  readonly closes: ")" | "`" | "";
}

export function shellCommands(text: string, folder: string): readonly ShellCommand[] {
  const source = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text;
  const commands: ShellCommand[] = [];
  const variables = new Map<string, string>();
  const heredocs: string[] = [];
  const levels: Level[] = [];
  let level = opened("", folder);

  const add = (part: string): void => {
    const word = level.word ?? "";
    level.word = word.length < WORD_MAX ? word + part : word;
  };
  const endWord = (): void => {
    if (level.word !== undefined && !level.target && level.words.length < WORDS_MAX)
      level.words.push(level.word);
    if (level.word !== undefined) level.target = false;
    level.word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    level.target = false;
    const words = level.words;
    level.words = [];
    const rest = assigned(
      words.slice(words.findIndex((word) => !KEYWORDS.has(word))),
      (name, value) => {
        if (variables.size < VARIABLES_MAX) variables.set(name, value);
        const program = OPTIONS_OF[name];
        if (program !== undefined && Object.hasOwn(OPTIONS_OF, name))
          commands.push({ words: [program, ...value.split(/\s+/)], folder: level.folder });
      },
    );
    const [program, target = ""] = rest;
    if (
      program === undefined ||
      NO_COMMAND.has(program) ||
      words.every((word) => KEYWORDS.has(word))
    )
      return;
    if (program === "cd" || program === "pushd") level.folder = moved(level.folder, target);
    else if (commands.length < COMMANDS_MAX) commands.push({ words: rest, folder: level.folder });
  };
  const open = (closes: ")" | "`"): void => {
    if (levels.length >= DEPTH_MAX) return;
    levels.push(level);
    level = opened(closes, level.folder);
  };
  const close = (): void => {
    endCommand();
    level = levels.pop() ?? level;
  };
  const expand = (value: string): void => {
    if (level.quoted) return add(value);
    value.split(/\s+/).forEach((part, index) => {
      if (index > 0) endWord();
      if (part !== "") add(part);
    });
  };

  for (let at = 0; at < source.length; at += 1) {
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
    } else if (char === "$") {
      const next = source.charAt(at + 1);
      if (next === "(") {
        add(UNKNOWN);
        open(")");
        at += 1;
      } else {
        const [length, value] = expansion(source.slice(at, at + 200), variables);
        if (length === 0) add(char);
        else expand(value);
        at += Math.max(0, length - 1);
      }
    } else if (level.quoted) add(char);
    else if (char === "'") {
      const end = source.indexOf("'", at + 1);
      add(source.slice(at + 1, Math.min(end < 0 ? source.length : end, at + 1 + WORD_MAX)));
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
      const sign =
        /^(?:<<<|<<-?\s{0,3}\\?['"]?([A-Za-z_][A-Za-z0-9_]{0,40})['"]?|[<>]{1,2}&?[|]?)/.exec(
          source.slice(at, at + 60),
        )!;
      if (level.word !== undefined && /^\d$/.test(level.word)) level.word = undefined;
      endWord();
      level.target = sign[1] === undefined;
      if (sign[1] !== undefined) heredocs.push(sign[1]);
      at += sign[0].length - 1;
    } else if (char === "\n" || char === ";" || char === "&" || char === "|") {
      endCommand();
      if (char === "\n") at = afterHeredocs(source, at, heredocs);
    } else if (char === " " || char === "\t" || char === "\r") endWord();
    else add(char);
  }
  while (levels.length > 0) close();
  endCommand();
  return commands;
}

const opened = (closes: Level["closes"], folder: string): Level => ({
  words: [],
  word: undefined,
  folder,
  quoted: false,
  target: false,
  closes,
});

function moved(folder: string, target: string): string {
  if (target.startsWith(UNKNOWN)) return target;
  if (folder.startsWith(UNKNOWN)) return `${folder}/${target}`;
  return joined(folder, target) ?? UNKNOWN;
}

/** The last character of the here-documents that begin after this line end. */
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
