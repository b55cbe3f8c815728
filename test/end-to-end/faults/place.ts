/** A small repository, a home and a shell to run `unstuck` in, as a user would on a machine that fails; all gone after the test. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { LAUNCHER } from "../../cli/command.ts";
import type { Masks, Said } from "./snapshot.ts";

export interface Place {
  readonly folder: string;
  readonly repository: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly masks: Masks;
  /** Runs a line of shell, in which `unstuck` is the command. `as` is what goes before the shell, as in `setpriv ...`. */
  shell(command: string, options?: ShellOptions): Promise<Said>;
}

export interface ShellOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly as?: readonly string[];
  /** What is shown for it, where that is shorter. */
  readonly shown?: string;
}

/** No fault may take longer than this to be told. */
const LIMIT_MS = 400_000;

export function newPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-fault-"));
  const repository = join(folder, "repository");
  const home = join(folder, "home");
  const bin = join(folder, "bin");
  for (const one of [repository, bin]) mkdirSync(one);
  const program = `#!/bin/sh\nexec '${process.execPath}' --v8-pool-size=1 '${LAUNCHER}' "$@"\n`;
  writeFileSync(join(bin, "unstuck"), program, { mode: 0o755 });
  const { CI: _, ...own } = process.env;
  const env = {
    ...(own as Record<string, string>),
    PATH: `${bin}:${process.env["PATH"]}`,
    HOME: folder,
    UNSTUCK_HOME: home,
    XDG_CONFIG_HOME: "",
    NODE_OPTIONS: "",
    NO_COLOR: "1",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@localhost",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@localhost",
  };
  const git = (...args: string[]): void =>
    void execFileSync("git", args, { cwd: repository, env, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  writeFileSync(join(repository, "value.txt"), "1\n");
  git("add", ".");
  git("commit", "-qm", "start");
  after(() => {
    for (const disk of disks.splice(0)) spawnSync("umount", [disk]);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    repository,
    home,
    env,
    masks: { [folder]: "<folder>", [home]: "<home>" },
    shell: (command, { as = [], env: more = {}, shown = command } = {}) =>
      new Promise((resolve, reject) => {
        const [program = "sh", ...args] = [...as, "sh", "-c", command];
        const child = spawn(program, args, { cwd: repository, env: { ...env, ...more } });
        const said = { out: "", err: "" };
        child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
        child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
        const late = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
        child.on("error", reject);
        child.on("close", (code) => {
          clearTimeout(late);
          resolve({ command: shown, code, ...said });
        });
      }),
  };
}

export const RUN =
  "unstuck run --goal g --no-grounding --check 'grep -q 2 value.txt' --agent 'sh -c \"echo 2 > value.txt\"'";

/** Words before a command that make it another user's, and whether this machine lets us. */
export function otherUser(): { readonly as: readonly string[]; readonly uid: number } | undefined {
  const uid = 50_000 + (process.pid % 10_000);
  const as = ["setpriv", "--reuid", String(uid), "--regid", String(uid), "--clear-groups"];
  const tried = spawnSync(as[0] ?? "", [...as.slice(1), process.execPath, LAUNCHER, "--version"]);
  return tried.status === 0 ? { as, uid } : undefined;
}

const disks: string[] = [];

/** A disk of its own, where the system lets us have one. */
export function smallDisk(folder: string, size: string): boolean {
  mkdirSync(folder, { recursive: true });
  const made =
    spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]).status === 0;
  if (made) disks.push(folder);
  return made;
}
