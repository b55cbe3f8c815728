/**
 * Finds the failed command in an error text. Invariants: linear time; only a simple command is accepted from foreign
 * text, except what a shell itself quotes as erroneous; undefined if in doubt.
 */
import { plainWords } from "../shell/plain.ts";

const MAX_CHARS = 400;

/** The line that a shell prints when it cannot parse it. */
const QUOTED_BY_SHELL = /^(?:ba|da|z|k)?sh: (?:-c: )?line \d{1,6}: `([^\n]{1,400})'$/gm;

/** The first group is the command. */
const SAID = [
  /\bcommand (?:failed|timed out|was killed|was aborted|exited)[^\n:]{0,80}: ([^\n]{1,400})$/gim,
  /^npm (?:ERR!|error) command (?:sh -c )?([^\n]{1,400})$/gm,
  /\b(?:command|running|executing|ran|spawn|process|script):? [`'"‘]([^`'"’\n]{1,400})[`'"’]/gi,
  /`([^`\n]{1,400})` (?:exited|failed|timed out|returned|was killed|did not|terminated|took)/g,
  /^[ \t]{0,8}\$ ([^\n]{1,400})$/gm,
];

/** `Command '['npm', 'run', 'build']' returned`: Python prints the list of words. */
const WORDS_SAID = /\bcommand '\[((?:'[^'\n]{1,200}'(?:, )?){1,40})\]'/gi;

/** `timed out after 30 s: npm run build`: from free text, only a certain command is accepted. */
const AFTER_COLON = /\b(?:timed? ?out|failed|error)[^\n:]{0,60}: ([^\n]{1,400})$/gim;
const PROGRAMS = new Set(
  (
    "npm npx pnpm yarn bun node deno tsc git make cmake ninja cargo rustc go python python3 pip pip3 uv poetry pytest " +
    "ruby bundle rake gem php composer java mvn gradle dotnet docker podman kubectl terraform curl wget tar ssh rsync bash sh"
  ).split(" "),
);

export function commandIn(text: string): string | undefined {
  const shell = [...text.matchAll(QUOTED_BY_SHELL)].at(-1)?.[1];
  if (shell !== undefined) return shell.trim();
  const words = [...text.matchAll(WORDS_SAID)].at(-1)?.[1];
  if (words !== undefined) return simple(words.replace(/', '/g, " ").slice(1, -1));
  for (const pattern of SAID) {
    const found = [...text.matchAll(pattern)].map((match) => simple(match[1] ?? ""));
    const command = found.findLast((one) => one !== undefined);
    if (command !== undefined) return command;
  }
  return [...text.matchAll(AFTER_COLON)]
    .map((match) => simple(match[1] ?? ""))
    .findLast((one) => one !== undefined && PROGRAMS.has(one.split(" ")[0] ?? ""));
}

const PROGRAM = /^(?:\.{0,2}\/)?[a-z_][\w.+/-]{0,120}$/;

/** A sentence ends in a full stop and begins with a capital; a command has a program and at least one argument. */
function simple(said: string): string | undefined {
  const command = said.trim();
  if (command.length > MAX_CHARS || /[!?:,]$|[^./]\.$/.test(command)) return undefined;
  const words = plainWords(command);
  return words !== undefined && words.length > 1 && PROGRAM.test(words[0] ?? "")
    ? command
    : undefined;
}
