/**
 * The known agents installed on this machine, their versions, and whether the user has logged in. Invariants: no secret
 * is read, only whether a variable is set or a file exists; a program that hangs or prints nonsense has no version.
 */
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { isBefore } from "../../agents/agent-version.ts";
import { KNOWN_AGENTS, type KnownAgent } from "../../agents/registry.ts";
import { defined } from "../operation.ts";

export interface FoundAgent extends KnownAgent {
  /** Undefined: not on the search path. */
  readonly path?: string;
  readonly version?: string;
  /** Within the range of tested versions. */
  readonly isTested: boolean;
  /** The evidence of a login: the name of a variable or a file. */
  readonly loginMark?: string;
  /** There is no evidence of a login at all. */
  readonly isLoggedOut: boolean;
}

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform?: NodeJS.Platform;
}

export function findAgents(machine: Machine): Promise<readonly FoundAgent[]> {
  return Promise.all(KNOWN_AGENTS.map((agent) => find(agent, machine)));
}

async function find(agent: KnownAgent, machine: Machine): Promise<FoundAgent> {
  const { env, home } = machine;
  const path = programOn(env["PATH"] ?? "", agent.binary);
  const version = path === undefined ? undefined : await versionOf(path, agent.versionArgs, env);
  const { from, below } = agent.tested;
  const loginMark =
    agent.keyVariables.find((name) => (env[name] ?? "") !== "") ??
    agent.loginFiles.find((file) => existsSync(join(home, file)));
  return {
    ...agent,
    isTested: version !== undefined && !isBefore(version, from) && isBefore(version, below),
    isLoggedOut: isNeverLoggedIn(agent, machine),
    ...defined({ path, version, loginMark: loginMark?.replace(/^\./, "~/.") }),
  };
}

/**
 * There is no sign that this user ever logged in or otherwise configured the agent. False if a login may be hidden: in
 * a keychain, in settings, in a moved folder.
 */
export function isNeverLoggedIn(
  { keyVariables, loginFiles, otherLogins }: KnownAgent,
  { env, home, platform = process.platform }: Machine,
): boolean {
  if (otherLogins === undefined || otherLogins.platforms?.includes(platform) === true) return false;
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  const isThere = (file: string): boolean => existsSync(join(home, file));
  return (
    ![...keyVariables, ...otherLogins.variables].some(isSet) &&
    ![...loginFiles, ...otherLogins.files].some(isThere)
  );
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

const ANSWER_MS = 15_000;
const VERSION = /\d{1,5}\.\d{1,5}(?:\.\d{1,5})?/;

/** The first `1.2.3` it prints; undefined if it prints none in time. */
export async function versionOf(
  path: string,
  args: readonly string[],
  env: Machine["env"],
): Promise<string | undefined> {
  const { stdout = "", stderr = "" } = (await printed(path, args, env)) ?? {};
  return VERSION.exec(stdout)?.[0] ?? VERSION.exec(stderr)?.[0];
}

/** The output of a program that exits successfully in time. */
export async function printed(
  path: string,
  args: readonly string[],
  env: Machine["env"],
  cwd?: string,
): Promise<{ readonly stdout: string; readonly stderr: string } | undefined> {
  try {
    const running = promisify(execFile)(path, [...args], {
      ...{ timeout: ANSWER_MS, killSignal: "SIGKILL", maxBuffer: 1_000_000 },
      env: { ...env, NO_COLOR: "1" },
      ...defined({ cwd }),
    });
    running.child.stdin?.end();
    return await running;
  } catch {
    return undefined;
  }
}
