/**
 * The summary of a run for lists, small enough for the run's row in the journal, so that listing thousands of runs
 * reads no events. Invariant: it visits every subtask only when all remaining work is waiting.
 */
import { knownAmount, type KnownAmount } from "../amounts.ts";
import { vectorItems } from "../persistent-collections.ts";
import type { RunState } from "./state.ts";
import { needsPerson } from "./view.ts";

export interface RunSummary {
  readonly cost: KnownAmount;
  /** The number of open questions. */
  readonly questions: number;
  /** Nothing can continue until somebody answers. */
  readonly needsPerson: boolean;
  readonly pausedBy?: "user" | "system";
  /** Nothing else will happen before this time. Epoch milliseconds. */
  readonly waitsUntil?: number;
  /** Finished subtasks out of all; absent in rows from earlier versions. */
  readonly progress?: { readonly done: number; readonly subtasks: number };
}

export function runSummary(state: RunState): RunSummary {
  const waitsUntil = nextWake(state);
  return {
    cost: knownAmount(state, "usd"),
    questions: state.phase === "ended" ? 0 : state.openCheckpoints,
    needsPerson: needsPerson(state),
    progress: progressOf(state),
    ...(state.paused === undefined ? {} : { pausedBy: state.paused.by }),
    ...(waitsUntil === undefined ? {} : { waitsUntil }),
  };
}

const progressOf = ({ counts, plan }: RunState) => ({
  done: counts.verified + counts.unverified + counts.answered,
  subtasks: plan.subtasks.length,
});

function nextWake(state: RunState): number | undefined {
  const { phase, agents, checking, toMerge, counts, baseline } = state;
  const isBusy = agents + checking + toMerge > 0 || baseline.awaited !== undefined;
  if (phase !== "active" || isBusy || counts.waiting === 0) return undefined;
  const due = vectorItems(state.subtasks).flatMap(({ timer }) => timer?.dueAt ?? []);
  return due.length === 0 ? undefined : due.reduce((least, at) => Math.min(least, at));
}

/** Parses the journal row's JSON; undefined if it is not a summary. */
export function readSummary(text: string): RunSummary | undefined {
  try {
    const read = JSON.parse(text) as Partial<RunSummary> | null;
    const isOne =
      typeof read?.cost?.attempts === "number" &&
      typeof read.questions === "number" &&
      typeof read.needsPerson === "boolean";
    return isOne ? (read as RunSummary) : undefined;
  } catch {
    return undefined;
  }
}
