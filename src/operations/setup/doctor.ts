/**
 * What is on this machine, and what to fix with which command: Node, git, the journal, the known agents with their
 * versions and logins. Invariants: changes nothing; no secret is read, only whether a variable is set or a file
 * exists; `canRun` exactly when a run could start; a program that hangs or talks nonsense has no version.
 */
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { KNOWN_AGENTS, type KnownAgent } from "../../agents/registry.ts";
import { isBefore } from "../../agents/agent-version.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { openHome } from "../home.ts";
import { defined, operation } from "../operation.ts";
import { refuseLost } from "../runs/open-run.ts";
import type { Examination, Finding } from "./schemas.ts";

export type { Examination, Finding };

const NODE_NEEDED = "22.13.0";
const GIT_NEEDED = "2.38.0";

export const examine = operation({
  name: "doctor",
  schemas: async () => (await import("./schemas.ts")).examine,
  async run() {
    const { env } = process;
    const [agents, git] = await Promise.all([findAgents({ env, home: homedir() }), gitFinding()]);
    const findings = [nodeFinding(), git, await journalFinding(), agentsFinding(agents)];
    const canRun = findings.every(({ state }) => state !== "broken");
    return { canRun, findings, agents: agents.map(agentFacts) };
  },
});

const ok = (what: string, words: string): Finding => ({ what, state: "ok", words });

const broken = (what: string, words: string, fix: string): Finding => ({
  ...{ what, state: "broken", words, fix },
});

function nodeFinding(): Finding {
  const version = process.versions.node;
  return isBefore(version, NODE_NEEDED)
    ? broken("node", `${version}, too old`, `install Node ${NODE_NEEDED} or newer`)
    : ok("node", version);
}

async function gitFinding(): Promise<Finding> {
  const path = programOn(process.env["PATH"] ?? "", "git");
  if (path === undefined)
    return broken("git", "not found", "install git with your system's package manager");
  const version = await versionOf(path, ["--version"], process.env);
  if (version === undefined) return broken("git", "does not answer", `run: ${path} --version`);
  return isBefore(version, GIT_NEEDED)
    ? broken("git", `${version}, too old`, `install git ${GIT_NEEDED} or newer`)
    : ok("git", version);
}

async function journalFinding(): Promise<Finding> {
  try {
    const home = openHome();
    refuseLost(home);
    if (!existsSync(home.database)) return ok("journal", "none yet; the first run makes it");
    const { openJournalToRead } = await import("../../journal/journal.ts");
    const { SCHEMA_VERSION } = await import("../../journal/database.ts");
    const journal = await openJournalToRead(home.database);
    const { length } = await journal.runs().finally(() => journal.close());
    return ok("journal", `opens, version ${SCHEMA_VERSION}, runs: ${length}`);
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (code === "older-version")
      return ok("journal", "of an older version; the next run updates it");
    const words = cleanLine(message ?? String(error), 300);
    return broken("journal", words, "choose another place: export UNSTUCK_HOME=<folder>");
  }
}

function agentsFinding(agents: readonly FoundAgent[]): Finding {
  const there = agents.filter(({ path }) => path !== undefined);
  if (there.length === 0)
    return broken("agents", "none of the known ones", `for example: ${agents[0]?.install ?? ""}`);
  const ready = there.filter(({ loginMark }) => loginMark !== undefined);
  return ready.length === 0
    ? broken("agents", "none with a login", there[0]?.login ?? "")
    : ok("agents", ready.map(({ name }) => name).join(", "));
}

function agentFacts(agent: FoundAgent): Examination["agents"][number] {
  const { name, title, path, version, isTested, loginMark, features } = agent;
  return {
    ...{ name, title, installed: path !== undefined, ...defined({ path, version }) },
    ...{ isTested, ...defined({ loginMark }), features },
    finding: agentFinding(agent),
  };
}

function agentFinding(agent: FoundAgent): Finding {
  const { name: what, path, version, isTested, loginMark, features, tested } = agent;
  if (path === undefined)
    return { what, state: "warning", words: "not installed", fix: agent.install };
  const shown = version ?? "version unknown";
  if (loginMark === undefined)
    return { what, state: "warning", words: `${shown}, no login seen`, fix: agent.login };
  const untested = isTested ? "" : `, tested are ${tested.from} to below ${tested.below}`;
  const words = `${shown}, login by ${loginMark}${untested}; ${features.join(", ")}`;
  return { what, state: isTested ? "ok" : "warning", words };
}

interface FoundAgent extends KnownAgent {
  /** Undefined: not on the search path. */
  readonly path?: string;
  readonly version?: string;
  /** Within the versions that were tested. */
  readonly isTested: boolean;
  /** What says that somebody logged in: a variable's or a file's name. */
  readonly loginMark?: string;
}

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const VERSION_MS = 15_000;
const VERSION = /\d{1,5}\.\d{1,5}(?:\.\d{1,5})?/;

export function findAgents(machine: Machine): Promise<readonly FoundAgent[]> {
  return Promise.all(KNOWN_AGENTS.map((agent) => find(agent, machine)));
}

async function find(agent: KnownAgent, { env, home }: Machine): Promise<FoundAgent> {
  const path = programOn(env["PATH"] ?? "", agent.binary);
  const version = path === undefined ? undefined : await versionOf(path, agent.versionArgs, env);
  const { from, below } = agent.tested;
  const loginMark =
    agent.keyVariables.find((name) => (env[name] ?? "") !== "") ??
    agent.loginFiles.find((file) => existsSync(join(home, file)));
  return {
    ...agent,
    isTested: version !== undefined && !isBefore(version, from) && isBefore(version, below),
    ...defined({ path, version, loginMark: loginMark?.replace(/^\./, "~/.") }),
  };
}

export function programOn(searchPath: string, name: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The first `1.2.3` it prints; undefined where it prints none in time. */
async function versionOf(
  path: string,
  args: readonly string[],
  env: Machine["env"],
): Promise<string | undefined> {
  try {
    const running = promisify(execFile)(path, [...args], {
      ...{ timeout: VERSION_MS, killSignal: "SIGKILL", maxBuffer: 1_000_000 },
      env: { ...env, NO_COLOR: "1" },
    });
    running.child.stdin?.end();
    const { stdout, stderr } = await running;
    return VERSION.exec(stdout)?.[0] ?? VERSION.exec(stderr)?.[0];
  } catch {
    return undefined;
  }
}
