/**
 * Works on a run in this process until it ends, needs a person, is paused, or is taken over by another process;
 * tells what happens meanwhile, and how the run was left.
 * Invariant: whatever happens, the claim is given back and what was started here is stopped.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { removeLeftSecrets } from "../../agents/attempt-files.ts";
import { rememberProcesses } from "../../agents/process/process-memory.ts";
import { cutMiddle, cleanText } from "../../core/foreign-text.ts";
import { vectorItems } from "../../core/persistent-vector.ts";
import { ladder } from "../../core/policy/ladder.ts";
import { redactDeep } from "../../core/redact/redaction.ts";
import type { PausedBy } from "../../core/run/input.ts";
import type { RunState } from "../../core/run/state.ts";
import { needsPerson } from "../../core/run/view.ts";
import type { RunUnderway } from "../../runtime/ports.ts";
import { superviseRun } from "../../runtime/supervisor.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { watchPrograms } from "../../workspace/base/programs.ts";
import { errorText, portsOf } from "../composition.ts";
import { PROCESSES_FILE } from "../inside-attempt.ts";
import { ProblemError } from "../operation.ts";
import type { Context } from "../operation.ts";
import { redactionOfRun } from "../redaction.ts";
import { userName } from "../user-config.ts";
import { finalView, followEvents } from "./follow.ts";
import type { RunHappening } from "./follow.ts";
import type { OpenHome } from "./open-run.ts";
import { inTime, onForeignNews, onStop, onStopFile, standsStill } from "./run-signs.ts";
import type { resumeRun } from "./schemas.ts";
import { lastPause } from "./standing.ts";
import { forgetAskedStart, keepPlan } from "./started-with.ts";
import type { StartedWith } from "./started-with.ts";

interface WorkOptions extends OpenHome {
  readonly run: string;
  readonly start: StartedWith;
  /** A new run is started; one that was is resumed. */
  readonly isNew: boolean;
  /** A subtask of an ended run that is to be tried on. */
  readonly retry?: Retry;
  /** Told before anything else: that a person, or the service, goes on with it, or that it is to end for good. */
  readonly first?: "resume" | "cancel";
  /** Told what goes wrong or is waited for beside the run's events. */
  readonly tell: (words: string) => void;
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

const STOP_FILE = "stop";
/** What has not ended by then is let go of: the next owner finds it, and a pause has cost it nothing either way. */
const PAUSE_LIMIT_MS = 20_000;
const RECORDED_CHARS = 200_000;

/** The run as this owner left it: ended, paused, or with nothing to do until somebody answers. */
export async function workOnRun(options: WorkOptions): Promise<RunState> {
  const { run, home, journal, start, retry } = options;
  const runDir = home.runDir(run);
  const loaded = await loadRun(start.workspace);
  if (!loaded.ok)
    throw new ProblemError("not-now", `run ${run}: ${loaded.refusal.detail}`, { run });
  const tell = (words: string): void => options.tell(`unstuck: ${words}`);
  const forget = rememberProcesses(join(runDir, PROCESSES_FILE));
  const { root } = loaded.value;
  const carried = start.plan.carry.map((path) => join(root, path));
  const redaction = redactionOfRun(runDir, carried);
  /** What is recorded of an agent's words: nothing a terminal would obey, and no secret. */
  const clean = (text: string): string =>
    cutMiddle(redaction.text(cleanText(text, { maxChars: Infinity })), RECORDED_CHARS);
  await removeLeftSecrets(join(runDir, "attempts"), redaction);
  const lost = Promise.withResolvers<never>();
  const letGo = new AbortController();
  const slow = new AbortController();
  const unwatched = watchPrograms({
    tell,
    ending: `unstuck stop ${run} ends it at once`,
    stop: slow.signal,
  });
  const running: RunUnderway["running"] = new Map();
  const ports = portsOf({
    ...{ run, runDir, journal, start, workspace: loaded.value, redaction, clean, tell },
    letGo: letGo.signal,
    onLost: lost.reject,
  });
  const { engine, clock, random } = ports;
  const now = () => ({ at: clock.now(), chance: random() });
  await tellFirst(options, now());
  const { owned, done, heardNews } = await superviseRun(
    { run, plan: start.plan, running, stop: letGo.signal, letGo: () => letGo.abort(), ports },
    ladder(start.plan.policy),
    { reopens: retry !== undefined },
  );
  if (options.isNew) {
    await engine.deliver(run, {
      ...{ ...now(), kind: "run-started", run },
      plan: { ...redactDeep(start.plan.plan, clean), ladder: start.plan.plan.ladder },
      pinned: keepPlan(runDir, start, clean),
    });
    forgetAskedStart(runDir);
  }
  if (retry !== undefined) {
    const said = { subtask: retry.subtask, words: clean(retry.words), by: userName() };
    await engine.deliver(run, { ...now(), kind: "retry-requested", ...said });
  }
  const overdue = Promise.withResolvers<void>();
  const pause = (by: Pause): void => {
    const number = owned.state().pauses + 1;
    const recorded = engine.deliver(run, {
      ...{ ...now(), kind: "pause-requested", pause: number, by: by.by, reason: by.reason },
    });
    inTime(run, recorded).catch(lost.reject);
  };
  const onPause = (): void => pause(options.pause.reason as Pause);
  const stopFile = join(runDir, STOP_FILE);
  await rm(stopFile, { force: true });
  const unwatch = [
    onStopFile(stopFile, () => pause({ by: "user", reason: "stopped by its stop file" })),
    onForeignNews(journal, () => void heardNews().catch((error) => tell(errorText(error)))),
    onStop(
      journal,
      () => owned.state(),
      () => {
        slow.abort();
        const give = (): void => void (owned.state().phase === "pausing" && overdue.resolve());
        setTimeout(give, PAUSE_LIMIT_MS).unref();
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

/** Through the inbox, so that it comes after whatever was told to a run that nobody owned. */
async function tellFirst(
  { run, journal, first }: WorkOptions,
  now: { readonly at: number; readonly chance: number },
): Promise<void> {
  if (first === "resume") {
    const pause = await lastPause(journal, run);
    await journal.post(run, { ...now, kind: "resume-requested", by: userName(), pause });
  }
  if (first === "cancel")
    await journal.post(run, { ...now, kind: "cancel-requested", reason: "cancelled by the user" });
}

export type LeftRun = z.infer<typeof resumeRun.output>;

export async function workAndFollow(
  context: Context,
  work: Omit<WorkOptions, "tell" | "pause">,
  view: "end" | "live" | undefined,
  on: (happening: RunHappening) => void,
): Promise<LeftRun> {
  const { run, home, journal, start } = work;
  const from = ((await journal.run(run))?.seq ?? 0) + 1;
  const left = new AbortController();
  on({ kind: "working", run });
  const following = followEvents(journal, {
    ...{ run, from, until: left.signal, live: view === "live", on },
    runDir: home.runDir(run),
    agents: start.plan.agents,
  });
  try {
    const state = await workOnRun({
      ...work,
      tell: context.tell ?? (() => undefined),
      pause: context.signal ?? new AbortController().signal,
    });
    left.abort();
    await following;
    const { outcome } = state;
    return {
      run,
      end: endOf(state),
      ...(outcome === undefined ? {} : { outcome }),
      ...(view === undefined ? {} : await finalView(journal, run)),
    };
  } finally {
    left.abort();
    await following.catch(() => undefined);
  }
}

/** Every open question is about money or time. */
function asksForBudget({ checkpoint, subtasks }: RunState): boolean {
  const open = [checkpoint, ...vectorItems(subtasks).map((own) => own.checkpoint)];
  return open.every((question) => question === undefined || question.trigger === "BUDGET");
}

function endOf(state: RunState): LeftRun["end"] {
  if (state.paused !== undefined) return "paused";
  if (needsPerson(state)) return asksForBudget(state) ? "budget" : "needs-person";
  const kind = state.outcome?.kind;
  return kind === "verified" || kind === "unverified" || kind === "budget" ? kind : "failed";
}
