/**
 * The history of a run as people read it: for each subtask its attempts, what failed, what was done about it and
 * what a person said. Collected from the recorded events; the run's state keeps only the latest of it. Invariants:
 * never asks policy or classifier; an attempt is listed once, whoever made it; kinds it does not know change
 * nothing.
 */
import { ruleName } from "../policy/policy.ts";
import type { Budget } from "../budget.ts";
import { defined } from "../defined.ts";
import type { Failure } from "../failure.ts";
import type { ModelEntry } from "../plan/plan.ts";
import type { Recovery, RecoveryName } from "../recovery.ts";
import type { Checkpoint } from "../run/checkpoint.ts";
import type { Decision, DecisionOf, RunEvent } from "../run/decision.ts";
import type { Answer, RunInput } from "../run/input.ts";
import type { Note } from "../run/note.ts";
import type { Episode } from "./episode.ts";

export interface PastAttempt {
  readonly attempt: number;
  /** Epoch milliseconds; absent for what a person did by hand. */
  startedAt?: number;
  endedAt?: number;
  entry?: ModelEntry;
  recovery?: RecoveryName;
  branch?: string;
  /** Session it had where the history was imported from. */
  session?: number;
  approach: string;
  counted: boolean;
  failure?: Failure;
  error?: string;
  failing: readonly string[];
  score?: number;
  used: Budget;
  treeBefore?: string;
  treeAfter?: string;
  /** The subtask was done with it. */
  succeeded: boolean;
}

/** One thing that happened to a subtask, in order. */
export type PastEvent =
  | { readonly kind: "failure"; readonly attempt: number; readonly failure: Failure }
  | {
      readonly kind: "recovery";
      readonly recoveries: readonly Recovery[];
      readonly rule: string;
      readonly because: string;
    }
  | { readonly kind: "circle"; readonly because: string };

export interface SubtaskPast {
  readonly id: string;
  readonly attempts: Map<number, PastAttempt>;
  readonly events: PastEvent[];
  /** Questions about it, with their answers. */
  readonly questions: { readonly checkpoint: Checkpoint; answer?: Answer; by?: string }[];
  parked?: string;
  /** What is to be known beside how it ended. */
  notes?: readonly Note[];
  /** Why a read-only subtask ended without an answer. */
  unanswered?: string;
  waitReason?: string;
  startedAt?: number;
  endedAt?: number;
}

/**
 * How long its agents worked, by the clock that neither jumps nor runs while the machine sleeps; where that was not recorded, from
 * its start to its end by the wall clock.
 */
export function tookMs({ attempts, startedAt, endedAt }: SubtaskPast): number | undefined {
  const timed = [...attempts.values()].flatMap(({ used }) => used.timeMs ?? []);
  if (timed.length > 0) return timed.reduce((sum, ms) => sum + ms, 0);
  return startedAt === undefined || endedAt === undefined
    ? undefined
    : Math.max(0, endedAt - startedAt);
}

export interface RunHistory {
  readonly subtasks: ReadonlyMap<string, SubtaskPast>;
  readonly episodes: readonly Episode[];
  readonly startedAt: number | undefined;
  /** Time of the last event that has one. */
  readonly at: number;
}

export interface HistoryCollector {
  add(event: RunEvent): void;
  history(): RunHistory;
}

interface Collected {
  readonly subtasks: Map<string, SubtaskPast>;
  readonly episodes: Episode[];
  startedAt: number | undefined;
  at: number;
}

export function historyCollector(): HistoryCollector {
  const all: Collected = { subtasks: new Map(), episodes: [], startedAt: undefined, at: 0 };
  return {
    add: (event) => (event.kind === "received" ? addInput(all, event.input) : add(all, event)),
    history: () => all,
  };
}

export function historyOf(events: Iterable<RunEvent>): RunHistory {
  const collector = historyCollector();
  for (const event of events) collector.add(event);
  return collector.history();
}

function addInput(all: Collected, input: RunInput): void {
  all.at = Math.max(all.at, input.at);
  switch (input.kind) {
    case "run-started":
      all.startedAt = input.at;
      for (const { id } of input.plan.subtasks) pastOf(all, id);
      return;
    case "attempt-started": {
      const { identity } = input;
      if (typeof identity === "object" && identity !== null && "session" in identity)
        attemptOf(all, input).session = Number(identity.session);
      return;
    }
    case "attempt-ended": {
      const { approach, used, treeBefore, treeAfter } = input.remains;
      const attempt = attemptOf(all, input);
      Object.assign(attempt, { endedAt: input.at, approach, used, treeBefore, treeAfter });
      if (attempt.session !== undefined) attempt.succeeded = input.outcome === "finished";
      return;
    }
    default:
  }
}

type Add = {
  readonly [K in Decision["kind"]]?: (all: Collected, event: DecisionOf<K>) => void;
};

const ADD: Add = {
  "attempt-dispatched": (all, event) => {
    const { spec, at } = event;
    all.at = Math.max(all.at, at);
    const past = pastOf(all, event.subtask);
    past.startedAt ??= at;
    delete past.parked;
    delete past.endedAt;
    const { entry, recovery, prompt } = spec;
    const branch = prompt.branch?.id;
    Object.assign(attemptOf(all, event), {
      startedAt: at,
      entry,
      ...defined({ recovery, branch }),
    });
  },
  "checks-dispatched": attemptOf,
  "failure-classified": (all, event) => {
    const { attempt, failure, counted, error, failing } = event;
    Object.assign(attemptOf(all, event), { failure, counted, error, failing });
    pastOf(all, event.subtask).events.push({ kind: "failure", attempt, failure });
  },
  "attempt-cut-off": (all, event) => void (attemptOf(all, event).counted = false),
  "progress-scored": (all, event) => void (attemptOf(all, event).score = event.score),
  "recovery-chosen": (all, { subtask, recoveries, because, chosenBy }) => {
    const rule = ruleName(chosenBy);
    pastOf(all, subtask).events.push({ kind: "recovery", recoveries, rule, because });
  },
  "circular-fix-seen": (all, { subtask, because }) =>
    void pastOf(all, subtask).events.push({ kind: "circle", because }),
  "wait-scheduled": (all, { subtask, reason }) => void (pastOf(all, subtask).waitReason = reason),
  "subtask-done": (all, event) => {
    const { notes, unanswered } = event;
    const past = pastOf(all, event.subtask);
    delete past.parked;
    Object.assign(past, { endedAt: all.at, ...defined({ notes, unanswered }) });
    if (unanswered === undefined && event.attempt > 0) attemptOf(all, event).succeeded = true;
  },
  "subtask-confirmed": (all, { subtask, notes }) => void (pastOf(all, subtask).notes = notes),
  "subtask-parked": (all, { subtask, reason }) =>
    void Object.assign(pastOf(all, subtask), { parked: reason, endedAt: all.at }),
  "checkpoint-opened": (all, { checkpoint }) => {
    if (checkpoint.subtask !== undefined)
      pastOf(all, checkpoint.subtask).questions.push({ checkpoint });
  },
  "checkpoint-closed": (all, { subtask, checkpoint: id, answer, by }) => {
    if (subtask === undefined) return;
    const { questions } = pastOf(all, subtask);
    const asked = questions.findLast(({ checkpoint }) => checkpoint.id === id);
    if (asked !== undefined) Object.assign(asked, { answer, by });
  },
  "episode-recorded": (all, { episode }) => void all.episodes.push(episode),
};

function add(all: Collected, event: Decision): void {
  (ADD[event.kind] as ((all: Collected, event: Decision) => void) | undefined)?.(all, event);
}

function pastOf({ subtasks }: Collected, id: string): SubtaskPast {
  const known = subtasks.get(id);
  if (known !== undefined) return known;
  const past: SubtaskPast = { id, attempts: new Map(), events: [], questions: [] };
  subtasks.set(id, past);
  return past;
}

function attemptOf(
  all: Collected,
  { subtask, attempt }: { readonly subtask: string; readonly attempt: number },
): PastAttempt {
  const { attempts } = pastOf(all, subtask);
  const known = attempts.get(attempt);
  if (known !== undefined) return known;
  const past = { attempt, approach: "", counted: true, failing: [], used: {}, succeeded: false };
  attempts.set(attempt, past);
  return past;
}
