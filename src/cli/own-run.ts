/**
 * The composition root of a run: picks the implementations, owns the run through the embedded engine, and waits for it to
 * end, to need a person, or to be told to let go. Imports everything it joins; nothing imports it but commands.
 */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processChecker } from "../agents/checks/checker.ts";
import { outputWatch } from "../agents/loop-watch.ts";
import { proveDead } from "../agents/process/proof-of-death.ts";
import type { FailureKind } from "../core/failure.ts";
import type { ModelEntry } from "../core/plan/plan.ts";
import { ladder } from "../core/policy/ladder.ts";
import { tame } from "../core/foreign-text.ts";
import { redactor, secretsOf } from "../core/redact.ts";
import type { Checkpoint } from "../core/run/checkpoint.ts";
import type { RunState } from "../core/run/state.ts";
import { isPaused } from "../core/run/view.ts";
import { systemClock } from "../engines/system-clock.ts";
import { hasCode } from "../journal/error.ts";
import type { Journal } from "../journal/journal.ts";
import { embeddedEngine } from "../engines/embedded.ts";
import type { ProcessIdentity } from "../runtime/ports-agent.ts";
import type { Supervised } from "../runtime/supervised.ts";
import { superviseRun } from "../runtime/supervisor.ts";
import { gitCheckTrees } from "../workspace/check-trees-port.ts";
import { gitCommits } from "../workspace/commits-port.ts";
import { gitStandingTrees, gitWorkspace } from "../workspace/port.ts";
import { loadRun } from "../workspace/run.ts";
import { watchPrograms } from "../workspace/watched-program.ts";
import { crashPoint } from "./crash-point.ts";
import { UsageError } from "./io.ts";
import type { Pinned } from "./pinned.ts";
import { adviceOf, agentsOf, askModelOf, formatOf, providerOf } from "./run-agents.ts";
import { treesOf, userEnvironment } from "./run-workspace.ts";

export interface OwnOptions {
  readonly run: string;
  readonly runDir: string;
  readonly journal: Journal;
  readonly pinned: Pinned;
  /** A new run is started; one that was is resumed. */
  readonly isNew: boolean;
  /** A subtask of an ended run that is to be tried on. */
  readonly retry?: Retry;
  readonly onAsk: (checkpoint: Checkpoint) => void;
  readonly onProblem: (problem: unknown) => void;
  /** Asks for an orderly stop. */
  readonly stop: AbortSignal;
}

export interface Retry {
  readonly subtask: string;
  readonly words: string;
}

export interface Ended {
  readonly state: RunState;
  /** Nothing can go on until somebody answers. */
  readonly paused: boolean;
}

const GRACE_MS = 3000;
const SETTLE_MS = 20;
const STOP_FILE = "stop";
const STOP_LOOK_MS = 500;

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
  const slow = new AbortController();
  const unwatched = watchPrograms({
    tell: (words) => options.onProblem(new Error(words)),
    ending: `unstuck stop ${run} ends it at once`,
    stop: slow.signal,
  });
  const running: Supervised["running"] = new Map();
  const trees = treesOf(run, loaded.value, pinned, {
    now: () => clock.now(),
    tell: (words) => options.onProblem(new Error(words)),
    untilDead: async (attemptId) => {
      const isDead = async (): Promise<boolean> =>
        (await proveDead({ attemptId }, { graceMs: GRACE_MS })).survivors.length === 0;
      while (!letGo.signal.aborted && !(await isDead())) await sleep(GRACE_MS);
    },
  });
  const supervised = {
    run,
    plan: pinned.plan,
    running,
    stop: letGo.signal,
    ports: {
      engine,
      clock,
      random,
      workspace: gitWorkspace(trees),
      standingTrees: gitStandingTrees(trees),
      commits: gitCommits(trees),
      checkTrees: gitCheckTrees(trees),
      checker: processChecker(run),
      agent: agentsOf(pinned),
      askModel: askModelOf(pinned),
      proveDead: async (attemptId: string, identity: unknown) => {
        const known = (identity ?? {}) as Partial<ProcessIdentity>;
        return (await proveDead({ ...known, attemptId }, { graceMs: GRACE_MS })).survivors;
      },
      incidents: journal.incidents,
      providerOf: ({ agent }: ModelEntry) => providerOf(pinned, agent),
      advise: ({ agent }: ModelEntry, kind: FailureKind) => adviceOf(pinned, agent, kind),
      utcOffsetMinutes: () => -new Date().getTimezoneOffset(),
      redact: cleaner(),
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
      loopWatch: (agent: string) => outputWatch(formatOf(pinned, agent)),
      notify: ({ checkpoint }: { readonly checkpoint: Checkpoint }) => options.onAsk(checkpoint),
    },
  };
  const { retry } = options;
  const { owned, done } = await superviseRun(supervised, ladder(pinned.plan.policy), {
    reopens: retry !== undefined,
  });
  const input = { at: clock.now(), chance: random() };
  if (options.isNew)
    await engine.deliver(run, {
      ...input,
      kind: "run-started",
      run,
      plan: pinned.plan.plan,
      pinned,
    });
  if (retry !== undefined) {
    const by = userInfo().username;
    await engine.deliver(run, { ...input, kind: "retry-requested", ...retry, by });
  }
  const stopping = (): void =>
    void engine.deliver(run, {
      at: clock.now(),
      chance: random(),
      kind: "stop-requested",
      reason: "stopped by the user",
    });
  await rm(join(runDir, STOP_FILE), { force: true });
  const stopFile = watchStopFile(join(runDir, STOP_FILE), () => stopping());
  if (options.stop.aborted) stopping();
  options.stop.addEventListener("abort", stopping);
  const paused = pausedOf(journal, run, () => owned.state());
  const notStopped = onStop(
    journal,
    () => owned.state(),
    () => slow.abort(),
  );
  try {
    await Promise.race([done, paused.promise, lost.promise]);
    const state = owned.state();
    return { state, paused: isPaused(state) };
  } finally {
    paused.cancel();
    notStopped();
    clearInterval(stopFile);
    options.stop.removeEventListener("abort", stopping);
    letGo.abort();
    slow.abort();
    for (const { attempt } of running.values()) attempt.stop("its owner lets go");
    await owned.release();
    unwatched();
  }
}

const RECORDED_CHARS = 200_000;

/** What is recorded of an agent's words: nothing a terminal would obey, and no secret. */
function cleaner(): (text: string) => string {
  const redact = redactor(secretsOf(userEnvironment()));
  return (text) => redact(tame(text, { maxChars: RECORDED_CHARS }));
}

/** A file in the run's folder stops it in order, for those who have no terminal at hand (A11). */
function watchStopFile(file: string, stop: () => void): NodeJS.Timeout {
  const looking = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(looking);
    stop();
  }, STOP_LOOK_MS);
  return looking.unref();
}

/** Calls back once a stop is recorded, wherever it was asked for. Gives how to cancel it. */
function onStop(journal: Journal, state: () => RunState, stopped: () => void): () => void {
  const look = (): void => {
    if (state().phase === "stopping") stopped();
  };
  const soon = (): void => void setTimeout(look, SETTLE_MS);
  soon();
  return journal.watch(soon);
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
