/**
 * A git that hangs, as one on a dead mount does: a program called git, first on the search path, that never ends and
 * ignores SIGTERM for a chosen subcommand, and is the real one otherwise.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface HangingGit {
  readonly path: string;
  /** From now on this subcommand hangs where its folder's path holds `folder`; none does where it is undefined. */
  readonly hang: (subcommand: string | undefined, folder?: string) => void;
  readonly hasHung: () => boolean;
  /** Those that hung and are still there. */
  readonly living: () => number[];
}

export function hangingGit(folder: string): HangingGit {
  const bin = join(folder, "bin");
  const [wanted, pids] = [join(folder, "hang"), join(folder, "hung")];
  mkdirSync(bin);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const program = `#!/bin/sh
if [ -e '${wanted}' ]; then
  read -r name folder < '${wanted}'
  for word in "$@"; do
    case "$word $PWD/" in
      "$name "*"$folder"*)
        echo $$ >> '${pids}'
        trap '' TERM INT HUP
        while :; do sleep 1; done;;
    esac
  done
fi
exec '${real}' "$@"
`;
  writeFileSync(join(bin, "git"), program);
  chmodSync(join(bin, "git"), 0o755);
  const isAlive = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  return {
    path: `${bin}:${process.env["PATH"] ?? ""}`,
    hang(subcommand, inside = "/") {
      if (subcommand === undefined) rmSync(wanted, { force: true });
      else writeFileSync(wanted, `${subcommand} ${inside}\n`);
    },
    hasHung: () => existsSync(pids),
    living: () =>
      existsSync(pids)
        ? readFileSync(pids, "utf8").trim().split("\n").map(Number).filter(isAlive)
        : [],
  };
}
