/**
 * Writes what was decided for one owned run and knows where its journal stands. Invariants: the state moves only
 * after the commit; writing snapshots costs at most about half as much as writing the events between them, and a
 * restart never reads much more than two snapshots' length.
 */
import type { RunState } from "../core/run/state.ts";
import { JournalError } from "../journal/error.ts";
import type { Journal } from "../journal/journal.ts";
import type { Claim } from "../journal/owners.ts";
import type { Batch } from "./batch.ts";
import { snapshotOf } from "./restored.ts";
import type { RestoredRun } from "./restored.ts";

interface Recorder {
  readonly state: () => RunState;
  /** Rejects, with nothing changed, if the batch could not be recorded. */
  record(batch: Batch<unknown>): Promise<void>;
  /** Writes a snapshot if it is time for one. */
  snapshot(): Promise<void>;
}

interface RecorderOptions {
  readonly journal: Journal;
  readonly claim: Claim;
  readonly restored: RestoredRun;
  readonly onPoint: (point: Point) => void;
  /** Length of events after which a snapshot is worth its cost, however small it is. */
  readonly snapshotSize: number;
}

/** Length of events, in lengths of the last snapshot, before the next. */
const EVENTS_PER_SNAPSHOT = 2;

export function recorder(options: RecorderOptions): Recorder {
  const { journal, claim, onPoint } = options;
  let { state, seq, sizeSince, snapshotSize } = options.restored;
  return {
    state: () => state,
    async record(batch) {
      const { texts, taken, at } = batch;
      // Also where nothing is to be written: what an owner that lost the run takes for stale may not be.
      const { phase, outcome } = batch.state;
      const ending = outcome === undefined ? {} : { outcome: outcome.kind };
      onPoint("before-append");
      const appended = await journal.append({
        ...{ claim, expected: seq, events: texts, taken, phase, ...ending, at },
      });
      if (!appended.ok) throw lostError(claim.run);
      onPoint("after-append");
      state = batch.state;
      seq = appended.seq;
      sizeSince += batch.size;
    },
    async snapshot() {
      if (sizeSince < Math.max(options.snapshotSize, EVENTS_PER_SNAPSHOT * snapshotSize)) return;
      const snapshot = snapshotOf(state, seq);
      sizeSince = 0;
      snapshotSize = snapshot.state.length;
      onPoint("snapshot-before");
      await journal.saveSnapshot(claim, snapshot);
      onPoint("snapshot-after");
    },
  };
}

const lostError = (run: string): JournalError =>
  new JournalError(
    "owner-lost",
    `Run ${run} was taken over by another process. This one must stop working on it.`,
  );

export type Point =
  | "claimed"
  | "inbox-taken"
  | "timer-fired"
  | "before-append"
  | "after-append"
  | "before-perform"
  | "after-perform"
  | "snapshot-before"
  | "snapshot-after";
