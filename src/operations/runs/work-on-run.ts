/**
 * Works on a run in this process until it ends, needs a person, is paused, or is taken over by another process, and
 * reports what happens. It also watches for a stop file, a recorded stop, changes by other runs, and the run standing
 * still. Invariant: whatever happens, the claim is released and everything started here is stopped.
 */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { removeLeftSecrets } from "../../agents/attempt-files.ts";
import { rememberProcesses } from "../../agents/process/process-memory.ts";
import { policyOf } from "../../core/adaptive/policy-of.ts";
import { neverWords, withNever } from "../../core/learning/preferences.ts";
import { redactDeep } from "../../core/redact/redaction.ts";
import type { PausedBy } from "../../core/run/input.ts";
import type { RunState } from "../../core/run/state.ts";
import { needsPerson } from "../../core/run/view.ts";
import { JournalError } from "../../journal/error.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RunUnderway } from "../../runtime/ports.ts";
import { superviseRun } from "../../runtime/supervisor.ts";
import { watchPrograms } from "../../workspace/base/orphans.ts";
import { loadRun } from "../../workspace/repository/open-run.ts";
import { errorText, portsOf, userEnvironment } from "../composition.ts";
import { learnedAtStart, neverHere } from "../learning/known-here.ts";
import { learnFromRun } from "../learning/learn-from-run.ts";
import { PROCESSES_FILE } from "../inside-attempt.ts";
import { notifyOfRun } from "../notify/notify-of-run.ts";
import { defined, notNow, type Context } from "../operation.ts";
import { recordable, redactionOfRun } from "../redaction.ts";
import { observeRun } from "../telemetry/telemetry.ts";
import { userConfig, userName } from "../user-config.ts";
import { finalCard, followEvents, type RunHappening } from "../follow/follow.ts";
import { takeMeasured } from "./measured-base.ts";
import type { OpenHome } from "./open-run.ts";
import { presenceOf, type Watchers } from "./presence.ts";
import { openCheckpoints } from "./recorded.ts";
import type { resumeRun } from "./schemas.ts";
import { forgetAskedStart, keepPlan, type StartedWith } from "./started-with.ts";
import { awaitStandstill } from "./standstill.ts";
import { lastPause } from "./status.ts";
import { stayAwake } from "./stay-awake.ts";

interface WorkOptions extends OpenHome, Watchers {
  readonly run: string;
  readonly start: StartedWith;
  /** A new run is started; an existing one is resumed. */
  readonly isNew: boolean;
  /** A subtask of an ended run to retry. */
  readonly retry?: Retry;
  /** Posted before anything else: that a person or the service resumes it, or that it should end for good. */
  readonly first?: "resume" | "cancel";
  /** Who requested it, if it is not the user at their terminal. */
  readonly who?: string | undefined;
  /** Reports errors and waits that are not events of the run. */
  readonly tell: (words: string) => void;
  /** Aborted with a `Pause` as its reason when the run should pause. */
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
/** Work that has not ended by then is abandoned: the next owner finds it, and the pause costs it nothing either way. */
const PAUSE_LIMIT_MS = 20_000;

/** Returns the run as this owner left it: ended, paused, or waiting for an answer. */
export async function workOnRun(options: WorkOptions): Promise<RunState> {
  const { run, home, journal, start, retry } = options;
  const runDir = home.runDir(run);
  const { notify: settings = {} } = userConfig();
  const loaded = await loadRun(start.workspace);
  if (!loaded.ok) throw notNow(run, `run ${run}: ${loaded.refusal.detail}`);
  const tell = (words: string): void => options.tell(`unstuck: ${words}`);
  const forget = rememberProcesses(join(runDir, PROCESSES_FILE));
  const { root } = loaded.value;
  const carried = start.plan.carry.map((path) => join(root, path));
  const redaction = redactionOfRun(runDir, carried);
  const clean = recordable(redaction);
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
  const surroundings = { plan: start.plan, env: userEnvironment(), now: Date.now() };
  const measured = options.isNew ? takeMeasured(runDir, surroundings) : undefined;
  const ports = portsOf({
    ...{ run, runDir, keeper: { journal }, start, workspace: loaded.value, redaction, clean, tell },
    ...defined({ measured }),
    presence: () => presenceOf(options),
    letGo: letGo.signal,
    onLost: lost.reject,
  });
  const { engine, clock, random } = ports;
  const before = (await journal.run(run))?.seq ?? 0;
  const now = () => ({ at: clock.now(), chance: random() });
  await postFirst(options, now());
  const { owned, done, heardNews } = await superviseRun(
    { run, plan: start.plan, running, stop: letGo.signal, letGo: () => letGo.abort(), ports },
    policyOf(start.plan.policy),
    { reopens: retry !== undefined },
  );
  const state = (): RunState => owned.state();
  if (options.isNew) {
    const never = await neverHere(journal, root);
    if (never.length > 0) options.tell(`note: agents are told never to ${neverWords(never)}`);
    const plan = { ...redactDeep(start.plan.plan, clean), ladder: start.plan.plan.ladder };
    await engine.deliver(run, {
      ...{ ...now(), kind: "run-started", run },
      plan: withNever(plan, never),
      pinned: { ...keepPlan(runDir, start, clean), startedBy: userName() },
      ...(await learnedAtStart(journal, root, { now: clock.now(), clean })),
    });
    forgetAskedStart(runDir);
  }
  if (retry !== undefined) {
    const said = { subtask: retry.subtask, words: clean(retry.words), by: userName() };
    await engine.deliver(run, { ...now(), kind: "retry-requested", ...said });
  }
  const overdue = Promise.withResolvers<void>();
  const pause = ({ by, reason }: Pause): void => {
    const asked = { ...now(), pause: state().pauses + 1, by, reason };
    const recorded = engine.deliver(run, { ...asked, kind: "pause-requested" });
    inTime(run, recorded).catch(lost.reject);
  };
  const onPause = (): void => pause(options.pause.reason as Pause);
  const stopFile = join(runDir, STOP_FILE);
  await rm(stopFile, { force: true });
  const unwatch = [
    onStopFile(stopFile, () => pause({ by: "user", reason: "stopped by its stop file" })),
    onForeignNews(journal, () => void heardNews().catch((error) => tell(errorText(error)))),
    onStop(journal, state, () => {
      slow.abort();
      const give = (): void => void (state().phase === "pausing" && overdue.resolve());
      setTimeout(give, PAUSE_LIMIT_MS).unref();
    }),
  ];
  if (options.pause.aborted) onPause();
  options.pause.addEventListener("abort", onPause);
  const endLearning = learnFromRun({ run, repository: root, journal, state, now: Date.now });
  const endNotices = notifyOfRun({ run, repository: root, home, journal, settings });
  const endTelemetry = observeRun({ run, journal, before, tell });
  const still = awaitStandstill(journal, run, state, options.attended);
  const letSleep = stayAwake(options.tell);
  try {
    await Promise.race([done, still.promise, overdue.promise, lost.promise]);
    if (state().phase === "ended") await done;
    return state();
  } finally {
    for (const end of [...unwatch, still.cancel, letSleep]) end();
    options.pause.removeEventListener("abort", onPause);
    letGo.abort();
    slow.abort();
    for (const { attempt } of running.values()) attempt.stop("its owner lets go");
    forget();
    await endLearning();
    await endNotices();
    await endTelemetry();
    // If the claim cannot be released, it remains like that of a crashed process.
    await owned.release().catch(() => undefined);
    unwatched();
  }
}

/** Posted to the inbox, so that it comes after inputs posted while the run had no owner. */
async function postFirst(
  { run, journal, first, who = "the user" }: WorkOptions,
  now: { readonly at: number; readonly chance: number },
): Promise<void> {
  if (first === "resume") {
    const pause = await lastPause(journal, run);
    await journal.post(run, { ...now, kind: "resume-requested", by: userName(), pause });
  }
  if (first === "cancel")
    await journal.post(run, { ...now, kind: "cancel-requested", reason: `cancelled by ${who}` });
}

export type LeftRun = z.infer<typeof resumeRun.output>;

export async function workAndFollow(
  context: Context,
  work: Omit<WorkOptions, "tell" | "pause" | keyof Watchers>,
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
      attended: context.attended,
      watched: context.watched,
    });
    left.abort();
    await following;
    const final = view === undefined ? {} : await finalCard({ home, journal }, run);
    return { run, end: endOf(state), ...defined({ outcome: state.outcome }), ...final };
  } finally {
    left.abort();
    await following.catch(() => undefined);
  }
}

export function endOf(state: RunState): LeftRun["end"] {
  if (state.paused !== undefined) return "paused";
  if (needsPerson(state))
    return openCheckpoints(state).every(({ trigger }) => trigger === "BUDGET")
      ? "budget"
      : "needs-person";
  const kind = state.outcome?.kind;
  return kind === "verified" || kind === "unverified" || kind === "budget" ? kind : "failed";
}

const SETTLE_MS = 20;
const STOP_LOOK_MS = 500;
const NEWS_MS = 1000;

/** A file in the run's folder pauses it, for users without a terminal at hand (A11). */
function onStopFile(file: string, stop: () => void): () => void {
  const looking = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(looking);
    stop();
  }, STOP_LOOK_MS).unref();
  return () => clearInterval(looking);
}

/** Reports journal changes by other processes: at most once a second, and once at the start. */
function onForeignNews(journal: Journal, tell: () => void): () => void {
  let soon: NodeJS.Timeout | undefined;
  const later = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined;
      tell();
    }, NEWS_MS);
  };
  later();
  const unwatch = journal.watch(({ kind }) => void (kind === "foreign" ? later() : undefined));
  return () => {
    unwatch();
    clearTimeout(soon);
  };
}

const STOPPED: ReadonlySet<RunState["phase"]> = new Set(["pausing", "paused", "ending"]);

/** Calls back whenever a pause or the end is recorded, wherever it was requested. */
function onStop(journal: Journal, state: () => RunState, stopped: () => void): () => void {
  let last: RunState["phase"] | undefined;
  const look = (): void => {
    const { phase } = state();
    if (phase !== last && STOPPED.has(phase)) stopped();
    last = phase;
  };
  const soon = (): void => void setTimeout(look, SETTLE_MS);
  soon();
  return journal.watch(soon);
}

const RECORD_LIMIT_MS = 5000;

/**
 * Rejects if a stop is not recorded within the limit: a run waits for a full disk, but a person who wants it to stop
 * should not have to.
 */
async function inTime(run: string, recorded: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const late = sleep(RECORD_LIMIT_MS, "late", waiting).catch(() => undefined);
  const first = await Promise.race([recorded, late]).finally(() => waiting.abort());
  if (first === "late")
    throw new JournalError(
      "disk-full",
      `Run ${run} stopped because its journal cannot be written. Free some disk space, then: unstuck resume ${run}`,
    );
}
