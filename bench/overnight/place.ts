/**
 * The surroundings of one run: a repository with its user's uncommitted work, a fresh HOME, the scripted model.
 * Everything is removed after the body, processes too; processes are recognized by their HOME.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ModelRequest, Turn } from "../../src/testing/model-server/scenario.ts";
import { say } from "../../src/testing/model-server/scenario.ts";
import { startModelServer } from "../../src/testing/model-server/server.ts";
import { commonEnvironment, configure, freshFolder } from "../../test/real-agents/agent-home.ts";
import { subtasksOf, USERS_FILES, USUAL_FILES } from "./scenario.ts";
import type { NightScenario, OvernightAgent, Scale } from "./scenario.ts";

/** The requests to the model service, and what a provider would bill for them. */
export interface Spent {
  readonly requests: number;
  /** Of those: refused, interrupted or never answered, and not billed. */
  readonly refused: number;
  readonly tokens: number;
}

export interface Place {
  readonly folder: string;
  readonly repository: string;
  readonly env: NodeJS.ProcessEnv;
  /** The process that `kill("supervisor")` kills. */
  supervisor: number | undefined;
  spent(): Spent;
  /** The user's uncommitted work is unchanged. */
  isIntact(): boolean;
  /** Ids of its remaining processes. */
  processes(): readonly number[];
}

export async function inPlace<T>(
  agent: OvernightAgent,
  scenario: NightScenario,
  scale: Scale,
  body: (place: Place) => Promise<T>,
): Promise<T> {
  const folder = freshFolder();
  const home = join(folder, "home");
  const repository = join(folder, "repository");
  const spent = { requests: 0, refused: 0, tokens: 0 };
  const place: Place = {
    folder,
    repository,
    env: {},
    supervisor: undefined,
    spent: () => ({ ...spent }),
    isIntact: () =>
      Object.entries(USERS_FILES).every(([name, text]) => holds(join(repository, name), text)),
    processes: () => processesOf(home),
  };
  const kill = (whom: "agent" | "supervisor"): void => {
    const pids =
      whom === "agent"
        ? processesOf(home).filter((pid) => isProgram(pid, agent))
        : [place.supervisor];
    for (const pid of pids) if (pid !== undefined) end(pid);
  };
  const answer = remembering(scenario, scale, kill);
  const counted = (request: ModelRequest): Turn => {
    if (request.auxiliary) return say("A title.");
    spent.requests += 1;
    const turn = answer(request);
    // Approximately what a provider would bill.
    if (["say", "shell", "write"].includes(turn.kind))
      spent.tokens += Math.ceil(JSON.stringify(request.body).length / 4) + 20;
    else spent.refused += 1;
    return turn;
  };
  const server = await startModelServer({ night: counted }, { forAgents: true, keep: 1 });
  const clear = (): void => {
    for (const pid of processesOf(home)) end(pid);
  };
  // Also if the user interrupts the night.
  process.once("exit", clear);
  try {
    mkdirSync(home);
    const variables = configure(agent, home, server.at("night", "run"));
    Object.assign(place.env, process.env, commonEnvironment(home), variables, GIT_USER, {
      NODE_OPTIONS: "",
      UNSTUCK_HOME: join(folder, "unstuck"),
      // Without it Claude Code, started by root, refuses full permissions.
      IS_SANDBOX: "1",
    });
    makeRepository(place, { ...USUAL_FILES, ...scenario.files });
    return await body(place);
  } finally {
    process.off("exit", clear);
    clear();
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/**
 * A start begins with the first request, after a last word, and when tool results are gone; concurrent subtasks are
 * distinguished by their prompts.
 */
function remembering(
  scenario: NightScenario,
  scale: Scale,
  kill: (whom: "agent" | "supervisor") => void,
): (request: ModelRequest) => Turn {
  const script = scenario.script(scale);
  const memories = new Map<
    string,
    { start: number; before: number; last: number; over: boolean }
  >();
  const subtasks = subtasksOf(scenario);
  let starts = 0;
  let began: number | undefined;
  return (request) => {
    began ??= request.at;
    const told = request.user.join("\n");
    const { id: subtask = "" } = subtasks.find(({ prompt }) => told.includes(prompt)) ?? {};
    const memory = memories.get(subtask) ?? { start: 0, before: 0, last: 0, over: true };
    memories.set(subtask, memory);
    const results = request.results.length;
    if (memory.over || results < memory.last) {
      starts += 1;
      Object.assign(memory, { start: starts, before: results });
    }
    memory.last = results;
    const { start, before } = memory;
    const seconds = (request.at - began) / 1000;
    const turn = script({ request, subtask, start, step: results - before, told, seconds, kill });
    memory.over = turn.kind === "say";
    return turn;
  };
}

function makeRepository(place: Place, files: Readonly<Record<string, string>>): void {
  const { repository, env } = place;
  mkdirSync(repository);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), text);
  };
  const git = (...args: string[]): unknown => execFileSync("git", args, { cwd: repository, env });
  git("init", "-q", "-b", "main");
  for (const [name, text] of Object.entries(files)) write(name, text);
  git("add", ".");
  git("commit", "-qm", "start");
  for (const [name, text] of Object.entries(USERS_FILES)) write(name, text);
}

const GIT_USER = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "t",
  GIT_AUTHOR_EMAIL: "t@localhost",
  GIT_COMMITTER_NAME: "t",
  GIT_COMMITTER_EMAIL: "t@localhost",
};

function processesOf(home: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/environ`).split("\0").includes(`HOME=${home}`))
    .map(Number);
}

/** Started directly, or through its interpreter. */
const isProgram = (pid: number, name: string): boolean =>
  read(`/proc/${pid}/cmdline`)
    .split("\0")
    .slice(0, 2)
    .some((word) => basename(word).replace(/\.(?:js|exe)$/, "") === name);

const holds = (file: string, text: string): boolean => read(file) === text;

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
