/**
 * What the events of runs come to, for a server that is asked for the same runs again and again: kept, so that only new
 * events are read, with what was made of it last. Invariants: it says what folding all events anew says; a run whose
 * journal was replaced or cleaned is folded anew, which the last known event tells, or when it was created; it is bounded
 * by the number of runs and by the length of their events.
 */
import { isDeepStrictEqual } from "node:util";
import type { RunHistory, SubtaskPast } from "../../core/history/run-history.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import type { JournalReader, JournalRow, RunRow } from "../../journal/reader.ts";
import { timedThings } from "../follow/outline-times.ts";
import { recordedRows, runFold, type RecordedRun } from "../follow/run-fold.ts";

interface TimedRun extends ReturnType<typeof runFold> {
  readonly times: ReturnType<typeof timedThings>;
}

export interface KeptRuns {
  /** It grows with the run: to be looked at before anything is waited for, or copied. */
  readonly folded: (run: string) => Promise<TimedRun>;
  /** As it is now. */
  readonly recorded: (run: string) => Promise<RecordedRun>;
  /** The very object of before, until the run goes on or another key is given. */
  readonly made: <T extends object>(row: CreatedRun, asked: Making<T>) => Promise<T>;
}

export type CreatedRun = Pick<RunRow, "id" | "created">;

/** What is worked out of a run's events, and of what else the key tells. */
export interface Making<T extends object> {
  readonly name: string;
  readonly key: string;
  readonly make: (folded: TimedRun) => T;
}

interface Kept {
  readonly fold: TimedRun;
  /** Undefined where nobody told. */
  readonly created: number | undefined;
  /** By name: what was made of it last. */
  readonly made: Map<
    string,
    { readonly seq: number; readonly key: string; readonly value: object }
  >;
  seq: number;
  last: RunEvent | undefined;
  chars: number;
}

const LIMITS = { runs: 300, chars: 32 * 1024 * 1024 };

export function keptRuns(
  journal: Pick<JournalReader, "read">,
  limits: typeof LIMITS = LIMITS,
): KeptRuns {
  /** Asked for longest ago first. */
  const known = new Map<string, Kept>();
  let chars = 0;
  const forget = (run: string): void => {
    chars -= known.get(run)?.chars ?? 0;
    known.delete(run);
  };
  const keep = (run: string, one: Kept): void => {
    forget(run);
    known.set(run, one);
    chars += one.chars;
    for (const [oldest] of known) {
      if (known.size <= limits.runs && chars <= limits.chars) return;
      forget(oldest);
    }
  };
  /** Whether it is still the same run; with all that is new of it. */
  const isBroughtUpToDate = async (run: string, one: Kept): Promise<boolean> => {
    const { seq, last } = one;
    let isFirst = seq > 0;
    for await (const rows of recordedRows(journal, run, Math.max(1, seq))) {
      if (isFirst && !isDeepStrictEqual(rows[0]?.event, last)) return false;
      isFirst = false;
      grow(one, rows);
    }
    return !isFirst;
  };
  const grow = (one: Kept, rows: readonly JournalRow[]): void => {
    for (const { seq, event, size } of rows)
      if (seq > one.seq) {
        one.fold.add(event);
        one.seq = seq;
        one.last = event;
        one.chars += size;
      }
  };
  const upToDate = async (run: string, created?: number): Promise<Kept> => {
    const before = known.get(run);
    const isOther = created !== undefined && created !== before?.created;
    // Nobody else adds to it meanwhile, and it is measured again once it has grown.
    forget(run);
    if (before !== undefined && !isOther && (await isBroughtUpToDate(run, before))) {
      keep(run, before);
      return before;
    }
    const anew: Kept = {
      ...{ fold: timedFold(), created, made: new Map(), seq: 0, last: undefined, chars: 0 },
    };
    await isBroughtUpToDate(run, anew);
    if (anew.seq > 0) keep(run, anew);
    return anew;
  };
  return {
    folded: async (run) => (await upToDate(run)).fold,
    async recorded(run) {
      const { state, history } = (await upToDate(run)).fold;
      return { state: state(), history: copyOfHistory(history()) };
    },
    async made<T extends object>(row: CreatedRun, { name, key, make }: Making<T>): Promise<T> {
      const { fold, made, seq } = await upToDate(row.id, row.created);
      const before = made.get(name);
      if (before?.seq === seq && before.key === key) return before.value as T;
      const value = make(fold);
      made.set(name, { seq, key, value });
      return value;
    },
  };
}

export function timedFold(): TimedRun {
  const folded = runFold();
  const times = timedThings();
  return {
    add(event: RunEvent): void {
      folded.add(event);
      times.add(event);
    },
    ...{ first: folded.first, state: folded.state, history: folded.history, times },
  };
}

/** As it is now, whatever is added to it later. */
const copyOfHistory = (history: RunHistory): RunHistory => ({
  ...history,
  subtasks: new Map([...history.subtasks].map(([id, past]) => [id, copyOfPast(past)])),
  episodes: [...history.episodes],
  asked: new Map(history.asked),
});

const copyOfPast = (past: SubtaskPast): SubtaskPast => ({
  ...past,
  attempts: new Map([...past.attempts].map(([number, attempt]) => [number, { ...attempt }])),
  events: [...past.events],
  questions: past.questions.map((question) => ({ ...question })),
});
