/**
 * Learns from a run while this process works on it: each time a subtask ends, what its events teach is added to its
 * repository's knowledge in one write. Invariants: the run never waits for it or fails because of it; what a crash kept
 * from being learned is learned when the run is resumed, and nothing is learned twice.
 */
import {
  teachingCollector,
  withTaught,
  readLearning,
} from "../../core/learning/repository-learning.ts";
import type { Taught } from "../../core/learning/repository-learning.ts";
import type { RunState } from "../../core/run/state.ts";
import type { StoredJournal } from "../../journal/journal.ts";
import { recordedEvents } from "../runs/recorded.ts";

interface Learning {
  readonly run: string;
  /** The repository's folder, which identifies it. */
  readonly repository: string;
  readonly journal: StoredJournal;
  readonly state: () => RunState;
  readonly now: () => number;
}

/** Ends learning once everything recorded by then has been processed. */
type EndLearning = () => Promise<void>;

export function learnFromRun({ run, repository, journal, state, now }: Learning): EndLearning {
  const collector = teachingCollector();
  let next = 1;
  let taught: readonly Taught[] = [];
  let ended = -1;
  let working = Promise.resolve();

  const take = async (): Promise<void> => {
    for await (const { seq, event } of recordedEvents(journal, run, { from: next })) {
      taught = [...taught, ...collector.add(seq, event)];
      next = seq + 1;
    }
    if (taught.length === 0) return;
    const [all, upTo] = [taught, next - 1];
    await journal.learned.change(repository, now(), (known) =>
      JSON.stringify(withTaught(readLearning(known), run, all, { upTo, now: now() })),
    );
    taught = [];
  };
  /** What could not be learned now is learned the next time. */
  const taken = (): Promise<void> => (working = working.then(take).catch(() => undefined));

  const unwatch = journal.watch((change) => {
    if (change.kind !== "events" || change.run !== run) return;
    const count = endedSubtasks(state());
    if (count !== ended) void taken();
    ended = count;
  });
  return async () => {
    unwatch();
    await taken();
  };
}

const endedSubtasks = ({ counts }: RunState): number =>
  counts.verified +
  counts.unverified +
  counts.answered +
  counts.stuck +
  counts.skipped +
  counts.asking;
