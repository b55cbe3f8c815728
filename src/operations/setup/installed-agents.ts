/**
 * The known agents on this machine: where, which version, whether a login seems to be there. Invariants: no secret
 * is read, only whether a variable is set or a file exists; a program that hangs or talks nonsense has no version.
 */
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { KNOWN_AGENTS } from "../../agents/registry.ts";
import { isBefore } from "../../agents/agent-version.ts";
import type { KnownAgent } from "../../agents/registry.ts";

export interface FoundAgent extends KnownAgent {
  /** Undefined: not on the search path. */
  readonly path?: string;
  readonly version?: string;
  /** Within the versions that were tested. */
  readonly isTested: boolean;
  /** What says that somebody logged in: a variable's or a file's name. */
  readonly loginMark?: string;
}

export interface Machine {
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
    ...(path === undefined ? {} : { path }),
    ...(version === undefined ? {} : { version }),
    ...(loginMark === undefined ? {} : { loginMark: loginMark.replace(/^\./, "~/.") }),
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
export async function versionOf(
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
