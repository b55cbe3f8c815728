/**
 * A small real repository and a home for runs, both gone after the test; and the command, run in it as a user would.
 * Before they go, every result that was called verified has to pass its checks in a fresh clone.
 */
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LAUNCHER, ROOT, unstuck } from "../../cli/command.ts";
import type { Ran } from "../../cli/command.ts";
import { assertCloneHolds } from "../verdict/clone.ts";
import type { Script } from "../../../src/testing/scripted-agent.ts";

export interface Repository {
  readonly path: string;
  readonly home: string;
  /** What `unstuck` is told of home and git. */
  readonly env: Readonly<Record<string, string>>;
  git(...args: string[]): string;
  /** Runs `unstuck` here. */
  unstuck(...args: string[]): Ran;
  unstuckWith(more: Readonly<Record<string, string>>, ...args: string[]): Ran;
  /** Ids of the runs, newest first. */
  runs(): string[];
  /** Starts `unstuck` here and leaves it running. */
  start(...args: string[]): ChildProcess;
  /** The `--agent` words for a scripted agent. */
  agent(script: Script): string;
  events(run?: string): {
    readonly seq: number;
    readonly event: Readonly<Record<string, unknown>> & { kind: string };
  }[];
  /** Everything is gone; throws if a verified result does not hold in a clone of its own. */
  remove(): void;
}

/** The user's own settings: tests may be run by a service, and answer all the same. */
export const configFile = (home: string): string =>
  join(home, "..", ".config", "unstuck", "config.yaml");

const FILES: Readonly<Record<string, string>> = {
  "value.txt": "1\n",
  "check.sh": "grep -q '^2$' value.txt\n",
};

export function repository(files: Readonly<Record<string, string>> = FILES): Repository {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-run-"));
  const path = join(folder, "a repository");
  const home = join(folder, "home");
  mkdirSync(path);
  mkdirSync(dirname(configFile(home)), { recursive: true });
  writeFileSync(configFile(home), "answers: unattended\n");
  const env = {
    UNSTUCK_HOME: home,
    HOME: folder,
    XDG_CONFIG_HOME: "",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@localhost",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@localhost",
  };
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: path, encoding: "utf8", env: { ...process.env, ...env } });
  git("init", "-q", "-b", "main");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  git("add", ".");
  git("commit", "-qm", "start");
  let scripts = 0;
  let given: Readonly<Record<string, string>> = {};
  const here: Repository = {
    path,
    home,
    env,
    git,
    unstuck: (...args) => unstuck(args, { cwd: path, env }),
    unstuckWith(more, ...args) {
      given = { ...given, ...more };
      return unstuck(args, { cwd: path, env: { ...env, ...more } });
    },
    runs: () =>
      (JSON.parse(here.unstuck("status", "--json").out) as { id: string }[]).map(({ id }) => id),
    start: (...args) =>
      spawn(process.execPath, [LAUNCHER, ...args], {
        cwd: path,
        env: { ...process.env, ...env },
        stdio: "ignore",
      }),
    agent(script) {
      const file = join(folder, `script-${(scripts += 1)}.json`);
      writeFileSync(file, JSON.stringify(script));
      const program = join(ROOT, "src", "testing", "scripted-agent.ts");
      return `"${process.execPath}" "${program}" "${file}" {prompt}`;
    },
    events(run) {
      const { out } = here.unstuck("events", "--json", ...(run === undefined ? [] : [run]));
      return out
        .split("\n")
        .flatMap((line) =>
          line === "" ? [] : [JSON.parse(line) as ReturnType<Repository["events"]>[0]],
        );
    },
    remove() {
      try {
        assertCloneHolds({ path, home, env: { ...env, ...given } });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
  return here;
}

/** Gone again after the body, whatever becomes of it. */
export async function inRepository(
  body: (here: Repository) => Promise<void> | void,
): Promise<void> {
  const here = repository();
  try {
    await body(here);
  } finally {
    here.remove();
  }
}
