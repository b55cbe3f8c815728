/**
 * What the owner of a run watches for beside its own work: a stop file, a stop that is recorded, news of other
 * runs, and that the run has come to stand still. Each gives how to stop watching.
 */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunState } from "../../core/run/state.ts";
import { needsPerson } from "../../core/run/view.ts";
import { JournalError } from "../../journal/error.ts";
import type { Journal } from "../../journal/journal.ts";

const SETTLE_MS = 20;
const STOP_LOOK_MS = 500;
const NEWS_MS = 1000;

/** A file in the run's folder pauses it, for those who have no terminal at hand (A11). */
export function onStopFile(file: string, stop: () => void): () => void {
  const looking = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(looking);
    stop();
  }, STOP_LOOK_MS).unref();
  return () => clearInterval(looking);
}

/** Other processes change the journal: at most once a second, and once at the start. */
export function onForeignNews(journal: Journal, tell: () => void): () => void {
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

/** Each time a pause or the end is recorded, wherever it was asked for. */
export function onStop(journal: Journal, state: () => RunState, stopped: () => void): () => void {
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

/** Nothing goes on before somebody answers, or resumes it. */
const isStill = (state: RunState): boolean => needsPerson(state) || state.phase === "paused";

/** Settles when the run has come to stand still and nobody has told it anything yet. */
export function standsStill(
  journal: Journal,
  run: string,
  state: () => RunState,
): { readonly promise: Promise<void>; readonly cancel: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    if (!isStill(state())) return;
    const told = await journal.posted(run, 0, 1);
    if (told.length === 0 && isStill(state())) resolve();
  };
  const soon = (): void => void setTimeout(() => void look().catch(reject), SETTLE_MS);
  const cancel = journal.watch(soon);
  soon();
  return { promise, cancel };
}

const RECORD_LIMIT_MS = 5000;

/**
 * Rejects where a stop is not recorded by the limit: a full disk is waited for while a run goes on, but not by
 * whoever wants it to end. What was recorded before stays, and the run can be resumed.
 */
export async function inTime(run: string, recorded: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const late = sleep(RECORD_LIMIT_MS, "late", waiting).catch(() => undefined);
  const first = await Promise.race([recorded, late]).finally(() => waiting.abort());
  if (first === "late")
    throw new JournalError(
      "disk-full",
      `Run ${run} was let go, but its journal takes no more: free disk space, then: unstuck resume ${run}`,
    );
}
