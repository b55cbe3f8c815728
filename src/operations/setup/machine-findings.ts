/**
 * What every run needs from this machine: Node, git, a home with a journal, disk space; and what makes its commits the
 * user's own. Invariant: changes nothing.
 */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { isBefore } from "../../agents/agent-version.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { freeAt, FREE_MIN, megabytes, nearestThere } from "../disk-room.ts";
import { homeFolder, homePlaces } from "../home.ts";
import { count } from "../text.ts";
import { refuseLost } from "../runs/open-run.ts";
import { ok, problem, warning, type Finding } from "./finding.ts";
import { printed, programOn, versionOf } from "./found-agents.ts";

const NODE_NEEDED = "22.13.0";
const GIT_NEEDED = "2.38.0";

export function nodeFinding(): Finding {
  const version = process.versions.node;
  return isBefore(version, NODE_NEEDED)
    ? problem(
        "node",
        `${version} is too old`,
        `install Node ${NODE_NEEDED} or newer: https://nodejs.org`,
      )
    : ok("node", version);
}

/** git itself, and, if it is installed, the user's git identity. */
export async function gitFindings(cwd: string): Promise<readonly Finding[]> {
  const { env } = process;
  const path = programOn(env["PATH"] ?? "", "git");
  if (path === undefined)
    return [
      problem(
        "git",
        "not installed",
        "install git with your package manager (apt install git, brew install git)",
      ),
    ];
  const version = await versionOf(path, ["--version"], env);
  if (version === undefined) return [problem("git", "does not answer", `${path} --version`)];
  if (isBefore(version, GIT_NEEDED))
    return [problem("git", `${version} is too old`, `install git ${GIT_NEEDED} or newer`)];
  const ask = async (...args: string[]): Promise<string> =>
    (await printed(path, args, env, cwd))?.stdout.trim() ?? "";
  const [identity, signs] = await Promise.all([
    ask("-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"),
    ask("config", "--type=bool", "--get", "commit.gpgsign"),
  ]);
  const [, name] = /^([^\n]{1,200}<[^<>\n]{1,200}>) \d+ [+-]\d{4}$/.exec(identity) ?? [];
  return [
    ok("git", version),
    name === undefined
      ? warning(
          "identity",
          "git does not know who you are: a run's commits will be by Unstuck",
          'git config --global user.name "Your Name" && git config --global user.email you@example.com',
        )
      : ok("identity", cleanLine(name, 120)),
    ...(signs === "true"
      ? [
          warning(
            "signing",
            "commit.gpgsign is on, and a run's commits are not signed",
            "after unstuck apply: git rebase --exec 'git commit --amend --no-edit -S' @{upstream}",
          ),
        ]
      : []),
  ];
}

const ANOTHER_HOME = "export UNSTUCK_HOME=~/unstuck";

export function homeFinding(): Finding {
  const folder = homeFolder();
  const shown = cleanLine(folder, 300);
  const there = nearestThere(folder);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch {
    return problem("home", `${shown} cannot be written to`, ANOTHER_HOME);
  }
  return statSync(there).isDirectory()
    ? ok("home", shown)
    : problem("home", `${cleanLine(there, 300)} is a file, not a folder`, ANOTHER_HOME);
}

export async function journalFinding(): Promise<Finding> {
  const home = homePlaces();
  try {
    if (existsSync(home.runs)) refuseLost(home);
    if (!existsSync(home.database)) return ok("journal", "none yet, the first run makes it");
    const { openJournalToRead } = await import("../../journal/journal.ts");
    const journal = await openJournalToRead(home.database);
    const { length } = await journal.runs().finally(() => journal.close());
    return ok("journal", count(length, "run"));
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (code === "older-version")
      return ok("journal", "from an older version, the next run updates it");
    return problem("journal", cleanLine(message ?? String(error), 300), ANOTHER_HOME);
  }
}

/** With less than this a long run may fill the disk. */
const FREE_COMFORT = 1024 * 1024 * 1024;

export function diskFinding(): Finding {
  const free = freeAt(homeFolder());
  const fix = "unstuck clean, or free some space elsewhere";
  if (free < FREE_MIN) return problem("disk", `full: ${megabytes(free)} free`, fix);
  if (free < FREE_COMFORT) return warning("disk", `only ${megabytes(free)} free`, fix);
  return ok("disk", free === Infinity ? "room" : `${Math.floor(free / FREE_COMFORT)} GB free`);
}
