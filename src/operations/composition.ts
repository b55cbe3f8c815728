/** The composition root: picks the implementation of each port of a run, from what the run was started with. */
import { localZone } from "../agents/local-evidence.ts";
import { PLAN_AGENTS, adviceFor, knownAgent } from "../agents/registry.ts";
import { mkdir } from "node:fs/promises";
import { join, matchesGlob } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { askAgent, askEndpoint } from "../agents/ask-model.ts";
import { processChecker } from "../agents/checks/checker.ts";
import { runCheck } from "../agents/checks/runner.ts";
import { proveDead } from "../agents/process/proof-of-death.ts";
import { agentNamed } from "../agents/start-agent.ts";
import type { AgentPlan } from "../core/plan/run-plan.ts";
import type { Redaction } from "../core/redact/redaction.ts";
import { embeddedEngine } from "../engines/embedded.ts";
import { systemClock } from "../engines/system.ts";
import { hasCode } from "../journal/error.ts";
import type { Incidents, Journal } from "../journal/journal.ts";
import { createLoopWatch } from "../runtime/loop-watch.ts";
import type { Agent } from "../runtime/ports-agent.ts";
import type { ProcessIdentity } from "../runtime/agent-result.ts";
import type { MeasuredBase, OpenTree } from "../runtime/ports-workspace.ts";
import type { AskModel, Engine, Ports } from "../runtime/ports.ts";
import type { Run } from "../workspace/base/run-folder.ts";
import { environmentFor } from "../workspace/carry/environment.ts";
import { gitCheckTrees } from "../workspace/check-trees-port.ts";
import { gitCommits, gitStandingTrees, gitWorkspace } from "../workspace/port.ts";
import { matcherOf, setupMarks } from "../workspace/trees/set-up.ts";
import type { GitTrees, SetUpProblem } from "../workspace/port-context.ts";
import { CRASH_POINTS } from "./crash-point.ts";
import type { StartedWith } from "./runs/started-with.ts";
import { SETUP_INPUTS } from "./setup/repository-setup.ts";

const GRACE_MS = 3000;

interface Composed {
  readonly run: string;
  readonly runDir: string;
  /** What stores the run: the local journal, or an engine for several machines. */
  readonly keeper:
    { readonly journal: Journal } | { readonly engine: Engine; readonly incidents: Incidents };
  readonly start: StartedWith;
  readonly workspace: Run;
  readonly redaction: Redaction;
  /** Cleans everything that is recorded of an agent's output. */
  readonly clean: (text: string) => string;
  /** Aborted when this process lets go of the run. */
  readonly letGo: AbortSignal;
  /** The checks' outcomes on the base from before the run began. */
  readonly measured?: MeasuredBase;
  readonly tell: (words: string) => void;
  readonly presence: Ports["presence"];
  /** Another process has taken the run over. */
  readonly onLost: (problem: unknown) => void;
}

export function portsOf(composed: Composed): Ports {
  const { run, runDir, keeper, start, redaction, letGo } = composed;
  const clock = systemClock();
  const random = Math.random;
  const trees = treesOf(run, composed.workspace, start, redaction, {
    stop: letGo,
    now: () => clock.now(),
    tell: composed.tell,
    untilDead: async (attemptId) => {
      const isDead = async (): Promise<boolean> =>
        (await proveDead({ attemptId }, { graceMs: GRACE_MS })).survivors.length === 0;
      while (!letGo.aborted && !(await isDead())) await sleep(GRACE_MS);
    },
  });
  const agents = new Map(
    Object.entries(start.plan.agents).map(([name, agent]) => [name, agentOf(agent, redaction)]),
  );
  return {
    engine:
      "engine" in keeper
        ? keeper.engine
        : embeddedEngine({
            ...{ journal: keeper.journal, clock, random, ...CRASH_POINTS },
            onProblem: (_, problem) =>
              hasCode(problem, "owner-lost")
                ? composed.onLost(problem)
                : composed.tell(errorText(problem)),
          }),
    clock,
    random,
    workspace: gitWorkspace(trees),
    standingTrees: gitStandingTrees(trees),
    commits: gitCommits(trees),
    checkTrees: gitCheckTrees(trees),
    checker: processChecker(run, redaction, composed.measured),
    agent: (name) => agents.get(name),
    askModel: askModelOf(start, redaction),
    proveDead: async (attemptId, identity) => {
      const known = (identity ?? {}) as Partial<ProcessIdentity>;
      return (await proveDead({ ...known, attemptId }, { graceMs: GRACE_MS })).survivors;
    },
    incidents: "engine" in keeper ? keeper.incidents : keeper.journal.incidents,
    providerOf: ({ agent }) => providerOf(start, agent),
    /** The command that installs or logs in the agent behind a name. */
    advise: ({ agent }, kind) => {
      const { adapter } = start.plan.agents[agent] ?? {};
      return adapter === undefined ? undefined : adviceFor(adapter, kind);
    },
    timeZone: localZone,
    redact: composed.clean,
    tell: composed.tell,
    attemptFolder: async (attemptId) => {
      const names = attemptId.split("/").slice(1).map(encodeURIComponent);
      const folder = join(runDir, "attempts", ...names);
      await mkdir(folder, { recursive: true });
      return folder;
    },
    loopWatch: createLoopWatch,
    presence: composed.presence,
    // Clients that follow the run see the question in its journal.
    notify: () => undefined,
  };
}

export const errorText = (problem: unknown): string =>
  problem instanceof Error ? problem.message : String(problem);

/** Everything kept of an attempt goes through the run's redaction. */
function agentOf({ adapter, ...options }: AgentPlan, redaction: Redaction): Agent | undefined {
  const agent = agentNamed(adapter, options);
  return agent && { ...agent, start: (request) => agent.start({ ...request, redaction }) };
}

/** The cheap model for rewriting, if the plan names one. */
function askModelOf({ plan }: StartedWith, redaction: Redaction): AskModel | undefined {
  const { rewrite } = plan;
  if (rewrite === undefined) return undefined;
  const env = userEnvironment();
  if ("endpoint" in rewrite) return askEndpoint(rewrite, env);
  const named = plan.agents[rewrite.agent];
  const agent = named && agentOf(named, redaction);
  return agent && askAgent(agent, rewrite.model, env);
}

/** A known agent stands for its provider; of any other agent only its command is known. */
function providerOf({ plan }: StartedWith, name: string): string {
  const { adapter = PLAN_AGENTS.plain, command = name } = plan.agents[name] ?? {};
  return knownAgent(adapter) === undefined ? `${adapter} ${command}` : adapter;
}

const SETUP_LIMIT_MS = 30 * 60_000;

/** Caches that build tools keep between builds; carried without asking. */
const USUAL_CACHES: readonly string[] = [
  ...["target", ".gradle", ".next/cache", "node_modules/.cache", ".turbo", ".nx/cache"],
  ...[".parcel-cache", ".eslintcache", ".mypy_cache", ".ruff_cache", ".pytest_cache"],
  ...[".zig-cache", ".build", ".dart_tool", "_build", "dist-newstyle"],
];

export function treesOf(
  run: string,
  workspace: Run,
  { plan, inPlace }: StartedWith,
  redaction: Redaction,
  { stop, ...surroundings }: Pick<GitTrees, "now" | "untilDead" | "tell"> & { stop: AbortSignal },
): GitTrees {
  const { setup, carry, protect, cache, setupInputs } = plan;
  const inputs = setupInputs.length > 0 ? setupInputs : SETUP_INPUTS;
  const readyMark = setupMarks(workspace, {
    ...{ setup, carried: JSON.stringify(carry), isInput: matcherOf(inputs) },
  });
  const isStandIn = async (commit: string): Promise<boolean> =>
    plan.setupWhenChanged === true &&
    (await readyMark(commit)) === (await readyMark(workspace.base));
  return {
    ...surroundings,
    run: { ...workspace, control: CRASH_POINTS },
    concurrency: plan.plan.concurrency,
    carry,
    caches: cache ?? USUAL_CACHES,
    environment: (path) =>
      path === workspace.root
        ? userEnvironment()
        : environmentFor(workspace.root, path, userEnvironment()).env,
    readyMark,
    setUp: async (tree, commit) =>
      (await isStandIn(commit)) ? undefined : runSetup(run, setup, tree, { redaction, stop }),
    installs: setup.length > 0,
    promptOf: (subtask) => redaction.text(plan.subtasks[subtask]?.prompt ?? ""),
    isProtected: (path) => protect.some((glob) => matchesGlob(path, glob)),
    inPlace: inPlace === true,
  };
}

/** Set by a test runner that started this process: a `node --test` run as a check would then pass whatever it finds. */
const LEFT_OUT = "NODE_TEST_CONTEXT";

/** A token with which to decide over HTTP must not reach an agent. */
const OWN_TOKEN = /unstuck_[\w-]{43}/;

export function userEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && entry[0] !== LEFT_OUT && !OWN_TOKEN.test(entry[1]),
    ),
  );
}

/** Runs the plan's set-up commands in a new working tree; the first failure is the reason it cannot be used. */
async function runSetup(
  run: string,
  setup: readonly string[],
  tree: OpenTree,
  how: { readonly redaction: Redaction; readonly stop: AbortSignal },
): Promise<SetUpProblem | undefined> {
  for (const command of setup) {
    const ran = await runCheck({
      place: { run, subtask: "setup", attemptId: `${run}/setup/1`, slot: 0 },
      command,
      cwd: tree.cwd,
      env: { ...tree.env, CI: "1" },
      limitMs: SETUP_LIMIT_MS,
      ...how,
    });
    if (ran.outcome.kind !== "passed") return { command, run: ran };
  }
  return undefined;
}
