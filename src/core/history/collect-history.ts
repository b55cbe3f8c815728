/**
 * Collects a run's history from its recorded events; the run's state keeps only the most recent part. Invariants: never
 * consults policy or classifier; an attempt is listed once, including a person's own work; unknown kinds of events
 * change nothing.
 */
import { defined } from "../defined.ts";
import type { Decision, DecisionOf, OfAttempt, RunEvent } from "../run/decision.ts";
import type { RunInput } from "../run/input.ts";
import type { Episode } from "./episode.ts";
import type { SubtaskPast, PastAttempt, RunHistory } from "./run-history.ts";

export interface HistoryCollector {
  add(event: RunEvent): void;
  history(): RunHistory;
}

interface Collected {
  readonly subtasks: Map<string, SubtaskPast>;
  readonly episodes: Episode[];
  readonly asked: Map<string, number>;
  startedAt: number | undefined;
  at: number;
  /**
   * The "session" of `attempt_history.json`: a new one starts after a resume, a lost attempt or a wait for a person
   * alone, and when an agent's work is handed over.
   */
  session: number;
  sessionIsOver: boolean;
}

export function historyCollector(): HistoryCollector {
  const all: Collected = {
    ...{ subtasks: new Map(), episodes: [], asked: new Map() },
    ...{ startedAt: undefined, at: 0 },
    ...{ session: 1, sessionIsOver: false },
  };
  return {
    add: (event) => (event.kind === "received" ? addInput(all, event.input) : add(all, event)),
    history() {
      const { subtasks, episodes, asked, startedAt, at } = all;
      return { subtasks, episodes, asked, startedAt, at };
    },
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
        Object.assign(attemptOf(all, input), {
          ...{ session: Number(identity.session), imported: true },
        });
      return;
    }
    case "resume-requested":
      all.sessionIsOver = true;
      return;
    case "attempt-ended": {
      const { approach, used, treeBefore, treeAfter } = input.remains;
      const attempt = attemptOf(all, input);
      Object.assign(attempt, { endedAt: input.at, approach, used, treeBefore, treeAfter });
      if (attempt.imported) attempt.succeeded = input.outcome === "finished";
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
    endWait(past, at);
    delete past.parked;
    delete past.alert;
    delete past.endedAt;
    const { entry, recovery, prompt } = spec;
    if (all.sessionIsOver || recovery === "continue") all.session += 1;
    all.sessionIsOver = false;
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
    if (failure.kind === "lost") all.sessionIsOver = true;
    pastOf(all, event.subtask).events.push({ kind: "failure", attempt, failure });
  },
  "attempt-cut-off": (all, event) => void (attemptOf(all, event).counted = false),
  "progress-scored": (all, event) => void (attemptOf(all, event).score = event.score),
  "recovery-chosen": (all, { subtask, recoveries, because, chosenBy }) => {
    pastOf(all, subtask).events.push({ kind: "recovery", recoveries, chosenBy, because });
  },
  "circular-fix-seen": (all, { subtask, because }) =>
    void pastOf(all, subtask).events.push({ kind: "circle", because }),
  "wait-scheduled": (all, { subtask, reason }) => {
    const past = pastOf(all, subtask);
    past.waitReason = reason;
    past.waitingSince ??= all.at;
  },
  "subtask-done": (all, event) => {
    const { notes, unanswered } = event;
    const past = pastOf(all, event.subtask);
    delete past.parked;
    delete past.alert;
    Object.assign(past, { endedAt: all.at, ...defined({ notes, unanswered }) });
    if (unanswered === undefined && event.attempt > 0) attemptOf(all, event).succeeded = true;
  },
  "subtask-confirmed": (all, { subtask, notes }) => void (pastOf(all, subtask).notes = notes),
  "subtask-parked": (all, { subtask, reason }) =>
    void Object.assign(pastOf(all, subtask), { parked: reason, endedAt: all.at }),
  "alert-raised": (all, { subtask, alert, severity }) =>
    void (pastOf(all, subtask).alert = { alert, severity }),
  "checkpoint-opened": (all, { checkpoint }) => {
    all.asked.set(checkpoint.id, all.at);
    if (checkpoint.subtask !== undefined)
      pastOf(all, checkpoint.subtask).questions.push({ checkpoint });
  },
  "checkpoint-closed": (all, { subtask, checkpoint: id, answer, by }) => {
    // A run that only waits for a person ends its process, so the answer starts a new session.
    if (![...all.subtasks.values()].some(isUnderWay)) all.sessionIsOver = true;
    if (subtask === undefined) return;
    const { questions } = pastOf(all, subtask);
    const asked = questions.findLast(({ checkpoint }) => checkpoint.id === id);
    if (asked !== undefined) Object.assign(asked, { answer, by });
  },
  "episode-recorded": (all, { episode }) => void all.episodes.push(episode),
};

function endWait(past: SubtaskPast, at: number): void {
  if (past.waitingSince === undefined) return;
  past.waitedMs = (past.waitedMs ?? 0) + Math.max(0, at - past.waitingSince);
  delete past.waitingSince;
}

const isUnderWay = ({ startedAt, endedAt }: SubtaskPast): boolean =>
  startedAt !== undefined && endedAt === undefined;

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

function attemptOf(all: Collected, { subtask, attempt }: OfAttempt): PastAttempt {
  const { attempts } = pastOf(all, subtask);
  const known = attempts.get(attempt);
  if (known !== undefined) return known;
  const past = {
    ...{ attempt, session: all.session, approach: "", counted: true },
    ...{ failing: [], used: {}, succeeded: false },
  };
  attempts.set(attempt, past);
  return past;
}
