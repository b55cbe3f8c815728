/**
 * The composition root of a run: picks the implementations, owns the run through the embedded engine, and waits for it to
 * end, to need a person, or to be told to let go. Imports everything it joins; nothing imports it but commands.
 */
import { mkdir } from "node:fs/promises";
import { join, matchesGlob } from "node:path";
import { processChecker } from "../agents/checks/checker.ts";
import { runCheck } from "../agents/checks/runner.ts";
import { commandAgent } from "../agents/command.ts";
import { outputWatch } from "../agents/loop-watch.ts";
import { proveDead } from "../agents/process/proof-of-death.ts";
import { judgingFiles } from "../core/checks/judging-files.ts";
import type { ModelEntry } from "../core/plan/plan.ts";
import { ladder } from "../core/policy/ladder.ts";
import { redactor, secretsOf } from "../core/redact.ts";
import type { Checkpoint } from "../core/run/checkpoint.ts";
import type { RunState } from "../core/run/state.ts";
import { isPaused } from "../core/run/view.ts";
import { systemClock } from "../engines/system-clock.ts";
import { hasCode } from "../journal/error.ts";
import type { Journal } from "../journal/journal.ts";
import { embeddedEngine } from "../engines/embedded.ts";
import type { ProcessIdentity } from "../runtime/ports-agent.ts";
import type { OpenTree } from "../runtime/ports-workspace.ts";
import type { Supervised } from "../runtime/supervised.ts";
import { superviseRun } from "../runtime/supervisor.ts";
import { gitWorkspace } from "../workspace/port.ts";
import { loadRun } from "../workspace/run.ts";
import type { Run } from "../workspace/types.ts";
import { crashPoint } from "./crash-point.ts";
import { UsageError } from "./io.ts";
import type { Pinned } from "./pinned.ts";

export interface OwnOptions {
  readonly run: string;
  readonly runDir: string;
  readonly journal: Journal;
  readonly pinned: Pinned;
  /** The input that starts a new run; absent when one is resumed. */
  readonly start?: { readonly goodCommit?: string };
  readonly onAsk: (checkpoint: Checkpoint) => void;
  readonly onProblem: (problem: unknown) => void;
  /** Asks for an orderly stop. */
  readonly stop: AbortSignal;
}

export interface Ended {
  readonly state: RunState;
  /** Nothing can go on until somebody answers. */
  readonly paused: boolean;
}

const GRACE_MS = 3000;
const SETTLE_MS = 20;
const SETUP_LIMIT_MS = 30 * 60_000;

export async function ownRun(options: OwnOptions): Promise<Ended> {
  const { run, runDir, journal, pinned } = options;
  const loaded = await loadRun(pinned.workspace);
  if (!loaded.ok) throw new UsageError(`run ${run}: ${loaded.refusal.detail}`);
  const lost = Promise.withResolvers<never>();
  const clock = systemClock();
  const random = Math.random;
  const engine = embeddedEngine({
    journal,
    clock,
    random,
    onProblem: (_, problem) => {
      if (hasCode(problem, "owner-lost")) lost.reject(problem);
      else options.onProblem(problem);
    },
    onPoint: crashPoint,
  });
  const letGo = new AbortController();
  const running: Supervised["running"] = new Map();
  const supervised = {
    run,
    plan: pinned.plan,
    running,
    stop: letGo.signal,
    ports: {
      engine,
      clock,
      random,
      workspace: workspaceOf(run, loaded.value, pinned, () => clock.now()),
      checker: processChecker({ run, baseline: () => pinned.baseline }),
      agent: agentsOf(pinned),
      proveDead: async (attemptId: string, identity: unknown) => {
        const known = (identity ?? {}) as Partial<ProcessIdentity>;
        return (await proveDead({ ...known, attemptId }, { graceMs: GRACE_MS })).survivors;
      },
      incidents: journal.incidents,
      providerOf: ({ agent }: ModelEntry) => providerOf(pinned, agent),
      redact: redactor(secretsOf(userEnvironment())),
      tell: (words: string) => options.onProblem(new Error(words)),
      attemptFolder: async (attemptId: string) => {
        const folder = join(
          runDir,
          "attempts",
          ...attemptId.split("/").slice(1).map(encodeURIComponent),
        );
        await mkdir(folder, { recursive: true });
        return folder;
      },
      loopWatch: (agent: string) => outputWatch(pinned.plan.agents[agent]?.format),
      notify: ({ checkpoint }: { readonly checkpoint: Checkpoint }) => options.onAsk(checkpoint),
    },
  };
  const { owned, done } = await superviseRun(supervised, ladder(pinned.plan.policy));
  const input = { at: clock.now(), chance: random() };
  if (options.start !== undefined)
    await engine.deliver(run, {
      ...input,
      kind: "run-started",
      run,
      plan: pinned.plan.plan,
      pinned,
      ...options.start,
    });
  const stopping = (): void =>
    void engine.deliver(run, {
      at: clock.now(),
      chance: random(),
      kind: "stop-requested",
      reason: "stopped by the user",
    });
  if (options.stop.aborted) stopping();
  options.stop.addEventListener("abort", stopping);
  const paused = pausedOf(journal, run, () => owned.state());
  try {
    await Promise.race([done, paused.promise, lost.promise]);
    const state = owned.state();
    return { state, paused: isPaused(state) };
  } finally {
    paused.cancel();
    options.stop.removeEventListener("abort", stopping);
    letGo.abort();
    for (const { attempt } of running.values()) attempt.stop("its owner lets go");
    await owned.release();
  }
}

/** Settles when the run has come to wait for a person and nobody has answered yet. */
function pausedOf(
  journal: Journal,
  run: string,
  state: () => RunState,
): { readonly promise: Promise<void>; readonly cancel: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    if (!isPaused(state())) return;
    const answers = await journal.posted(run, 0, 1);
    if (answers.length === 0 && isPaused(state())) resolve();
  };
  const soon = (): void => void setTimeout(() => void look().catch(reject), SETTLE_MS);
  const cancel = journal.watch(soon);
  soon();
  return { promise, cancel };
}

function agentsOf(pinned: Pinned): (name: string) => ReturnType<typeof commandAgent> | undefined {
  const agents = new Map(
    Object.entries(pinned.plan.agents).flatMap(([name, { command }]) =>
      command === undefined ? [] : [[name, commandAgent(command)]],
    ),
  );
  return (name) => agents.get(name);
}

/** An adapter stands for its provider; of a plain command nothing is known but its words. */
function providerOf({ plan }: Pinned, name: string): string {
  const { adapter = "command", command = name } = plan.agents[name] ?? {};
  return adapter === "command" ? `command ${command}` : adapter;
}

function workspaceOf(run: string, opened: Run, pinned: Pinned, now: () => number) {
  const { setup, carry, protect, subtasks } = pinned.plan;
  const checks = Object.values(subtasks).flatMap((subtask) => subtask.checks);
  const judges = judgingFiles(checks.map((check) => check.run));
  return gitWorkspace({
    run: opened,
    carry,
    environment: userEnvironment(),
    now,
    setup: (tree) => runSetup(run, setup, tree),
    setupMark: JSON.stringify(setup),
    control: { onPoint: crashPoint },
    watch: (path) =>
      protect.some((glob) => matchesGlob(path, glob))
        ? "protected"
        : judges(path)
          ? "judge"
          : undefined,
    inPlace: pinned.inPlace === true,
  });
}

/** Set by a test runner that started us: a `node --test` that runs as a check would then pass whatever it finds. */
const LEFT_OUT = "NODE_TEST_CONTEXT";

/** The user's environment, for agents, checks and setup. */
export function userEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== LEFT_OUT,
    ),
  );
}

/** The plan's setup commands, in a new working tree; the first that fails is why it cannot be used. */
export async function runSetup(
  run: string,
  setup: readonly string[],
  tree: OpenTree,
): Promise<string | undefined> {
  for (const command of setup) {
    const place = { run, subtask: "setup", attemptId: `${run}/setup/1`, slot: 0 };
    const { outcome, stderr, stdout } = await runCheck({
      place,
      command,
      cwd: tree.cwd,
      env: tree.env,
      limitMs: SETUP_LIMIT_MS,
    });
    if (outcome.kind !== "passed")
      return `setup ${command} failed: ${(stderr || stdout).slice(-400)}`;
  }
  return undefined;
}
