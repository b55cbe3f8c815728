/** All that is recorded of a run: the one way to read its events, and to fold them into its state and history. */
import { historyCollector } from "../../core/history/collect-history.ts";
import type { RunHistory } from "../../core/history/run-history.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import { fold } from "../../core/run/fold/fold.ts";
import { NEW_RUN } from "../../core/run/new-run.ts";
import type { RunState } from "../../core/run/state.ts";
import { follow } from "../../engines/follow.ts";
import type { JournalReader } from "../../journal/reader.ts";
import type { Recorded } from "../../runtime/ports.ts";

const ROWS_AT_ONCE = 5000;

export interface RecordedRun {
  readonly state: RunState;
  readonly history: RunHistory;
}

/** In order; with a signal also what comes until the run ends or it is aborted, and all that is recorded by then. */
export async function* recordedEvents(
  journal: JournalReader,
  run: string,
  { from = 1, until }: { readonly from?: number; readonly until?: AbortSignal } = {},
): AsyncGenerator<Recorded> {
  let next = from;
  if (until !== undefined)
    for await (const recorded of follow(journal, run, next, until)) {
      next = recorded.seq + 1;
      yield recorded;
    }
  for (;;) {
    const rows = await journal.read(run, next, ROWS_AT_ONCE);
    if (rows.length === 0) return;
    yield* rows;
    next += rows.length;
  }
}

export async function recordedRun(journal: JournalReader, run: string): Promise<RecordedRun> {
  const folded = runFold();
  for await (const { event } of recordedEvents(journal, run)) folded.add(event);
  return { state: folded.state(), history: folded.history() };
}

/** Takes events one by one, and tells at any time what they come to. */
export function runFold() {
  const collector = historyCollector();
  let state: RunState = NEW_RUN;
  return {
    add(event: RunEvent): void {
      state = fold(state, event);
      collector.add(event);
    },
    state: (): RunState => state,
    history: () => collector.history(),
  };
}

export function openCheckpoints(state: RunState): readonly Checkpoint[] {
  const own = vectorItems(state.subtasks).flatMap(({ checkpoint }) => checkpoint ?? []);
  return state.checkpoint === undefined ? own : [state.checkpoint, ...own];
}
