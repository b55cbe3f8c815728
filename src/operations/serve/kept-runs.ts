/**
 * Folded runs, cached for a server that is asked for the same runs repeatedly: only new events are read, and values
 * last derived from them are kept. Invariants: it equals folding all events anew; a run whose journal was replaced or
 * cleaned, which shows in its last known event or its creation time, is folded anew; it is bounded by the number of
 * runs and by the length of their events.
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
  /** The fold grows with the run: use it before the next await, or copy from it. */
  readonly folded: (run: string) => Promise<TimedRun>;
  /** A copy of its current state. */
  readonly recorded: (run: string) => Promise<RecordedRun>;
  /** The same object as before, until the run has new events or the key differs. */
  readonly made: <T extends object>(row: CreatedRun, asked: Derivation<T>) => Promise<T>;
}

export type CreatedRun = Pick<RunRow, "id" | "created">;

/** A value derived from a run's events and from what the key describes. */
export interface Derivation<T extends object> {
  readonly name: string;
  readonly key: string;
  readonly make: (folded: TimedRun) => T;
}

interface Kept {
  readonly fold: TimedRun;
  /** Undefined if it is not known. */
  readonly created: number | undefined;
  /** By name: the value derived last. */
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
  /** Least recently used first. */
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
  /** Reads the new events; false if it is not the same run any more. */
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
    // Removed while it grows, so that no other request adds to it; its size is measured again when it is put back.
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
    async made<T extends object>(row: CreatedRun, { name, key, make }: Derivation<T>): Promise<T> {
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

/** A copy that does not change when events are added later. */
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
