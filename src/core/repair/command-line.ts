/**
 * Reads a command line just far enough to change it safely: its plain words, its parts, what it risks (C6).
 * Invariants: linear time; whatever needs a real shell to understand gives undefined; a risk is rather seen too
 * often than missed.
 */

export type Risk = "sudo" | "install" | "delete";

const NEEDS_A_SHELL = /[|&;<>()$`*?[\]{}~!#\\\n]/;

/** The words of one simple command, quotes resolved; undefined if it is more than that. */
export function plainWords(command: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let index = 0; index < command.length; index += 1) {
    const char = command.charAt(index);
    if (char === "'" || char === '"') {
      const end = command.indexOf(char, index + 1);
      if (end < 0) return undefined;
      const quoted = command.slice(index + 1, end);
      if (char === '"' && /[$`\\!]/.test(quoted)) return undefined;
      word = (word ?? "") + quoted;
      index = end;
    } else if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (NEEDS_A_SHELL.test(char)) return undefined;
    else word = (word ?? "") + char;
  }
  if (word !== undefined) words.push(word);
  return words;
}

const PART_END = /^(?:&&|;|\n)/;
const CANNOT_SPLIT = /[`(){}\\]|<<|\|\|/;
const SHELL_WORDS =
  /(?:^|[\s;&|])(?:if|then|else|fi|for|while|until|do|done|case|esac)(?=$|[\s;&|])/;

/**
 * A compound command cut at `&&`, `;` and line ends outside quotes; undefined if that could change
 * its meaning.
 */
export function commandParts(command: string): readonly string[] | undefined {
  if (CANNOT_SPLIT.test(command) || SHELL_WORDS.test(command)) return undefined;
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < command.length;) {
    const char = command.charAt(index);
    if (char === "'" || char === '"') {
      const end = command.indexOf(char, index + 1);
      if (end < 0) return undefined;
      index = end + 1;
      continue;
    }
    const separator = PART_END.exec(command.slice(index, index + 2))?.[0];
    if (separator !== undefined) {
      parts.push(command.slice(start, index));
      start = index + separator.length;
    }
    index += separator?.length ?? 1;
  }
  parts.push(command.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

const AS_ROOT = new Set(["sudo", "doas", "su", "pkexec", "runas", "chmod", "chown", "chgrp"]);
const DELETES = new Set([
  "rm",
  "rmdir",
  "unlink",
  "shred",
  "del",
  "erase",
  "rd",
  "dd",
  "mkfs",
  "truncate",
  "-delete",
  "clean",
  "purge",
  "prune",
  "reset",
  "Remove-Item",
]);
const INSTALLERS = new Set([
  "apt",
  "apt-get",
  "apk",
  "dnf",
  "yum",
  "pacman",
  "zypper",
  "brew",
  "choco",
  "winget",
  "snap",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "npx",
  "pip",
  "pip3",
  "pipx",
  "uv",
  "poetry",
  "conda",
  "gem",
  "bundle",
  "cargo",
  "go",
  "composer",
  "dotnet",
]);
const INSTALL_WORDS = new Set([
  "install",
  "i",
  "ci",
  "add",
  "get",
  "update",
  "upgrade",
  "-S",
  "-y",
  "--yes",
]);

/** The permission a command needs; looks at every word, also inside quotes. */
export function riskOf(command: string): Risk | undefined {
  const unquoted = command.replace(/['"\\]/g, "");
  const words = `${command} ${unquoted}`
    .split(/[^A-Za-z0-9_.-]+/)
    .map((word) => word.replace(/\.exe$/i, ""));
  if (meets(words, AS_ROOT)) return "sudo";
  if (meets(words, DELETES)) return "delete";
  return meets(words, INSTALLERS) && meets(words, INSTALL_WORDS) ? "install" : undefined;
}

const meets = (words: readonly string[], risky: ReadonlySet<string>): boolean =>
  words.some((word) => risky.has(word));
