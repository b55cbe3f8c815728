/**
 * A small real repository and a home for runs, both gone after the test; and the command, run in it as a user would.
 * Before they go, every result that was called verified has to pass its checks in a fresh clone.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LAUNCHER, QUICK, ROOT, unstuck, type Ran } from "../../cli/command.ts";
import { assertCloneHolds } from "../verdict/clone.ts";
import type { Script } from "../../../src/testing/scripted-agent.ts";

type RecordedEvent = Readonly<Record<string, unknown>> & { kind: string };

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
  /** Id of the process that owns the newest run. */
  owner(): number | undefined;
  /** Starts `unstuck` here and leaves it running. */
  start(...args: string[]): ChildProcess;
  /** The `--agent` words for a scripted agent. */
  agent(script: Script): string;
  /** What is recorded of the newest run, or of the one whose id holds this. */
  events(run?: string): { readonly seq: number; readonly event: RecordedEvent }[];
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

/**
 * Tests of how a run goes on know the next step by the ladder of `standard`, so the user here prefers it; `default` is a
 * user who has said nothing.
 */
export function repository(
  files: Readonly<Record<string, string>> = FILES,
  policy: "default" | "standard" | "adaptive" = "standard",
): Repository {
  const folder = mkdtempSync(join(tmpdir(), "unstuck-run-"));
  const path = join(folder, "a repository");
  const home = join(folder, "home");
  mkdirSync(path);
  mkdirSync(dirname(configFile(home)), { recursive: true });
  const usual = policy === "default" ? "" : `policy: ${policy}\n`;
  writeFileSync(configFile(home), `answers: unattended\nkeepAwake: false\n${usual}`);
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
    runs: () => recorded(here, (journal) => runRows(journal, path).map(({ id }) => id)),
    start: (...args) =>
      spawn(process.execPath, [...QUICK, LAUNCHER, ...args], {
        cwd: path,
        env: { ...process.env, ...env },
        stdio: "ignore",
      }),
    agent(script) {
      const file = join(folder, `script-${(scripts += 1)}.json`);
      writeFileSync(file, JSON.stringify(script));
      const program = join(ROOT, "dist", "testing", "scripted-agent.js");
      return `"${process.execPath}" "${program}" "${file}" {prompt}`;
    },
    owner: () => recorded(here, (journal) => runRows(journal, path))[0]?.pid ?? undefined,
    events: (run = "") =>
      recorded(here, (journal) => {
        const [found] = runRows(journal, path).filter(({ id }) => id.includes(run));
        const rows = journal.prepare("SELECT seq, event FROM events WHERE run = ? ORDER BY seq");
        return (rows.all(found?.number ?? 0) as { seq: number; event: string }[]).map(
          ({ seq, event }) => ({ seq, event: JSON.parse(event) as RecordedEvent }),
        );
      }),
    remove() {
      try {
        assertCloneHolds({ path, home, env: { ...env, ...given } });
      } finally {
        // A run that was killed may still be written to by what it had started.
        rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      }
    },
  };
  return here;
}

/** Looks into the journal itself: tests look often, and a command for each look would be most of their work. */
function recorded<T>({ home }: Repository, look: (journal: DatabaseSync) => T[]): T[] {
  const file = join(home, "unstuck.db");
  if (!existsSync(file) || statSync(file).size === 0) return [];
  const journal = new DatabaseSync(file, { timeout: 60_000 });
  try {
    // Made in one step: there is all of it or nothing yet.
    const isMade = journal.prepare("SELECT 1 FROM sqlite_master WHERE name = 'events'").get();
    return isMade === undefined ? [] : look(journal);
  } finally {
    journal.close();
  }
}

interface RunRow {
  readonly id: string;
  readonly number: number;
  readonly pid: number | null;
}

/** Newest first. */
function runRows(journal: DatabaseSync, path: string): RunRow[] {
  const rows = journal.prepare(
    "SELECT id, number, pid FROM runs WHERE repo = ? ORDER BY created DESC, number DESC",
  );
  return rows.all(realpathSync(path)) as unknown as RunRow[];
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
