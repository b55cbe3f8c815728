/**
 * Shell scripts of repair steps: our own words around foreign values, and what a script risks (C6). Invariants: a
 * value always stands in POSIX single quotes, so a shell reads it as one word and obeys nothing in it; total for
 * every string (NUL, which no argument can hold, is left out; lone surrogates become U+FFFD); linear time; a risk is
 * rather seen too often than missed.
 */

function shellQuote(value: string): string {
  return `'${value.replaceAll("\0", "").toWellFormed().replaceAll("'", "'\\''")}'`;
}

/** A path that cannot be taken for an option, also by programs that do not know `--`. */
export function operand(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}

/** Tagged template: literal parts are ours, every inserted value is quoted; a list becomes quoted words. */
export function sh(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string {
  let script = parts[0] ?? "";
  values.forEach((value, index) => {
    script += typeof value === "object" ? value.map(shellQuote).join(" ") : shellQuote(`${value}`);
    script += parts[index + 1] ?? "";
  });
  return script;
}

export type Risk = "sudo" | "install" | "delete";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const AS_ROOT = words("sudo doas su pkexec runas chmod chown chgrp");
const DELETES = words(
  "rm rmdir unlink shred del erase rd dd mkfs truncate -delete clean purge prune reset Remove-Item",
);
const INSTALLERS = words(
  "apt apt-get apk dnf yum pacman zypper brew choco winget snap npm pnpm yarn bun npx pip pip3 pipx uv poetry conda gem bundle cargo go composer dotnet",
);
const INSTALL_WORDS = words("install i ci add get update upgrade -S -y --yes");

/** The permission a command needs; looks at every word, also inside quotes. */
export function riskOf(command: string): Risk | undefined {
  const unquoted = command.replace(/['"\\]/g, "");
  const said = `${command} ${unquoted}`
    .split(/[^A-Za-z0-9_.-]+/)
    .map((word) => word.replace(/\.exe$/i, ""));
  if (meets(said, AS_ROOT)) return "sudo";
  if (meets(said, DELETES)) return "delete";
  return meets(said, INSTALLERS) && meets(said, INSTALL_WORDS) ? "install" : undefined;
}

const meets = (said: readonly string[], risky: ReadonlySet<string>): boolean =>
  said.some((word) => risky.has(word));
