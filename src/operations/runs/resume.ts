/**
 * Pausing a run, resuming it, and ending it for good. Invariants: a run that a person stopped is resumed only by a
 * person; a cancelled run is over only once everything in progress is proven dead, even if its owner died.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { cleanLine } from "../../core/foreign-text.ts";
import { unknownName } from "../../core/policy/read.ts";
import { staleness } from "../../core/run/decide/staleness.ts";
import { needsPerson } from "../../core/run/view.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RunRow } from "../../journal/reader.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, operation, notNow, ProblemError, type Context } from "../operation.ts";
import { followEvents, type RunHappening } from "../follow/follow.ts";
import { userName } from "../user-config.ts";
import { withHome, withRun, type OpenRun } from "./open-run.ts";
import { givenAnswers } from "../questions/inbox.ts";
import { recordedRun } from "./recorded.ts";
import { startDetached } from "./start.ts";
import { openWorkspace } from "./open-workspace.ts";
import { askedStart, startedWith, wholeStart, type StartedWith } from "./started-with.ts";
import { isStoppedByPerson, isWorkedOn, lastPause } from "./status.ts";
import { endOf, workAndFollow, workOnRun, type LeftRun, type Retry } from "./work-on-run.ts";

export const resumeRun = operation({
  name: "resume",
  schemas: async () => (await import("./schemas.ts")).resumeRun,
  run(context, input, on: (happening: ResumeHappening) => void) {
    refuseInsideAttempt("resume", input.retry === undefined ? { orphans: "allowed" } : {});
    return withRun(context, input.run, async (open) => {
      const { home, journal, row } = open;
      const { id: run, seq, phase, outcome = "" } = row;
      if (row.fleet === true) return goOnInFleet(context, open, input, on);
      const { retry: subtask, words = "" } = input;
      const retry = subtask === undefined ? undefined : { subtask, words };
      if (retry !== undefined) await refuseRetry(journal, run, retry);
      else if (phase === "ended") on({ kind: "ended-before", run, outcome });
      const begun = seq > 0;
      const start = begun
        ? await wholeStart(journal, run, home.runDir(run))
        : await startedAnew(context, open);
      const work = {
        ...{ home, run, journal, start, isNew: !begun },
        ...defined({ retry, first: begun && phase !== "ended" ? ("resume" as const) : undefined }),
      };
      return workAndFollow(context, work, input.view, on);
    });
  },
});

interface Asked {
  readonly view?: "end" | "live" | undefined;
  readonly retry?: string | undefined;
  readonly words?: string | undefined;
}

/** Its workers resume it, and it is followed from here until it ends or is paused. */
async function goOnInFleet(
  context: Context,
  { home, journal, row }: OpenRun,
  { view, retry, words }: Asked,
  on: (happening: ResumeHappening) => void,
): Promise<LeftRun> {
  const { id: run, phase, outcome = "" } = row;
  const { signal = new AbortController().signal } = context;
  if (retry === undefined && phase === "ended") on({ kind: "ended-before", run, outcome });
  else await tellFleetToGoOn(context, { journal, row }, { retry, words });
  const { agents } = (await startedWith(journal, run)).plan;
  const ending = new AbortController();
  const look = async (): Promise<void> => {
    if ((await journal.run(run))?.phase === "paused") ending.abort();
  };
  const looking = setInterval(() => void look().catch(() => undefined), PAUSED_LOOK_MS);
  const until = AbortSignal.any([signal, ending.signal]);
  const followed = { run, from: row.seq + 1, until, live: view === "live", on };
  await followEvents(journal, { ...followed, runDir: home.runDir(run), agents }).finally(() =>
    clearInterval(looking),
  );
  if (signal.aborted) throw notNow(run, `run ${run} goes on in the fleet: unstuck attach ${run}`);
  const { state } = await recordedRun(journal, run);
  return { run, end: endOf(state), ...defined({ outcome: state.outcome }) };
}

const PAUSED_LOOK_MS = 500;

/** For a paused run, or a subtask of an ended one. */
export async function tellFleetToGoOn(
  { who: by = userName() }: Context,
  { journal, row }: Pick<OpenRun, "journal" | "row">,
  { retry: subtask, words = "" }: Omit<Asked, "view">,
): Promise<void> {
  const { id: run } = row;
  const now = { at: Date.now(), chance: Math.random(), by };
  if (subtask === undefined) {
    const pause = await lastPause(journal, run);
    return journal.post(run, { ...now, kind: "resume-requested", pause });
  }
  await refuseRetry(journal, run, { subtask, words });
  await journal.post(run, { ...now, kind: "retry-requested", subtask, words });
}

export type ResumeHappening =
  | RunHappening
  /** There was nothing to resume; what was left undone at its end is finished. */
  | { readonly kind: "ended-before"; readonly run: string; readonly outcome: string };

/** Only a subtask that ended unverified, in a run that ended so, can be retried. */
export async function refuseRetry(journal: Journal, run: string, retry: Retry): Promise<void> {
  const { state } = await recordedRun(journal, run);
  const why = staleness(state, { kind: "retry-requested", ...retry, by: "", at: 0, chance: 0 });
  const ids = state.plan.subtasks.map(({ id }) => id);
  if (ids.length > 0 && !ids.includes(retry.subtask))
    throw new ProblemError(
      "not-found",
      `run ${run}: ${unknownName("subtask", cleanLine(retry.subtask, 60), ids)}`,
    );
  if (why !== undefined)
    throw notNow(run, `run ${run}: ${cleanLine(retry.subtask, 60)} cannot be tried on: ${why}`);
}

/**
 * The process was killed before the journal began: nothing was done yet, so it starts from the repository as it is now.
 */
async function startedAnew(
  { tell = () => undefined }: Context,
  { home, journal, row }: OpenRun,
): Promise<StartedWith> {
  const { id: run } = row;
  const asked = askedStart(home.runDir(run));
  if (asked === undefined)
    throw notNow(
      run,
      `run ${run} has not begun, and nothing is kept of it: unstuck clean ${run} removes it`,
    );
  tell(`run ${run} had not begun: it starts now`);
  const claim = await journal.claim(run, Date.now());
  try {
    return await openWorkspace(home, run, asked, tell);
  } finally {
    await journal.release(claim);
  }
}

/**
 * Each in a process of its own. Runs that a process works on, or that wait for an answer not given yet, are skipped.
 */
export const resumeAll = operation({
  name: "resume-all",
  schemas: async () => (await import("./schemas.ts")).resumeAll,
  run(_, { onlyCutOff }) {
    refuseInsideAttempt("resume", { orphans: "allowed" });
    return withHome(async ({ home, journal }) => {
      const resumed: string[] = [];
      for (const row of await journal.runs()) {
        if (row.phase === "ended" || isWorkedOn(row)) continue;
        const goesOn =
          row.seq === 0
            ? askedStart(home.runDir(row.id)) !== undefined
            : await canGoOn(journal, row, onlyCutOff === true);
        if (goesOn) resumed.push(row.id);
      }
      for (const id of resumed) startDetached(home, id, ["resume", id]);
      return { resumed };
    });
  },
});

async function canGoOn(journal: Journal, { id }: RunRow, onlyCutOff: boolean): Promise<boolean> {
  if (onlyCutOff && (await isStoppedByPerson(journal, id))) return false;
  const answers = await givenAnswers(journal, id);
  return answers.length > 0 || !needsPerson((await recordedRun(journal, id)).state);
}

/** How long to wait for the process that works on the run. */
export const PAUSE_WAIT_MS = 40_000;
export const CANCEL_WAIT_MS = 60_000;

export const stopRun = operation({
  name: "stop",
  schemas: async () => (await import("./schemas.ts")).stopRun,
  run: (context, asked) => {
    refuseInsideAttempt("stop");
    return withRun(context, asked.run, async ({ journal, row }) => {
      const { id: run, phase, outcome } = row;
      const begun = row.seq > 0;
      const ownerAlive = isWorkedOn(row);
      const isOpen = phase !== "ended" && begun;
      if (isOpen)
        await journal.post(run, {
          ...{ at: Date.now(), chance: 0, kind: "pause-requested" },
          ...{ by: "user", reason: `stopped by ${context.who ?? "the user"}` },
          pause: (await lastPause(journal, run)) + 1,
        });
      const paused =
        isOpen &&
        (!ownerAlive ||
          (await waitForState(journal, run, (now) => !isWorkedOn(now), PAUSE_WAIT_MS)));
      return {
        ...{ run, phase, begun, ownerAlive, paused },
        ...(outcome === undefined ? {} : { outcome: { kind: outcome } }),
      };
    });
  },
});

export const cancelRun = operation({
  name: "cancel",
  schemas: async () => (await import("./schemas.ts")).cancelRun,
  run: (context, asked) => {
    refuseInsideAttempt("cancel");
    return withRun(context, asked.run, async ({ home, journal, row }) => {
      const { id: run, phase: before, outcome } = row;
      if (row.seq === 0)
        throw notNow(run, `run ${run} never started; remove it: unstuck clean ${run}`);
      const cancel = async (): Promise<boolean> => {
        // A fleet takes the cancellation even if the run is paused.
        if (isWorkedOn(row) || row.fleet === true) {
          const reason = `cancelled by ${context.who ?? "the user"}`;
          await journal.post(run, { at: Date.now(), chance: 0, kind: "cancel-requested", reason });
          return waitForState(journal, run, ({ phase }) => phase === "ended", CANCEL_WAIT_MS);
        }
        const { phase } = await workOnRun({
          ...{ run, home, journal, isNew: false, first: "cancel", who: context.who },
          start: await wholeStart(journal, run, home.runDir(run)),
          tell: context.tell ?? (() => undefined),
          pause: new AbortController().signal,
        });
        return phase === "ended";
      };
      return {
        ...{ run, before, ended: before === "ended" || (await cancel()) },
        ...(outcome === undefined ? {} : { outcome: { kind: outcome } }),
      };
    });
  },
});

const LOOK_MS = 100;

/** True once the run is in the wanted state, false if that takes longer. */
async function waitForState(
  journal: Journal,
  run: string,
  isSo: (row: RunRow) => boolean,
  limitMs: number,
): Promise<boolean> {
  for (const end = Date.now() + limitMs; ; await sleep(LOOK_MS)) {
    const row = await journal.run(run);
    if (row === undefined || isSo(row)) return true;
    if (Date.now() >= end) return false;
  }
}
