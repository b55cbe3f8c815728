/**
 * What a command line risks (C6). Invariants: linear time; a risk is rather seen too often than missed.
 */

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
