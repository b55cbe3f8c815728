/**
 * Runs of the built command in a real repository with real agents and the scripted model. Runs do not block the test, because
 * the model answers from the same process. Everything is gone after the body.
 */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelRequest, Scenario } from "../../src/testing/model-server/scenario.ts";
import { startModelServer } from "../../src/testing/model-server/server.ts";
import { LAUNCHER, type Ran } from "../cli/command.ts";
import { repository, type Repository } from "../end-to-end/run/repository.ts";
import { commonEnvironment, configure, freshFolder, type AgentName } from "./agent-home.ts";

export interface AgentRepository {
  readonly repository: Repository;
  /** `unstuck` with these words, to its end. */
  unstuck(...args: string[]): Promise<Ran & { readonly ms: number }>;
  /** Writes the plan and runs it. */
  run(plan: object): Promise<Ran & { readonly ms: number }>;
  /** The same, left running. */
  startRun(plan: object): ChildProcess;
  /** What the agent's model was asked. */
  requests(agent: AgentName): readonly ModelRequest[];
  readEvents(): Promise<void>;
  /** The journal's events of a kind, as last read; a run reads them at its end. */
  events(kind: string): readonly Readonly<Record<string, unknown>>[];
}

export async function withRepository(
  scenarios: Partial<Record<AgentName, Scenario>>,
  body: (here: AgentRepository) => Promise<void>,
): Promise<void> {
  const folder = freshFolder();
  const home = join(folder, "home");
  mkdirSync(home);
  const server = await startModelServer(scenarios, { forAgents: true });
  const here = repository({ "value.txt": "1\n", "check.sh": CHECK });
  const started: ChildProcess[] = [];
  try {
    const configured = (Object.keys(scenarios) as AgentName[]).map((agent) =>
      configure(agent, home, server.at(agent, agent)),
    );
    const env = Object.assign({ UNSTUCK_HOME: join(folder, "unstuck") }, ...configured) as object;
    const start = (...args: string[]): ChildProcess => {
      const child = spawn(process.execPath, [LAUNCHER, ...args], {
        cwd: here.path,
        env: { ...process.env, NODE_OPTIONS: "", ...commonEnvironment(home), ...GIT_USER, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      started.push(child);
      return child;
    };
    const unstuck = (...args: string[]) => ended(start(...args));
    const startRun = (plan: object): ChildProcess => {
      const file = join(folder, "plan.yaml");
      writeFileSync(file, JSON.stringify({ grounding: false, ...plan }));
      return start("run", file, "--trust");
    };
    let events: readonly Readonly<Record<string, unknown>>[] = [];
    const readEvents = async (): Promise<void> => {
      events = eventsOf((await unstuck("events", "--json")).out);
    };
    await body({
      repository: here,
      unstuck,
      startRun,
      async run(plan) {
        const ran = await ended(startRun(plan));
        await readEvents();
        return ran;
      },
      readEvents,
      requests: (agent) => server.requests(agent),
      events: (kind) => events.filter((event) => event["kind"] === kind),
    });
  } finally {
    for (const child of started) if (child.exitCode === null) child.kill("SIGTERM");
    await server.close();
    here.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

const CHECK =
  'grep -q "^2$" value.txt && exit 0\necho "FAIL: the value is $(cat value.txt), it should be 2"\nexit 1\n';

const GIT_USER = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "t",
  GIT_AUTHOR_EMAIL: "t@localhost",
  GIT_COMMITTER_NAME: "t",
  GIT_COMMITTER_EMAIL: "t@localhost",
};

async function ended(child: ChildProcess): Promise<Ran & { readonly ms: number }> {
  const since = Date.now();
  assert.ok(child.stdout !== null && child.stderr !== null);
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err, ms: Date.now() - since };
}

function eventsOf(out: string): readonly Readonly<Record<string, unknown>>[] {
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { event: Readonly<Record<string, unknown>> }).event);
}
