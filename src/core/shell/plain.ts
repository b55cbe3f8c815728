/**
 * Strict parsers for callers that must know what a shell would do: the words of a simple command, and the parts of a
 * compound one. Invariants: linear time; undefined for anything that only a real shell can interpret.
 */
import { shellCommands } from "./commands.ts";

const QUOTED = /'[^']*'|"[^"]*"/g;
const QUOTED_PLAIN = /'[^']*'|"[^"$`\\!]*"/g;
const NEEDS_A_SHELL = /['"|&;<>()$`*?[\]{}~!#\\\n\r]/;

/** The parser may truncate longer commands. */
const MAX_CHARS = 8000;

/** The words of one simple command, quotes resolved; undefined if it is more than that. */
export function plainWords(command: string): readonly string[] | undefined {
  if (command.length > MAX_CHARS || NEEDS_A_SHELL.test(command.replace(QUOTED_PLAIN, "")))
    return undefined;
  return shellCommands(command)[0]?.words ?? [];
}

const CANNOT_SPLIT = /[`(){}\\]|<<|\|\|/;
const SHELL_WORDS =
  /(?:^|[\s;&|])(?:if|then|else|fi|for|while|until|do|done|case|esac)(?=$|[\s;&|])/;

/** A compound command split at `&&`, `;` and line ends; undefined if that could change its meaning. */
export function commandParts(command: string): readonly string[] | undefined {
  if (CANNOT_SPLIT.test(command) || SHELL_WORDS.test(command)) return undefined;
  if (/['"]/.test(command.replace(QUOTED, ""))) return undefined;
  const cuts = shellCommands(command).filter(({ endedBy }) => !["|", "&", ""].includes(endedBy));
  const starts = [0, ...cuts.map(({ end, endedBy }) => end + endedBy.length)];
  return starts
    .map((start, index) => command.slice(start, cuts[index]?.end).replace(/^(?:\s|;|&&)+/, ""))
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
