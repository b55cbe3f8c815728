/**
 * The composition root of a run: picks the implementations, owns the run through the embedded engine, and waits
 * for it to end, to need a person, or to be told to let go.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeLent } from "../agents/attempt-files.ts";
import { processChecker } from "../agents/checks/checker.ts";
import { rememberProcesses } from "../agents/process/process-memory.ts";
import { proveDead } from "../agents/process/proof-of-death.ts";
import type { FailureKind } from "../core/failure.ts";
import type { ModelEntry } from "../core/plan/plan.ts";
import { ladder } from "../core/policy/ladder.ts";
import { cutMiddle, tame } from "../core/foreign-text.ts";
import { redactDeep } from "../core/redact/redaction.ts";
import type { Redaction } from "../core/redact/redaction.ts";
import type { Checkpoint } from "../core/run/checkpoint.ts";
import type { PausedBy } from "../core/run/input.ts";
import type { RunState } from "../core/run/state.ts";
import { systemClock } from "../engines/system-clock.ts";
import { hasCode } from "../journal/error.ts";
import type { Journal } from "../journal/journal.ts";
import { embeddedEngine } from "../engines/embedded.ts";
import { createLoopWatch } from "../runtime/loop-watch.ts";
import type { ProcessIdentity } from "../runtime/ports-agent.ts";
import type { Supervised } from "../runtime/supervised.ts";
import { superviseRun } from "../runtime/supervisor.ts";
import { gitCheckTrees } from "../workspace/check-trees-port.ts";
import { gitCommits } from "../workspace/commits-port.ts";
import { gitStandingTrees, gitWorkspace } from "../workspace/port.ts";
import { loadRun } from "../workspace/run.ts";
import { PROCESSES_FILE } from "./answer-gate.ts";
import { watchPrograms } from "../workspace/watched-program.ts";
import { crashPoint } from "./crash-point.ts";
import { UsageError } from "./io.ts";
import { carriedSecrets } from "./carried-secrets.ts";
import { lastPause } from "./lifetime.ts";
import { personName } from "./person.ts";
import { keepPin } from "./pinned.ts";
import type { Pinned } from "./pinned.ts";
import { redactionOfRun } from "./redaction.ts";
import { inTime } from "./stop-limit.ts";
import { adviceOf, agentsOf, askModelOf, providerOf } from "./run-agents.ts";
import { forgetStart } from "./start-file.ts";
import { onForeignNews, onStop, onStopFile, standsStill } from "./run-signs.ts";
import { treesOf } from "./run-workspace.ts";

export interface OwnOptions {
  readonly run: string;
  readonly runDir: string;
  readonly journal: Journal;
  readonly pinned: Pinned;
  /** A new run is started; one that was is resumed. */
  readonly isNew: boolean;
  /** A subtask of an ended run that is to be tried on. */
  readonly retry?: Retry;
  /** Told before anything else: that a person, or the service, goes on with it, or that it is to end for good. */
  readonly first?: "resume" | "cancel";
  readonly onAsk: (checkpoint: Checkpoint) => void;
  readonly onProblem: (problem: unknown) => void;
  /** Aborted, with a `Pause` as its reason, when the run is to pause. */
  readonly pause: AbortSignal;
}

export interface Pause {
  readonly by: PausedBy;
  readonly reason: string;
}

export interface Retry {
  readonly subtask: string;
  readonly words: string;
}

const GRACE_MS = 3000;
const STOP_FILE = "stop";
/** What has not ended by then is let go of: the next owner finds it, and a pause has cost it nothing either way. */
const PAUSE_PATIENCE_MS = 20_000;

/** The run as this owner left it: ended, paused, or with nothing to do until somebody answers. */
export async function ownRun(options: OwnOptions): Promise<RunState> {
  const { run, runDir, journal, pinned } = options;
  const loaded = await loadRun(pinned.workspace);
  if (!loaded.ok) throw new UsageError(`run ${run}: ${loaded.refusal.detail}`);
  const forget = rememberProcesses(join(runDir, PROCESSES_FILE));
  const redaction = redactionOfRun(runDir, carriedSecrets(loaded.value.root, pinned.plan.carry));
  const clean = cleaner(redaction);
  await removeLent(join(runDir, "attempts"), redaction);
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
  const trees = treesOf(run, loaded.value, pinned, redaction, {
    stop: letGo.signal,
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
    letGo: () => letGo.abort(),
    ports: {
      engine,
      clock,
      random,
      workspace: gitWorkspace(trees),
      standingTrees: gitStandingTrees(trees),
      commits: gitCommits(trees),
      checkTrees: gitCheckTrees(trees),
      checker: processChecker(run, redaction),
      agent: agentsOf(pinned, redaction),
      askModel: askModelOf(pinned, redaction),
      proveDead: async (attemptId: string, identity: unknown) => {
        const known = (identity ?? {}) as Partial<ProcessIdentity>;
        return (await proveDead({ ...known, attemptId }, { graceMs: GRACE_MS })).survivors;
      },
      incidents: journal.incidents,
      providerOf: ({ agent }: ModelEntry) => providerOf(pinned, agent),
      advise: ({ agent }: ModelEntry, kind: FailureKind) => adviceOf(pinned, agent, kind),
      utcOffsetMinutes: () => -new Date().getTimezoneOffset(),
      redact: clean,
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
      loopWatch: createLoopWatch,
      notify: ({ checkpoint }: { readonly checkpoint: Checkpoint }) => options.onAsk(checkpoint),
    },
  };
  const { retry, first } = options;
  const said = { at: clock.now(), chance: random() };
  // Through the inbox, so that it comes after whatever was told to a run that nobody owned.
  if (first === "resume")
    await journal.post(run, {
      ...{ ...said, kind: "resume-requested", by: personName() },
      pause: await lastPause(journal, run),
    });
  if (first === "cancel")
    await journal.post(run, { ...said, kind: "cancel-requested", reason: "cancelled by the user" });
  const { owned, done, heardNews } = await superviseRun(supervised, ladder(pinned.plan.policy), {
    reopens: retry !== undefined,
  });
  const input = { at: clock.now(), chance: random() };
  if (options.isNew) {
    await engine.deliver(run, {
      ...{ ...input, kind: "run-started", run },
      plan: { ...redactDeep(pinned.plan.plan, clean), ladder: pinned.plan.plan.ladder },
      pinned: keepPin(runDir, pinned, clean),
    });
    forgetStart(runDir);
  }
  if (retry !== undefined) {
    const words = clean(retry.words);
    const by = personName();
    await engine.deliver(run, { ...input, kind: "retry-requested", ...retry, words, by });
  }
  const overdue = Promise.withResolvers<void>();
  const pause = ({ by, reason }: Pause): void => {
    const told = { at: clock.now(), chance: random() };
    const number = owned.state().pauses + 1;
    const recorded = engine.deliver(run, {
      ...{ ...told, kind: "pause-requested", pause: number, by, reason },
    });
    inTime(run, recorded).catch(lost.reject);
  };
  const onPause = (): void => pause(options.pause.reason as Pause);
  await rm(join(runDir, STOP_FILE), { force: true });
  const unwatch = [
    onStopFile(join(runDir, STOP_FILE), () =>
      pause({ by: "user", reason: "stopped by its stop file" }),
    ),
    onForeignNews(journal, () => void heardNews().catch(options.onProblem)),
    onStop(
      journal,
      () => owned.state(),
      () => {
        slow.abort();
        const give = (): void => void (owned.state().phase === "pausing" && overdue.resolve());
        setTimeout(give, PAUSE_PATIENCE_MS).unref();
      },
    ),
  ];
  if (options.pause.aborted) onPause();
  options.pause.addEventListener("abort", onPause);
  const still = standsStill(journal, run, () => owned.state());
  try {
    await Promise.race([done, still.promise, overdue.promise, lost.promise]);
    if (owned.state().phase === "ended") await done;
    return owned.state();
  } finally {
    for (const end of [...unwatch, still.cancel]) end();
    options.pause.removeEventListener("abort", onPause);
    letGo.abort();
    slow.abort();
    for (const { attempt } of running.values()) attempt.stop("its owner lets go");
    forget();
    // A claim that cannot be given back is the claim of a dead process, as after a crash.
    await owned.release().catch(() => undefined);
    unwatched();
  }
}

const RECORDED_CHARS = 200_000;

/** What is recorded of an agent's words: nothing a terminal would obey, and no secret. */
function cleaner(redaction: Redaction): (text: string) => string {
  return (text) => cutMiddle(redaction.text(tame(text, { maxChars: Infinity })), RECORDED_CHARS);
}
