/**
 * What a list of runs tells of one, small enough to stand in the journal's row of the run, so that listing thousands
 * of runs reads no events. Invariant: it costs a look at every subtask only while nothing but waits is left to do.
 */
import { knownAmount, type KnownAmount } from "../amounts.ts";
import { vectorItems } from "../persistent-collections.ts";
import type { RunState } from "./state.ts";
import { needsPerson } from "./view.ts";

export interface RunSummary {
  /** Money. */
  readonly cost: KnownAmount;
  /** Open ones. */
  readonly questions: number;
  /** Nothing can go on until somebody answers. */
  readonly needsPerson: boolean;
  readonly pausedBy?: "user" | "system";
  /** Nothing else is under way until then. Epoch milliseconds. */
  readonly waitsUntil?: number;
  /** Subtasks that are done, of so many; rows of earlier versions have none. */
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

/** As the journal's row has it; undefined for anything else. */
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
