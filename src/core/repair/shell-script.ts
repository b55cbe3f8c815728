/**
 * Shell scripts of repair steps: our own text around foreign values, and the risk of a script. Invariants: every value
 * is in POSIX single quotes, so a shell reads it as one word and interprets nothing in it; total for every string (NUL,
 * which no argument can contain, is dropped; lone surrogates become U+FFFD); linear time; risk detection prefers false
 * positives to misses.
 */

function shellQuote(value: string): string {
  return `'${value.replaceAll("\0", "").toWellFormed().replaceAll("'", "'\\''")}'`;
}

/** A path that cannot be mistaken for an option, even by programs that do not support `--`. */
export function operand(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}

/** Tagged template: literal parts are ours, every inserted value is quoted, a list becomes quoted words. */
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

/** The permission a command needs; considers every word, including those inside quotes. */
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
