/** Folds the recorded events of a run into its state and history, reading them in order and in batches. */
import { historyCollector } from "../../core/history/collect-history.ts";
import type { RunHistory } from "../../core/history/run-history.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import { fold } from "../../core/run/fold/fold.ts";
import { NEW_RUN } from "../../core/run/new-run.ts";
import type { RunState } from "../../core/run/state.ts";
import type { JournalReader, JournalRow } from "../../journal/reader.ts";

const ROWS_AT_ONCE = 5000;

export interface RecordedRun {
  readonly state: RunState;
  readonly history: RunHistory;
}

/** Yields events in batches, which is faster than one by one. */
export async function* recordedRows(
  journal: Pick<JournalReader, "read">,
  run: string,
  from = 1,
): AsyncGenerator<readonly JournalRow[]> {
  for (let next = from; ;) {
    const rows = await journal.read(run, next, ROWS_AT_ONCE);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    next += rows.length;
  }
}

/** Takes events one by one; its state and history can be read at any time. */
export function runFold() {
  const collector = historyCollector();
  let first: RunEvent | undefined;
  let state: RunState = NEW_RUN;
  return {
    add(event: RunEvent): void {
      first ??= event;
      state = fold(state, event);
      collector.add(event);
    },
    first: (): RunEvent | undefined => first,
    state: (): RunState => state,
    history: () => collector.history(),
  };
}

/** Adds all recorded events to the given fold and returns it. */
export async function foldedInto<Fold extends { readonly add: (event: RunEvent) => void }>(
  fold: Fold,
  journal: Pick<JournalReader, "read">,
  run: string,
): Promise<Fold> {
  for await (const rows of recordedRows(journal, run))
    for (const { event } of rows) fold.add(event);
  return fold;
}
