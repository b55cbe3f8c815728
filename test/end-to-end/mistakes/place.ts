/**
 * A repository on a machine where only a few programs are installed, and the command line of `unstuck` in this very
 * process: a mistake is told in milliseconds, and a process for each would be most of the work. Anything that a mistake
 * must leave alone can be looked at.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { mock } from "node:test";
import { Command, CommanderError } from "commander";
import * as answer from "../../../src/cli/commands/answer.ts";
import * as run from "../../../src/cli/commands/run.ts";
import * as status from "../../../src/cli/commands/status.ts";
import { EXIT, reportError } from "../../../src/cli/io.ts";
import { quietly, unknownCommand, usageError } from "../../../src/cli/help.ts";
import { repository, type Repository } from "../run/repository.ts";

export interface Said {
  readonly code: number;
  readonly err: string;
}

export interface Place extends Repository {
  readonly folder: string;
  /** The programs of this machine. */
  readonly bin: string;
  /** Writes files, by their paths from the repository; gone again with `tidy`. */
  write(files: Readonly<Record<string, string | Buffer>>): void;
  tidy(): void;
  /** `unstuck` with these words, here or in another folder. */
  say(args: readonly string[], cwd?: string): Promise<Said>;
  /** What a mistake must leave as it is: runs, their folders, what is trusted, and the repository's refs. */
  traces(): unknown;
}

const programAt = (name: string): string =>
  execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();

export function place(): Place {
  const here = repository();
  const folder = dirname(here.home);
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const name of ["git", "sh", "grep", "sleep", "ls", "tee", "cat"])
    symlinkSync(programAt(name), join(bin, name));
  for (const name of ["claude", "npm"])
    writeFileSync(join(bin, name), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
  const written = new Set<string>();
  return {
    ...here,
    ...{ folder, bin },
    write(files) {
      for (const [name, text] of Object.entries(files)) {
        const file = join(here.path, name);
        written.add(file);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    },
    tidy() {
      for (const file of written) {
        chmodSync(file, 0o600);
        rmSync(file);
      }
      written.clear();
    },
    say: (args, cwd = here.path) =>
      inSurroundings({ ...here.env, PATH: bin }, cwd, () => said(args)),
    traces: () => ({
      runs: here.runs(),
      folders: namesIn(join(here.home, "runs")),
      home: namesIn(here.home).filter((name) => !/-(?:wal|shm)$/.test(name)),
      refs: here.git("for-each-ref"),
    }),
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Keys that would stand for a login. */
const KEYS =
  /^(?:ANTHROPIC|OPENAI|CODEX|GEMINI|GOOGLE|CLAUDE|CLOUD)_|^(?:XDG_STATE_HOME|VIRTUAL_ENV|CONDA_PREFIX)$/;

async function inSurroundings<T>(
  env: Readonly<Record<string, string>>,
  cwd: string,
  body: () => Promise<T>,
): Promise<T> {
  const before = { ...process.env };
  const from = process.cwd();
  for (const name of Object.keys(process.env)) if (KEYS.test(name)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  try {
    return await body();
  } finally {
    process.chdir(from);
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

const COMMANDS: Readonly<Record<string, () => Command>> = {
  run: run.run,
  resume: run.resume,
  cancel: run.cancel,
  status: status.status,
  inbox: answer.inbox,
};

/** As `main.ts` does it, without the process around it. */
async function said(args: readonly string[]): Promise<Said> {
  const [name = ""] = args;
  const program = new Command("unstuck");
  const make = COMMANDS[name];
  if (make !== undefined) program.addCommand(make());
  quietly(program);
  let err = "";
  const listening = mock.method(process.stderr, "write", (text: string | Uint8Array) => {
    err += String(text);
    return true;
  });
  try {
    if (make === undefined) throw unknownCommand(args, Object.keys(COMMANDS));
    await program.parseAsync([...args], { from: "user" });
    return { code: EXIT.ok, err };
  } catch (error) {
    const told = error instanceof CommanderError ? usageError(error, program, args) : error;
    const code = reportError(told);
    return { code, err };
  } finally {
    listening.mock.restore();
    process.exitCode = undefined;
  }
}
